import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Database } from './data/client.js';
import { createLive, type LiveLimits, liveLimits } from './data/live/live.js';
import { createAuthenticator } from './http/auth.js';
import { createGraphql } from './http/graphql.js';
import { guarded } from './http/guard.js';
import { useHealth } from './http/health.js';
import { usePages } from './http/pages.js';
import { useKnownPaths } from './http/paths.js';
import { useRest } from './http/rest.js';
import { createHttpServer, type HttpServer } from './http/server.js';
import { createWebSockets } from './http/websocket.js';

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
  const authenticate = createAuthenticator(database, clock);
  const yoga = createGraphql({
    config,
    log,
    authenticate,
    live,
    // Asked in this order, until one answers.
    plugins: [
      useHealth(database, () => closing),
      usePages(config.graphiql),
      useRest(authenticate),
      useKnownPaths(),
    ].map((plugin) => guarded(plugin, log)),
  });
  const webSockets = createWebSockets({ yoga, authenticate, log, heartbeat: limits.heartbeat });
  const server = createHttpServer(
    (request, response, context) => yoga(request, response, context),
    log,
    webSockets,
  );
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
