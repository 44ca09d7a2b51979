import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { OperationTypeNode } from 'graphql';
import type { LinkTarget, SentLink } from '../../access/file-links.js';
import type { Session } from '../../db/connection/session.js';
import type { Right } from '../../domain/caller.js';
import { paths } from '../../domain/doors/paths.js';
import type { StageTimer } from '../../domain/doors/stages.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { WorkKind } from '../../domain/load/admission.js';
import type { ResponseSize } from '../../graphql/limits/response-size.js';
import type { HttpResponse } from '../../web/response.js';
import type { Permit } from '../load/admission.js';
import type { MemoryHold } from '../load/memory.js';
import { type Asked, headerReader, normalizePath, prefersPage, splitTarget } from '../request/request.js';

/** The part of the gateway that a path belongs to. */
type DoorName =
  | 'rest'
  | 'graphql'
  | 'mcp'
  | 'attachment'
  | 'session'
  | 'page'
  | 'health'
  | 'metrics'
  | 'none';

/** The endpoint that a request is for. It provides the labels of metrics and the names of traces. */
export interface RequestedEndpoint {
  readonly door: DoorName;
  /** The path with `{id}` in place of an id. Undefined for an unknown path or method. */
  readonly route: string | undefined;
  /** The path as logs and traces show it: without its query string, and without secrets. */
  readonly shownPath: string;
}

/** The context of a request, which is passed through all of `http`. */
export interface RequestContext {
  /** Links the answer (`X-Request-Id`) to its line in the log. */
  readonly id: string;
  /** Destroys the connection unless the response has been sent. Its client does not read. */
  readonly cut: () => void;
  /** Returns the sender's address as rate limits count it (address.ts). */
  readonly sender: () => string;
  /** Returns the origin that the request was sent to (address.ts). Links to the gateway's pages need it. */
  readonly origin: () => string;
  /** Sets a header of the answer, whatever the answer will be. */
  readonly setHeader: (name: string, value: string) => void;
  /** Sets cookies with the answer. Undefined over a WebSocket, which has no way to. */
  readonly setCookies?: (cookies: readonly string[]) => void;
  /** True if only the head of the answer is sent. */
  readonly headOnly: boolean;
  readonly memory: MemoryHold;
  readonly visit: Permit;
  readonly place: RequestedEndpoint;
  /** Runs and times the stages of the request's door. */
  readonly stages: StageTimer;
  /** The request's body after its content coding has been removed. */
  body: Uint8Array;
  /**
   * Reads the body of a signed request for the token with an id. Undefined where signed tokens are not
   * allowed.
   */
  readSigned?: ((tokenId: string) => Promise<Uint8Array>) | undefined;
  /** The link that was sent in place of a token, where links are allowed. */
  link?: SentLink;
  /** The secret of a calendar feed that was sent in place of a token. */
  feed?: string;
  /** The audience of an issuer's tokens that are accepted here, besides the configured one. */
  resource?: string;
  /** The caller's session; set once the caller is authenticated. */
  session?: Session;
  operation?: OperationTypeNode;
  /**
   * Counts the bytes of a GraphQL operation's result. Each event of a subscription has a counter of its own.
   */
  answer?: ResponseSize;
  errors?: Set<ErrorCode>;
  /** The trace id and the request's span; undefined if tracing is off. */
  trace?: { readonly id: string; readonly span: Span };
}

/** Records that the answer contains an error. */
export function noteError(exchange: RequestContext, code: ErrorCode): void {
  exchange.errors ??= new Set();
  exchange.errors.add(code);
}

/** A request to a handler. */
export interface Incoming extends Asked {
  /** The query string as it was sent, percent-encoded, without the `?`. */
  readonly query: string;
  /** The path segment that stands for `{id}`, as it was sent. Undefined for paths without one. */
  readonly id: string | undefined;
  /** The path segment that stands for a second id. Undefined for paths without one. */
  readonly innerId?: string | undefined;
}

/** Handles a request that is authorized and read. Returns undefined if it has sent the response itself. */
export type Handle = (
  request: Incoming,
  exchange: RequestContext,
  response: ServerResponse,
) => Promise<HttpResponse | undefined>;

/** HTTP methods that an endpoint can have. HEAD is handled like GET, and the dispatcher answers OPTIONS. */
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Limits and checks of a request body. */
export interface TakesBody {
  /** Returns the maximum number of bytes. */
  readonly limit: (request: Asked) => number;
  /**
   * Checks the headers that describe the body, before it is read.
   * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
   */
  readonly check: (request: Asked) => void;
  /** True if it is JSON, to whose members errors point. */
  readonly hasMembers?: true;
}

/** A resource as an issuer of tokens knows it (RFC 9728). */
export interface ProtectedResource {
  /** Returns the address of its metadata, which a 401 names. */
  readonly metadata: (exchange: RequestContext) => string;
  /** The audience of tokens for it alone (RFC 8707). Undefined if its address is not configured. */
  readonly audience: string | undefined;
}

