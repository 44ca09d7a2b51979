import type { KeyObject } from 'node:crypto';
import type { ClaimNames, SignInWay } from '../domain/caller.js';
import type { AskingSettings } from '../domain/document-requests.js';
import type { OcrWay } from '../domain/documents/finding.js';
import type { MailSettings } from '../mail/mailer.js';
import type { levels } from './formats.js';
import { parse, type SettingValues } from './parse.js';
import { type Setting, type StoreAddress, table } from './table.js';

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
  /** Scopes that clients request, separated by spaces. */
  readonly scope: string;
  /**
   * The console's client at the issuer. Without it, people sign in to the console only with access tokens.
   */
  readonly consoleClient: string | undefined;
}

/** Places of files. */
export interface FilesConfig {
  /** Place of new files; undefined for the database. */
  readonly target: StoreAddress | undefined;
  /** Place that still has files of before. */
  readonly from: StoreAddress | undefined;
  /** Key pair for the bucket, if one of them is a bucket. */
  readonly key: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface Config {
  readonly host: string;
  /** Port to listen on; 0 means any free port. */
  readonly port: number;
  /**
   * Origin at which people reach the gateway, without a trailing slash. Defaults to the origin of each
   * request.
   */
  readonly publicUrl: string | undefined;
  /** Undefined for the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Address of the same database for work that needs a session of its own. Defaults to `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined;
  /** The pooling of connections at `databaseUrl`. */
  readonly databasePooling: 'session' | 'transaction';
  /** Seconds for which a start retries to connect to `databaseUrl`. */
  readonly startupTimeout: number;
  /** True if a start applies migrations, rather than wait until the command `migrate` has. */
  readonly migrate: boolean;
  /** A streaming replica of `databaseUrl`. */
  readonly databaseReplicaUrl: string | undefined;
  readonly dataDir: string;
  /** Folder of the embedded PostgreSQL's programs. Undefined for those that npm installed. */
  readonly postgresPrograms: string | undefined;
  /** Maximum connections. */
  readonly databasePool: number;
  /** True if PostgreSQL's row-level security also hides other callers' rows. */
  readonly rowSecurity: boolean;
  readonly bootstrapToken: string | undefined;
  /** Number of serving processes. */
  readonly workers: number;
  /** True if `serve` itself files uploads and adds up record counts. */
  readonly worker: boolean;
  /** Undefined for the key in `secret.key` in `dataDir`. */
  readonly secretKey: KeyObject | undefined;
  /** The key before this one; what it encrypted can be read. */
  readonly secretKeyOld: KeyObject | undefined;
  /** True if links that were signed with the old key work. */
  readonly secretKeyOldLinks: boolean;
  /** Metrics port of a process that only files uploads. Undefined for none, 0 for any free port. */
  readonly metricsPort: number | undefined;
  /** If undefined, only this machine may read metrics. */
  readonly metricsToken: string | undefined;
  /** True to trace. The OpenTelemetry SDK itself reads where to send traces. */
  readonly tracing: boolean;
  /** Seconds to keep serving before shutdown. */
  readonly shutdownDelay: number;
  /** Days for which the bin keeps deleted records; with 0 it keeps nothing. */
  readonly binDays: number;
  /** If undefined, all files are in the database. */
  readonly files: FilesConfig | undefined;
  readonly demoData: boolean;
  readonly logLevel: (typeof levels)[number];
  /** If undefined, it is pretty on a terminal, else JSON. */
  readonly logFormat: 'json' | 'pretty' | undefined;
  /** Requests of a token per minute; Infinity for no limit. */
  readonly rateLimit: number;
  /** Failed authentications of an address per minute; Infinity for no limit. */
  readonly rateLimitFailures: number;
  /** Number of trusted entries of `X-Forwarded-For`, from the right. */
  readonly trustProxy: number;
  /** Maximum connections of clients. */
  readonly maxConnections: number;
  /** Maximum connections of an address; Infinity for no limit. */
  readonly connectionsPerAddress: number;
  /** Bytes that all requests may hold together: bodies, answers, unsent streams. */
  readonly memoryBudget: number;
  /** True if answers are compressed here rather than by a proxy in front. */
  readonly compression: boolean;
  readonly corsOrigins: readonly string[];
  /**
   * Allowed hosts of uploads, in lower case. An entry is `name`, `name:port` unless the port is 443, or
   * `*.name` for all names below it.
   */
  readonly uploadHosts: readonly string[];
  /** Bytes that the unfinished resumable uploads of a workspace may have together. */
  readonly uploadSpace: number;
  /** The way in which pictures are read, and the program of `command`. */
  readonly ocr: OcrWay;
  readonly ocrCommand: string;
  /** Receivers of webhooks in one's own network: hosts, hosts with ports, or networks. */
  readonly webhookPrivateHosts: readonly string[];
  /** Chat services in the own network, as `host`, `host:port` or CIDR. */
  readonly notifyHosts: readonly string[];
  /** Days for which changes of records are kept. */
  readonly changesDays: number;
  /** Days for which events are kept; Infinity for forever. */
  readonly eventLogDays: number;
  /** Days for which settled deliveries are kept; Infinity for forever. */
  readonly deliveryDays: number;
  /** Ways in which people may sign in, unless an administrator turns them off. */
  readonly signIn: readonly SignInWay[];
  /** True if cookies of people who sign in may be sent without https. */
  readonly insecureCookies: boolean;
  /** Days for which browsers use only https (HSTS); Infinity if they are not told to. */
  readonly hstsDays: number;
  /** True if assistants can call tools. With `operations`, also an operator's own from that folder. */
  readonly mcp: { readonly on: boolean; readonly operations: string | undefined; readonly asks: boolean };
  /** If undefined, no issuer's tokens are accepted. */
  readonly oidc: OidcConfig | undefined;
  /** If undefined, no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Maximum mails per second. */
  readonly mailRate: number;
  /** Limits and repetitions of requests for documents. */
  readonly asking: AskingSettings;
  /** Address for all reminders of the demo. Without it, they are not sent. */
  readonly demoMailTo: string | undefined;
  /** True if browsers get the console. */
  readonly console: boolean;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** True if an Apollo Federation router may read records and the schema. */
  readonly federation: boolean;
  /** Folder of persisted documents, if any. With `only`, other operations are rejected. */
  readonly persistedOperations: { readonly folder: string | undefined; readonly only: boolean };
}

/**
 * Settings of a process that files uploads and sends reminders. A stand-alone one has no number of processes.
 */
export type WorkerConfig = Pick<
  Config,
  | 'uploadHosts'
  | 'ocr'
  | 'ocrCommand'
  | 'changesDays'
  | 'eventLogDays'
  | 'deliveryDays'
  | 'secretKey'
  | 'secretKeyOld'
  | 'secretKeyOldLinks'
  | 'dataDir'
  | 'mail'
  | 'mailRate'
  | 'asking'
  | 'demoMailTo'
  | 'publicUrl'
  | 'webhookPrivateHosts'
  | 'notifyHosts'
> &
  Partial<Pick<Config, 'workers'>>;

function readOidc(values: SettingValues): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = values;
  if (!issuer || !audience) return undefined;
  const claims = Object.freeze({ role: values.OIDC_ROLE_CLAIM, teams: values.OIDC_TEAMS_CLAIM });
  const { OIDC_CONSOLE_CLIENT_ID: consoleClient, OIDC_CONSOLE_SCOPE: scope = 'openid profile email' } =
    values;
  return Object.freeze({ issuer, audience, claims, scope, consoleClient });
}

