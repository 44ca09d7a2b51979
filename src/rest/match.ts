import type { Route } from './route.js';
import { routes } from './routes.js';

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
