import type { ListParameter, Origin, Route } from '../../src/domain/doors/route.js';
import type { ErrorCode } from '../../src/domain/errors.js';
import { addedParameters, routes, showsFiles } from '../../src/rest/routes.js';
import { operationOf, resolve, successOf } from '../support/openapi.js';
import { isContract, type ModelName, type Shape, type Type } from './models.js';

/** A kind of error that the contract names (section 7). */
export type ErrorName = 'Not Found' | 'Bad Request' | 'Conflict' | 'Not Modified';

/** The status and the `code` of each kind, as decided. */
export const namedErrors = {
  'Not Found': { status: 404, code: 'NOT_FOUND' },
  'Bad Request': { status: 400, code: 'BAD_REQUEST' },
  Conflict: { status: 409, code: 'CONFLICT' },
  'Not Modified': { status: 304, code: 'NOT_MODIFIED' },
} as const satisfies Record<ErrorName, object>;

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
export type Parameters = Readonly<Partial<Record<ListParameter, string | number | boolean>>>;

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
  /** Whether it removes a part of a record, and answers what is left. */
  readonly removes?: true;
  /** Whether it begins something of which more is known later. */
  readonly begins?: true;
  /** Whether it takes a file and shows the upload of it, which has other members. */
  readonly sends?: true;
  /** The query parameters. */
  readonly parameters?: Parameters;
  /** The query parameters that are ours, beyond those of every list. */
  readonly added?: Parameters;
  /** The query parameters that say which of a record's parts is meant, each by a word. */
  readonly asked?: readonly string[];
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

/** What lists below a record are about (fixtures.ts), by their paths. */
const below: Readonly<Record<string, Below>> = {
  '/v1/expirationitems/{id}/renewals': { resource: 'expirationitems', member: 'item_id' },
  '/v1/expirationitems/{id}/acknowledgement': { resource: 'acknowledgement', member: 'expiration_item_id' },
  '/v1/expirationitems/{id}/notice-period': { resource: 'notice-period', member: 'expiration_item_id' },
  '/v1/expirationitems/{id}/repetition': { resource: 'repetition', member: 'expiration_item_id' },
  '/v1/expirationitems/{id}/holders': { resource: 'holders', member: 'expiration_item_id' },
  '/v1/expirationitems/{id}/holders/{holderId}': { resource: 'held', member: 'expiration_item_id' },
  '/v1/documentrequests/{id}/resend': { resource: 'resend', member: 'id' },
  '/v1/exemptions/{id}/end': { resource: 'end', member: 'id' },
  '/v1/expirationitems/contact/{id}': { resource: 'contacts', member: 'contact_id' },
  '/v1/expirationitems/vehicle/{id}': { resource: 'vehicles', member: 'held by vehicle' },
  '/v1/expirationitems/company/{id}': { resource: 'companies', member: 'held by company' },
  '/v1/expirationitems/holder/vehicle/{id}': { resource: 'vehicles', member: 'held by vehicle' },
  '/v1/expirationitems/holder/contact/{id}': { resource: 'contacts', member: 'held by contact' },
  '/v1/expirationitems/holder/company/{id}': { resource: 'companies', member: 'held by company' },
  '/v1/expirationitems/holder/location/{id}': { resource: 'locations', member: 'held by location' },
};

/** Returns parameters with their defaults. */
function withDefaults(route: Route, names: readonly ListParameter[]): Parameters {
  const standard: Parameters = {
    ...everyList,
    expiresWithinDays: -1,
    within: -1,
    includeFileContent: showsFiles(route) ?? false,
  };
  return Object.fromEntries(names.map((name) => [name, standard[name] ?? '']));
}

/** Returns the body of a write: of a record the model that the contract has, otherwise the document's schema. */
function bodyOf({ method, path, model }: Route & { kind: 'write' }): Pick<Row, 'body' | 'required'> {
  const { schema } = operationOf(method, path).requestBody.content['application/json'];
  const { $ref } = schema.anyOf?.[0] ?? schema;
  const isRecord = isContract(model) && !/\{id\}\/./.test(path);
  return { body: isRecord ? model : $ref.split('/').at(-1), required: resolve({ $ref }).required };
}

const errorNames = Object.entries(namedErrors) as [ErrorName, { readonly code: ErrorCode }][];

/** Returns what a declared route must do. */
function rowOf(route: Route): Row {
  const { method, path, origin, right } = route;
  const errors = errorNames.filter(([, { code }]) => route.errors.includes(code)).map(([name]) => name);
  const row = { method, path, origin, errors, status: successOf(route) as Row['status'] };
  return {
    ...row,
    ...(right === 'administer' && { admin: true }),
    ...(path in below && { below: below[path] }),
    ...(method === 'POST' && path.includes('{id}') && errors.includes('Conflict') && { acts: true }),
    ...(route.kind === 'act' && method === 'DELETE' && { removes: true as const }),
    ...(method === 'POST' && path === '/v1/documentrequests' && { begins: true as const }),
    ...('asked' in route && { asked: route.asked ?? [] }),
    ...(route.kind === 'patch' && { body: 'patch operation list' }),
    ...(route.kind === 'write' && route.form && { sends: true as const }),
    ...(route.kind === 'write' && bodyOf(route)),
    ...(route.kind !== 'receive' && { answer: route.model }),
    ...(route.kind === 'list' && {
      answer: { [route.list]: `${route.model}[]`, ...counts },
      parameters: withDefaults(route, route.parameters),
      added: withDefaults(route, addedParameters(route)),
      ...(route.pageSize !== undefined && { fixedPage: true }),
    }),
  };
}

/** Returns a row's method and path. */
export const nameOf = ({ method, path }: Pick<Row, 'method' | 'path'>) => `${method} ${path}`;

/** Returns rows with their names first, to be printed whole. */
export const named = (table: readonly Row[]) => table.map((row) => [nameOf(row), row] as const);

const inContract = new Set(contractRows.map(nameOf));

/** The original's further operations, and ours, as they are declared. */
const furtherRows = routes.filter((route) => !inContract.has(nameOf(route))).map(rowOf);

/** Says what to do when a row's test fails. */
export function whatToDo(row: Row): string {
  const name = nameOf(row);
  const declared = `\`git grep "'${name}'" src\` finds where its route is declared; src/rest/handler.ts answers it.`;
  return inContract.has(name)
    ? `${name} is the original's: mend the code, never test/contract/rows.ts or models.ts. ${declared}`
    : `${name} is declared, and this follows from its declaration. ${declared} After a change that is meant, run \`npm run contracts\`, and write it to CHANGELOG.md.`;
}

/** Every row. */
export const rows: readonly Row[] = [...contractRows, ...furtherRows];
