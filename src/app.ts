import type { Logger } from 'pino';
import { createSharedQuotas } from './access/shared-quotas.js';
import { type Config, hasEditor } from './config/config.js';
import type { Database } from './db/connection/database.js';
import { forRequest } from './db/connection/pool.js';
import { openReplica, type ReplicaOptions } from './db/replica/replica.js';
import { createSecrets } from './db/secrets/secrets.js';
import type { Route } from './domain/doors/route.js';
import { createStageTimers } from './domain/doors/stages.js';
import type { AdmissionLimits } from './domain/load/admission.js';
import { schema } from './graphql/schema.js';
import { createAuthenticator } from './http/auth/auth.js';
import { createIssuer } from './http/auth/issuer.js';
import { limitRate } from './http/auth/rate-limit.js';
import { complianceEndpoints } from './http/compliance.js';
import { attachmentEndpoint, calendarFeedEndpoint } from './http/downloads.js';
import { exportEndpoints, teamExportEndpoints } from './http/exports.js';
import { createGraphql } from './http/graphql/graphql.js';
import { graphqlEndpoint } from './http/graphql/graphql-door.js';
import { importEndpoints } from './http/imports.js';
import { createAdmission } from './http/load/admission.js';
import { MemoryBudget, type MemoryBudgetOptions } from './http/load/memory.js';
import { exposition, type Measured } from './http/metrics/exposition.js';
import { createMetrics, type WorkerEvents } from './http/metrics/metrics.js';
import { metricsEndpoint } from './http/metrics/metrics-door.js';
import type { Tracing } from './http/metrics/tracing.js';
import { complianceLinkEndpoint } from './http/pages/compliance-links.js';
import { loadConsole } from './http/pages/console.js';
import { documentRequestEndpoint } from './http/pages/document-requests.js';
import { invitationEndpoint } from './http/pages/invitations.js';
import { mailLinkEndpoint } from './http/pages/mail-links.js';
import { editorHandler, type PageMode, pageEndpoints } from './http/pages/pages.js';
import { routeCheckEndpoint } from './http/pages/route-check.js';
import { logRequests } from './http/responses/request-log.js';
import { createCors, transportSecurity } from './http/responses/response.js';
import { fieldEndpoints, restEndpoints } from './http/rest.js';
import { resumableUploadEndpoints } from './http/resumable-uploads.js';
import { createRouter } from './http/routing/endpoint.js';
import { createDispatcher, type Dispatcher } from './http/server/dispatch.js';
import { createHttpServer, type HttpServer } from './http/server/server.js';
import { type WireLimits, wireLimits } from './http/server/wire.js';
import { cookiesAt } from './http/session/cookies.js';
import { sessionEndpoints } from './http/session/session.js';
import { createWebSockets } from './http/websocket/websocket.js';
import { healthEndpoints } from './http/worker-server.js';
import { createLive, type LiveLimits, liveLimits } from './live/live.js';
import { mcpEndpoints } from './mcp/mcp-door.js';
import { loadTools } from './mcp/tools.js';
import { createReceivers } from './outbound/outbound.js';
import { createMailServer, createMailService } from './reminders/mail-server.js';
import { mailLinkPurpose } from './reminders/reminder-worker.js';
import { createAttempts } from './sign-in/attempts.js';
import { createPasswordHasher, type PasswordHasher } from './sign-in/password-hasher.js';
import type { SignInContext } from './sign-in/sessions.js';

export interface AppOptions {
  readonly database: Database;
  readonly config: Config;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Returns the milliseconds of a monotonic clock. Defaults to the process's own. */
  readonly uptime?: (() => number) | undefined;
  /** Overrides the default limits of live events. */
  readonly live?: Partial<LiveLimits> | undefined;
  /** Overrides the default limits of connections. */
  readonly wire?: Partial<WireLimits> | undefined;
  /** Overrides the default limits of waiting requests. */
  readonly admission?: Partial<AdmissionLimits> | undefined;
  /** Overrides the default memory budget. */
  readonly memory?: Partial<MemoryBudgetOptions> | undefined;
  /** Milliseconds between two exchanges of shared counts with the other processes. */
  readonly settleInterval?: number | undefined;
  /** REST routes to serve instead of the contract's. */
  readonly routes?: readonly Route[] | undefined;
  readonly tracing?: Tracing | undefined;
  /** Folder of the built console, if it is not the build's own. */
  readonly consoleFolder?: URL | undefined;
  /** Hashes passwords. Defaults to the recommended cost, which tests cannot afford. */
  readonly hasher?: PasswordHasher | undefined;
  /** Returns the text of `/metrics` for all processes of this gateway. Defaults to this process alone. */
  readonly readMetrics?: (() => Promise<string>) | undefined;
}

