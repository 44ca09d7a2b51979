/** A model of the contract: the gateway's type that it shows, and its members. */
export interface Model {
  readonly type: string;
  readonly members: readonly string[];
}

/** The contract's models (section 2), member by member. */
export const contractModels = {
  UserModel: { type: 'User', members: ['name', 'email', 'id', 'team_id'] },
  // What the original shows of a user where it is not part of another record.
  UserRecordModel: { type: 'User', members: ['name', 'email', 'id', 'team_id', 'roles', 'role_type_id'] },
  CustomFieldModel: { type: 'CustomField', members: ['id', 'name', 'value'] },
  TagModel: { type: 'Tag', members: ['id', 'name', 'team_id', 'modified', 'organization_id'] },
  LocationModel: {
    type: 'Location',
    members: ['id', 'parent_location_id', 'name', 'team_id', 'modified', 'custom_fields'],
  },
  ContactModel: {
    type: 'Contact',
    members: [
      'name',
      'id',
      'email',
      'timezone',
      'mobile',
      'phone',
      'assigned_to',
      'type_id',
      'contact_id',
      'location_id',
      'team_id',
      'is_active',
      'modified',
      'custom_fields',
    ],
  },
  ContactType: { type: 'ContactType', members: ['name', 'id', 'is_active', 'modified'] },
  VehicleModel: {
    type: 'Vehicle',
    members: [
      'id',
      'name',
      'vin',
      'license_plate',
      'year',
      'make',
      'model',
      'trim',
      'color',
      'body_type',
      'registration_province',
      'msrp',
      'primary_meter_type_id',
      'primary_meter_reading',
      'ownership_id',
      'status_id',
      'folder_id',
      'location_id',
      'type_id',
      'vehicle_fuel_type_id',
      'assigned_to_contact_id',
      'assigned_to',
      'team_id',
      'is_archived',
      'modified',
      'custom_fields',
    ],
  },
  CompanyModel: {
    type: 'Company',
    members: [
      'id',
      'name',
      'doing_business_as',
      'phone',
      'website',
      'address_line_1',
      'address_line_2',
      'city',
      'province',
      'postal_code',
      'country_id',
      'tax_id',
      'tax_type_id',
      'type_id',
      'primary_contact_id',
      'assigned_to',
      'team_id',
      'is_archived',
      'modified',
      'custom_fields',
    ],
  },
  TeamModel: { type: 'Team', members: ['name', 'id', 'is_active', 'modified'] },
  NoteRelationModel: { type: 'NoteRelation', members: ['entity_id', 'entity_type'] },
  NoteModel: {
    type: 'Note',
    members: ['id', 'name', 'body', 'body_text', 'team_id', 'created', 'modified', 'relations'],
  },
  EntityRelationModel: { type: 'RelatedEntity', members: ['id', 'type_id'] },
  EventLogModel: {
    type: 'EventLog',
    members: ['description', 'details', 'created', 'id', 'type_id', 'user', 'related_entities'],
  },
  ExpirationItem: {
    type: 'ExpirationItem',
    members: [
      'id',
      'name',
      'expiration_date',
      'status',
      'time_of_day',
      'category',
      'details',
      'assigned_to',
      'status_id',
      'modified',
      'category_name',
      'is_active',
      'team_id',
      'contacts',
      'attachments',
      'custom_fields',
      'locations',
      'tags',
      'contact_id',
    ],
  },
  ExpirationItemAttachmentModel: {
    type: 'Attachment',
    members: ['id', 'content', 'name', 'content_type', 'created', 'content_legth'],
  },
  RenewalModel: {
    type: 'Renewal',
    members: ['id', 'previous_date', 'expiration_date', 'details', 'created', 'user'],
  },
  UploadModel: {
    type: 'UploadNotification',
    members: [
      'id',
      'notification_id',
      'action',
      'timestamp',
      'container',
      'url',
      'filename',
      'client',
      'key',
      'type',
      'status',
      'size',
      'upload_Tags',
      'state',
      'error',
      'attempts',
      'received_at',
      'filed_at',
      'modified',
      'suggested_expiration_date',
      'suggested_from',
      'expiration_item_id',
      'attachment_id',
    ],
  },
  ReminderStepModel: {
    type: 'ReminderStep',
    members: [
      'id',
      'offset_days',
      'repeat_every_days',
      'repeat_count',
      'only_unacknowledged',
      'recipients',
      'addresses',
    ],
  },
  ReminderPolicyModel: {
    type: 'ReminderPolicy',
    members: [
      'id',
      'name',
      'time_of_day',
      'deliver_on',
      'lead_days',
      'steps',
      'team_id',
      'created',
      'modified',
    ],
  },
  AcknowledgementModel: {
    type: 'Acknowledgement',
    members: ['expiration_item_id', 'expiration_date', 'note', 'silence', 'snooze_until', 'user', 'created'],
  },
  DeliveryModel: {
    type: 'Delivery',
    members: [
      'id',
      'kind',
      'state',
      'address',
      'subject_kind',
      'expiration_item_id',
      'attempts',
      'last_error',
      'status_code',
      'message_id',
      'due_at',
      'settled_at',
      'team_id',
      'created',
      'modified',
    ],
  },
  // What the original shows of a file where it is not part of its record.
  AttachmentModel: {
    type: 'Attachment',
    members: [
      'id',
      'content',
      'name',
      'content_type',
      'created',
      'content_legth',
      'entity_type',
      'entity_id',
    ],
  },
  CategoryCustomFieldModel: { type: 'CategoryCustomField', members: ['id', 'name', 'internal_name'] },
  CategoryModel: {
    type: 'Category',
    members: ['name', 'id', 'modified', 'is_active', 'team_id', 'custom_fields'],
  },
} as const satisfies Record<string, Model>;

/** The name of a model of the contract. */
export type ContractModel = keyof typeof contractModels;

// Of two models of a type, the first one is what other records show.
const membersOfType = new Map<string, ReadonlySet<string>>(
  Object.values(contractModels)
    .reverse()
    .map(({ type, members }) => [type, new Set(members)]),
);

/** Checks that a type of the gateway has a member in the contract. */
export function isMember(type: string, member: string): boolean {
  return membersOfType.get(type)?.has(member) === true;
}

/** Checks that records of a model are files, or have some. */
export function hasFiles(name: ContractModel): boolean {
  const { type, members }: Model = contractModels[name];
  return type === 'Attachment' || members.includes('attachments');
}
