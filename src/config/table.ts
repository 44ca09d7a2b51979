import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { S3Bucket } from '../db/files/s3.js';
import { parseKey } from '../db/secrets/secrets.js';
import { type SignInWay, signInWays } from '../domain/caller.js';
import { ocrWays } from '../domain/documents/finding.js';
import { isEmail, isMailbox, isOrigin } from '../domain/text/formats.js';
import { isPrivateHostEntry } from '../outbound/outbound.js';
import {
  daysOrOff,
  isHostEntry,
  isHttpUrl,
  isIssuer,
  isScope,
  levels,
  numberOrOff,
  onOff,
  postgresUrl,
  secretBearer,
  smtpUrl,
  splitList,
  wholeNumber,
} from './formats.js';

/** A folder, or a bucket without the key pair for it. */
export type StoreAddress =
  | { readonly kind: 'FOLDER'; readonly folder: string }
  | ({ readonly kind: 'S3' } & S3Bucket);

const expected =
  'database, a folder such as /srv/files, or s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1';

/** Parses the address of a bucket. What a request or a key could be confused with is refused. */
function parseBucket(text: string): StoreAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname: bucket, username, port, hash, pathname, searchParams } = new URL(text);
  const parts = pathname.split('/').filter(Boolean);
  const region = searchParams.get('region') ?? 'us-east-1';
  const endpoint = searchParams.get('endpoint')?.replace(/\/$/, '') ?? `https://s3.${region}.amazonaws.com`;
  const isValid =
    [bucket, region, ...parts].every((part) => /^\w[\w.-]{0,99}$/.test(part)) &&
    [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region') &&
    [username, port, hash].every((part) => part === '') &&
    isOrigin(endpoint);
  if (!isValid) return undefined;
  return { kind: 'S3', bucket, prefix: parts.map((part) => `${part}/`).join(''), endpoint, region };
}

/** Parses the place of files; null is the database, undefined is none. */
function parsePlace(text: string): StoreAddress | null | undefined {
  if (/^database$/i.test(text)) return null;
  if (/^s3:/i.test(text)) return parseBucket(text);
  if (/^file:\/\/\//i.test(text) && URL.canParse(text))
    return { kind: 'FOLDER', folder: fileURLToPath(text) };
  if (isAbsolute(text) || /^\.{1,2}[/\\]/.test(text)) return { kind: 'FOLDER', folder: resolve(text) };
  return undefined;
}

const place = z.string().transform((text, context) => {
  const parsed = parsePlace(text);
  if (parsed !== undefined) return parsed;
  context.addIssue(expected);
  return z.NEVER;
});

/** Settings of where files are kept, a part of the table of settings. */
const filesTable = {
  FILES: {
    default: 'database',
    description:
      'Where new files are kept: database, a folder, or a bucket as s3://bucket/prefix?endpoint=https://host&region=name.',
    schema: place,
  },
  FILES_FROM: {
    otherwise: 'none',
    description: 'Folder or bucket that still has files until `files move` has moved them to FILES.',
    schema: place.optional(),
  },
  FILES_ACCESS_KEY_ID: {
    otherwise: 'none; required for a bucket',
    description: 'Id of the access key for the bucket of FILES or FILES_FROM.',
    schema: z
      .string()
      .regex(/^[\w.-]{1,128}$/, 'the id of an access key')
      .optional(),
  },
  FILES_SECRET_ACCESS_KEY: {
    otherwise: 'none; required for a bucket',
    description: 'Secret of the access key for the bucket of FILES or FILES_FROM.',
    secret: true,
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,256}$/, 'the secret of an access key')
      .optional(),
  },
};

