import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Database } from './data/client.js';
import { useAttachments } from './http/attachments.js';
import { createAuthenticator } from './http/auth.js';
import { createGraphql } from './http/graphql.js';
import { guarded } from './http/guard.js';
import { useHealth } from './http/health.js';
import { usePages } from './http/pages.js';
import { useKnownPaths } from './http/paths.js';
import { useRest } from './http/rest.js';
import { createHttpServer, type HttpServer } from './http/server.js';

/** What an app is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly config: Config;
  readonly log: Logger;
  /** Tells the time of each request. */
  readonly clock: () => Date;
}

/** A gateway: both doors, wired. */
export type App = HttpServer;

/** Wires a gateway; nothing listens yet. */
export function createApp({ database, config, log, clock }: AppOptions): App {
  let closing = false;
  const authenticate = createAuthenticator(database, clock);
  const yoga = createGraphql({
    config,
    log,
    authenticate,
    // Asked in this order, until one answers.
    plugins: [
      useHealth(database, () => closing),
      usePages(config.graphiql),
      useRest(authenticate),
      useAttachments(authenticate, log),
      useKnownPaths(),
    ].map((plugin) => guarded(plugin, log)),
  });
  const server = createHttpServer((request, response, context) => yoga(request, response, context), log);
  return {
    listen: server.listen,
    close: () => {
      closing = true;
      return server.close();
    },
  };
}
