import * as z from 'zod';
import { parseKey } from '../db/secrets/secret-key.js';
import {
  bearer,
  isHostEntry,
  isHttpUrl,
  isOrigin,
  levels,
  numberOrOff,
  onOff,
  splitList,
  wholeNumber,
} from './formats.js';
import { graphqlTable } from './graphql-table.js';
import { mailTable } from './mail-table.js';
import { oidcTable } from './oidc-table.js';
import { postgresUrl } from './postgres-url.js';

/** One environment variable: what it is for, and how its text is read. */
export interface Setting<T> {
  /** Value when it is absent. */
  readonly default?: string;
  /** Meaning of an absent value, in words. It is for a setting without a plain default. */
  readonly otherwise?: string;
  readonly description: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
  readonly schema: z.ZodType<T>;
}

/** Every setting: the one table that `readConfig`, `serve --help` and docs/configuration.md follow. */
export const table = {
  HOST: {
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 or :: for every interface.',
    schema: z.string().regex(/^[\w.:%-]+$/, 'an IP address or a host name'),
  },
  PORT: {
    default: '4000',
    description: 'TCP port to listen on; 0 for any free one.',
    schema: wholeNumber(0, 65_535),
  },
  PUBLIC_URL: {
    otherwise: 'what each request was sent to',
    description:
      'Where people reach the gateway, as https://gateway.example.com; links to its pages begin so.',
    schema: z.string().refine(isOrigin, 'an origin such as https://gateway.example.com').optional(),
  },
  DATABASE_URL: {
    otherwise: 'none: the embedded PostgreSQL',
    description: 'PostgreSQL 14 or later to use, as postgresql://user:password@host:port/database.',
    secret: true,
    schema: postgresUrl.optional(),
  },
  STARTUP_TIMEOUT: {
    default: '30',
    description: 'Seconds in which a start tries again to connect to DATABASE_URL, while that comes up.',
    schema: wholeNumber(0, 3_600),
  },
  DATABASE_REPLICA_URL: {
    otherwise: 'none',
    description:
      'A streaming replica of DATABASE_URL, from which callers read what they have not just changed.',
    secret: true,
    schema: postgresUrl.optional(),
  },
  DATA_DIR: {
    default: '.data',
    description: 'Folder of the embedded PostgreSQL, and of `secret.key`.',
    schema: z.string(),
  },
  DATABASE_POOL: {
    default: '10',
    description: 'Connections to the database at most, per process.',
    schema: wholeNumber(1, 1000),
  },
  ROW_SECURITY: {
    default: 'off',
    description: "Whether PostgreSQL itself keeps callers from others' rows, too: on or off.",
    schema: onOff,
  },
  BOOTSTRAP_TOKEN: {
    otherwise: 'none: a random token is made and printed once',
    description: 'Becomes an admin token if there is none; use at least 43 random characters.',
    secret: true,
    schema: bearer.optional(),
  },
  BIN_DAYS: {
    default: '30',
    description: 'Days for which what is deleted can be restored; 0 deletes for good at once.',
    schema: wholeNumber(0, 3_650),
  },
  WORKERS: {
    default: '1',
    description: 'Processes that serve; they share the port.',
    schema: wholeNumber(1, 100),
  },
  WORKER: {
    default: 'on',
    description:
      'Whether `serve` files uploads, adds up totals and empties the bin itself: on, or off when `worker` runs elsewhere.',
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
  METRICS_PORT: {
    otherwise: 'none: `worker` listens nowhere',
    description: 'TCP port of /metrics and the health checks of `worker`; those of `serve` are on PORT.',
    schema: wholeNumber(0, 65_535).optional(),
  },
  METRICS_TOKEN: {
    otherwise: 'none: /metrics answers this machine alone',
    description: 'Bearer token with which /metrics can be read from anywhere.',
    secret: true,
    schema: bearer.optional(),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: 'none: no traces',
    description: 'Where OpenTelemetry traces go, as OTLP over HTTP; other `OTEL_…` variables hold, too.',
    schema: z.string().refine(isHttpUrl, 'an http:// or https:// URL').optional(),
  },
  SHUTDOWN_DELAY: {
    default: '0',
    description:
      'Seconds between a signal to stop, from which on it is not ready, and taking no more requests.',
    schema: wholeNumber(0, 300),
  },
  DEMO_DATA: {
    otherwise: 'on without DATABASE_URL, else off',
    description: 'Whether the first start loads a small demo workspace: on or off.',
    schema: onOff.optional(),
  },
  LOG_LEVEL: {
    default: 'info',
    description: `Least level that is logged: ${levels.join(', ')}. \`trace\` logs every statement by name, with its milliseconds and the request's id, never its values.`,
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(levels, { error: `one of ${levels.join(', ')}` })),
  },
  LOG_FORMAT: {
    otherwise: 'pretty on a terminal, else json',
    description: 'Form of the log: json, a line for each event, or pretty, for people.',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['json', 'pretty'], { error: 'json or pretty' }))
      .optional(),
  },
  RATE_LIMIT: {
    otherwise: 'off without DATABASE_URL, else 60000',
    description: 'Requests per minute that each token may send, or off.',
    schema: numberOrOff.optional(),
  },
  RATE_LIMIT_FAILURES: {
    default: '300',
    description:
      'Requests per minute without a valid token, or signature, that each address may send, or off.',
    schema: numberOrOff,
  },
  TRUST_PROXY: {
    default: '0',
    description:
      'Number of proxies in front that each add to `X-Forwarded-For`, from which addresses are read.',
    schema: wholeNumber(0, 10),
  },
  MAX_CONNECTIONS: {
    default: '10000',
    description:
      'Connections of callers at most, per process; beyond them, one that has asked nothing, or idles, is closed.',
    schema: wholeNumber(1, 999_999),
  },
  CONNECTIONS_PER_ADDRESS: {
    otherwise: '1000; off with TRUST_PROXY',
    description: 'Connections that each address may have open, per process, or off.',
    schema: numberOrOff.optional(),
  },
  MEMORY_BUDGET: {
    default: '256',
    description: 'MiB that requests may hold together, per process: bodies, answers and unsent streams.',
    schema: wholeNumber(128, 65_536),
  },
  COMPRESSION: {
    default: 'on',
    description: 'Whether answers are compressed for those who accept it: on, or off when a proxy does it.',
    schema: onOff,
  },
  CORS_ORIGINS: {
    otherwise: 'none',
    description: 'Origins whose pages may call the gateway, separated by commas.',
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
    otherwise: 'none: no file is fetched',
    description: 'Hosts from which the files of upload notifications may be fetched, separated by commas.',
    schema: z
      .string()
      .toLowerCase()
      // As in a URL's `host`, where the port of https is left out.
      .transform((text) => splitList(text).map((host) => host.replace(/:443$/, '')))
      .refine(
        (hosts) => hosts.every(isHostEntry),
        'names such as files.example.com, *.example.com or files.example.com:8443, separated by commas',
      )
      .default([]),
  },
  CHANGES_DAYS: {
    default: '3',
    description: 'Days for which callers can ask what was changed since (`changes` of GraphQL).',
    schema: wholeNumber(1, 90),
  },
  ...oidcTable,
  ...mailTable,
  ...graphqlTable,
} satisfies Record<string, Setting<unknown>>;
