import { schema } from '../graphql/schema.js';
import { createRest } from '../rest/handler.js';
import type { Authenticate } from './auth.js';
import type { GatewayPlugin } from './exchange.js';

/** Answers everything below `/v1`. */
export function useRest(authenticate: Authenticate): GatewayPlugin {
  const rest = createRest(schema);
  return {
    async onRequest({ request, url, serverContext: { exchange }, endResponse }) {
      if (url.pathname !== '/v1' && !url.pathname.startsWith('/v1/')) return;
      const { method, headers } = request;
      const open = () => authenticate(request, exchange);
      endResponse(await rest({ method, url, headers, body: exchange.body }, open));
    },
  };
}
