import type { KeyObject } from 'node:crypto';
import * as z from 'zod';
import { parseKey } from './data/secret-key.js';
import { type ClaimNames, isTrustworthyUrl } from './domain/identity.js';

/** One environment variable: what it is for, and how its text is read. */
interface Setting<T> {
  /** What is read when it is absent. */
  readonly default?: string;
  /** For one without a plain default: what holds when it is absent, in words. */
  readonly otherwise?: string;
  readonly description: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
  readonly schema: z.ZodType<T>;
}

const whole = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, expected)
    .transform(Number)
    .refine((number) => number >= min && number <= max, expected);
};
/** A number per minute; `off` is no limit. */
const perMinute = z
  .string()
  .toLowerCase()
  .regex(/^(off|[1-9]\d{0,5})$/, 'off, or a whole number from 1 to 999999')
  .transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text)));
const onOff = z.stringbool({ error: 'on or off' });
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Browsers send the serialized form, so only that can ever match. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** An ASCII name, which cannot be read as an address; perhaps all names below it; perhaps a port. */
function isHostEntry(text: string): boolean {
  const form = /^(\*\.)?([a-z0-9_-]+\.)*[a-z][a-z0-9-]*(:[1-9]\d*)?$/;
  return form.test(text) && URL.canParse(`https://${text}`);
}

/** OpenID Connect Discovery 1.0 §4.3: the issuer is compared as it is written. */
function isIssuer(text: string): boolean {
  return isTrustworthyUrl(text) && !/[?#@]/.test(text);
}

/** The words of a list, without the white space around them. */
const words = (text: string) => text.split(',').map((word) => word.trim());

/** An empty host, for a Unix socket, is what `pg` reads and `URL` alone does not. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace('@/', '@socket/'));
}

/** Every setting: the one table that `readConfig`, `serve --help` and the README follow. */
const table = {
  HOST: {
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 or :: for every interface.',
    schema: z.string().regex(/^[\w.:%-]+$/, 'an IP address or a host name'),
  },
  PORT: {
    default: '4000',
    description: 'TCP port to listen on; 0 for any free one.',
    schema: whole(0, 65_535),
  },
  DATABASE_URL: {
    otherwise: 'none: the embedded PostgreSQL',
    description: 'PostgreSQL 14 or later to use, as postgresql://user:password@host:port/database.',
    secret: true,
    schema: z.string().refine(isPostgresUrl, 'a postgres:// or postgresql:// URL').optional(),
  },
  DATABASE_REPLICA_URL: {
    otherwise: 'none',
    description:
      'A streaming replica of DATABASE_URL, from which callers read what they have not just changed.',
    secret: true,
    schema: z.string().refine(isPostgresUrl, 'a postgres:// or postgresql:// URL').optional(),
  },
  DATA_DIR: {
    default: '.data',
    description: 'Folder of the embedded PostgreSQL, and of `secret.key`.',
    schema: z.string(),
  },
  DATABASE_POOL: {
    default: '10',
    description: 'Connections to the database at most, per process.',
    schema: whole(1, 1000),
  },
  BOOTSTRAP_TOKEN: {
    otherwise: 'none: a random token is made and printed once',
    description: 'Becomes an admin token if there is none; use at least 43 random characters.',
    secret: true,
    schema: z
      .string()
      // RFC 6750, section 2.1: what fits into an Authorization header.
      .regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'letters, digits and -._~+/ with = at the end only')
      .optional(),
  },
  WORKER: {
    default: 'on',
    description: 'Whether `serve` files uploads itself: on, or off when `worker` runs elsewhere.',
    schema: onOff,
  },
  SECRET_KEY: {
    otherwise: 'none: a random key, kept in the file `secret.key` in DATA_DIR',
    description: 'Encrypts what must not be readable in the database; 32 bytes in base64 or hexadecimal.',
    secret: true,
    schema: z
      .string()
      .refine(
        (text) => parseKey(text) !== undefined,
        '32 bytes, in base64 or as 64 hexadecimal digits, such as `openssl rand -base64 32` prints',
      )
      .transform(parseKey)
      .optional(),
  },
  DEMO_DATA: {
    otherwise: 'on without DATABASE_URL, else off',
    description: 'Whether the first start loads a small demo workspace: on or off.',
    schema: onOff.optional(),
  },
  LOG_LEVEL: {
    default: 'info',
    description: `Least level that is logged: ${levels.join(', ')}.`,
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(levels, { error: `one of ${levels.join(', ')}` })),
  },
  RATE_LIMIT: {
    otherwise: 'off without DATABASE_URL, else 60000',
    description: 'Requests per minute that each token may send, or off.',
    schema: perMinute.optional(),
  },
  RATE_LIMIT_FAILURES: {
    default: '300',
    description:
      'Requests per minute without a valid token, or signature, that each address may send, or off.',
    schema: perMinute,
  },
  TRUST_PROXY: {
    default: '0',
    description:
      'Number of proxies in front that each add to `X-Forwarded-For`, from which addresses are read.',
    schema: whole(0, 10),
  },
  MAX_CONNECTIONS: {
    default: '10000',
    description: 'Connections of callers at most, per process; further ones are closed at once.',
    schema: whole(1, 999_999),
  },
  CORS_ORIGINS: {
    otherwise: 'none',
    description: 'Origins whose pages may call the gateway, separated by commas.',
    schema: z
      .string()
      .transform(words)
      .refine(
        (origins) => origins.every(isOrigin),
        'origins such as https://app.example.com, separated by commas',
      )
      .default([]),
  },
  UPLOAD_HOSTS: {
    otherwise: 'none: no file is fetched',
    description: 'Hosts from which the files of upload notifications may be fetched, separated by commas.',
    schema: z
      .string()
      .toLowerCase()
      // As in a URL's `host`, where the port of https is left out.
      .transform((text) => words(text).map((host) => host.replace(/:443$/, '')))
      .refine(
        (hosts) => hosts.every(isHostEntry),
        'names such as files.example.com, *.example.com or files.example.com:8443, separated by commas',
      )
      .default([]),
  },
  OIDC_ISSUER: {
    otherwise: 'none: opaque tokens alone',
    description: 'OpenID Connect issuer whose JWTs are accepted, exactly as their claim `iss` has it.',
    schema: z
      .string()
      .refine(isIssuer, 'an https URL without query or fragment (http for this machine alone)')
      .optional(),
  },
  OIDC_AUDIENCE: {
    otherwise: 'none',
    description: 'What the claim `aud` of those JWTs must have: this gateway, as the issuer names it.',
    schema: z.string().optional(),
  },
  OIDC_ROLE_CLAIM: {
    otherwise: "none: the user's own role",
    description: 'Claim with the role, or a list with it; the path of one that is inside of others.',
    schema: z.string().optional(),
  },
  OIDC_TEAMS_CLAIM: {
    otherwise: "none: the user's own workspaces",
    description: 'Claim with the ids or names of workspaces; the path of one that is inside of others.',
    schema: z.string().optional(),
  },
  GRAPHIQL: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql shows GraphiQL to browsers: on or off.',
    schema: onOff.optional(),
  },
  INTROSPECTION: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql tells callers its schema: on or off.',
    schema: onOff.optional(),
  },
  PERSISTED_OPERATIONS: {
    otherwise: 'none',
    description: 'Folder of the GraphQL operations that callers may name by their ids.',
    schema: z.string().optional(),
  },
  PERSISTED_OPERATIONS_ONLY: {
    default: 'off',
    description: 'Whether /graphql answers those operations and no others: on or off.',
    schema: onOff,
  },
} satisfies Record<string, Setting<unknown>>;