/** Settings of the console and the GraphQL door, a part of the table of settings. */
const graphqlTable = {
  CONSOLE: {
    default: 'on',
    description: 'Whether browsers get the console at / and its other addresses: on or off.',
    schema: onOff,
  },
  GRAPHIQL: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql shows GraphiQL to browsers: on or off.',
    schema: onOff.optional(),
  },
  INTROSPECTION: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql answers introspection queries: on or off.',
    schema: onOff.optional(),
  },
  FEDERATION: {
    default: 'off',
    description: 'Whether /graphql is also an Apollo Federation 2 subgraph: on or off.',
    schema: onOff,
  },
  MCP: {
    default: 'off',
    description: 'Whether assistants can call tools at /mcp (Model Context Protocol): on or off.',
    schema: onOff,
  },
  MCP_ASKING: {
    default: 'off',
    description: 'Whether assistants can ask people for documents, who then get a mail: on or off.',
    schema: onOff,
  },
  MCP_OPERATIONS: {
    otherwise: 'none',
    description: 'Folder with GraphQL operations that assistants get as tools, besides our own.',
    schema: z.string().optional(),
  },
  PERSISTED_OPERATIONS: {
    otherwise: 'none',
    description: 'Folder with GraphQL operations that callers can send by id.',
    schema: z.string().optional(),
  },
  PERSISTED_OPERATIONS_ONLY: {
    default: 'off',
    description: 'Whether /graphql accepts only those operations: on or off.',
    schema: onOff,
  },
};

const mailbox = z.string().refine(isMailbox, 'an e-mail address, such as Expiry <expiry@example.com>');

/** Settings of mail, a part of the table of settings. */
const mailTable = {
  SMTP_URL: {
    otherwise: 'none; no mail is sent',
    description:
      'Mail server, as smtps://user:password@host:465, or with STARTTLS as smtp://user:password@host:587.',
    secret: true,
    schema: smtpUrl.optional(),
  },
  SMTP_TLS: {
    default: 'on',
    description: 'Whether mail is sent with TLS: on, or off for a server without TLS on a trusted network.',
    schema: onOff,
  },
  MAIL_FROM: {
    otherwise: 'none; required with SMTP_URL',
    description: 'Sender of all mail, as an address or in the form Name <address>.',
    schema: mailbox.optional(),
  },
  MAIL_REPLY_TO: {
    otherwise: 'none; replies go to MAIL_FROM',
    description: 'Address that replies to mail go to.',
    schema: mailbox.optional(),
  },
  MAIL_RATE: {
    default: '10',
    description: 'Maximum number of mails per second; the processes of one `serve` share it.',
    schema: wholeNumber(1, 1_000),
  },
  REQUESTS_PER_DAY: {
    default: '500',
    description:
      'Documents that a workspace may ask for in a day, and mails with which it does; with 0 none.',
    schema: wholeNumber(0, 100_000),
  },
  REQUEST_MAILS: {
    default: '5',
    description: 'Mails that ask a person for the same documents, until an answer is received.',
    schema: wholeNumber(1, 50),
  },
  REQUEST_MAIL_DAYS: {
    default: '7',
    description: 'Days between the mails that ask for documents.',
    schema: wholeNumber(1, 365),
  },
  REQUEST_LINK_DAYS: {
    default: '30',
    description: 'Days for which the link of a request for documents works after the last mail.',
    schema: wholeNumber(1, 365),
  },
  DEMO_MAIL_TO: {
    otherwise: 'none; reminders of the demo workspace are not sent',
    description: 'Address that gets all reminders of the demo workspace, whose people are fictitious.',
    schema: z.string().refine(isEmail, 'an e-mail address').optional(),
  },
};

/** Settings of an OpenID Connect issuer, a part of the table of settings. */
const oidcTable = {
  OIDC_ISSUER: {
    otherwise: "none; only the gateway's own tokens are accepted",
    description: 'OpenID Connect issuer whose JWTs are accepted, exactly as in their claim `iss`.',
    schema: z
      .string()
      .refine(isIssuer, 'an https URL without query or fragment (http only for this machine)')
      .optional(),
  },
  OIDC_AUDIENCE: {
    otherwise: 'none',
    description:
      'Value that the claim `aud` of those JWTs must contain: the name of this gateway at the issuer.',
    schema: z.string().optional(),
  },
  OIDC_ROLE_CLAIM: {
    otherwise: 'none; users have their own roles',
    description:
      'Claim with the role or a list of roles; use a path such as realm_access.roles if it is nested.',
    schema: z.string().optional(),
  },
  OIDC_TEAMS_CLAIM: {
    otherwise: 'none; users have their own workspaces',
    description: 'Claim with the ids or names of workspaces; use a path if it is nested.',
    schema: z.string().optional(),
  },
  OIDC_CONSOLE_CLIENT_ID: {
    otherwise: 'none; people sign in to the console with tokens',
    description: 'Public client at the issuer for signing in to the console (authorization code with PKCE).',
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{1,500}$/, 'the id of a client, of at most 500 ASCII characters')
      .optional(),
  },
  OIDC_CONSOLE_SCOPE: {
    otherwise: 'openid profile email',
    description:
      'Scopes that the console and assistants request from the issuer, separated by spaces; must include `openid`.',
    schema: z
      .string()
      .transform((text) => text.split(/\s+/))
      .refine(
        (scopes) => scopes.includes('openid') && scopes.every(isScope),
        'scopes separated by spaces, including openid, such as openid profile email',
      )
      .transform((scopes) => scopes.join(' '))
      .optional(),
  },
};

