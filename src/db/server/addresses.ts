import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Pooling } from '../connection/pool.js';
import { DatabaseClient } from '../hosts/hosts.js';
import { unlessAborted } from './long-wait.js';

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
interface ConfiguredAddresses {
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

/** Milliseconds between two attempts, and the timeout of one. */
const [pauseMs, attemptTimeoutMs] = [500, 10_000];

/**
 * Temporary error codes, while servers and networks come up. They are Node's, and PostgreSQL's for a server
 * that starts, stops or is full, or of several servers of which none is the primary yet. A wrong password or a
 * missing database is not temporary.
 */
const passing = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOENT', '57P01', '57P02', '57P03', '53300', '08001'],
]);

/** Returns whether a connection may succeed a little later. */
export function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return (
    passing.has(code ?? '') ||
    /terminated unexpectedly|timeout expired|Query read timeout|query_wait_timeout|server login has been failing/.test(
      message,
    )
  );
}

/** Explains why there is no connection. Node's errors for several addresses have no message of their own. */
export function connectionFailure(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return connectionFailure(error.errors[0]);
  return (error as Error).message;
}

interface Reaching {
  /** Milliseconds for which to retry; 0 for a single attempt. */
  readonly timeout: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the first failure that is followed by another attempt. */
  readonly onWait: (reason: string) => void;
}

/**
 * Waits until a PostgreSQL server answers, also behind a pooler.
 * @throws {Error} of `pg` or Node if it does not in time, refuses permanently, or `signal` aborts
 */
export async function untilReachable(url: string, { timeout, signal, onWait }: Reaching): Promise<void> {
  const until = performance.now() + timeout;
  for (let tries = 1; ; tries++) {
    try {
      return await unlessAborted(tryConnection(url), signal);
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > until || signal?.aborted) throw error;
      if (tries === 1) onWait(connectionFailure(error));
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

async function tryConnection(url: string): Promise<void> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: attemptTimeoutMs,
    query_timeout: attemptTimeoutMs,
  });
  client.on('error', () => {}); // the query fails as well
  try {
    await client.connect();
    // A pooler lets clients in even while the server behind it is away.
    await client.query('SELECT 1');
  } finally {
    await client.end();
  }
}
