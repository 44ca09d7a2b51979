import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Database } from '../db/connection/database.js';
import { paths } from '../domain/doors/paths.js';
import { GatewayError } from '../domain/errors.js';
import { type ClockProblem, clockText } from '../domain/load/clocks.js';
import { type HttpResponse, jsonType } from '../web/response.js';
import { noSession } from './auth/auth.js';
import { MemoryBudget } from './load/memory.js';
import { exposition } from './metrics/exposition.js';
import type { WorkerMetrics } from './metrics/metrics.js';
import { metricsEndpoint } from './metrics/metrics-door.js';
import { logRequests } from './responses/request-log.js';
import { createRouter, type Endpoint } from './routing/endpoint.js';
import { createDispatcher, type Dispatcher } from './server/dispatch.js';
import { createHttpServer, type HttpServer } from './server/server.js';
import { wireLimits } from './server/wire.js';

function answer(status: number, word: string, reason?: string): HttpResponse {
  const headers = { ...jsonType, 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify({ status: word, reason }) };
}

/** Says why the gateway cannot take requests; undefined if it can. */
type Unready = () => string | undefined;

/** Returns the difference between clocks for which nothing is decided. Undefined if they agree. */
type ClockState = () => ClockProblem | undefined;

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
  const endpoint = (path: string, check: () => Promise<HttpResponse>): Endpoint => ({
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

/** Settings of a server that has no API. */
export type SmallServerConfig = Pick<Config, 'maxConnections' | 'connectionsPerAddress' | 'trustProxy'>;

interface WorkerServerOptions {
  readonly database: Database;
  readonly config: SmallServerConfig & Pick<Config, 'metricsToken'>;
  readonly log: Logger;
  readonly measure: WorkerMetrics['measure'];
  readonly clockProblem?: WorkerMetrics['clockProblem'];
  readonly isStopping: () => boolean;
}

/** Creates the HTTP server of an upload worker. It has only `/metrics` and the health checks. */
export function createWorkerServer({
  database,
  config,
  log,
  measure,
  clockProblem,
  isStopping,
}: WorkerServerOptions): HttpServer {
  const dispatcher = dispatch([
    ...healthEndpoints(database, () => (isStopping() ? 'The worker is stopping.' : undefined), clockProblem),
    metricsEndpoint(config.metricsToken, async () => exposition([await measure()])),
  ]);
  return createSmallServer(dispatcher, config, log);
}

interface WaitingServerOptions {
  readonly config: SmallServerConfig;
  readonly log: Logger;
  readonly unready: Unready;
}

/** Creates the HTTP server of a gateway that waits for its database. It refuses all but health checks. */
export function createWaitingServer({ config, log, unready }: WaitingServerOptions): HttpServer {
  const dispatcher = dispatch(healthEndpoints(undefined, unready));
  const answer: Dispatcher['answer'] = (routed, ...rest) => {
    if (routed.endpoint) return dispatcher.answer(routed, ...rest);
    throw new GatewayError('UNAVAILABLE', 'The gateway is not ready yet; try again.', {
      headers: { 'Retry-After': '5' },
    });
  };
  return createSmallServer({ ...dispatcher, answer }, config, log);
}

const dispatch = (endpoints: Endpoint[]) =>
  createDispatcher({
    router: createRouter(endpoints),
    authenticate: async () => noSession(),
    compress: false,
  });

/** Creates an HTTP server that has no API. */
function createSmallServer(dispatcher: Dispatcher, config: SmallServerConfig, log: Logger): HttpServer {
  const { maxConnections, connectionsPerAddress, trustProxy } = config;
  return createHttpServer({
    dispatcher,
    // No endpoint here takes a body.
    memory: new MemoryBudget({ limit: 0 }),
    cors: () => false,
    log,
    trustProxy,
    maxConnections,
    connectionsPerAddress,
    limits: wireLimits,
    onAnswered: logRequests(log),
    other: { wants: () => false, take: (_request, socket) => void socket.destroy() },
  });
}
