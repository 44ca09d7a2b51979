import type { Database } from '../../db/connection/database.js';
import { jsonType } from '../../web/answer.js';
import type { Answer } from '../answers/answer.js';
import type { Endpoint } from '../router.js';

function answer(status: number, word: string): Answer {
  const headers = { ...jsonType, 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify({ status: word }) };
}

/**
 * The endpoints of health checks. `/health/live`: the process answers. `/health/ready`: it may be given work, which is
 * not so while the database is away.
 * @param isReady says no while the process is closing, or has more work than it can do
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
    endpoint('/health/live', async () => answer(200, 'live')),
    endpoint('/health/ready', async () => ((await isUp()) ? answer(200, 'ready') : answer(503, 'not ready'))),
  ];
}
