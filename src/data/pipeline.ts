import type pg from 'pg';

/** Sends a statement. */
export type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

interface Waiting {
  readonly query: pg.QueryConfig;
  readonly settle: (result: Promise<pg.QueryResult>) => void;
}

/** Writes what `work` sends at once: each statement by itself would be a call of the system, the dearest part of it. */
function inOnePacket<T>({ connection }: pg.PoolClient & { connection?: pg.Connection }, work: () => T): T {
  const stream = connection?.stream;
  stream?.cork();
  try {
    return work();
  } finally {
    stream?.uncork();
  }
}

/**
 * Sends statements that are asked for in one turn of the event loop over one connection, without waiting for one
 * before the next is sent: one packet each way instead of one for each, and one process that wakes up at the other
 * end. They are executed one after the other, so this is for statements that take no time, and of one caller alone.
 * @param pool of connections that take a statement while others are under way (`pipeline`)
 */
export function createPipeline(pool: pg.Pool): Send {
  let waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    const connecting = pool.connect();
    try {
      const client = await connecting;
      const results = inOnePacket(client, () => batch.map(({ query }) => client.query(query)));
      for (const [index, { settle }] of batch.entries()) settle(results[index] as Promise<pg.QueryResult>);
      await Promise.allSettled(results);
      client.release();
    } catch {
      // No connection: each is told why.
      for (const { settle } of batch) settle(connecting as Promise<never>);
    }
  }

  return (query) =>
    new Promise((resolve) => {
      if (waiting.length === 0) process.nextTick(flush);
      waiting.push({ query, settle: resolve });
    });
}
