import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Pooling } from '../connection/settings.js';
import { DatabaseClient } from '../hosts/client.js';

/** Other clients to try in turn behind a proxy. A pooler may be several processes. */
const OTHERS = 5;
/** Timeout in milliseconds of a connection or query. A pool may be full for a while. */
const TIMEOUT = 10_000;
/** Timeout in milliseconds of a try whose failure is no error. */
const PROBE_TIMEOUT = 1_000;

/** The connection strings of a database. */
export interface ServerAddresses {
  /** The address for requests and background work, which may lead through a connection pooler. */
  readonly url: string;
  /** The address for work that needs a session of its own. */
  readonly directUrl: string;
  /** The pooling of connections at `url`. */
  readonly pooling: Pooling;
}

/** Connection strings and pooling as they are configured. */
export interface ConfiguredAddresses {
  readonly url: string;
  readonly directUrl: string;
  readonly pooling: Pooling['mode'];
}

/** Describes a transaction pooler, which starts the sentence of a refusal. */
const behindPooler = (setting: string) =>
  `${setting} leads through a connection pooler in transaction mode (such as PgBouncer with ` +
  'pool_mode=transaction), ';

/**
 * Rejects addresses that cannot work, and finds out what the pooler can do. Transaction pooling gives a
 * backend to another client after each transaction, so a session's settings, LISTEN and advisory locks get
 * lost. The checks leave nothing behind.
 * @throws {Error} with instructions; and of `pg` if connections cannot be made
 */
export async function checkAddresses(configured: ConfiguredAddresses): Promise<ServerAddresses> {
  const { url, directUrl, pooling } = configured;
  if (pooling === 'session' && (await poolsTransactions(url))) {
    throw new Error(
      `${behindPooler('DATABASE_URL')}set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to PostgreSQL ` +
        'itself; or set pool_mode=session.',
    );
  }
  if ((directUrl !== url || pooling === 'transaction') && (await poolsTransactions(directUrl))) {
    throw new Error(
      `${behindPooler('DATABASE_DIRECT_URL')}but must lead past it: set it to PostgreSQL itself.`,
    );
  }
  if (directUrl !== url && !(await isSameDatabase(url, directUrl))) {
    throw new Error(
      'DATABASE_DIRECT_URL leads to another server or database than DATABASE_URL: ' +
        'set both to the same database of the same server.',
    );
  }
  return { url, directUrl, pooling: await findPooling(url, pooling) };
}

/** Finds out whether the pooler at an address keeps prepared statements, by trying it. */
export async function findPooling(url: string, mode: Pooling['mode']): Promise<Pooling> {
  return mode === 'session' ? { mode } : { mode, prepares: await keepsPreparedStatements(url) };
}

/** Returns whether two addresses lead to the same database. There, each sees the locks of the other. */
async function isSameDatabase(url: string, directUrl: string): Promise<boolean> {
  const key = randomInt(2 ** 47);
  const [one, other] = [await connect(directUrl), await connect(url)];
  try {
    await one.query('BEGIN');
    await one.query('SELECT pg_advisory_xact_lock($1)', [key]);
    const { rows } = await other.query('SELECT pg_try_advisory_xact_lock($1) AS free', [key]);
    return !rows[0].free;
  } finally {
    await one.end();
    await other.end();
  }
}

/**
 * Returns whether a client's prepared statement runs in whatever backend the client gets next. PgBouncer does
 * this since 1.21 if `max_prepared_statements` is set. To change the backend, other clients take it.
 */
async function keepsPreparedStatements(url: string): Promise<boolean> {
  const client = await connect(url, PROBE_TIMEOUT);
  const others: pg.Client[] = [];
  const probe = { name: 'gateway_probe', text: 'SELECT pg_backend_pid() AS pid' };
  const runProbe = async () => (await client.query<{ pid: number }>(probe)).rows[0]?.pid;
  try {
    const first = await runProbe();
    while (others.length < OTHERS) {
      const other = await connect(url, PROBE_TIMEOUT);
      others.push(other);
      await other.query('BEGIN');
      if ((await runProbe()) !== first) return true;
    }
    // The client keeps its backend, so this is no transaction pooling.
    return true;
  } catch (error) {
    // It is not known there, already known from an earlier start, or the pool has a single backend.
    if (mayBeUnprepared(error as Error)) return false;
    throw error;
  } finally {
    await Promise.all([client, ...others].map((one) => one.end()));
  }
}

/** Detects SQLSTATE invalid_sql_statement_name, duplicate_prepared_statement, and a timeout. */
const mayBeUnprepared = ({ code, message }: Error & { code?: string }) =>
  code === '26000' || code === '42P05' || message === 'Query read timeout';

/** Returns whether an address leads through a connection pooler in transaction mode. */
async function poolsTransactions(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    const own = await readBackendPid(client);
    // A server reports its process id when it accepts a connection. Proxies that support query cancellation
    // report a number of their own.
    const direct = (client as pg.Client & { processID?: number }).processID === own;
    for (let other = 0; other < (direct ? 1 : OTHERS); other++) {
      if (await isShared(client, own, url)) return true;
    }
    return false;
  } finally {
    await client.end();
  }
}

/**
 * Detects transaction pooling. Another client runs in this backend, or the next transaction in another one.
 */
async function isShared(client: pg.Client, own: number, url: string): Promise<boolean> {
  // Check twice: a pooler that hands out the longest idle backend changes it now.
  for (let time = 0; time < 2; time++) if ((await readBackendPid(client)) !== own) return true;
  const other = await connect(url);
  try {
    // A pooler that hands out the most recently used backend gives it to the other client, which keeps it.
    await other.query('BEGIN');
    return (await readBackendPid(other)) === own || (await readBackendPid(client)) !== own;
  } finally {
    await other.query('ROLLBACK').catch(() => {});
    await other.end();
  }
}

async function connect(url: string, timeout = TIMEOUT): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: timeout,
  });
  client.on('error', () => {}); // statements in progress fail as well
  await client.connect();
  return client;
}

/** Reads the process id of the backend that runs the client's next transaction. */
async function readBackendPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
