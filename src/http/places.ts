import { matchRoute } from '../rest/match.js';
import { pagePaths } from './pages.js';
import { isRestPath } from './rest.js';

/** What part of the gateway a path belongs to. */
export type DoorName = 'rest' | 'graphql' | 'attachment' | 'page' | 'health' | 'metrics' | 'none';

/** Where a request leads, in words of which there are few: no id, and nothing else that callers make up. */
export interface Place {
  readonly door: DoorName;
  /** The path, with `{id}` for an id; absent for a path that leads nowhere, or not by this method. */
  readonly route: string | undefined;
}

const attachment = /^\/attachments\/[^/]+$/;
const health = new Set(['/health/live', '/health/ready']);

/** Where a request with this method and path leads. */
export function placeOf(method: string, path: string): Place {
  if (path === '/graphql') return { door: 'graphql', route: path };
  if (isRestPath(path)) return { door: 'rest', route: matchRoute(method, path).route?.path };
  if (health.has(path)) return { door: 'health', route: path };
  if (pagePaths.has(path)) return { door: 'page', route: path };
  if (attachment.test(path)) return { door: 'attachment', route: '/attachments/{id}' };
  if (path === '/metrics') return { door: 'metrics', route: path };
  return { door: 'none', route: undefined };
}
