import { innerIdOf, type Route } from '../../src/domain/doors/route.js';
import { memberName } from '../../src/web/parameters.js';
import type { Sent } from './observe.js';
import { type Row, rows } from './rows.js';
import type { Ids } from './world.js';

/** Returns what the tests know about the operation behind a route. */
export function rowOf(route: Route): Row {
  const { field } = route;
  const row = rows.query[field] ?? rows.mutation[field];
  if (!row) throw new Error(`${field} has no row.`);
  const owner = route.kind === 'list' ? route.of : undefined;
  return owner ? { ...row, of: [owner], args: (ids) => ({ id: ids[owner] }) } : row;
}

/** Returns a value in the contract's names. */
export function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [memberName(name), spelled(inner)]));
}

/** Returns the id in a route's path, from the caller's records. */
export const idInPath = (route: Route, ids: Ids): string =>
  String(route.kind === 'list' && route.of ? ids[route.of] : rowOf(route).args(ids).id);

/** Returns the second id in a route's path. */
const innerIdInPath = (route: Route, ids: Ids): string =>
  String(rowOf(route).args(ids)[innerIdOf(route.path) ?? '']);

/** Returns a route's path with an id. A second one is from the caller's records, unless it is given. */
export const pathWith = (route: Route, id: string, ids: Ids, innerId = innerIdInPath(route, ids)): string =>
  route.path.replace('{id}', id).replace(`{${innerIdOf(route.path)}}`, innerId);

/** Returns a body with which a route succeeds. */
function bodyOf(route: Route, ids: Ids): unknown {
  const { input, operations } = rowOf(route).args(ids);
  const needed = route.kind === 'write' && route.required?.includes('expiration_date');
  const whole = needed ? { expirationDate: '2028-01-31', ...(input as object) } : input;
  return operations ?? spelled(whole);
}

/** Returns a request with which a route succeeds on these records. */
export function requestOf(route: Route, ids: Ids): Sent {
  const { method } = route;
  const path = pathWith(route, idInPath(route, ids), ids);
  return { method, path, ...(method !== 'GET' && { body: bodyOf(route, ids) }) };
}