function readMail(values: SettingValues): MailSettings | undefined {
  const { SMTP_URL: server, MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = values;
  if (!server || !from) return undefined;
  return Object.freeze({ server, from, replyTo, withoutTls: !values.SMTP_TLS });
}

function readFiles(values: SettingValues): FilesConfig | undefined {
  const { FILES: target, FILES_FROM: from } = values;
  if (!target && !from) return undefined;
  const { FILES_ACCESS_KEY_ID: accessKeyId = '', FILES_SECRET_ACCESS_KEY: secretAccessKey = '' } = values;
  const key = Object.freeze({ accessKeyId, secretAccessKey });
  return Object.freeze({ target: target ?? undefined, from: from ?? undefined, key });
}

/** Returns whether browsers get the GraphQL editor. It is useless if only known documents are allowed. */
export function hasEditor({ graphiql, persistedOperations }: Config): boolean {
  return graphiql && !persistedOperations.only;
}

/**
 * Reads the settings from environment variables. An empty one counts as missing.
 * @returns a frozen object
 * @throws {ConfigError} naming every invalid setting, its value unless it is a secret, and what was expected
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const values = parse(env);
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databasePooling: values.DATABASE_POOLING,
    startupTimeout: values.STARTUP_TIMEOUT,
    migrate: values.MIGRATE,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    dataDir: values.DATA_DIR,
    postgresPrograms: values.POSTGRES_PROGRAMS,
    databasePool: values.DATABASE_POOL,
    rowSecurity: values.ROW_SECURITY,
    bootstrapToken: values.BOOTSTRAP_TOKEN,
    workers: values.WORKERS,
    worker: values.WORKER,
    secretKey: values.SECRET_KEY,
    secretKeyOld: values.SECRET_KEY_OLD,
    secretKeyOldLinks: values.SECRET_KEY_OLD_LINKS,
    metricsPort: values.METRICS_PORT,
    metricsToken: values.METRICS_TOKEN,
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && !/^true$/i.test(env.OTEL_SDK_DISABLED ?? ''),
    shutdownDelay: values.SHUTDOWN_DELAY,
    binDays: values.BIN_DAYS,
    files: readFiles(values),
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
    uploadSpace: values.UPLOAD_SPACE * 1024 ** 3,
    ocr: values.OCR,
    ocrCommand: values.OCR_COMMAND,
    webhookPrivateHosts: Object.freeze(values.WEBHOOK_PRIVATE_HOSTS),
    notifyHosts: Object.freeze(values.NOTIFY_HOSTS),
    changesDays: values.CHANGES_DAYS,
    eventLogDays: values.EVENT_LOG_DAYS,
    deliveryDays: values.DELIVERY_DAYS,
    signIn: Object.freeze(values.SIGN_IN),
    insecureCookies: values.INSECURE_COOKIES,
    hstsDays: values.HSTS_DAYS,
    mcp: Object.freeze({ on: values.MCP, operations: values.MCP_OPERATIONS, asks: values.MCP_ASKING }),
    oidc: readOidc(values),
    mail: readMail(values),
    mailRate: values.MAIL_RATE,
    asking: Object.freeze({
      perDay: values.REQUESTS_PER_DAY,
      mails: values.REQUEST_MAILS,
      mailDays: values.REQUEST_MAIL_DAYS,
      linkDays: values.REQUEST_LINK_DAYS,
    }),
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
