import type { KeyObject } from 'node:crypto';
import type { ClaimNames } from '../domain/identity.js';
import type { MailSettings } from '../mail/mailer.js';
import type { levels } from './formats.js';
import { parse, type SettingValues } from './parse.js';
import { type Setting, table } from './table.js';

/** Settings in the order to show them: name, default in words, and one-line description. */
export const settings: readonly { name: string; default: string; description: string }[] = Object.entries(
  table as Record<string, Setting<unknown>>,
).map(([name, setting]) => ({
  name,
  default: setting.default ?? setting.otherwise ?? '',
  description: setting.description,
}));

/** Issuer whose JWTs are accepted, and the claims that are read from them. */
export interface OidcConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly claims: ClaimNames;
  /** Client of the console, by which people sign in there. Absent: with tokens alone. */
  readonly console: { readonly clientId: string; readonly scope: string } | undefined;
}

export interface Config {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Origin at which people reach the gateway, without a slash at the end. Absent: what they asked for. */
  readonly publicUrl: string | undefined;
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Seconds in which a start tries again to connect to `databaseUrl`. */
  readonly startupTimeout: number;
  /** A streaming replica of `databaseUrl`. */
  readonly databaseReplicaUrl: string | undefined;
  readonly dataDir: string;
  /** Connections at most. */
  readonly databasePool: number;
  /** Row-level security of PostgreSQL keeps callers from others' rows, too. */
  readonly rowSecurity: boolean;
  readonly bootstrapToken: string | undefined;
  /** Processes that serve. */
  readonly workers: number;
  /** `serve` files uploads and adds up totals itself. */
  readonly worker: boolean;
  /** Absent: the one in `secret.key` in `dataDir`. */
  readonly secretKey: KeyObject | undefined;
  /** Metrics port of a process that only files uploads; absent: none. 0 means any free one. */
  readonly metricsPort: number | undefined;
  /** Absent: metrics are told to this machine alone. */
  readonly metricsToken: string | undefined;
  /** Traces are kept. The SDK of OpenTelemetry reads by itself where they go. */
  readonly tracing: boolean;
  /** Seconds. */
  readonly shutdownDelay: number;
  /** Days for which the bin keeps what is deleted; with 0 it keeps nothing. */
  readonly binDays: number;
  readonly demoData: boolean;
  readonly logLevel: (typeof levels)[number];
  /** Absent: pretty on a terminal, else JSON. */
  readonly logFormat: 'json' | 'pretty' | undefined;
  /** Requests of a token per minute; Infinity: any number. */
  readonly rateLimit: number;
  /** Failed authentications of an address per minute; Infinity: any number. */
  readonly rateLimitFailures: number;
  /** Number of trusted entries of `X-Forwarded-For`, from the right. */
  readonly trustProxy: number;
  /** Connections of callers at most. */
  readonly maxConnections: number;
  /** Connections of an address at most; Infinity: any number. */
  readonly connectionsPerAddress: number;
  /** Bytes that requests may hold together: bodies, answers, unsent streams. */
  readonly memoryBudget: number;
  /** Says that answers are compressed here, not by a proxy in front. */
  readonly compression: boolean;
  readonly corsOrigins: readonly string[];
  /**
   * Allowed hosts of uploads, in lower case. An entry is `name`, `name:port` unless it is 443, or `*.name`
   * for all names below it.
   */
  readonly uploadHosts: readonly string[];
  /** Days for which changes of records are kept. */
  readonly changesDays: number;
  /** Absent: no issuer's tokens are accepted. */
  readonly oidc: OidcConfig | undefined;
  /** Absent: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Mails per second at most. */
  readonly mailRate: number;
  /** Address that all reminders of the demo go to; absent: nowhere. */
  readonly demoMailTo: string | undefined;
  /** Browsers get the console. */
  readonly console: boolean;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** A router of Apollo Federation may ask for records and for the schema. */
  readonly federation: boolean;
  /** Absent folder: none. With `only`, other operations are refused. */
  readonly persistedOperations: { readonly folder: string | undefined; readonly only: boolean };
}

