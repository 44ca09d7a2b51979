import type { ErrorCode } from '../domain/errors.js';
import type { Order } from '../domain/paging.js';
import type { ModelName } from './models.js';

/** What every row of the contract's section 4 says. */
interface RouteBase {
  readonly path: string;
  /** The root field of the gateway's schema that answers. */
  readonly field: string;
  /** The errors that the contract names for this row. */
  readonly errors: readonly ErrorCode[];
  /** A heading of the reference. */
  readonly tag: string;
  /** What it does, in a sentence. */
  readonly summary: string;
}

/** A row whose success shows something. */
interface ShowingRoute extends RouteBase {
  /** The model that is shown; in a list, of each element. */
  readonly model: ModelName;
}

/** Answers one record by its id. */
export interface ReadRoute extends ShowingRoute {
  readonly kind: 'read';
  readonly method: 'GET';
}

/** A query parameter of a list. */
export type ListParameter = 'term' | 'type' | 'page' | 'sort' | 'sortDirection';

/** Answers a page of a list, under a name of its own. */
export interface ListRoute extends ShowingRoute {
  readonly kind: 'list';
  readonly method: 'GET';
  readonly list: string;
  /** The query parameters that the contract names for this row. */
  readonly parameters: readonly ListParameter[];
  /** The order when the caller names none. */
  readonly order: Order;
}

/** Takes a record's values: a new one (POST) or one by its id (PUT). */
export interface WriteRoute extends ShowingRoute {
  readonly kind: 'write';
  readonly method: 'POST' | 'PUT';
  /** Whether files come and go with it: then its body may be larger, and `includeFileContent` is taken. */
  readonly files?: boolean;
  /** Members that the contract requires of the body, beyond what the gateway's input type requires. */
  readonly required?: readonly string[];
}

/** Takes a list of patch operations (section 4.11). */
export interface PatchRoute extends ShowingRoute {
  readonly kind: 'patch';
  readonly method: 'PATCH';
}

/** Takes a message, of which nothing is shown again. */
export interface ReceiveRoute extends RouteBase {
  readonly kind: 'receive';
  readonly method: 'POST';
}

/** One row of the contract's section 4. */
export type Route = ReadRoute | ListRoute | WriteRoute | PatchRoute | ReceiveRoute;

