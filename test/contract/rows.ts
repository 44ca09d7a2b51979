import type { ModelName, Shape, Type } from './models.js';

/** A kind of error that the contract names (section 7). */
export type ErrorName = 'Not Found' | 'Bad Request' | 'Conflict' | 'Not Modified';

/** The status and the `code` of each kind, as decided. */
export const namedErrors = {
  'Not Found': { status: 404, code: 'NOT_FOUND' },
  'Bad Request': { status: 400, code: 'BAD_REQUEST' },
  Conflict: { status: 409, code: 'CONFLICT' },
  'Not Modified': { status: 304, code: 'NOT_MODIFIED' },
} as const satisfies Record<ErrorName, object>;

/** The name of a query parameter. */
export type ParameterName =
  | 'term'
  | 'email'
  | 'type'
  | 'status'
  | 'state'
  | 'expiresWithinDays'
  | 'contact_id'
  | 'category_id'
  | 'team_id'
  | 'page'
  | 'sort'
  | 'sortDirection'
  | 'paging'
  | 'cursor'
  | 'modifiedSince'
  | 'includeFileContent';

/** The query parameters that every list takes, with their defaults; those that its row does not name are ours. */
export const everyList: Parameters = {
  term: '',
  page: -1,
  sort: '',
  sortDirection: 'asc',
  paging: 100,
  cursor: '',
  modifiedSince: '',
};

/** Query parameters, all optional, with their defaults. */
export type Parameters = Readonly<Partial<Record<ParameterName, string | number | boolean>>>;

/** How sure it is that the original has a row: the specification, the vendor's own words, another's list, or us. */
export type Origin = 'contract' | 'attested' | 'listed' | 'guessed' | 'addition';

/** A record of a resource, by its part of paths, and the member that puts another into that record's list. */
export interface Below {
  readonly resource: string;
  readonly member: string;
}

/** A row of the contract's section 4. */
export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Left out: `contract`. */
  readonly origin?: Origin;
  /** The record that `{id}` names, where it is not the row's own. */
  readonly below?: Below;
  /** Whether only an admin may. */
  readonly admin?: true;
  /** Whether it does something to a record, which it names, and answers what became of it. */
  readonly acts?: true;
  /** The query parameters. */
  readonly parameters?: Parameters;
  /** The query parameters that are ours, beyond those of every list. */
  readonly added?: Parameters;
  /** Whether callers cannot choose how many rows a page has. */
  readonly fixedPage?: true;
  readonly body?: ModelName | 'patch operation list';
  /** The members that the body must have. */
  readonly required?: readonly string[];
  /** The status of a success, as decided. */
  readonly status: 200 | 201 | 204;
  /** What a success shows: a model, or the members of an object; nothing where there is no body. */
  readonly answer?: ModelName | Shape;
  readonly errors: readonly ErrorName[];
}

const counts = {
  pages: 'integer (int32)',
  page: 'integer (int32)',
  total: 'integer (int32)',
} as const satisfies Record<string, Type>;