/** A gateway with both APIs wired up. A retired one reports that it is not ready. */
export interface App extends HttpServer {
  /** Returns the number of open subscriptions. */
  streams(): number;
  /** Collects the current samples of all metrics. */
  measure(): Promise<Measured>;
  /** Counts what a worker in this process does. */
  readonly workerEvents: WorkerEvents;
}

/** Logs the statements of a request with the request's id. */
function traced(dispatcher: Dispatcher): Dispatcher {
  return {
    ...dispatcher,
    answer: (routed, request, response, exchange) =>
      forRequest(exchange.id, () => dispatcher.answer(routed, request, response, exchange)),
  };
}

/** Wires a gateway. */
export function createApp(options: AppOptions): App {
  const { database, config, log, clock, tracing } = options;
  const limits = { ...liveLimits, ...options.live };
  const uptime = options.uptime ?? (() => performance.now());
  let retired = false;
  const replica = config.databaseReplicaUrl
    ? openReplica(database, replicaOptions(config.databaseReplicaUrl, config, log))
    : undefined;
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'Streams of live events were ended');
  const live = createLive(database, clock, onError, limits);
  const cors = createCors(config.corsOrigins);
  const admission = createAdmission({
    log,
    uptime,
    poolSize: config.databasePool,
    cors: config.corsOrigins.length > 0 ? cors : undefined,
    limits: options.admission,
  });
  const memory = new MemoryBudget({ limit: config.memoryBudget, uptime, ...options.memory });
  const {
    onAnswered,
    onStage,
    onOperated,
    onLimited,
    onIssuerFailure,
    workerEvents,
    clockProblem,
    measure,
    ...onConnections
  } = createMetrics({
    database,
    poolSize: config.databasePool,
    clock,
    streams: live.streams,
    replica,
    hasIssuer: config.oidc !== undefined,
    hasMail: config.mail !== undefined,
    connections: () => server.connectionStates(),
    admission: admission.counts,
    memory,
  });
  const issuer = config.oidc && createIssuer(config.oidc, { clock, log, onFailure: onIssuerFailure });
  const quotas = createSharedQuotas(database, {
    uptime,
    interval: options.settleInterval,
    onError: (err) => log.warn({ err }, 'Counts of requests cannot be shared with other processes'),
  });
  const secrets = createSecrets(config);
  const mailServer = createMailServer(database, secrets, { mail: config.mail, origin: config.publicUrl });
  const sendsMail = async () => {
    const { mail, origin } = await mailServer.read();
    return mail !== undefined && origin !== undefined;
  };
  const identified = createAuthenticator({
    ...{
      database,
      clock,
      secrets,
      binDays: config.binDays,
      asking: config.asking,
      sendsMail,
      issuer,
      cookies: config,
      log,
    },
  });
  const authenticate = limitRate(identified, { config, quotas, uptime, onLimited });
  const stages = createStageTimers((...stage) => {
    onStage(...stage);
    tracing?.onStage(...stage);
  });
  const signIn: SignInContext = {
    ...{ database, secrets, log, sendsMail, ways: config.signIn },
    hasher: options.hasher ?? createPasswordHasher(),
    attempts: createAttempts(quotas, uptime),
    issuerClient: config.oidc?.consoleClient,
  };
  const console = loadConsole(config, log, options.consoleFolder);
  const operations = console?.operations;
  const tools = config.mcp.on ? loadTools(schema, config.mcp.operations, config.mcp.asks) : [];
  const yoga = createGraphql({
    config,
    log,
    live,
    tracing,
    stages: stages.graphql,
    operations,
    documents: tools.map(({ document }) => document),
    services: {
      mail: createMailService({ server: mailServer, quotas, uptime }),
      webhooks: createReceivers(config.webhookPrivateHosts),
      chat: createReceivers(config.notifyHosts),
    },
    signIn,
  });
  const { heartbeat } = limits;
  const transportHeaders = transportSecurity(config);
  const webSockets = createWebSockets({
    ...{ yoga, authenticate, log, onOperated, stages: stages.graphql },
    ...{ admission, memory, heartbeat, trustProxy: config.trustProxy, transportHeaders },
  });
  const readMetrics = options.readMetrics ?? (async () => exposition([await measure()]));
  const mode: PageMode = { editor: hasEditor(config), console: console !== undefined };
  const unready = () => {
    if (retired) return 'The gateway is stopping.';
    return admission.isOverloaded() ? 'The gateway is overloaded.' : undefined;
  };
  const router = createRouter([
    ...healthEndpoints(database, unready, clockProblem),
    routeCheckEndpoint(secrets, config.trustProxy, clock),
    metricsEndpoint(config.metricsToken, readMetrics),
    ...restEndpoints(options.routes),
    ...exportEndpoints(config.databasePool),
    ...teamExportEndpoints(),
    ...importEndpoints(),
    ...fieldEndpoints(),
    ...complianceEndpoints(),
    ...resumableUploadEndpoints(config.uploadSpace),
    graphqlEndpoint({ yoga, log, heartbeat, editor: config.graphiql ? editorHandler(mode) : undefined }),
    ...(config.mcp.on ? mcpEndpoints({ config, yoga, log, tools, hasConsole: mode.console }) : []),
    attachmentEndpoint(),
    invitationEndpoint({
      ...{ database, clock, mode, page: console?.page },
      takesCookies: (exchange) => cookiesAt(exchange.origin(), config) !== undefined,
    }),
    ...sessionEndpoints({ context: signIn, clock, settings: config, verify: issuer?.verify }),
    calendarFeedEndpoint({ publicUrl: config.publicUrl, hasConsole: mode.console }),
    mailLinkEndpoint({ database, clock, keys: () => secrets.linkKeysFor(mailLinkPurpose) }),
    documentRequestEndpoint({ database, clock, quotas, uptime }),
    complianceLinkEndpoint({ database, clock, quotas, uptime }),
    ...pageEndpoints(mode, console?.page),
    ...(console?.endpoints ?? []),
  ]);
  const dispatcher = createDispatcher({ router, authenticate, compress: config.compression });
  const logAnswered = logRequests(log);
  const server = createHttpServer({
    dispatcher: log.isLevelEnabled('trace') ? traced(dispatcher) : dispatcher,
    cors,
    log,
    trustProxy: config.trustProxy,
    transportHeaders,
    memory,
    maxConnections: config.maxConnections,
    connectionsPerAddress: config.connectionsPerAddress,
    limits: { ...wireLimits, ...options.wire },
    onAnswered: (answered) => {
      logAnswered(answered);
      onAnswered(answered);
      tracing?.onAnswered(answered);
    },
    tracing,
    stages,
    admission,
    other: webSockets,
    ...onConnections,
  });
  return {
    listen: server.listen,
    take: server.take,
    connections: server.connections,
    connectionStates: server.connectionStates,
    streams: live.streams,
    measure,
    workerEvents,
    retire: () => {
      retired = true;
      server.retire();
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

function replicaOptions(url: string, config: Config, log: Logger): ReplicaOptions {
  const { databasePool, databasePooling: mode, rowSecurity } = config;
  return {
    url,
    poolSize: databasePool,
    rowSecurity,
    // It need not be reachable yet, so nobody knows what a pooler in front of it can do.
    pooling: mode === 'session' ? { mode } : { mode, prepares: false },
    onChange(reason) {
      if (reason === undefined) log.info('Reads go to the replica');
      else log.warn({ reason }, 'Reads go to the primary: the replica cannot be used');
    },
    // The error itself may contain the connection's credentials.
    onFallback: (error) => log.warn({ reason: (error as Error).message }, 'A read failed on the replica'),
  };
}