/** The rows of the contract's section 4. Nothing else is routed below `/v1`. */
export const routes: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/vehicles',
    field: 'vehicles',
    model: 'VehicleModel',
    list: 'vehicles',
    parameters: ['term', 'page', 'sort', 'sortDirection'],
    order: { field: 'name', direction: 'asc' },
    errors: ['BAD_REQUEST'],
    tag: 'Vehicles',
    summary: 'Lists vehicles.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/vehicles',
    field: 'createVehicle',
    model: 'VehicleModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Vehicles',
    summary: 'Creates a vehicle.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/vehicles/{id}',
    field: 'replaceVehicle',
    model: 'VehicleModel',
    errors: ['NOT_FOUND'],
    tag: 'Vehicles',
    summary: 'Replaces a vehicle: a field left out returns to its default.',
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/vehicles/{id}',
    field: 'patchVehicle',
    model: 'VehicleModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag: 'Vehicles',
    summary: 'Patches a vehicle.',
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/companies/{id}',
    field: 'company',
    model: 'CompanyModel',
    errors: ['NOT_FOUND'],
    tag: 'Companies',
    summary: 'Reads a company.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/companies',
    field: 'createCompany',
    model: 'CompanyModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Companies',
    summary: 'Creates a company.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/contacts',
    field: 'createContact',
    model: 'ContactModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Contacts',
    summary: 'Creates a contact.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/contacts/{id}',
    field: 'replaceContact',
    model: 'ContactModel',
    errors: ['NOT_FOUND'],
    tag: 'Contacts',
    summary: 'Replaces a contact: a field left out returns to its default.',
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/contacts/{id}',
    field: 'patchContact',
    model: 'ContactModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag: 'Contacts',
    summary: 'Patches a contact.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/contacttypes',
    field: 'createContactType',
    model: 'ContactType',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Contact types',
    summary: 'Creates a contact type.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/locations',
    field: 'createLocation',
    model: 'LocationModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Locations',
    summary: 'Creates a location.',
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/locations/{id}',
    field: 'patchLocation',
    model: 'LocationModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag: 'Locations',
    summary: 'Patches a location.',
  },
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/teams',
    field: 'teams',
    model: 'TeamModel',
    list: 'teams',
    parameters: ['term', 'page'],
    order: { field: 'name', direction: 'asc' },
    errors: ['BAD_REQUEST'],
    tag: 'Workspaces',
    summary: 'Lists workspaces, by name.',
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/teams/{id}',
    field: 'patchTeam',
    model: 'TeamModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag: 'Workspaces',
    summary: 'Patches a workspace.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/expirationitems/{id}',
    field: 'updateExpirationItem',
    model: 'ExpirationItem',
    required: ['name', 'expiration_date'],
    files: true,
    errors: ['NOT_FOUND'],
    tag: 'Expiration items',
    summary:
      'Updates an expiration item: a field left out is kept, null clears it, a sent list replaces the old one.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/expirationitems/{id}/renew',
    field: 'renewExpirationItem',
    model: 'ExpirationItem',
    files: true,
    errors: ['NOT_FOUND', 'BAD_REQUEST'],
    tag: 'Expiration items',
    summary: 'Moves the expiration date of an item on, and keeps the renewal in its history.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/categories/{id}',
    field: 'updateCategory',
    model: 'CategoryModel',
    required: ['name'],
    errors: ['NOT_FOUND'],
    tag: 'Document types',
    summary:
      'Updates a document type: a field left out is kept, null clears it, a sent list replaces the old one.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/notes/{id}',
    field: 'updateNote',
    model: 'NoteModel',
    errors: ['NOT_FOUND'],
    tag: 'Notes',
    summary: 'Updates a note: a field left out is kept, null clears it, a sent list replaces the old one.',
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/notes/{id}',
    field: 'patchNote',
    model: 'NoteModel',
    errors: ['NOT_FOUND'],
    tag: 'Notes',
    summary: 'Patches a note.',
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/eventlogs/{id}',
    field: 'eventLog',
    model: 'EventLogModel',
    errors: ['NOT_FOUND'],
    tag: 'Event logs',
    summary: 'Reads an event.',
  },
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/eventlogs',
    field: 'eventLogs',
    model: 'EventLogModel',
    list: 'eventlogs',
    parameters: ['term', 'type', 'page', 'sort', 'sortDirection'],
    order: { field: 'created', direction: 'desc' },
    errors: ['BAD_REQUEST'],
    tag: 'Event logs',
    summary: 'Lists events.',
  },
  {
    kind: 'receive',
    method: 'POST',
    path: '/v1/bulkscan/receive',
    field: 'receiveUpload',
    errors: [],
    tag: 'Bulk scan',
    summary: 'Receives an upload notification.',
  },
];

/** Bytes that a body may have: more where files can be sent (decisions on limits). */
export const largestBodies = { standard: 1024 * 1024, files: 16 * 1024 * 1024 } as const;

/** Bytes that the body of a row may have. */
export function largestBodyOf(route: Route | undefined): number {
  return route?.kind === 'write' && route.files ? largestBodies.files : largestBodies.standard;
}

/** Where a request leads: to a row, with its id; to a path with other methods; or nowhere. */
export type Match =
  | { readonly route: Route; readonly id: string | undefined }
  | { readonly route: undefined; readonly allowed: readonly string[] };

function idIn(path: string, pattern: string): string | undefined | false {
  const [before = '', after] = pattern.split('{id}');
  if (after === undefined) return path === pattern ? undefined : false;
  if (!path.startsWith(before) || !path.endsWith(after)) return false;
  const id = path.slice(before.length, path.length - after.length);
  return id !== '' && !id.includes('/') && id;
}

/** Finds the row for a method and a path; HEAD is answered wherever GET is (RFC 9110 §9.3.2). */
export function matchRoute(method: string, path: string): Match {
  const allowed = new Set<string>();
  for (const route of routes) {
    const id = idIn(path, route.path);
    if (id === false) continue;
    if (route.method === method || (method === 'HEAD' && route.method === 'GET')) return { route, id };
    allowed.add(route.method);
    if (route.method === 'GET') allowed.add('HEAD');
  }
  if (allowed.size > 0) allowed.add('OPTIONS');
  return { route: undefined, allowed: [...allowed] };
}
