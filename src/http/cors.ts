import type { YogaServerOptions } from 'graphql-yoga';
import type { Context } from '../graphql/context.js';
import type { GatewayPlugin, ServerContext } from './exchange.js';

const exposedHeaders = ['ETag', 'Location', 'Retry-After', 'X-Error-Code', 'X-Request-Id'];

/**
 * Which origins' pages may read answers (Fetch, section 3.2). Given a list, yoga would tell the others that the
 * origin `null` may, which any page is in a frame without an origin.
 */
export function corsOf(origins: readonly string[]): YogaServerOptions<ServerContext, Context>['cors'] {
  if (origins.length === 0) return false;
  return ({ headers }) => {
    const origin = headers.get('origin');
    return origin !== null && origins.includes(origin) && { origin, credentials: false, exposedHeaders };
  };
}

/** Tells caches that an answer is for one origin (Fetch, section 3.2.5), also where it is for none. */
export function useVary(origins: readonly string[]): GatewayPlugin {
  return {
    onResponse({ response }) {
      if (origins.length > 0) response.headers.append('Vary', 'Origin');
    },
  };
}
