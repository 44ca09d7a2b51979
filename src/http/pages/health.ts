import type { Database } from '../../db/connection/database.js';
import { paths } from '../../domain/doors/paths.js';
import { type ClockProblem, clockText } from '../../domain/load/clocks.js';
import { type Answer, jsonType } from '../../web/answer.js';
import type { Endpoint } from '../routing/endpoint.js';

function answer(status: number, word: string, reason?: string): Answer {
  const headers = { ...jsonType, 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify({ status: word, reason }) };
}

/** Says why the gateway cannot take requests; undefined if it can. */
export type Unready = () => string | undefined;

/** Returns the difference between clocks for which nothing is decided. Undefined if they agree. */
export type ClockState = () => ClockProblem | undefined;

/**
 * Creates the endpoints of health checks. `/health/live` and `/livez` say that the process answers.
 * `/health/ready` and `/readyz` say that it can take requests, which it cannot while the database is
 * unreachable, or give the reason. While clocks differ, it is ready, but says that nothing is decided or sent.
 * @param database undefined if the gateway does not use it yet
 */
export function healthEndpoints(
  database: Pick<Database, 'ping'> | undefined,
  unready: Unready,
  clockProblem: ClockState = () => undefined,
): Endpoint[] {
  const endpoint = (path: string, check: () => Promise<Answer>): Endpoint => ({
    path,
    door: 'health',
    methods: { GET: { access: 'public', work: 'unhindered', handle: check } },
  });
  const check = async () => {
    const reason = unready();
    if (reason !== undefined) return reason;
    return database?.ping().then(
      () => undefined,
      () => 'The database is away.',
    );
  };
  const checkReady = async () => {
    const reason = await check();
    if (reason !== undefined) return answer(503, 'not ready', reason);
    const problem = clockProblem();
    return answer(200, 'ready', problem && `Nothing is decided or sent: ${clockText(problem)}`);
  };
  const checkLive = async () => answer(200, 'live');
  return [
    ...[paths.live, paths.livez].map((path) => endpoint(path, checkLive)),
    ...[paths.ready, paths.readyz].map((path) => endpoint(path, checkReady)),
  ];
}
