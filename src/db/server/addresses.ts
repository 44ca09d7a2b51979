import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { DatabaseClient } from '../hosts/client.js';

/** Other clients to try in turn behind a proxy. A pooler may be several processes. */
const OTHERS = 5;
/** Timeout in milliseconds of a connection or query. A pool may be full for a while. */
const TIMEOUT = 10_000;

/** The connection strings of a database. */
export interface ServerAddresses {
  /** The address for requests and background work, which may lead through a connection pooler. */
  readonly url: string;
  /** The address for work that needs a session of its own. */
  readonly directUrl: string;
}

/** Describes a transaction pooler, which starts the sentence of a refusal. */
const behindPooler = (setting: string) =>
  `${setting} leads through a connection pooler in transaction mode (such as PgBouncer with ` +
  'pool_mode=transaction), ';

/**
 * Rejects addresses that cannot work. Transaction pooling gives a backend to another client after each
 * transaction, so a session's settings, prepared statements, LISTEN and advisory locks get lost. The checks
 * leave nothing behind.
 * @throws {Error} with instructions; and of `pg` if connections cannot be made
 */
export async function checkAddresses({ url, directUrl }: ServerAddresses): Promise<void> {
  if (await poolsTransactions(url)) {
    throw new Error(
      `${behindPooler('DATABASE_URL')}which the gateway cannot use: connect to PostgreSQL directly, or set pool_mode=session.`,
    );
  }
  if (directUrl === url) return;
  if (await poolsTransactions(directUrl)) {
    throw new Error(
      `${behindPooler('DATABASE_DIRECT_URL')}but must lead past it: set it to PostgreSQL itself.`,
    );
  }
  if (await isSameDatabase(url, directUrl)) return;
  throw new Error(
    'DATABASE_DIRECT_URL leads to another server or database than DATABASE_URL: ' +
      'set both to the same database of the same server.',
  );
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

async function connect(url: string): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
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
