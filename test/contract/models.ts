/** A type as the contract writes it. */
export type Type =
  | 'string'
  | 'strings'
  | 'string (uuid)'
  | 'boolean'
  | 'integer'
  | 'integer (int32)'
  | 'integer (int64)'
  | 'number (double)'
  | 'object'
  | ModelName
  | `${ModelName}[]`;

/** The members of a model, each with its type. */
export type Shape = Readonly<Record<string, Type>>;

export type ModelName =
  | 'UserModel'
  | 'UserRecordModel'
  | 'CustomFieldModel'
  | 'CategoryCustomFieldModel'
  | 'CategoryModel'
  | 'ExpirationItem'
  | 'ExpirationItemAttachmentModel'
  | 'TagModel'
  | 'LocationModel'
  | 'ContactModel'
  | 'ContactType'
  | 'VehicleModel'
  | 'CompanyModel'
  | 'TeamModel'
  | 'NoteModel'
  | 'NoteRelationModel'
  | 'EventLogModel'
  | 'EntityRelationModel'
  | 'UploadNotification'
  | 'UploadWebhookText'
  | 'Renewal'
  | 'RenewalModel'
  | 'UploadModel'
  | 'UploadDecision'
  | 'ReminderStepModel'
  | 'ReminderStep'
  | 'ReminderPolicyModel'
  | 'ReminderPolicy'
  | 'AcknowledgementModel'
  | 'Acknowledgement'
  | 'DeliveryModel'
  | 'AttachmentModel'
  | 'NewAttachment'
  | 'ItemContacts';