type Name = keyof typeof table;

/** Name, default in words, and one-line description of every setting, in the order to show them. */
export const settings: readonly { name: string; default: string; description: string }[] = Object.entries(
  table as Record<string, Setting<unknown>>,
).map(([name, setting]) => ({
  name,
  default: setting.default ?? setting.otherwise ?? '',
  description: setting.description,
}));

/** Whose JWTs are accepted, and what is read from them. */
export interface OidcConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly claims: ClaimNames;
}

/** What the process was told by its environment. */
export interface Config {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A streaming replica of `databaseUrl`. */
  readonly databaseReplicaUrl: string | undefined;
  readonly dataDir: string;
  /** Connections at most. */
  readonly databasePool: number;
  readonly bootstrapToken: string | undefined;
  /** Whether `serve` files uploads itself. */
  readonly worker: boolean;
  /** Absent: the one in `secret.key` in `dataDir`. */
  readonly secretKey: KeyObject | undefined;
  readonly demoData: boolean;
  readonly logLevel: (typeof levels)[number];
  /** Requests of a token per minute; Infinity: any number. */
  readonly rateLimit: number;
  /** Failed authentications of an address per minute; Infinity: any number. */
  readonly rateLimitFailures: number;
  /** How many entries of `X-Forwarded-For` are to be believed, from the right. */
  readonly trustProxy: number;
  /** Connections of callers at most. */
  readonly maxConnections: number;
  readonly corsOrigins: readonly string[];
  /** In lower case: `name`, `name:port` unless it is 443, or `*.name` for all names below it. */
  readonly uploadHosts: readonly string[];
  /** Absent: no issuer's tokens are accepted. */
  readonly oidc: OidcConfig | undefined;
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
      problems.push(`${name} ${JSON.stringify(values[name])}: expected ${other} to be set, too`);
    }
  }
  if (values.PERSISTED_OPERATIONS_ONLY && !values.PERSISTED_OPERATIONS) {
    problems.push('PERSISTED_OPERATIONS_ONLY "on": expected PERSISTED_OPERATIONS to be set, too');
  }
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) {
    problems.push('DATABASE_REPLICA_URL (value not shown): expected DATABASE_URL to be set, too');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

function oidcOf(values: Values): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = values;
  if (!issuer || !audience) return undefined;
  const claims = Object.freeze({ role: values.OIDC_ROLE_CLAIM, teams: values.OIDC_TEAMS_CLAIM });
  return Object.freeze({ issuer, audience, claims });
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
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    dataDir: values.DATA_DIR,
    databasePool: values.DATABASE_POOL,
    bootstrapToken: values.BOOTSTRAP_TOKEN,
    worker: values.WORKER,
    secretKey: values.SECRET_KEY,
    demoData: values.DEMO_DATA ?? values.DATABASE_URL === undefined,
    logLevel: values.LOG_LEVEL,
    rateLimit: values.RATE_LIMIT ?? (values.DATABASE_URL === undefined ? Number.POSITIVE_INFINITY : 60_000),
    rateLimitFailures: values.RATE_LIMIT_FAILURES,
    trustProxy: values.TRUST_PROXY,
    maxConnections: values.MAX_CONNECTIONS,
    corsOrigins: Object.freeze(values.CORS_ORIGINS),
    uploadHosts: Object.freeze(values.UPLOAD_HOSTS),
    oidc: oidcOf(values),
    graphiql: values.GRAPHIQL ?? env.NODE_ENV !== 'production',
    introspection: values.INTROSPECTION ?? env.NODE_ENV !== 'production',
    persistedOperations: Object.freeze({
      folder: values.PERSISTED_OPERATIONS,
      only: values.PERSISTED_OPERATIONS_ONLY,
    }),
  });
}
