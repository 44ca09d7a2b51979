import { document, type Part } from '../support/openapi.js';

/** A type without members. */
export type Plain =
  | 'string'
  | 'strings'
  | 'string (uuid)'
  | 'boolean'
  | 'integer'
  | 'integer (int32)'
  | 'integer (int64)'
  | 'number (double)'
  | 'object';

/** A type as the contract writes it: a plain one, a model, or a list of a model (`[]`). */
export type Type = Plain | (string & {});

/** The members of a model, each with its type. */
export type Shape = Readonly<Record<string, Type>>;

/** The name of a model of the contract, or of a schema of the OpenAPI document. */
export type ModelName = string;

/** Section 2 of the contract, copied member by member: nothing here is read from the code under test. */
const contract: Readonly<Record<ModelName, Shape>> = {
  UserModel: { name: 'string', email: 'string', id: 'string (uuid)', team_id: 'string (uuid)' },
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
};

/** Returns the type of a part of the OpenAPI document, which may also accept null. */
export function typeOf(part: Part): Type {
  if (part.anyOf) return typeOf(part.anyOf.find(({ type }: Part) => type !== 'null'));
  if (part.$ref) return part.$ref.split('/').at(-1);
  const [type = 'object'] = [part.type].flat();
  if (type === 'array')
    return typeOf(part.items).startsWith('string') ? 'strings' : `${typeOf(part.items)}[]`;
  if (type === 'string') return part.format === 'uuid' ? 'string (uuid)' : 'string';
  return part.format ? `${type} (${part.format})` : type;
}

/** Returns the members of a schema of the OpenAPI document, in which those that are ours are found. */
function printed(name: ModelName): Shape {
  const { properties = {} } = document.components.schemas[name] ?? {};
  return Object.fromEntries(Object.entries<Part>(properties).map(([member, part]) => [member, typeOf(part)]));
}

/** Returns whether the contract has a model. */
export const isContract = (name: ModelName) => name in contract;

/** Returns a model: what the contract says of it, and what the OpenAPI document has besides. */
export function shapeOf(name: ModelName): Shape {
  const shape = { ...printed(name), ...contract[name] };
  if (Object.keys(shape).length === 0) throw new Error(`Neither the contract nor the document has ${name}.`);
  return shape;
}

/** The formats of strings that the contract leaves open, as decided. Other members have those of the document. */
export const formats: Readonly<Record<string, RegExp>> = {
  expiration_date: /^\d{4}-\d\d-\d\d$/,
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
  CreateReminderPolicyInput: ['team_id'],
  UpdateReminderPolicyInput: ['team_id'],
  ConfirmUploadInput: ['expiration_item_id', 'team_id'],
};
