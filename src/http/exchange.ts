import type { Plugin } from 'graphql-yoga';
import type { Session } from '../data/scope.js';
import type { Context } from '../graphql/context.js';

/** One request and its answer, as the layers of this folder pass it on. */
export interface Exchange {
  /** Ties the answer (`X-Request-Id`) to its line in the log. */
  readonly id: string;
  /** The request's body as it was sent. */
  body: Uint8Array;
  /** Whether it is a HEAD, which is answered as a GET. */
  head?: boolean;
  /** Breaks off an answer that has begun and cannot be completed. */
  abort?: () => void;
  /** Who asked; set once the token is known. */
  session?: Session;
}

/** What yoga's hooks and resolvers are given of each request. */
export interface ServerContext {
  readonly exchange: Exchange;
}

/** One concern of the HTTP layer, as a plugin of yoga. */
export type GatewayPlugin = Plugin<Context & ServerContext, ServerContext>;
