import type { ServerResponse } from 'node:http';
import type { WorkKind } from '../../domain/load/admission.js';
import type { Right } from '../../domain/roles.js';
import type { Answer } from '../../web/answer.js';
import type { Asked } from '../request/request.js';
import type { DoorName, Exchange, RequestedEndpoint } from './exchange.js';

/** A request that a handler answers. */
export interface Incoming extends Asked {
  /** The query string as it was sent, percent-encoded, without the `?`. */
  readonly query: string;
  /** The segment that stands for `{id}`, as it was sent; absent from paths without one. */
  readonly id: string | undefined;
}

/** Handles a request that is authorized and read. It is undefined once it has sent the response itself. */
export type Handle = (
  request: Incoming,
  exchange: Exchange,
  response: ServerResponse,
) => Promise<Answer | undefined>;

/** HTTP methods that an endpoint can have. HEAD is handled as GET, and the dispatcher answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request body that a handler takes. */
export interface TakesBody {
  /** Bytes at most. */
  readonly limit: (request: Asked) => number;
  /**
   * Checks the headers that describe the body, before it is read.
   * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
   */
  readonly check: (request: Asked) => void;
}

/** Handles one HTTP method of a path, with the checks before it. */
export interface MethodHandler {
  /** Callers who are let in: all, any valid token, or those with a right. They are checked before the body is read. */
  readonly access: 'public' | 'token' | Right;
  /** True when tokens that sign what they send may be used here. */
  readonly signed?: boolean;
  /** True when a link to the file (`?link=…`) may stand for the token. */
  readonly linked?: boolean;
  /** The kind of work by which overload is shed; `ordinary` by default. `unhindered` is never shed. */
  readonly work?: WorkKind | 'unhindered';
  /** Absent: the body, if one is sent, is not read. */
  readonly body?: TakesBody;
  readonly handle: Handle;
}

/** A path of the gateway with its methods. It is the one place for what must be known before a request is handled. */
export interface Endpoint {
  /** In the spelling of the contract; `{id}` stands for one segment. */
  readonly path: string;
  readonly door: DoorName;
  /** Set when `{id}` stands for a secret. No log and no trace may have it. */
  readonly isSecret?: true;
  /** Set when it is there for browsers that open a page. Programs find nothing at its path. */
  readonly forPages?: true;
  /** Handlers by method; a function where the request decides between two. */
  readonly methods: Partial<Record<Method, MethodHandler | ((request: Asked) => MethodHandler)>>;
  /** Media types that PATCH takes (`Accept-Patch`, RFC 5789 section 3.1). */
  readonly acceptPatch?: string;
}

/** A request with the endpoint and handler that its path and method lead to. */
export interface Routed {
  readonly incoming: Incoming;
  /** Undefined: there is nothing at the path. */
  readonly endpoint: Endpoint | undefined;
  /** Undefined: the path does not take the method. */
  readonly handler: MethodHandler | undefined;
  readonly place: RequestedEndpoint;
}
