import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Database } from '../db/connection/database.js';
import { GatewayError } from '../domain/errors.js';
import { logAnswers } from './answers/answered.js';
import { noSession } from './auth/auth.js';
import { MemoryBudget } from './load/memory-budget.js';
import { exposition } from './metrics/exposition.js';
import type { WorkerMetrics } from './metrics/metrics.js';
import { metricsEndpoint } from './metrics/metrics-door.js';
import { healthEndpoints, type Unready } from './pages/health.js';
import type { Endpoint } from './routing/endpoint.js';
import { createRouter } from './routing/router.js';
import { createDispatcher, type Dispatcher } from './server/dispatch.js';
import { createHttpServer, type HttpServer } from './server/server.js';
import { wireLimits } from './server/wire.js';

/** Settings of a server that has no API. */
export type SmallServerConfig = Pick<Config, 'maxConnections' | 'connectionsPerAddress' | 'trustProxy'>;

export interface WorkerServerOptions {
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

export interface WaitingServerOptions {
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
    onAnswered: logAnswers(log),
    other: { wants: () => false, take: (_request, socket) => void socket.destroy() },
  });
}
