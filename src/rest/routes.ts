import type { ErrorCode } from '../domain/errors.js';
import type { Order } from '../domain/paging.js';
import type { ModelName } from './models.js';

/** What every row of the contract's section 4 says. */
interface RouteBase {
  readonly path: string;
  /** The root field of the gateway's schema that answers. */
  readonly field: string;
  /** What a success shows; in a list, each element. */
  readonly model: ModelName;
  /** The errors that the contract names for this row. */
  readonly errors: readonly ErrorCode[];
  /** A heading of the reference. */
  readonly tag: string;
  /** What it does, in a sentence. */
  readonly summary: string;
}

/** Answers one record by its id. */
export interface ReadRoute extends RouteBase {
  readonly kind: 'read';
  readonly method: 'GET';
}

/** Answers a page of a list, under a name of its own. */
export interface ListRoute extends RouteBase {
  readonly kind: 'list';
  readonly method: 'GET';
  readonly list: string;
  /** The order when the caller names none. */
  readonly order: Order;
}

/** Takes a record's values: a new one (POST) or one by its id (PUT). */
export interface WriteRoute extends RouteBase {
  readonly kind: 'write';
  readonly method: 'POST' | 'PUT';
  /** Whether files come and go with it: then its body may be larger, and `includeFileContent` is taken. */
  readonly files?: boolean;
  /** Members that the contract requires of the body, beyond what the gateway's input type requires. */
  readonly required?: readonly string[];
}

/** Takes a list of patch operations (section 4.11). */
export interface PatchRoute extends RouteBase {
  readonly kind: 'patch';
  readonly method: 'PATCH';
}

/** One row of the contract's section 4. */
export type Route = ReadRoute | ListRoute | WriteRoute | PatchRoute;

/** The rows of the contract's section 4. Nothing else is routed below `/v1`. */
export const routes: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/vehicles',
    field: 'vehicles',
    model: 'VehicleModel',
    list: 'vehicles',
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