/** Section 4 of the contract, row by row, in its order: nothing here is read from the code under test. */
export const contractRows: readonly Row[] = [
  {
    method: 'PUT',
    path: '/v1/expirationitems/{id}',
    body: 'ExpirationItem',
    required: ['name', 'expiration_date'],
    status: 200,
    answer: 'ExpirationItem',
    errors: ['Not Found'],
  },
  {
    method: 'PUT',
    path: '/v1/expirationitems/{id}/renew',
    body: 'Renewal',
    required: ['expiration_date'],
    status: 200,
    answer: 'ExpirationItem',
    errors: ['Not Found', 'Bad Request'],
  },
  {
    method: 'GET',
    path: '/v1/vehicles',
    parameters: { term: '', page: -1, sort: '', sortDirection: 'asc' },
    status: 200,
    answer: { vehicles: 'VehicleModel[]', ...counts },
    errors: ['Bad Request'],
  },
  {
    method: 'POST',
    path: '/v1/vehicles',
    body: 'VehicleModel',
    status: 201,
    answer: 'VehicleModel',
    errors: ['Bad Request', 'Conflict'],
  },
  {
    method: 'PUT',
    path: '/v1/vehicles/{id}',
    body: 'VehicleModel',
    status: 200,
    answer: 'VehicleModel',
    errors: ['Not Found'],
  },
  {
    method: 'PATCH',
    path: '/v1/vehicles/{id}',
    body: 'patch operation list',
    status: 200,
    answer: 'VehicleModel',
    errors: ['Not Found', 'Not Modified', 'Conflict'],
  },
  {
    method: 'PUT',
    path: '/v1/categories/{id}',
    body: 'CategoryModel',
    required: ['name'],
    status: 200,
    answer: 'CategoryModel',
    errors: ['Not Found'],
  },
  {
    method: 'GET',
    path: '/v1/companies/{id}',
    status: 200,
    answer: 'CompanyModel',
    errors: ['Not Found'],
  },
  {
    method: 'POST',
    path: '/v1/companies',
    body: 'CompanyModel',
    status: 201,
    answer: 'CompanyModel',
    errors: ['Bad Request', 'Conflict'],
  },
  {
    method: 'POST',
    path: '/v1/contacts',
    body: 'ContactModel',
    required: ['email'],
    status: 201,
    answer: 'ContactModel',
    errors: ['Bad Request', 'Conflict'],
  },
  {
    method: 'PUT',
    path: '/v1/contacts/{id}',
    body: 'ContactModel',
    required: ['email'],
    status: 200,
    answer: 'ContactModel',
    errors: ['Not Found'],
  },
  {
    method: 'PATCH',
    path: '/v1/contacts/{id}',
    body: 'patch operation list',
    status: 200,
    answer: 'ContactModel',
    errors: ['Not Found', 'Not Modified', 'Conflict'],
  },
  {
    method: 'POST',
    path: '/v1/contacttypes',
    body: 'ContactType',
    status: 201,
    answer: 'ContactType',
    errors: ['Bad Request', 'Conflict'],
  },
  {
    method: 'POST',
    path: '/v1/locations',
    body: 'LocationModel',
    status: 201,
    answer: 'LocationModel',
    errors: ['Bad Request', 'Conflict'],
  },
  {
    method: 'PATCH',
    path: '/v1/locations/{id}',
    body: 'patch operation list',
    status: 200,
    answer: 'LocationModel',
    errors: ['Not Found', 'Not Modified', 'Conflict'],
  },
  {
    method: 'PUT',
    path: '/v1/notes/{id}',
    body: 'NoteModel',
    status: 200,
    answer: 'NoteModel',
    errors: ['Not Found'],
  },
  {
    method: 'PATCH',
    path: '/v1/notes/{id}',
    body: 'patch operation list',
    status: 200,
    answer: 'NoteModel',
    errors: ['Not Found'],
  },
  {
    method: 'GET',
    path: '/v1/teams',
    parameters: { term: '', page: -1 },
    status: 200,
    answer: { teams: 'TeamModel[]', ...counts },
    errors: ['Bad Request'],
  },
  {
    method: 'PATCH',
    path: '/v1/teams/{id}',
    body: 'patch operation list',
    status: 200,
    answer: 'TeamModel',
    errors: ['Not Found', 'Not Modified', 'Conflict'],
  },
  {
    method: 'GET',
    path: '/v1/eventlogs/{id}',
    status: 200,
    answer: 'EventLogModel',
    errors: ['Not Found'],
  },
  {
    method: 'GET',
    path: '/v1/eventlogs',
    parameters: { term: '', type: '', page: -1, sort: '', sortDirection: 'asc' },
    status: 200,
    answer: { eventlogs: 'EventLogModel[]', ...counts },
    errors: ['Bad Request'],
  },
  {
    method: 'POST',
    path: '/v1/bulkscan/receive',
    body: 'UploadNotification',
    status: 204,
    errors: [],
  },
];

const listed = { term: '', page: -1, sort: '', sortDirection: 'asc' } as const;
const found = { status: 200, errors: ['Not Found'] } as const;
const page = { method: 'GET', status: 200, errors: ['Bad Request'] } as const;
const made = { method: 'POST', status: 201, errors: ['Bad Request', 'Conflict'] } as const;