/** Section 2 of the contract, copied member by member: nothing here is read from the code under test. */
export const models: Readonly<Record<ModelName, Shape>> = {
  UserModel: { name: 'string', email: 'string', id: 'string (uuid)', team_id: 'string (uuid)' },
  UserRecordModel: {
    name: 'string',
    email: 'string',
    id: 'string (uuid)',
    team_id: 'string (uuid)',
    roles: 'string',
    role_type_id: 'integer (int32)',
  },
  CustomFieldModel: { id: 'string (uuid)', name: 'string', value: 'string' },
  CategoryCustomFieldModel: { id: 'string (uuid)', name: 'string', internal_name: 'string' },
  CategoryModel: {
    name: 'string',
    id: 'string (uuid)',
    modified: 'string',
    is_active: 'boolean',
    team_id: 'string (uuid)',
    custom_fields: 'CategoryCustomFieldModel[]',
  },
  ExpirationItem: {
    id: 'string (uuid)',
    name: 'string',
    expiration_date: 'string',
    status: 'string',
    time_of_day: 'string',
    category: 'CategoryModel',
    details: 'string',
    assigned_to: 'UserModel',
    status_id: 'integer (int32)',
    modified: 'string',
    category_name: 'string',
    is_active: 'boolean',
    team_id: 'string (uuid)',
    contacts: 'ContactModel[]',
    attachments: 'ExpirationItemAttachmentModel[]',
    custom_fields: 'CustomFieldModel[]',
    locations: 'LocationModel[]',
    tags: 'TagModel[]',
    contact_id: 'string (uuid)',
  },
  ExpirationItemAttachmentModel: {
    id: 'string (uuid)',
    content: 'string',
    name: 'string',
    content_type: 'string',
    created: 'string',
    content_legth: 'integer',
  },
  TagModel: {
    id: 'string (uuid)',
    name: 'string',
    team_id: 'string (uuid)',
    modified: 'string',
    organization_id: 'string (uuid)',
  },
  LocationModel: {
    id: 'string (uuid)',
    parent_location_id: 'string (uuid)',
    name: 'string',
    team_id: 'string (uuid)',
    modified: 'string',
    custom_fields: 'CustomFieldModel[]',
  },
  ContactModel: {
    name: 'string',
    id: 'string (uuid)',
    email: 'string',
    timezone: 'string',
    mobile: 'string',
    phone: 'string',
    assigned_to: 'UserModel',
    type_id: 'string (uuid)',
    contact_id: 'string',
    location_id: 'string (uuid)',
    team_id: 'string (uuid)',
    is_active: 'boolean',
    modified: 'string',
    custom_fields: 'CustomFieldModel[]',
  },
  ContactType: { name: 'string', id: 'string (uuid)', is_active: 'boolean', modified: 'string' },
  VehicleModel: {
    id: 'string (uuid)',
    name: 'string',
    vin: 'string',
    license_plate: 'string',
    year: 'integer (int32)',
    make: 'string',
    model: 'string',
    trim: 'string',
    color: 'string',
    body_type: 'string',
    registration_province: 'string',
    msrp: 'number (double)',
    primary_meter_type_id: 'integer (int32)',
    primary_meter_reading: 'integer (int32)',
    ownership_id: 'integer (int32)',
    status_id: 'string (uuid)',
    folder_id: 'string (uuid)',
    location_id: 'string (uuid)',
    type_id: 'string (uuid)',
    vehicle_fuel_type_id: 'string (uuid)',
    assigned_to_contact_id: 'string (uuid)',
    assigned_to: 'UserModel',
    team_id: 'string (uuid)',
    is_archived: 'boolean',
    modified: 'string',
    custom_fields: 'CustomFieldModel[]',
  },
  CompanyModel: {
    id: 'string (uuid)',
    name: 'string',
    doing_business_as: 'string',
    phone: 'string',
    website: 'string',
    address_line_1: 'string',
    address_line_2: 'string',
    city: 'string',
    province: 'string',
    postal_code: 'string',
    country_id: 'string (uuid)',
    tax_id: 'string',
    tax_type_id: 'integer (int32)',
    type_id: 'string (uuid)',
    primary_contact_id: 'string (uuid)',
    assigned_to: 'UserModel',
    team_id: 'string (uuid)',
    is_archived: 'boolean',
    modified: 'string',
    custom_fields: 'CustomFieldModel[]',
  },
  TeamModel: { name: 'string', id: 'string (uuid)', is_active: 'boolean', modified: 'string' },
  NoteModel: {
    id: 'string (uuid)',
    name: 'string',
    body: 'string',
    body_text: 'string',
    team_id: 'string (uuid)',
    created: 'string',
    modified: 'string',
    relations: 'NoteRelationModel[]',
  },
  NoteRelationModel: { entity_id: 'string (uuid)', entity_type: 'integer' },
  EventLogModel: {
    description: 'string',
    details: 'string',
    created: 'string',
    id: 'string (uuid)',
    type_id: 'integer (int32)',
    user: 'UserModel',
    related_entities: 'EntityRelationModel[]',
  },
  EntityRelationModel: { id: 'string (uuid)', type_id: 'integer' },
  UploadNotification: {
    id: 'integer (int64)',
    action: 'string',
    timestamp: 'integer (int64)',
    text: 'UploadWebhookText',
  },
  UploadWebhookText: {
    container: 'string',
    url: 'string',
    filename: 'string',
    client: 'string',
    key: 'string',
    type: 'string',
    status: 'string',
    size: 'integer',
    upload_Tags: 'object',
  },
  // Section 4.1: the body of a renewal.
  Renewal: { expiration_date: 'string', details: 'string' },
  RenewalModel: {
    id: 'string (uuid)',
    previous_date: 'string',
    expiration_date: 'string',
    details: 'string',
    created: 'string',
    user: 'UserModel',
  },
  UploadModel: {
    id: 'string (uuid)',
    notification_id: 'integer (int64)',
    action: 'string',
    timestamp: 'integer (int64)',
    container: 'string',
    url: 'string',
    filename: 'string',
    client: 'string',
    key: 'string',
    type: 'string',
    status: 'string',
    size: 'integer (int64)',
    upload_Tags: 'object',
    state: 'string',
    error: 'string',
    attempts: 'integer (int32)',
    received_at: 'string',
    filed_at: 'string',
    modified: 'string',
    suggested_expiration_date: 'string',
    suggested_from: 'string',
    expiration_item_id: 'string (uuid)',
    attachment_id: 'string (uuid)',
  },
  // What a person decides of an upload.
  UploadDecision: {
    expiration_item_id: 'string (uuid)',
    name: 'string',
    expiration_date: 'string',
    category: 'string',
    contact_email: 'string',
    team_id: 'string (uuid)',
  },
  AttachmentModel: {
    id: 'string (uuid)',
    content: 'string',
    name: 'string',
    content_type: 'string',
    created: 'string',
    content_legth: 'integer',
    entity_type: 'string',
    entity_id: 'string (uuid)',
  },
  ReminderStepModel: {
    id: 'string (uuid)',
    offset_days: 'integer (int32)',
    repeat_every_days: 'integer (int32)',
    repeat_count: 'integer (int32)',
    only_unacknowledged: 'boolean',
    recipients: 'strings',
    addresses: 'strings',
  },
  ReminderPolicyModel: {
    id: 'string (uuid)',
    name: 'string',
    time_of_day: 'string',
    deliver_on: 'string',
    lead_days: 'integer (int32)',
    steps: 'ReminderStepModel[]',
    team_id: 'string (uuid)',
    created: 'string',
    modified: 'string',
  },
  AcknowledgementModel: {
    expiration_item_id: 'string (uuid)',
    expiration_date: 'string',
    note: 'string',
    silence: 'boolean',
    snooze_until: 'string',
    user: 'UserModel',
    created: 'string',
  },
  DeliveryModel: {
    id: 'string (uuid)',
    kind: 'string',
    state: 'string',
    address: 'string',
    subject_kind: 'string',
    expiration_item_id: 'string (uuid)',
    attempts: 'integer (int32)',
    last_error: 'string',
    status_code: 'integer (int32)',
    message_id: 'string',
    due_at: 'string',
    settled_at: 'string',
    team_id: 'string (uuid)',
    created: 'string',
    modified: 'string',
  },
  // Bodies of what is ours.
  ReminderStep: {
    offset_days: 'integer (int32)',
    repeat_every_days: 'integer (int32)',
    repeat_count: 'integer (int32)',
    only_unacknowledged: 'boolean',
    recipients: 'strings',
    addresses: 'strings',
  },
  ReminderPolicy: {
    id: 'string (uuid)',
    name: 'string',
    time_of_day: 'string',
    deliver_on: 'string',
    steps: 'ReminderStep[]',
    team_id: 'string (uuid)',
    lead_days: 'integer (int32)',
    created: 'string',
    modified: 'string',
  },
  Acknowledgement: { note: 'string', silence: 'boolean', snooze_until: 'string' },
  // Bodies of the original's further operations.
  NewAttachment: { name: 'string', content_type: 'string', content: 'string' },
  ItemContacts: { contacts: 'ContactModel[]' },
};

