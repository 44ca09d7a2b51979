import type { IncomingMessage } from 'node:http';
import { paths } from '../../domain/doors/paths.js';
import { type Asked, headerReader, normalizePath, prefersPage, splitTarget } from '../request/request.js';
import type { Endpoint, Method, MethodHandler, Routed } from './endpoint.js';

/** Matches a request by its first line and headers. It never throws. */
export type Router = (request: IncomingMessage) => Routed;

interface Match {
  readonly endpoint: Endpoint;
  readonly id: string | undefined;
}

const idSegment = '{id}';

/** Segments of an unknown path to show. No known path has more. */
const maxShownSegments = 8;

/** Creates the function that finds the endpoint of a path. */
function createMatcher(endpoints: readonly Endpoint[]): (path: string) => Match | undefined {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path.toLowerCase(), endpoint]));
  const idPositions = new Set(
    endpoints.map(({ path }) => path.split('/').indexOf(idSegment)).filter((position) => position !== -1),
  );
  return (path) => {
    const key = normalizePath(path);
    const exact = byPath.get(key);
    if (exact && !key.includes(idSegment)) return { endpoint: exact, id: undefined };
    const segments = key.split('/');
    for (const position of idPositions) {
      if (!segments[position]) continue;
      const pattern = segments.with(position, idSegment).join('/');
      const endpoint = byPath.get(pattern);
      if (endpoint) return { endpoint, id: path.split('/')[position] };
    }
    return undefined;
  };
}

/** Finds an endpoint's handler by method. HEAD uses the handler of GET (RFC 9110 section 9.3.2). */
function findHandler({ methods }: Endpoint, request: Asked): MethodHandler | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handler = Object.hasOwn(methods, method) ? methods[method as Method] : undefined;
  return typeof handler === 'function' ? handler(request) : handler;
}

/** Returns whether an endpoint exists for a request. Some exist only for browsers that open a page. */
function isThere({ forPages }: Endpoint, { method, header }: Asked): boolean {
  return !forPages || ((method === 'GET' || method === 'HEAD') && prefersPage(header('accept')));
}

/** Returns the door of an unknown path. */
function doorOfUnknown(path: string): 'rest' | 'none' {
  const key = normalizePath(path);
  return key === paths.rest || key.startsWith(`${paths.rest}/`) ? 'rest' : 'none';
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Creates the function that hides what an unknown path may have of a secret. It keeps the words of known paths,
 * and ids. Everything else could be a secret with a slash too many before it, or with a letter too many.
 */
function createMask(endpoints: readonly Endpoint[]): (path: string) => string {
  const words = new Set(endpoints.flatMap(({ path }) => path.toLowerCase().split('/')));
  const shown = (segment: string) => words.has(segment.toLowerCase()) || uuid.test(segment);
  return (path) => {
    const segments = path.split('/', maxShownSegments).map((segment) => (shown(segment) ? segment : '*'));
    return segments.join('/');
  };
}

/** Creates the router of some endpoints. Paths match in any letter case, with or without a trailing slash. */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const match = createMatcher(endpoints);
  const mask = createMask(endpoints);
  return (request) => {
    const { path, query } = splitTarget(request);
    const { endpoint, id } = match(path) ?? { endpoint: undefined, id: undefined };
    const incoming = { method: request.method ?? '', path, query, header: headerReader(request), id };
    if (!endpoint || !isThere(endpoint, incoming)) {
      const place = { door: doorOfUnknown(path), route: undefined, shownPath: mask(path) } as const;
      return { incoming, endpoint: undefined, handler: undefined, place };
    }
    const handler = findHandler(endpoint, incoming);
    const isKnown = handler !== undefined || incoming.method === 'OPTIONS';
    const place = {
      door: endpoint.door,
      route: isKnown ? endpoint.path : undefined,
      shownPath: endpoint.isSecret ? endpoint.path : path,
    };
    return { incoming, endpoint, handler, place };
  };
}

/** Lists the methods of an endpoint for the header `Allow`. */
export function allowedMethods({ methods }: Endpoint): string {
  const names = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...names, 'OPTIONS'].join(', ');
}
