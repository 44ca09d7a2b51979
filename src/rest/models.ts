/** A model of the contract: the type of the gateway that it shows, and its members. */
export interface Model {
  readonly type: string;
  readonly members: readonly string[];
}

/** The contract's models (section 2), member by member. */
export const models = {
  UserModel: { type: 'User', members: ['name', 'email', 'id', 'team_id'] },
  CustomFieldModel: { type: 'CustomField', members: ['id', 'name', 'value'] },
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
} as const satisfies Record<string, Model>;

/** The name of a model of the contract. */
export type ModelName = keyof typeof models;

const membersOfType = new Map<string, ReadonlySet<string>>(
  Object.values(models).map(({ type, members }) => [type, new Set(members)]),
);

/** Whether a type of the gateway has a member in the contract. */
export function isMember(type: string, member: string): boolean {
  return membersOfType.get(type)?.has(member) === true;
}
