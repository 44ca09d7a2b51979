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
export type DoorName = 'rest' | 'graphql' | 'attachment' | 'page' | 'health' | 'metrics' | 'none';

/** The endpoint that a request is for. It gives metrics their labels and traces their names. */
export interface RequestedEndpoint {
  readonly door: DoorName;
  /** The path, with `{id}` for an id; undefined for an unknown path or method. */
  readonly route: string | undefined;
  /** Set when the path has a secret in it. Logs and traces have `route` in its place. */
  readonly isSecret?: true;
}

/** The request context, which the rooms of `http` pass on. */
export interface Exchange {
  /** Ties the answer (`X-Request-Id`) to its line in the log. */
  readonly id: string;
  /** Destroys the connection of a client that does not read, unless the response is sent. */
  readonly cut: () => void;
  /** Gives the sender's address, as one of those who are counted (address.ts). */
  readonly sender: () => string;
  /** Gives the address that the gateway was asked at (address.ts), for links to its pages. */
  readonly origin: () => string;
  /** Sets a header of the answer, whatever it will be. */
  readonly setHeader: (name: string, value: string) => void;
  /** True when nothing but the head of the answer is sent. */
  readonly headOnly: boolean;
  readonly memory: MemoryHold;
  readonly visit: Visit;
  readonly place: RequestedEndpoint;
  /** Runs and times the stages of its door. */
  readonly stages: StageTimer;
  /** The request's body as it was sent, without its content coding. */
  body: Uint8Array;
  /** Reads the body of a signed request, for the token with an id. Undefined where no signed token may be used. */
  readSigned?: ((tokenId: string) => Promise<Uint8Array>) | undefined;
  /** The link that was sent in place of a token, where one may be used. */
  link?: SentLink;
  /** The caller's session; set once the token is known. */
  session?: Session;
  operation?: OperationTypeNode;
  /** Counts the bytes of a GraphQL operation's result. Each event of a subscription has a counter of its own. */
  answer?: AnswerSize;
  errors?: Set<ErrorCode>;
  /** Its trace and the span of the request in it, while traces are kept. */
  trace?: { readonly id: string; readonly span: Span };
}

/** Notes that an error is among what is answered. */
export function noteError(exchange: Exchange, code: ErrorCode): void {
  exchange.errors ??= new Set();
  exchange.errors.add(code);
}