/** Handles one HTTP method of a path, after the checks declared here. */
export interface MethodHandler {
  /**
   * The callers that are allowed: everybody, any valid token, or only those with a right. It is checked
   * before the body is read.
   */
  readonly access: 'public' | 'token' | Right;
  /** True if request-signing tokens may be used here. */
  readonly signed?: boolean;
  /** Returns what a link (`?link=…`) has to open to replace the token. Without it, none does. */
  readonly linked?: (request: Incoming) => LinkTarget;
  /** Metadata for clients that get tokens by themselves. */
  readonly resource?: ProtectedResource;
  /** True if the path contains the secret of a calendar feed, which replaces the token. */
  readonly isFeed?: true;
  /**
   * The kind of work, which decides when overload sheds it. Defaults to `ordinary`; `unhindered` is never
   * shed.
   */
  readonly work?: WorkKind | 'unhindered';
  /** Returns whether the body of a public request is read. Without it, it is. */
  readonly admits?: (request: Incoming, exchange: RequestContext) => Promise<boolean>;
  /** Undefined if a request body, should one be sent, is not read. */
  readonly body?: TakesBody;
  /** True if its handler runs the stages after `claimKey` itself. Otherwise it is the stage `execute`. */
  readonly hasStages?: true;
  /** Headers that are a part of what is asked for. The same request has the same ones (docs/use/errors.md). */
  readonly keyedHeaders?: readonly string[];
  readonly handle: Handle;
  /** Completes an answer just before it is sent. It may have been stored for its `Idempotency-Key`. */
  readonly complete?: (answer: HttpResponse, exchange: RequestContext) => Promise<HttpResponse>;
}

/**
 * A path of the gateway with its methods. It declares everything that must be known before a request is
 * handled.
 */
export interface Endpoint {
  /** The path as the contract spells it. A name in braces, such as `{id}`, stands for one segment. */
  readonly path: string;
  readonly door: DoorName;
  /** Set if `{id}` stands for a secret, which must not appear in logs or traces. */
  readonly isSecret?: true;
  /** Set if only browsers that open a page find something here. Programs get a 404. */
  readonly forPages?: true;
  /** Handlers by method. A function picks one of two by the request. */
  readonly methods: Partial<Record<Method, MethodHandler | ((request: Asked) => MethodHandler)>>;
  /** Media types that PATCH takes (`Accept-Patch`, RFC 5789 section 3.1). */
  readonly acceptPatch?: string;
  /** Set if a POST may name its method in `X-HTTP-Method-Override`, as tus 1.0.0 has it. */
  readonly allowsOverride?: true;
  /** Headers of all answers, also of errors. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the answer to OPTIONS, besides the usual ones. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A request with the endpoint and handler for its path and method. */
export interface Routed {
  readonly incoming: Incoming;
  /** Undefined if nothing exists at the path. */
  readonly endpoint: Endpoint | undefined;
  /** Undefined if the path does not accept the method. */
  readonly handler: MethodHandler | undefined;
  readonly place: RequestedEndpoint;
}

/** Matches a request by its first line and headers. It never throws. */
export type Router = (request: IncomingMessage) => Routed;

interface Match {
  readonly endpoint: Endpoint;
  /** The segments that stand for ids, in their order. */
  readonly ids: readonly (string | undefined)[];
}

const idSegment = '{id}';

/** Returns the places of ids among the segments of a declared path. */
const idPlaces = (path: string): number[] =>
  path.split('/').flatMap((segment, place) => (segment.startsWith('{') ? [place] : []));

/** Returns the key of a path whose segments at some places stand for ids. */
const patternOf = (segments: readonly string[], places: readonly number[]): string =>
  places.reduce((all, place) => all.with(place, idSegment), segments).join('/');

/** Segments of an unknown path to show. No known path has more. */
const maxShownSegments = 8;

/** Creates the function that finds the endpoint of a path. */
function createMatcher(endpoints: readonly Endpoint[]): (path: string) => Match | undefined {
  const byPath = new Map(
    endpoints.map((endpoint) => {
      const places = idPlaces(endpoint.path);
      return [patternOf(endpoint.path.toLowerCase().split('/'), places), { endpoint, places }];
    }),
  );
  const withIds = [...byPath.values()].map(({ places }) => places).filter(({ length }) => length > 0);
  const allPlaces = [...new Map(withIds.map((places) => [places.join(), places])).values()];
  return (path) => {
    const key = normalizePath(path);
    const exact = byPath.get(key);
    if (exact && !key.includes(idSegment)) return { endpoint: exact.endpoint, ids: [] };
    const segments = key.split('/');
    for (const places of allPlaces) {
      if (!places.every((place) => segments[place])) continue;
      const found = byPath.get(patternOf(segments, places));
      // A segment may be sent as the word that stands for an id.
      if (found)
        return { endpoint: found.endpoint, ids: found.places.map((place) => path.split('/')[place]) };
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

/** Returns the method of a request. A POST may name another one in a header where the endpoint allows it. */
function methodOf({ method }: IncomingMessage, header: Asked['header'], endpoint?: Endpoint): string {
  const named = method === 'POST' && endpoint?.allowsOverride ? header('x-http-method-override') : null;
  return named?.trim().toUpperCase() || (method ?? '');
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
    const { endpoint, ids } = match(path) ?? { endpoint: undefined, ids: [] };
    const [id, innerId] = ids;
    const header = headerReader(request);
    const incoming = { method: methodOf(request, header, endpoint), path, query, header, id, innerId };
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
