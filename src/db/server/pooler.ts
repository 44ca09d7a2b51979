import pg from 'pg';

/** Other clients to try in turn behind a proxy. A pooler may be several processes. */
const OTHERS = 5;
/** Timeout in milliseconds of a connection or query. A pool may be full for a while. */
const TIMEOUT = 10_000;

const problem =
  'The database is behind a connection pooler in transaction mode (such as PgBouncer with pool_mode=transaction), ' +
  'which the gateway cannot use: connect to PostgreSQL directly, or set pool_mode=session.';

/**
 * Rejects a database behind a transaction-pooling proxy. Such a proxy gives a backend to another client after
 * each transaction, so a session's settings, prepared statements, LISTEN and advisory locks get lost. The
 * check leaves nothing behind.
 * @param url connection string
 * @throws {Error} with instructions; and of `pg` if two connections cannot be made
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const own = await readBackendPid(client);
    // A server reports its process id when it accepts a connection. Proxies that support query cancellation
    // report a number of their own.
    const direct = (client as pg.Client & { processID?: number }).processID === own;
    for (let other = 0; other < (direct ? 1 : OTHERS); other++) {
      if (await isShared(client, own, url)) throw new Error(problem);
    }
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
  const client = new pg.Client({
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
