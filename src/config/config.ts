import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { maxConnections } from '../db/embedded/postmaster.js';
import type { ClaimNames } from '../domain/identity.js';
import type { MailSettings } from '../mail/mailer.js';
import type { levels } from './formats.js';
import { type Setting, table } from './table.js';

type Name = keyof typeof table;

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
}

export interface Config {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
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
  /** Absent: no issuer's tokens are accepted. */
  readonly oidc: OidcConfig | undefined;
  /** Absent: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Mails per second at most. */
  readonly mailRate: number;
  /** Origin at which people reach the gateway; absent: not known. */
  readonly publicUrl: string | undefined;
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** Absent folder: none. With `only`, other operations are refused. */
  readonly persistedOperations: { readonly folder: string | undefined; readonly only: boolean };
}

/** Wrong settings; the message has a line for each, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const title = problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`;
    super([title, ...problems].join('\n  '));
    this.problems = problems;
  }
}

function describe(
  name: string,
  setting: Setting<unknown>,
  value: string | undefined,
  expected: string,
): string {
  const shown = setting.secret ? '(value not shown)' : JSON.stringify(value);
  return `${name} ${shown}: expected ${expected}`;
}

type Values = { [K in Name]: z.output<(typeof table)[K]['schema']> };

/** Settings that mean nothing without another. */
const together: readonly (readonly [Name, Name])[] = [
  ['OIDC_ISSUER', 'OIDC_AUDIENCE'],
  ['OIDC_AUDIENCE', 'OIDC_ISSUER'],
  ['OIDC_ROLE_CLAIM', 'OIDC_ISSUER'],
  ['OIDC_TEAMS_CLAIM', 'OIDC_ISSUER'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['MAIL_REPLY_TO', 'SMTP_URL'],
];

function parse(env: NodeJS.ProcessEnv): Values {
  const problems: string[] = [];
  const entries = (Object.keys(table) as Name[]).map((name) => {
    // `VAR=` in a shell or a compose file means "not set".
    const setting: Setting<unknown> = table[name];
    const value = env[name]?.trim() || setting.default;
    const result = setting.schema.safeParse(value);
    if (!result.success) problems.push(describe(name, setting, value, result.error.issues[0]?.message ?? ''));
    return [name, result.data];
  });
  const values: Values = Object.fromEntries(entries);
  for (const [name, other] of together) {
    // One that is wrong is reported already, and is not missing.
    if (values[name] && !env[other]?.trim()) {
      problems.push(describe(name, table[name], env[name], `${other} to be set, too`));
    }
  }
  if (values.PERSISTED_OPERATIONS_ONLY && !values.PERSISTED_OPERATIONS) {
    problems.push('PERSISTED_OPERATIONS_ONLY "on": expected PERSISTED_OPERATIONS to be set, too');
  }
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) {
    problems.push('DATABASE_REPLICA_URL (value not shown): expected DATABASE_URL to be set, too');
  }
  if (values.TRUST_PROXY && Number.isFinite(values.CONNECTIONS_PER_ADDRESS)) {
    const given = `CONNECTIONS_PER_ADDRESS "${values.CONNECTIONS_PER_ADDRESS}"`;
    problems.push(`${given}: expected off with TRUST_PROXY, as all connections are the proxies'`);
  }
  if (problems.length === 0) problems.push(...tooManyConnections(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

function readOidc(values: Values): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = values;
  if (!issuer || !audience) return undefined;
  const claims = Object.freeze({ role: values.OIDC_ROLE_CLAIM, teams: values.OIDC_TEAMS_CLAIM });
  return Object.freeze({ issuer, audience, claims });
}

function readMail(values: Values): MailSettings | undefined {
  const { SMTP_URL: server, MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = values;
  if (!server || !from) return undefined;
  return Object.freeze({ server, from, replyTo, withoutTls: !values.SMTP_TLS });
}

/** Counts the connections that all serving processes may open. Each has a pool, and one to listen on. */
export function countConnections({
  workers,
  databasePool,
}: Pick<Config, 'workers' | 'databasePool'>): number {
  return workers * (databasePool + 1);
}

/** Tells whether browsers get the GraphQL editor. It is of no use with known documents alone. */
export function hasEditor({ graphiql, persistedOperations }: Config): boolean {
  return graphiql && !persistedOperations.only;
}

/** Spare connections of the embedded PostgreSQL, for commands beside the gateway and for itself. */
const SPARE_CONNECTIONS = 20;

function tooManyConnections({ DATABASE_URL, WORKERS, DATABASE_POOL }: Values): string[] {
  const most = maxConnections - SPARE_CONNECTIONS;
  if (
    DATABASE_URL !== undefined ||
    countConnections({ workers: WORKERS, databasePool: DATABASE_POOL }) <= most
  ) {
    return [];
  }
  const given = `DATABASE_POOL "${DATABASE_POOL}" with WORKERS "${WORKERS}"`;
  const [pool, workers] = [Math.floor(most / WORKERS) - 1, Math.floor(most / (DATABASE_POOL + 1))];
  const fewer = [pool > 0 && `a pool of ${pool}`, workers > 0 && `${workers} workers`].filter(Boolean);
  return [
    `${given}: expected ${fewer.join(' or ')} at most, as the embedded PostgreSQL takes ${most} connections`,
  ];
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
    oidc: readOidc(values),
    mail: readMail(values),
    mailRate: values.MAIL_RATE,
    publicUrl: values.PUBLIC_URL,
    graphiql: values.GRAPHIQL ?? env.NODE_ENV !== 'production',
    introspection: values.INTROSPECTION ?? env.NODE_ENV !== 'production',
    persistedOperations: Object.freeze({
      folder: values.PERSISTED_OPERATIONS,
      only: values.PERSISTED_OPERATIONS_ONLY,
    }),
  });
}