/** Settings of a process that files uploads and tells of items. One that works alone has no number of processes. */
export type WorkerConfig = Pick<
  Config,
  'uploadHosts' | 'changesDays' | 'secretKey' | 'dataDir' | 'mail' | 'mailRate' | 'demoMailTo' | 'publicUrl'
> &
  Partial<Pick<Config, 'workers'>>;

function readOidc(values: SettingValues): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = values;
  if (!issuer || !audience) return undefined;
  const claims = Object.freeze({ role: values.OIDC_ROLE_CLAIM, teams: values.OIDC_TEAMS_CLAIM });
  const { OIDC_CONSOLE_CLIENT_ID: clientId, OIDC_CONSOLE_SCOPE: scope = 'openid profile email' } = values;
  const console = clientId === undefined ? undefined : Object.freeze({ clientId, scope });
  return Object.freeze({ issuer, audience, claims, console });
}

function readMail(values: SettingValues): MailSettings | undefined {
  const { SMTP_URL: server, MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = values;
  if (!server || !from) return undefined;
  return Object.freeze({ server, from, replyTo, withoutTls: !values.SMTP_TLS });
}

/** Tells whether browsers get the GraphQL editor. It is of no use with known documents alone. */
export function hasEditor({ graphiql, persistedOperations }: Config): boolean {
  return graphiql && !persistedOperations.only;
}

/**
 * Reads the settings from environment variables. One that is empty counts as absent.
 * @returns a frozen object.
 * @throws {ConfigError} naming every setting that is wrong, its value unless it is a secret, and what was expected.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const values = parse(env);
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    databaseUrl: values.DATABASE_URL,
    startupTimeout: values.STARTUP_TIMEOUT,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    dataDir: values.DATA_DIR,
    databasePool: values.DATABASE_POOL,
    rowSecurity: values.ROW_SECURITY,
    bootstrapToken: values.BOOTSTRAP_TOKEN,
    workers: values.WORKERS,
    worker: values.WORKER,
    secretKey: values.SECRET_KEY,
    metricsPort: values.METRICS_PORT,
    metricsToken: values.METRICS_TOKEN,
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && !/^true$/i.test(env.OTEL_SDK_DISABLED ?? ''),
    shutdownDelay: values.SHUTDOWN_DELAY,
    binDays: values.BIN_DAYS,
    demoData: values.DEMO_DATA ?? values.DATABASE_URL === undefined,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    rateLimit: values.RATE_LIMIT ?? (values.DATABASE_URL === undefined ? Number.POSITIVE_INFINITY : 60_000),
    rateLimitFailures: values.RATE_LIMIT_FAILURES,
    trustProxy: values.TRUST_PROXY,
    maxConnections: values.MAX_CONNECTIONS,
    memoryBudget: values.MEMORY_BUDGET * 1024 * 1024,
    compression: values.COMPRESSION,
    connectionsPerAddress:
      values.CONNECTIONS_PER_ADDRESS ?? (values.TRUST_PROXY === 0 ? 1_000 : Number.POSITIVE_INFINITY),
    corsOrigins: Object.freeze(values.CORS_ORIGINS),
    uploadHosts: Object.freeze(values.UPLOAD_HOSTS),
    changesDays: values.CHANGES_DAYS,
    oidc: readOidc(values),
    mail: readMail(values),
    mailRate: values.MAIL_RATE,
    demoMailTo: values.DEMO_MAIL_TO,
    console: values.CONSOLE,
    graphiql: values.GRAPHIQL ?? env.NODE_ENV !== 'production',
    federation: values.FEDERATION,
    introspection: values.INTROSPECTION ?? env.NODE_ENV !== 'production',
    persistedOperations: Object.freeze({
      folder: values.PERSISTED_OPERATIONS,
      only: values.PERSISTED_OPERATIONS_ONLY,
    }),
  });
}
