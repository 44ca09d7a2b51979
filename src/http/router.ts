import type { ServerResponse } from 'node:http';
import type { WorkKind } from '../domain/load/admission.js';
import type { Right } from '../domain/roles.js';
import type { Answer } from './answers/answer.js';
import type { Exchange } from './exchange.js';
import type { Asked } from './server/request.js';

/** The part of the gateway that a path belongs to. */
export type DoorName = 'rest' | 'graphql' | 'attachment' | 'page' | 'health' | 'metrics' | 'none';

/** The place that a request leads to, in few words: labels of metrics and names of traces. */
export interface Place {
  readonly door: DoorName;
  /** The path, with `{id}` for an id; undefined for a path that leads nowhere, or not by this method. */
  readonly route: string | undefined;
}

/** A request that an operation answers. */
export interface Incoming extends Asked {
  /** As it was sent, percent-encoded, without the `?`. */
  readonly query: string;
  /** The segment that stands for `{id}`, as it was sent; absent from paths without one. */
  readonly id: string | undefined;
}

/** Answers a request, whose caller is let in and whose body is read; undefined when it has sent the answer itself. */
export type Handle = (
  request: Incoming,
  exchange: Exchange,
  response: ServerResponse,
) => Promise<Answer | undefined>;

/** The methods that an operation can have; HEAD goes where GET goes, OPTIONS is answered by the dispatcher. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body that an operation takes. */
export interface TakesBody {
  /** Bytes at most. */
  readonly limit: (request: Asked) => number;
  /**
   * Checks the headers that describe the body, before it is read.
   * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
   */
  readonly check: (request: Asked) => void;
}

/** One method of a path. */
export interface Operation {
  /** Callers let in before the body is read: all, those with a token, or with a right. */
  readonly access: 'public' | 'token' | Right;
  /** Whether tokens that sign what they send may be used here. */
  readonly signed?: boolean;
  /** The kind of work that it is when there is too much of it; `unhindered` is never shed. `ordinary` unless told. */
  readonly work?: WorkKind | 'unhindered';
  /** Absent: the body, if one is sent, is not read. */
  readonly body?: TakesBody;
  readonly handle: Handle;
}

/** A path of the gateway: the one place of all that must be known of it before it is asked. */
export interface Endpoint {
  /** In the spelling of the contract; `{id}` stands for one segment. */
  readonly path: string;
  readonly door: DoorName;
  /** By method; a function where the request decides which of two operations answers. */
  readonly methods: Partial<Record<Method, Operation | ((request: Asked) => Operation)>>;
  /** Media types that PATCH takes (`Accept-Patch`, RFC 5789 section 3.1). */
  readonly acceptPatch?: string;
}

/** An endpoint that a path leads to. */
export interface Match {
  readonly endpoint: Endpoint;
  readonly id: string | undefined;
}

/** Finds the endpoint of a path; undefined when there is none. */
export type Router = (path: string) => Match | undefined;

const idSegment = '{id}';

/** A path as it is compared: in lower case, without one trailing slash (decisions on paths). */
export function comparable(path: string): string {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(0, end).toLowerCase();
}

/** Makes the router of some endpoints. Paths match in any letter case and with one trailing slash. */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path.toLowerCase(), endpoint]));
  const idPositions = new Set(
    endpoints.map(({ path }) => path.split('/').indexOf(idSegment)).filter((position) => position !== -1),
  );
  return (path) => {
    const key = comparable(path);
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

/** The operation of an endpoint for a method; HEAD is answered wherever GET is (RFC 9110 section 9.3.2). */
export function operationFor({ methods }: Endpoint, request: Asked): Operation | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const operation = Object.hasOwn(methods, method) ? methods[method as Method] : undefined;
  return typeof operation === 'function' ? operation(request) : operation;
}

/** The methods of an endpoint, as `Allow` lists them. */
export function allowOf({ methods }: Endpoint): string {
  const names = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...names, 'OPTIONS'].join(', ');
}
