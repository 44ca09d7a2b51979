import pg from 'pg';
import type { Database } from '../connection/database.js';
import type { ReplicaLag } from './replica-lag.js';

/** Milliseconds between two looks at how far the replica is. */
const interval = 100;

/** Milliseconds that a look may take. */
const patience = 2_000;

/** Milliseconds that the replica may be behind for anyone to read from it. */
export const largestLag = 20_000;

/** Each database is told by the id that its first migration was given at random. */
const origin = '(SELECT id FROM _prisma_migrations ORDER BY migration_name LIMIT 1) AS origin';
/** A place in the write-ahead log as a whole number of bytes. */
export const positionOf = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::bigint`;
const primaryNow = `SELECT ${positionOf('pg_current_wal_flush_lsn()')} AS position, ${origin}`;
const replicaNow = `
  SELECT CASE WHEN pg_is_in_recovery() THEN ${positionOf('pg_last_wal_replay_lsn()')} END AS position, ${origin}`;

interface Look {
  readonly position: string | null;
  readonly origin: string;
}

/** What watches a replica. */
export interface Watch {
  close(): Promise<void>;
}

/**
 * Looks at a replica again and again, on a connection of its own.
 * @param lag told what is found
 * @param onChange told whenever the replica begins to be of use, and with the reason when it is no longer
 */
export function watchReplica(
  primary: Database,
  url: string,
  lag: ReplicaLag,
  onChange: (reason: string | undefined) => void,
): Watch {
  let client: pg.Client | undefined;
  let reason: string | undefined = 'not looked at yet';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function drop(): void {
    lag.lost();
    const gone = client;
    client = undefined;
    void gone?.end().catch(() => {});
  }
  async function connected(): Promise<pg.Client> {
    if (client) return client;
    const opening = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      keepAlive: true,
    });
    // It may come back as another one, or further behind than it was.
    opening.on('error', () => client === opening && drop());
    opening.on('end', () => client === opening && drop());
    await opening.connect();
    client = opening;
    return opening;
  }
  async function look(): Promise<string | undefined> {
    const connection = await connected();
    const at = performance.now();
    const [ours] = await primary.query<Look>(primaryNow, []);
    if (ours?.position) lag.primaryAt(BigInt(ours.position), at);
    const [theirs] = (await connection.query<Look>(replicaNow)).rows;
    if (!theirs?.position) throw new Error('it is no replica that replays a log');
    if (theirs.origin !== ours?.origin) throw new Error('it is a replica of another database');
    lag.replayedTo(BigInt(theirs.position));
    const behind = lag.behind(performance.now());
    return behind > largestLag ? `it is more than ${largestLag / 1_000} s behind` : undefined;
  }
  async function again(): Promise<void> {
    const found = await look().catch((error: Error) => {
      drop();
      return error.message || 'it cannot be reached';
    });
    if (closed) return;
    if (found !== reason) onChange(found);
    reason = found;
    timer = setTimeout(() => {
      looking = again();
    }, interval);
  }
  let looking = again();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await looking;
      drop();
    },
  };
}
