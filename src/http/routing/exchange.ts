import type { Span } from '@opentelemetry/api';
import type { OperationTypeNode } from 'graphql';
import type { SentLink } from '../../access/file-links.js';
import type { Session } from '../../db/connection/session.js';
import type { StageTimer } from '../../domain/doors/stages.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { AnswerSize } from '../../graphql/limits/answer-size.js';
import type { MemoryHold } from '../load/memory-hold.js';
import type { Visit } from '../load/visit.js';

/** The part of the gateway that a path belongs to. */
export type DoorName =
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
export interface Exchange {
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
  readonly visit: Visit;
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
  answer?: AnswerSize;
  errors?: Set<ErrorCode>;
  /** The trace id and the request's span; undefined if tracing is off. */
  trace?: { readonly id: string; readonly span: Span };
}

/** Records that the answer contains an error. */
export function noteError(exchange: Exchange, code: ErrorCode): void {
  exchange.errors ??= new Set();
  exchange.errors.add(code);
}
