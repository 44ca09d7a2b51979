import type { OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Session } from '../db/sql/scope.js';
import type { ErrorCode } from '../domain/errors.js';
import type { Context } from '../graphql/context.js';
import type { AnswerSize } from '../graphql/limits/answer-size.js';
import type { Visit } from './load/admission.js';
import type { MemoryHold } from './load/memory-hold.js';
import type { Place } from './router.js';

/** One request and its answer, as the layers of this folder pass it on. */
export interface Exchange {
  /** Ties the answer (`X-Request-Id`) to its line in the log. */
  readonly id: string;
  /** Ends the connection, unless the answer is sent: for a caller who does not read it. */
  readonly cut: () => void;
  /** Who sent it, as one of those who are counted (address.ts). */
  readonly sender: () => string;
  /** Sets a header of the answer, whatever it will be. */
  readonly tell: (name: string, value: string) => void;
  /** Whether nothing but the head of the answer is sent. */
  readonly headOnly: boolean;
  /** The memory that it holds until its end. */
  readonly memory: MemoryHold;
  /** Its way through the admission control. */
  readonly visit: Visit;
  /** Where it leads. */
  place: Place;
  /** The request's body as it was sent, without its content coding. */
  body: Uint8Array;
  /** Reads the body of a signed request, for the token with an id; undefined where no signed token may be used. */
  readSigned?: ((tokenId: string) => Promise<Uint8Array>) | undefined;
  /** Who asked; set once the token is known. */
  session?: Session;
  /** The kind of the GraphQL operation that is run. */
  operation?: OperationTypeNode;
  /** Counts the bytes of a GraphQL operation's result; each event of a subscription has its own. */
  answer?: AnswerSize;
  /** The codes of the errors that are answered. */
  errors?: Set<ErrorCode>;
  /** Its trace, while traces are kept. */
  trace?: { readonly id: string };
}

/** Notes that an error is among what is answered. */
export function noteError(exchange: Exchange, code: ErrorCode): void {
  exchange.errors ??= new Set();
  exchange.errors.add(code);
}

/** What yoga's hooks and resolvers are given of each request. */
export interface ServerContext {
  readonly exchange: Exchange;
}

/** One concern of the GraphQL engine, as a plugin of yoga. */
export type GatewayPlugin = Plugin<Context & ServerContext, ServerContext>;
