import { Response } from '@whatwg-node/fetch';
import type { Database } from '../data/client.js';
import { jsonType, type RestAnswer } from '../rest/answer.js';
import type { GatewayPlugin } from './exchange.js';

function answer(status: number, word: string): RestAnswer {
  const headers = { ...jsonType, 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify({ status: word }) };
}

/**
 * Answers `/health/live`: the process answers; and `/health/ready`: it may be given work, which is not so while the
 * database is away or the process is closing. Undefined at any other path.
 */
export async function healthAt(
  path: string,
  database: Database,
  isClosing: () => boolean,
): Promise<RestAnswer | undefined> {
  if (path === '/health/live') return answer(200, 'live');
  if (path !== '/health/ready') return undefined;
  const ready =
    !isClosing() &&
    (await database.ping().then(
      () => true,
      () => false,
    ));
  return ready ? answer(200, 'ready') : answer(503, 'not ready');
}

/** The health of a gateway, among its other paths. */
export function useHealth(database: Database, isClosing: () => boolean): GatewayPlugin {
  return {
    async onRequest({ url, endResponse }) {
      const health = await healthAt(url.pathname, database, isClosing);
      if (health) endResponse(new Response(health.body, health));
    },
  };
}