const patched = {
  method: 'PATCH',
  origin: 'addition',
  body: 'patch operation list',
  status: 200,
  errors: ['Not Found', 'Not Modified', 'Conflict'],
} as const;

/** The original's further operations, and ours of the same shape. */
export const furtherRows: readonly Row[] = [
  {
    ...page,
    path: '/v1/expirationitems',
    origin: 'attested',
    parameters: {
      ...listed,
      paging: 100,
      status: '',
      expiresWithinDays: -1,
    },
    added: { contact_id: '', category_id: '', team_id: '', includeFileContent: false },
    answer: { expiration_items: 'ExpirationItem[]', ...counts },
  },
  {
    ...made,
    path: '/v1/expirationitems',
    origin: 'attested',
    body: 'ExpirationItem',
    required: ['name', 'expiration_date'],
    answer: 'ExpirationItem',
  },
  { ...found, method: 'GET', path: '/v1/expirationitems/{id}', origin: 'listed', answer: 'ExpirationItem' },
  {
    ...found,
    method: 'DELETE',
    path: '/v1/expirationitems/{id}',
    origin: 'listed',
    answer: 'ExpirationItem',
  },
  {
    ...patched,
    path: '/v1/expirationitems/{id}',
    answer: 'ExpirationItem',
  },
  {
    ...page,
    path: '/v1/expirationitems/{id}/renewals',
    origin: 'addition',
    below: { resource: 'expirationitems', member: 'item_id' },
    parameters: listed,
    answer: { renewals: 'RenewalModel[]', ...counts },
    errors: ['Not Found', 'Bad Request'],
  },
  {
    method: 'POST',
    path: '/v1/expirationitems/{id}/renew',
    origin: 'attested',
    body: 'Renewal',
    required: ['expiration_date'],
    status: 200,
    answer: 'ExpirationItem',
    errors: ['Not Found', 'Bad Request'],
  },
  {
    method: 'POST',
    path: '/v1/expirationitems/{id}/attachment',
    origin: 'attested',
    body: 'NewAttachment',
    required: ['content'],
    status: 200,
    answer: 'ExpirationItem',
    errors: ['Not Found', 'Bad Request'],
  },
  {
    method: 'POST',
    path: '/v1/expirationitems/{id}/contacts',
    origin: 'listed',
    body: 'ItemContacts',
    required: ['contacts'],
    status: 200,
    answer: 'ExpirationItem',
    errors: ['Not Found', 'Bad Request'],
  },
  {
    ...page,
    path: '/v1/expirationitems/contact/{id}',
    origin: 'attested',
    below: { resource: 'contacts', member: 'contact_id' },
    parameters: { page: -1, sort: '', sortDirection: 'asc' },
    added: { includeFileContent: false },
    answer: { expiration_items: 'ExpirationItem[]', ...counts },
    errors: ['Not Found', 'Bad Request'],
  },
  {
    ...page,
    path: '/v1/attachments/expirationitem',
    origin: 'attested',
    parameters: { term: '', page: -1, includeFileContent: true },
    answer: { attachments: 'AttachmentModel[]', ...counts },
  },
  {
    ...found,
    method: 'GET',
    path: '/v1/attachments/expirationitem/{id}',
    origin: 'listed',
    answer: 'AttachmentModel',
  },
  {
    ...page,
    path: '/v1/attachments/search',
    origin: 'attested',
    fixedPage: true,
    parameters: { term: '', page: -1, includeFileContent: true },
    answer: { attachments: 'AttachmentModel[]', ...counts },
  },
  { ...found, method: 'GET', path: '/v1/vehicles/{id}', origin: 'addition', answer: 'VehicleModel' },
  { ...found, method: 'DELETE', path: '/v1/vehicles/{id}', origin: 'addition', answer: 'VehicleModel' },
  {
    ...page,
    path: '/v1/categories',
    origin: 'attested',
    parameters: { ...listed, paging: 100 },
    answer: { categories: 'CategoryModel[]', ...counts },
  },
  {
    ...made,
    path: '/v1/categories',
    origin: 'listed',
    body: 'CategoryModel',
    required: ['name'],
    answer: 'CategoryModel',
  },
  { ...found, method: 'GET', path: '/v1/categories/{id}', origin: 'listed', answer: 'CategoryModel' },
  { ...patched, path: '/v1/categories/{id}', answer: 'CategoryModel' },
  {
    method: 'DELETE',
    path: '/v1/categories/{id}',
    origin: 'listed',
    status: 200,
    answer: 'CategoryModel',
    errors: ['Not Found', 'Conflict'],
  },
  {
    ...page,
    path: '/v1/companies',
    origin: 'addition',
    parameters: listed,
    answer: { companies: 'CompanyModel[]', ...counts },
  },
  {
    ...found,
    method: 'PUT',
    path: '/v1/companies/{id}',
    origin: 'attested',
    body: 'CompanyModel',
    answer: 'CompanyModel',
  },
  { ...patched, path: '/v1/companies/{id}', answer: 'CompanyModel' },
  { ...found, method: 'DELETE', path: '/v1/companies/{id}', origin: 'addition', answer: 'CompanyModel' },
  {
    ...page,
    path: '/v1/contacts',
    origin: 'attested',
    parameters: { ...listed, paging: 100, email: '' },
    answer: { contacts: 'ContactModel[]', ...counts },
  },
  { ...found, method: 'GET', path: '/v1/contacts/{id}', origin: 'listed', answer: 'ContactModel' },
  { ...found, method: 'DELETE', path: '/v1/contacts/{id}', origin: 'listed', answer: 'ContactModel' },
  {
    ...page,
    path: '/v1/contacttypes',
    origin: 'listed',
    parameters: listed,
    answer: { contact_types: 'ContactType[]', ...counts },
  },
  { ...found, method: 'GET', path: '/v1/contacttypes/{id}', origin: 'listed', answer: 'ContactType' },
  {
    ...found,
    method: 'PUT',
    path: '/v1/contacttypes/{id}',
    origin: 'listed',
    body: 'ContactType',
    answer: 'ContactType',
  },
  { ...patched, path: '/v1/contacttypes/{id}', answer: 'ContactType' },
  { ...found, method: 'DELETE', path: '/v1/contacttypes/{id}', origin: 'listed', answer: 'ContactType' },
  {
    ...page,
    path: '/v1/locations',
    origin: 'listed',
    parameters: listed,
    answer: { locations: 'LocationModel[]', ...counts },
  },
  { ...found, method: 'GET', path: '/v1/locations/{id}', origin: 'listed', answer: 'LocationModel' },
  {
    ...found,
    method: 'PUT',
    path: '/v1/locations/{id}',
    origin: 'listed',
    body: 'LocationModel',
    answer: 'LocationModel',
  },
  { ...found, method: 'DELETE', path: '/v1/locations/{id}', origin: 'listed', answer: 'LocationModel' },
  {
    ...page,
    path: '/v1/notes',
    origin: 'addition',
    parameters: listed,
    answer: { notes: 'NoteModel[]', ...counts },
  },
  { ...made, path: '/v1/notes', origin: 'addition', body: 'NoteModel', answer: 'NoteModel' },
  { ...found, method: 'GET', path: '/v1/notes/{id}', origin: 'addition', answer: 'NoteModel' },
  { ...found, method: 'DELETE', path: '/v1/notes/{id}', origin: 'addition', answer: 'NoteModel' },
  {
    ...page,
    path: '/v1/tags',
    origin: 'addition',
    parameters: listed,
    answer: { tags: 'TagModel[]', ...counts },
  },
  { ...made, path: '/v1/tags', origin: 'addition', body: 'TagModel', answer: 'TagModel' },
  { ...found, method: 'GET', path: '/v1/tags/{id}', origin: 'addition', answer: 'TagModel' },
  {
    ...found,
    method: 'PUT',
    path: '/v1/tags/{id}',
    origin: 'addition',
    body: 'TagModel',
    answer: 'TagModel',
  },
  { ...patched, path: '/v1/tags/{id}', answer: 'TagModel' },
  { ...found, method: 'DELETE', path: '/v1/tags/{id}', origin: 'addition', answer: 'TagModel' },
  {
    ...made,
    path: '/v1/teams',
    origin: 'listed',
    admin: true,
    body: 'TeamModel',
    required: ['name'],
    answer: 'TeamModel',
  },
  { ...found, method: 'GET', path: '/v1/teams/{id}', origin: 'listed', answer: 'TeamModel' },
  {
    ...found,
    method: 'PUT',
    path: '/v1/teams/{id}',
    origin: 'listed',
    body: 'TeamModel',
    answer: 'TeamModel',
  },
  {
    method: 'DELETE',
    path: '/v1/teams/{id}',
    origin: 'listed',
    admin: true,
    status: 200,
    answer: 'TeamModel',
    errors: ['Not Found', 'Conflict'],
  },
  { ...found, method: 'GET', path: '/v1/users/{id}', origin: 'listed', answer: 'UserRecordModel' },
  {
    ...page,
    path: '/v1/uploads',
    origin: 'addition',
    parameters: { ...listed, state: '' },
    answer: { uploads: 'UploadModel[]', ...counts },
  },
  { ...found, method: 'GET', path: '/v1/uploads/{id}', origin: 'addition', answer: 'UploadModel' },
  {
    method: 'POST',
    path: '/v1/uploads/{id}/retry',
    origin: 'addition',
    acts: true,
    status: 200,
    answer: 'UploadModel',
    errors: ['Not Found', 'Conflict'],
  },
  {
    method: 'POST',
    path: '/v1/uploads/{id}/confirm',
    origin: 'addition',
    acts: true,
    body: 'UploadDecision',
    status: 200,
    answer: 'UploadModel',
    errors: ['Not Found', 'Bad Request', 'Conflict'],
  },
];

