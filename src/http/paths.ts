import { Response } from '@whatwg-node/fetch';
import { GatewayError } from '../domain/errors.js';
import { errorResponse } from './errors.js';
import { type GatewayPlugin, noteError } from './exchange.js';

const methods = 'GET, HEAD, POST, OPTIONS';

/** Ends what no door and no page has answered: yoga itself would take any path that ends in `/graphql` for its own. */
export function useKnownPaths(): GatewayPlugin {
  return {
    onRequest({ request, url, serverContext, endResponse }) {
      if (url.pathname !== '/graphql') {
        noteError(serverContext.exchange, 'NOT_FOUND');
        endResponse(errorResponse(new GatewayError('NOT_FOUND', 'There is nothing at this path.')));
      } else if (request.method === 'OPTIONS') {
        endResponse(new Response(null, { status: 204, headers: { Allow: methods } }));
      } else if (request.method !== 'GET' && request.method !== 'POST') {
        const headers = { Allow: methods };
        throw new GatewayError('METHOD_NOT_ALLOWED', `This path takes ${methods}.`, { headers });
      }
    },
  };
}