const names = signInWays.map((way) => way.toLowerCase());

/** Settings of how people sign in, a part of the table of settings. */
const signInTable = {
  SIGN_IN: {
    default: names.join(','),
    description:
      'Ways in which people may sign in, separated by commas; administrators can turn off more of them.',
    schema: z
      .string()
      .toLowerCase()
      .transform(splitList)
      .refine(
        (ways) => ways.length > 0 && ways.every((way) => names.includes(way)),
        `some of ${names.join(', ')}, separated by commas`,
      )
      .transform((ways) => ways.map((way) => way.toUpperCase() as SignInWay)),
  },
  INSECURE_COOKIES: {
    default: 'off',
    description:
      'Whether people may sign in without https from other machines, where others can read along: on or off.',
    schema: onOff,
  },
};

/** One environment variable: its meaning, and how its text is parsed. */
export interface Setting<T> {
  /** Value if it is missing. */
  readonly default?: string;
  /** Meaning of a missing value, in words. It is for a setting without a plain default. */
  readonly otherwise?: string;
  readonly description: string;
  /** True if its value is never shown. */
  readonly secret?: boolean;
  readonly schema: z.ZodType<T>;
}

/** Rule of lists of hosts in one's own network. */
const privateHosts = z
  .string()
  .toLowerCase()
  .transform(splitList)
  .refine(
    (hosts) => hosts.every(isPrivateHostEntry),
    'hosts such as chat.lan, 10.0.0.7:8080 or 10.0.0.0/8, separated by commas',
  )
  .default([]);

/** Rule of keys for encryption. */
const encryptionKey = z
  .string()
  .refine(
    (text) => parseKey(text) !== undefined,
    '32 bytes, in base64 or as 64 hexadecimal digits, such as `openssl rand -base64 32` prints',
  )
  .transform(parseKey)
  .optional();

