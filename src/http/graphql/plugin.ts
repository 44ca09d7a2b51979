import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../graphql/context.js';
import type { Exchange } from '../routing/exchange.js';

/** The context that yoga's hooks and resolvers get for each request. */
export interface ServerContext {
  readonly exchange: Exchange;
}

/** One concern of the GraphQL engine, as a plugin of yoga. */
export type GatewayPlugin = Plugin<Context & ServerContext, ServerContext>;
