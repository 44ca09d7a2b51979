import type { Database } from '../../db/connection/database.js';
import { paths } from '../../domain/doors/paths.js';
import { type Answer, jsonType } from '../../web/answer.js';
import type { Endpoint } from '../routing/endpoint.js';

function answer(status: number, word: string): Answer {
  const headers = { ...jsonType, 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify({ status: word }) };
}

/**
 * Creates the endpoints of health checks. `/health/live` says that the process answers. `/health/ready` says
 * that it can take requests, which is false while the database is unreachable.
 * @param isReady returns false while the process is shutting down or overloaded
 */
export function healthEndpoints(database: Database, isReady: () => boolean): Endpoint[] {
  const endpoint = (path: string, check: () => Promise<Answer>): Endpoint => ({
    path,
    door: 'health',
    methods: { GET: { access: 'public', work: 'unhindered', handle: check } },
  });
  const isUp = async () => {
    if (!isReady()) return false;
    return database.ping().then(
      () => true,
      () => false,
    );
  };
  return [
    endpoint(paths.live, async () => answer(200, 'live')),
    endpoint(paths.ready, async () => ((await isUp()) ? answer(200, 'ready') : answer(503, 'not ready'))),
  ];
}