/** What tells people of what expires: all ours. */
const reminderRows: readonly Row[] = [
  {
    ...page,
    path: '/v1/reminderpolicies',
    origin: 'addition',
    parameters: listed,
    answer: { reminder_policies: 'ReminderPolicyModel[]', ...counts },
  },
  {
    ...made,
    path: '/v1/reminderpolicies',
    origin: 'addition',
    body: 'ReminderPolicy',
    required: ['name'],
    answer: 'ReminderPolicyModel',
  },
  {
    ...found,
    method: 'GET',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    answer: 'ReminderPolicyModel',
  },
  {
    ...found,
    method: 'PUT',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    body: 'ReminderPolicy',
    answer: 'ReminderPolicyModel',
  },
  { ...patched, path: '/v1/reminderpolicies/{id}', answer: 'ReminderPolicyModel' },
  {
    method: 'DELETE',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    status: 200,
    answer: 'ReminderPolicyModel',
    errors: ['Not Found', 'Conflict'],
  },
  {
    ...found,
    method: 'GET',
    path: '/v1/expirationitems/{id}/acknowledgement',
    origin: 'addition',
    below: { resource: 'acknowledgement', member: 'expiration_item_id' },
    answer: 'AcknowledgementModel',
  },
  {
    method: 'POST',
    path: '/v1/expirationitems/{id}/acknowledgement',
    origin: 'addition',
    below: { resource: 'acknowledgement', member: 'expiration_item_id' },
    body: 'Acknowledgement',
    status: 200,
    answer: 'AcknowledgementModel',
    errors: ['Not Found', 'Bad Request'],
  },
  {
    ...found,
    method: 'DELETE',
    path: '/v1/expirationitems/{id}/acknowledgement',
    origin: 'addition',
    below: { resource: 'acknowledgement', member: 'expiration_item_id' },
    answer: 'AcknowledgementModel',
  },
  {
    ...page,
    path: '/v1/deliveries',
    origin: 'addition',
    parameters: { ...listed, state: '' },
    answer: { deliveries: 'DeliveryModel[]', ...counts },
  },
  { ...found, method: 'GET', path: '/v1/deliveries/{id}', origin: 'addition', answer: 'DeliveryModel' },
  {
    method: 'POST',
    path: '/v1/deliveries/{id}/retry',
    origin: 'addition',
    acts: true,
    status: 200,
    answer: 'DeliveryModel',
    errors: ['Not Found', 'Conflict'],
  },
];

/** Every row. */
export const rows: readonly Row[] = [...contractRows, ...furtherRows, ...reminderRows];
