import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from '../data/client.js';
import { GatewayError } from '../domain/errors.js';
import { logAnswers } from './answered.js';
import { exposition } from './exposition.js';
import { healthAt } from './health.js';
import type { WorkerMetrics } from './metrics.js';
import { createMetricsDoor } from './metrics-door.js';
import { targetOf } from './request.js';
import { sendAnswer } from './rest.js';
import { createHttpServer, type Handler, type HttpServer } from './server.js';
import { wireLimits } from './wire.js';

/** What the server of a worker is made of. */
export interface WorkerServerOptions {
  readonly database: Database;
  readonly config: Pick<Config, 'metricsToken' | 'maxConnections' | 'connectionsPerAddress' | 'trustProxy'>;
  readonly log: Logger;
  readonly measure: WorkerMetrics['measure'];
  readonly isStopping: () => boolean;
}

/**
 * A server for a process that has no doors: `/metrics` and the health checks, as a gateway answers them, and nothing
 * else.
 */
export function createWorkerServer({
  database,
  config,
  log,
  measure,
  isStopping,
}: WorkerServerOptions): HttpServer {
  const { metricsToken, maxConnections, connectionsPerAddress, trustProxy } = config;
  const metrics = createMetricsDoor(metricsToken, async () => exposition([await measure()]));
  const handler: Handler = async (request, response, exchange) => {
    const { path } = targetOf(request);
    if (path === '/metrics') return metrics(request, response, exchange);
    const health = await healthAt(path, database, isStopping);
    if (!health) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    sendAnswer(response, health);
  };
  return createHttpServer({
    handler,
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
