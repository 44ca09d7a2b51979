import type { ServerResponse } from 'node:http';
import type { LinkTarget } from '../../access/file-links.js';
import type { WorkKind } from '../../domain/load/admission.js';
import type { Right } from '../../domain/roles.js';
import type { Answer } from '../../web/answer.js';
import type { Asked } from '../request/request.js';
import type { DoorName, Exchange, RequestedEndpoint } from './exchange.js';

/** A request to a handler. */
export interface Incoming extends Asked {
  /** The query string as it was sent, percent-encoded, without the `?`. */
  readonly query: string;
  /** The path segment that stands for `{id}`, as it was sent. Undefined for paths without one. */
  readonly id: string | undefined;
}

/** Handles a request that is authorized and read. Returns undefined if it has sent the response itself. */
export type Handle = (
  request: Incoming,
  exchange: Exchange,
  response: ServerResponse,
) => Promise<Answer | undefined>;

/** HTTP methods that an endpoint can have. HEAD is handled like GET, and the dispatcher answers OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
  readonly metadata: (exchange: Exchange) => string;
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
  /** Undefined if a request body, should one be sent, is not read. */
  readonly body?: TakesBody;
  /** True if its handler runs the stages after `claimKey` itself. Otherwise it is the stage `execute`. */
  readonly hasStages?: true;
  /** Headers that are a part of what is asked for. The same request has the same ones (docs/use/errors.md). */
  readonly keyedHeaders?: readonly string[];
  readonly handle: Handle;
  /** Completes an answer just before it is sent. It may have been stored for its `Idempotency-Key`. */
  readonly complete?: (answer: Answer, exchange: Exchange) => Promise<Answer>;
}

/**
 * A path of the gateway with its methods. It declares everything that must be known before a request is
 * handled.
 */
export interface Endpoint {
  /** The path as the contract spells it; `{id}` stands for one segment. */
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