/** All settings. `readConfig`, `serve --help` and docs/run/configuration.md use this table. */
export const table = {
  HOST: {
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 or :: for all interfaces.',
    schema: z.string().regex(/^[\w.:%-]+$/, 'an IP address or a host name'),
  },
  PORT: {
    default: '4000',
    description: 'TCP port to listen on; 0 for any free port.',
    schema: wholeNumber(0, 65_535),
  },
  PUBLIC_URL: {
    otherwise: 'the address that each request was sent to',
    description:
      'Address at which people reach the gateway, such as https://gateway.example.com; used for links.',
    schema: z.string().refine(isOrigin, 'an origin such as https://gateway.example.com').optional(),
  },
  DATABASE_URL: {
    otherwise: 'none; the embedded PostgreSQL is used',
    description:
      'PostgreSQL server (14 or later), as postgresql://user:password@host:port/database, or all servers of a cluster, as postgresql://user:password@a:5432,b:5432/database.',
    secret: true,
    schema: postgresUrl('primary').optional(),
  },
  DATABASE_DIRECT_URL: {
    otherwise: 'DATABASE_URL',
    description:
      'The same database past a connection pooler, for live events, migrations, backup and restore.',
    secret: true,
    schema: postgresUrl('primary').optional(),
  },
  DATABASE_POOLING: {
    default: 'session',
    description:
      'How a pooler at DATABASE_URL assigns connections: session, or transaction (PgBouncer’s pool_mode).',
    schema: z.enum(['session', 'transaction'], { error: 'session or transaction' }),
  },
  STARTUP_TIMEOUT: {
    default: '30',
    description: 'Seconds for which the gateway retries to connect to DATABASE_URL when it starts.',
    schema: wholeNumber(0, 3_600),
  },
  MIGRATE: {
    default: 'on',
    description:
      'Whether a start applies migrations: on, or off if the command `migrate` does; a gateway then waits for it, and is not ready.',
    schema: onOff,
  },
  DATABASE_REPLICA_URL: {
    otherwise: 'none',
    description:
      'Streaming replica of DATABASE_URL to read from, or all servers of its cluster; callers still see their own writes.',
    secret: true,
    schema: postgresUrl('standby').optional(),
  },
  DATA_DIR: {
    default: '.data',
    description: 'Folder for the embedded PostgreSQL and for `secret.key`.',
    schema: z.string(),
  },
  POSTGRES_PROGRAMS: {
    otherwise: 'none; those that npm installed are used',
    description:
      'Folder of initdb, pg_ctl and postgres for the embedded PostgreSQL, such as /usr/lib/postgresql/18/bin.',
    schema: z.string().optional(),
  },
  DATABASE_POOL: {
    default: '10',
    description: 'Maximum number of database connections per process.',
    schema: wholeNumber(1, 1000),
  },
  ROW_SECURITY: {
    default: 'off',
    description: 'Whether PostgreSQL also enforces who may see which rows (row-level security): on or off.',
    schema: onOff,
  },
  BOOTSTRAP_TOKEN: {
    otherwise: 'none; a random token is created, and ends when an administrator has been set up',
    description:
      'Token that becomes an admin token if there is none yet; the output of `openssl rand -base64 32`.',
    secret: true,
    schema: secretBearer.optional(),
  },
  BIN_DAYS: {
    default: '30',
    description: 'Days for which deleted records can be restored; with 0 they are deleted permanently.',
    schema: wholeNumber(0, 3_650),
  },
  WORKERS: {
    default: '1',
    description: 'Number of processes that serve requests; they share the port.',
    schema: wholeNumber(1, 100),
  },
  WORKER: {
    default: 'on',
    description: 'Whether `serve` also does the work of `worker`: on, or off if `worker` runs separately.',
    schema: onOff,
  },
  SECRET_KEY: {
    otherwise: 'none; a random key is stored in DATA_DIR as `secret.key`',
    description: 'Key that encrypts secrets in the database; 32 bytes in base64 or hexadecimal.',
    secret: true,
    schema: encryptionKey,
  },
  SECRET_KEY_OLD: {
    otherwise: 'none; with a key in DATA_DIR, the key in `secret.key.old`',
    description: 'Key before SECRET_KEY. What it encrypted is read, until `secret-key rotate` is done.',
    secret: true,
    schema: encryptionKey,
  },
  SECRET_KEY_OLD_LINKS: {
    default: 'on',
    description: 'Whether links signed with the old key work: on, or off if others know the key.',
    schema: onOff,
  },
  METRICS_PORT: {
    otherwise: 'none; `worker` does not listen',
    description: 'TCP port for metrics and health checks of `worker`; `serve` has them on PORT.',
    schema: wholeNumber(0, 65_535).optional(),
  },
  METRICS_TOKEN: {
    otherwise: 'none; /metrics can only be read from this machine',
    description:
      'Bearer token for reading /metrics from other machines; the output of `openssl rand -base64 32`.',
    secret: true,
    schema: secretBearer.optional(),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: 'none; there are no traces',
    description:
      'URL that OpenTelemetry traces are sent to (OTLP over HTTP); other `OTEL_…` variables also apply.',
    schema: z.string().refine(isHttpUrl, 'an http:// or https:// URL').optional(),
  },
  SHUTDOWN_DELAY: {
    default: '0',
    description:
      'Seconds for which the gateway still accepts requests after a signal to stop, while it reports that it is not ready.',
    schema: wholeNumber(0, 300),
  },
  DEMO_DATA: {
    otherwise: 'on without DATABASE_URL, otherwise off',
    description: 'Whether the first start loads a small demo workspace: on or off.',
    schema: onOff.optional(),
  },
  LOG_LEVEL: {
    default: 'info',
    description: `Lowest level that is logged: ${levels.join(', ')}. \`trace\` logs the name and duration of every SQL statement with the request's id, but never its values.`,
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(levels, { error: `one of ${levels.join(', ')}` })),
  },
  LOG_FORMAT: {
    otherwise: 'pretty on a terminal, otherwise json',
    description: 'Log format: json (one line per event) or pretty (for people).',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['json', 'pretty'], { error: 'json or pretty' }))
      .optional(),
  },
  RATE_LIMIT: {
    otherwise: 'off without DATABASE_URL, otherwise 60000',
    description: 'Maximum number of requests per minute and token, or off.',
    schema: numberOrOff.optional(),
  },
  RATE_LIMIT_FAILURES: {
    default: '300',
    description:
      'Maximum number of requests per minute and address without a valid token or signature, or off.',
    schema: numberOrOff,
  },
  HSTS_DAYS: {
    default: '365',
    description:
      'Days for which browsers use only https for the host of an https address (Strict-Transport-Security), or off.',
    schema: daysOrOff(1),
  },
  TRUST_PROXY: {
    default: '0',
    description:
      'Number of proxies in front that add an address to `X-Forwarded-For`; 0 ignores that header.',
    schema: wholeNumber(0, 10),
  },
  MAX_CONNECTIONS: {
    default: '10000',
    description:
      'Maximum number of client connections per process; beyond that, unused or idle ones are closed.',
    schema: wholeNumber(1, 999_999),
  },
  CONNECTIONS_PER_ADDRESS: {
    otherwise: '1000; off with TRUST_PROXY',
    description: 'Maximum number of open connections per address and process, or off.',
    schema: numberOrOff.optional(),
  },
  MEMORY_BUDGET: {
    default: '256',
    description:
      'Memory for all requests of a process together, in MiB: bodies, responses and unsent streams.',
    schema: wholeNumber(128, 65_536),
  },
  COMPRESSION: {
    default: 'on',
    description: 'Whether responses are compressed if the client accepts it: on, or off if a proxy does it.',
    schema: onOff,
  },
  CORS_ORIGINS: {
    otherwise: 'none',
    description: 'Origins whose web pages may call the gateway, separated by commas.',
    schema: z
      .string()
      .transform(splitList)
      .refine(
        (origins) => origins.every(isOrigin),
        'origins such as https://app.example.com, separated by commas',
      )
      .default([]),
  },
  UPLOAD_HOSTS: {
    otherwise: 'none; no files are fetched',
    description: 'Hosts from which files of upload notifications may be fetched, separated by commas.',
    schema: z
      .string()
      .toLowerCase()
      // As in a URL's `host`, which omits the port of https.
      .transform((text) => splitList(text).map((host) => host.replace(/:443$/, '')))
      .refine(
        (hosts) => hosts.every(isHostEntry),
        'names such as files.example.com, *.example.com or files.example.com:8443, separated by commas',
      )
      .default([]),
  },
  UPLOAD_SPACE: {
    default: '16',
    description: 'Space for unfinished resumable uploads of each workspace, in GiB.',
    schema: wholeNumber(1, 65_536),
  },
  OCR: {
    default: 'on',
    description:
      'Whether pictures and scanned PDFs are read (OCR): on, with the optional packages for it if they are installed; command, with OCR_COMMAND; or off.',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(ocrWays, { error: `one of ${ocrWays.join(', ')}` })),
  },
  OCR_COMMAND: {
    default: 'tesseract',
    description: 'Program that recognizes words with OCR=command: Tesseract 5, as its name or path.',
    schema: z.string().min(1),
  },
  WEBHOOK_PRIVATE_HOSTS: {
    otherwise: 'none; webhooks are sent only to the public internet',
    description:
      'Receivers of webhooks in your own network, as host, host:port or network (CIDR), separated by commas.',
    schema: privateHosts,
  },
  NOTIFY_HOSTS: {
    otherwise: 'none; chat messages are sent only to the public internet',
    description:
      'Chat services in your own network (ntfy, Gotify, Mattermost, Apprise), as host, host:port or network (CIDR), separated by commas.',
    schema: privateHosts,
  },
  CHANGES_DAYS: {
    default: '3',
    description: 'Days for which callers can ask what has changed (`changes` in GraphQL).',
    schema: wholeNumber(1, 90),
  },
  EVENT_LOG_DAYS: {
    default: 'off',
    description: 'Days for which events are kept, at least 30, or off to keep them forever.',
    schema: daysOrOff(30),
  },
  DELIVERY_DAYS: {
    default: 'off',
    description:
      'Days for which sent, failed and cancelled mails and chat messages are kept, at least 90, or off to keep them forever.',
    schema: daysOrOff(90),
  },
  ...filesTable,
  ...signInTable,
  ...oidcTable,
  ...mailTable,
  ...graphqlTable,
} satisfies Record<string, Setting<unknown>>;
