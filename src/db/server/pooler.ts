import pg from 'pg';

/** Other clients that are tried in turn behind a proxy. A pooler may be several processes. */
const OTHERS = 5;
/** Timeout in milliseconds of a connection, and of a query. A pool may be full for a while. */
const TIMEOUT = 10_000;

const problem =
  'The database is behind a connection pooler in transaction mode (such as PgBouncer with pool_mode=transaction), ' +
  'which the gateway cannot use: connect to PostgreSQL directly, or set pool_mode=session.';

/**
 * Refuses a database that is reached through a transaction-pooling proxy. There a server process (backend) serves
 * another client after each transaction: settings, prepared statements, LISTEN and advisory locks of a session go
 * astray. Leaves nothing behind.
 * @param url connection string
 * @throws {Error} in a sentence that says what to do; and of `pg`, when there are no two connections to be had
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const own = await readBackendPid(client);
    // A server tells its process id as it accepts a connection. Proxies that cancel queries tell a number of their own.
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
  // Twice in a row: a pooler that hands out the backend that has rested longest changes it now.
  for (let time = 0; time < 2; time++) if ((await readBackendPid(client)) !== own) return true;
  const other = await connect(url);
  try {
    // One that hands out the backend that was used last gives it to the other, who keeps it.
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
  client.on('error', () => {}); // what is under way fails, too
  await client.connect();
  return client;
}

/** Reads the process id of the backend that runs the client's next transaction. */
async function readBackendPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
