import { Response } from '@whatwg-node/fetch';
import type { Database } from '../data/client.js';
import type { GatewayPlugin } from './exchange.js';

function status(code: number, word: string): Response {
  return new Response(JSON.stringify({ status: word }), {
    status: code,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

/**
 * `/health/live`: the process answers. `/health/ready`: it may be sent requests; not while the database is away
 * or the server is closing.
 */
export function useHealth(database: Database, isClosing: () => boolean): GatewayPlugin {
  return {
    async onRequest({ url, endResponse }) {
      if (url.pathname === '/health/live') endResponse(status(200, 'live'));
      if (url.pathname !== '/health/ready') return;
      const ready =
        !isClosing() &&
        (await database.ping().then(
          () => true,
          () => false,
        ));
      endResponse(ready ? status(200, 'ready') : status(503, 'not ready'));
    },
  };
}
