import type pg from 'pg';

export type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

interface Waiting {
  readonly query: pg.QueryConfig;
  readonly resolve: (result: Promise<pg.QueryResult>) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends everything that a connection writes in this turn with one system call. */
export function packTogether({ connection }: pg.PoolClient & { connection?: pg.Connection }): void {
  const stream = connection?.stream;
  if (!stream) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function send(pool: pg.Pool, batch: readonly Waiting[]): Promise<void> {
  const client = await pool.connect();
  try {
    packTogether(client);
    const results = batch.map(({ query, resolve }) => {
      const result = client.query(query);
      resolve(result);
      return result;
    });
    await Promise.allSettled(results);
  } finally {
    client.release();
  }
}

/**
 * Creates a sender that pipelines the statements of one turn of the event loop. They share a connection, and
 * none waits for the one before. That takes one packet each way instead of one per statement, and wakes up
 * one server process. They run one after the other, so this is for fast statements of a single caller.
 * @param pool of connections that accept a statement while others are in progress (`pipeline`)
 */
export function createPipeline(pool: pg.Pool): Send {
  let waiting: Waiting[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    send(pool, batch).catch((error) => {
      for (const { reject } of batch) reject(error);
    });
  };
  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(flush);
      waiting.push({ query, resolve, reject });
    });
}
