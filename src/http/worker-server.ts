import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Database } from '../db/connection/database.js';
import { logAnswers } from './answers/answered.js';
import { noSession } from './auth/auth.js';
import { MemoryBudget } from './load/memory-budget.js';
import { exposition } from './metrics/exposition.js';
import type { WorkerMetrics } from './metrics/metrics.js';
import { metricsEndpoint } from './metrics/metrics-door.js';
import { healthEndpoints } from './pages/health.js';
import { createRouter } from './routing/router.js';
import { createDispatcher } from './server/dispatch.js';
import { createHttpServer, type HttpServer } from './server/server.js';
import { wireLimits } from './server/wire.js';

export interface WorkerServerOptions {
  readonly database: Database;
  readonly config: Pick<Config, 'metricsToken' | 'maxConnections' | 'connectionsPerAddress' | 'trustProxy'>;
  readonly log: Logger;
  readonly measure: WorkerMetrics['measure'];
  readonly isStopping: () => boolean;
}

/** Creates the HTTP server of an upload worker. It has only `/metrics` and the health checks. */
export function createWorkerServer({
  database,
  config,
  log,
  measure,
  isStopping,
}: WorkerServerOptions): HttpServer {
  const { metricsToken, maxConnections, connectionsPerAddress, trustProxy } = config;
  const router = createRouter([
    ...healthEndpoints(database, () => !isStopping()),
    metricsEndpoint(metricsToken, async () => exposition([await measure()])),
  ]);
  return createHttpServer({
    dispatcher: createDispatcher({ router, authenticate: async () => noSession(), compress: false }),
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
