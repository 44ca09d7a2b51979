import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Database } from './data/client.js';
import { createLive, type LiveLimits, liveLimits } from './data/live/live.js';
import { openReplica, type ReplicaOptions } from './data/replica.js';
import { createSecrets } from './data/secrets.js';
import { createSharedQuotas } from './data/shared-quotas.js';
import type { AdmissionLimits } from './domain/admission.js';
import { createAdmission } from './http/admission.js';
import { logAnswers } from './http/answered.js';
import { useAttachments } from './http/attachments.js';
import { createAuthenticator } from './http/auth.js';
import { asStream } from './http/body.js';
import { createCors } from './http/cors.js';
import { exposition, type Measured } from './http/exposition.js';
import { createGraphql } from './http/graphql.js';
import { createFastGraphql } from './http/graphql-fast.js';
import { guarded } from './http/guard.js';
import { useHealth } from './http/health.js';
import { createIssuer } from './http/issuer.js';
import { createMetrics } from './http/metrics.js';
import { createMetricsDoor } from './http/metrics-door.js';
import { usePages } from './http/pages.js';
import { useKnownPaths } from './http/paths.js';
import { limitRate } from './http/rate-limit.js';
import { targetOf } from './http/request.js';
import { createRestDoor, isRestPath } from './http/rest.js';
import { createHttpServer, type Handler, type HttpServer } from './http/server.js';
import type { Tracing } from './http/tracing.js';
import type { OnTried } from './http/upload-metrics.js';
import { createWebSockets } from './http/websocket.js';
import { type WireLimits, wireLimits } from './http/wire.js';
import { createFileFetcher } from './jobs/fetch-file.js';
import { createFileFinder } from './jobs/find-file.js';
import { startWorker, type Worker } from './jobs/worker.js';

/** What an app is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly config: Config;
  readonly log: Logger;
  /** Tells the time of each request. */
  readonly clock: () => Date;
  /** Tells how much time has passed, in milliseconds, whatever clocks are set to; the process's own unless told. */
  readonly uptime?: (() => number) | undefined;
  /** Other bounds of live events than the usual ones. */
  readonly live?: Partial<LiveLimits> | undefined;
  /** Other bounds of connections than the usual ones. */
  readonly wire?: Partial<WireLimits> | undefined;
  /** Other bounds of waiting requests than the usual ones. */
  readonly admission?: Partial<AdmissionLimits> | undefined;
  /** Milliseconds after which what is counted is shared, unless the usual ones. */
  readonly settleInterval?: number | undefined;
  /** Keeps traces of requests. */
  readonly tracing?: Tracing | undefined;
  /** The text of `/metrics`, of all processes of this gateway; of this one unless told. */
  readonly readMetrics?: (() => Promise<string>) | undefined;
}

/** A gateway: both doors, wired. */
export interface App extends HttpServer {
  /** How many streams of live events are open. */
  streams(): number;
  /** What is measured, as of now. */
  measure(): Promise<Measured>;
  /** Counts what a worker in this process does. */
  readonly onTried: OnTried;
  /** From now on it says that it is not ready; it goes on to answer. */
  retire(): void;
}

/** Wires a gateway; nothing listens yet. */
export function createApp(options: AppOptions): App {
  const { database, config, log, clock, tracing } = options;
  const limits = { ...liveLimits, ...options.live };
  const { trustProxy } = config;
  const uptime = options.uptime ?? (() => performance.now());
  let retired = false;
  const replica = config.databaseReplicaUrl
    ? openReplica(database, replicaOptions(config.databaseReplicaUrl, config, log))
    : undefined;
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'Streams of live events were ended');
  const live = createLive(database, clock, onError, limits);
  const issuer = config.oidc && createIssuer(config.oidc, { clock, log });
  const quotas = createSharedQuotas(database, {
    uptime,
    interval: options.settleInterval,
    onError: (err) => log.warn({ err }, 'Counts of requests cannot be shared with other processes'),
  });
  const cors = createCors(config.corsOrigins);
  const admission = createAdmission({
    log,
    uptime,
    poolSize: config.databasePool,
    cors: config.corsOrigins.length > 0 ? cors : undefined,
    limits: options.admission,
  });
  const secrets = createSecrets(config);
  const authenticate = limitRate(createAuthenticator({ database, clock, secrets, issuer, log }), {
    config,
    quotas,
    uptime,
  });
  const yoga = createGraphql({
    config,
    log,
    authenticate,
    live,
    tracing,
    // Asked in this order, until one answers.
    plugins: [
      useHealth(database, () => retired || admission.isOverloaded()),
      usePages(config.graphiql),
      useAttachments(authenticate, log),
      useKnownPaths(),
    ].map((plugin) => guarded(plugin, log)),
  });
  const rest = createRestDoor(authenticate);
  const { onAnswered, onOperated, onTried, measure } = createMetrics({
    database,
    poolSize: config.databasePool,
    clock,
    streams: live.streams,
    admission: admission.counts,
  });
  const { heartbeat } = limits;
  const webSockets = createWebSockets({
    yoga,
    authenticate,
    log,
    onOperated,
    admission,
    heartbeat,
    trustProxy,
  });
  const readMetrics = options.readMetrics ?? (async () => exposition([await measure()]));
  const metrics = createMetricsDoor(config.metricsToken, readMetrics);
  const fast = createFastGraphql({ yoga, authenticate, log });
  const handler: Handler = async (request, response, exchange) => {
    const { path } = targetOf(request);
    if (isRestPath(path)) return rest(request, response, exchange);
    if (path === '/metrics') return metrics(request, response, exchange);
    if (await fast(request, response, exchange)) return;
    // The Fetch adapter takes a body that is already read from here.
    if (exchange.body.length > 0) Object.assign(request, { body: asStream(exchange.body) });
    return yoga(request, response, { exchange });
  };
  const logAnswered = logAnswers(log);
  const server = createHttpServer({
    handler,
    cors,
    log,
    trustProxy,
    maxConnections: config.maxConnections,
    connectionsPerAddress: config.connectionsPerAddress,
    limits: { ...wireLimits, ...options.wire },
    onAnswered: (answered) => {
      logAnswered(answered);
      onAnswered(answered);
      tracing?.onAnswered(answered);
    },
    tracing,
    admission,
    other: webSockets,
  });
  return {
    listen: server.listen,
    connections: server.connections,
    streams: live.streams,
    measure,
    onTried,
    retire: () => {
      retired = true;
    },
    close: async () => {
      retired = true;
      const closed = server.close();
      await live.close();
      await webSockets.close();
      await closed;
      admission.close();
      await quotas.close();
      await replica?.close();
    },
  };
}

function replicaOptions(url: string, { databasePool, rowSecurity }: Config, log: Logger): ReplicaOptions {
  return {
    url,
    poolSize: databasePool,
    rowSecurity,
    onChange(reason) {
      if (reason === undefined) log.info('Reads go to the replica');
      else log.warn({ reason }, 'Reads go to the primary: the replica cannot be used');
    },
    // The error itself may carry the connection's secrets.
    onFallback: (error) => log.warn({ reason: (error as Error).message }, 'A read failed on the replica'),
  };
}

/**
 * Starts a worker that files uploads; a gateway can have one beside it, and a process can be one alone.
 * @param onTried told of each try
 */
export function createWorker(options: AppOptions, onTried?: OnTried): Worker {
  const { database, config, log, clock, tracing } = options;
  const hosts = config.uploadHosts;
  const findFile = createFileFinder({ hosts, fetchFile: createFileFetcher({ hosts }) });
  return startWorker({ database, log, clock, findFile, onTried, around: tracing?.upload });
}