/** The formats of strings that the contract leaves open, as decided. */
export const formats: Readonly<Record<string, RegExp>> = {
  expiration_date: /^\d{4}-\d\d-\d\d$/,
  previous_date: /^\d{4}-\d\d-\d\d$/,
  suggested_expiration_date: /^\d{4}-\d\d-\d\d$/,
  state: /^(?:received|filed|failed|ignored|queued|sent|suppressed|cancelled)$/,
  kind: /^(?:mail|chat|webhook)$/,
  deliver_on: /^(?:any|working_days)$/,
  snooze_until: /^\d{4}-\d\d-\d\d$/,
  due_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  settled_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  received_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  filed_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  time_of_day: /^\d\d:\d\d$/,
  created: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  modified: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  content: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

const nobody = '00000000-0000-4000-8000-000000000000';
const past = '2001-02-03T04:05:06.789Z';

/** Members that the server sets, each with a value that a caller may send to no effect, as decided. */
export const assigned: Readonly<Partial<Record<ModelName, Readonly<Record<string, unknown>>>>> = {
  ExpirationItem: { modified: past, status: 'expired', status_id: 3 },
  CategoryModel: { modified: past },
  VehicleModel: { modified: past },
  CompanyModel: { modified: past },
  ContactModel: { modified: past },
  ContactType: { modified: past },
  LocationModel: { modified: past },
  NoteModel: { created: past, modified: past },
  TeamModel: { modified: past },
  TagModel: { modified: past, organization_id: nobody },
  ReminderPolicy: { created: past, modified: past, lead_days: 7 },
};

/** Members that must name a record that the caller sees, as decided. */
export const references: Readonly<Partial<Record<ModelName, readonly string[]>>> = {
  ExpirationItem: ['team_id', 'contact_id', 'category.id', 'assigned_to.id'],
  CategoryModel: ['team_id'],
  VehicleModel: ['team_id', 'location_id', 'assigned_to_contact_id', 'assigned_to.id'],
  CompanyModel: ['team_id', 'primary_contact_id', 'assigned_to.id'],
  ContactModel: ['team_id', 'location_id', 'type_id', 'assigned_to.id'],
  LocationModel: ['team_id', 'parent_location_id'],
  NoteModel: ['team_id'],
  TagModel: ['team_id'],
  ReminderPolicy: ['team_id'],
  UploadDecision: ['expiration_item_id', 'team_id'],
};
