import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Database } from './data/client.js';
import { createLive, type LiveLimits, liveLimits } from './data/live/live.js';
import { createSecrets } from './data/secrets.js';
import { useAttachments } from './http/attachments.js';
import { createAuthenticator } from './http/auth.js';
import { asStream } from './http/body.js';
import { createCors } from './http/cors.js';
import { createGraphql } from './http/graphql.js';
import { createFastGraphql } from './http/graphql-fast.js';
import { guarded } from './http/guard.js';
import { useHealth } from './http/health.js';
import { usePages } from './http/pages.js';
import { useKnownPaths } from './http/paths.js';
import { targetOf } from './http/request.js';
import { createRestDoor, isRestPath } from './http/rest.js';
import { createHttpServer, type Handler, type HttpServer } from './http/server.js';
import { createWebSockets } from './http/websocket.js';
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
  /** Other bounds of live events than the usual ones. */
  readonly live?: Partial<LiveLimits> | undefined;
}

/** A gateway: both doors, wired. */
export interface App extends HttpServer {
  /** How many streams of live events are open. */
  streams(): number;
}

/** Wires a gateway; nothing listens yet. */
export function createApp({ database, config, log, clock, live: given }: AppOptions): App {
  const limits = { ...liveLimits, ...given };
  let closing = false;
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'Streams of live events were ended');
  const live = createLive(database, clock, onError, limits);
  const authenticate = createAuthenticator(database, clock, createSecrets(config));
  const yoga = createGraphql({
    config,
    log,
    authenticate,
    live,
    // Asked in this order, until one answers.
    plugins: [
      useHealth(database, () => closing),
      usePages(config.graphiql),
      useAttachments(authenticate, log),
      useKnownPaths(),
    ].map((plugin) => guarded(plugin, log)),
  });
  const webSockets = createWebSockets({ yoga, authenticate, log, heartbeat: limits.heartbeat });
  const rest = createRestDoor(authenticate);
  const fast = createFastGraphql({ yoga, authenticate, log });
  const handler: Handler = async (request, response, exchange) => {
    if (isRestPath(targetOf(request).path)) return rest(request, response, exchange);
    if (await fast(request, response, exchange)) return;
    // The Fetch adapter takes a body that is already read from here.
    if (exchange.body.length > 0) Object.assign(request, { body: asStream(exchange.body) });
    return yoga(request, response, { exchange });
  };
  const cors = createCors(config.corsOrigins);
  const server = createHttpServer({ handler, cors, log, other: webSockets });
  return {
    listen: server.listen,
    streams: live.streams,
    close: async () => {
      closing = true;
      const closed = server.close();
      await live.close();
      await webSockets.close();
      await closed;
    },
  };
}

/** Starts a worker that files uploads; a gateway can have one beside it, and a process can be one alone. */
export function createWorker({ database, config, log, clock }: AppOptions): Worker {
  const hosts = config.uploadHosts;
  const findFile = createFileFinder({ hosts, fetchFile: createFileFetcher({ hosts }) });
  return startWorker({ database, log, clock, findFile });
}
