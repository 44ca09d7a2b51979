import type { Route } from './route.js';
import { routes } from './routes.js';

/** Where a request leads: to a row, with its id; to a path with other methods; or nowhere. */
export type Match =
  | { readonly route: Route; readonly id: string | undefined }
  | { readonly route: undefined; readonly allowed: readonly string[] };

/** The rows of each path that has no id in it, and of each that has: what stands before the id and after it. */
const plain = new Map<string, Route[]>();
const withId = new Map<string, { before: string; after: string; rows: Route[] }>();
for (const route of routes) {
  const [before = '', after] = route.path.split('{id}');
  const rows = (after === undefined ? plain.get(route.path) : withId.get(route.path)?.rows) ?? [];
  rows.push(route);
  if (after === undefined) plain.set(route.path, rows);
  else withId.set(route.path, { before, after, rows });
}

/** The rows of a path, with the id in it. */
function rowsOf(path: string): { rows: readonly Route[]; id?: string } | undefined {
  const rows = plain.get(path);
  if (rows) return { rows };
  for (const { before, after, rows } of withId.values()) {
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const id = path.slice(before.length, path.length - after.length);
    if (id !== '' && !id.includes('/')) return { rows, id };
  }
  return undefined;
}

/** Finds the row for a method and a path; HEAD is answered wherever GET is (RFC 9110 §9.3.2). */
export function matchRoute(method: string, path: string): Match {
  const found = rowsOf(path);
  if (!found) return { route: undefined, allowed: [] };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route = found.rows.find((row) => row.method === wanted);
  if (route) return { route, id: found.id };
  const methods = found.rows.flatMap((row) => (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]));
  return { route: undefined, allowed: [...methods, 'OPTIONS'] };
}
