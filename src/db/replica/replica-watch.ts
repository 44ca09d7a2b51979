import pg from 'pg';
import type { Database } from '../connection/database.js';
import type { ReplicaLag } from './replica-lag.js';

/** Milliseconds between two polls of the replica's position. */
const POLL_INTERVAL_MS = 100;

/** Milliseconds that a poll's connection or query may take. */
const QUERY_TIMEOUT_MS = 2_000;

/** The largest lag, in milliseconds, at which the replica is still used. */
export const LARGEST_LAG_MS = 20_000;

/** SQL for the identity of a database and its replicas. It is the random id of the first migration. */
const origin = '(SELECT id FROM _prisma_migrations ORDER BY migration_name LIMIT 1) AS origin';
/** Returns SQL that converts a log sequence number (LSN) to a number of bytes. */
export const walPositionSql = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::bigint`;
const primaryNow = `SELECT ${walPositionSql('pg_current_wal_flush_lsn()')} AS position, ${origin}`;
const replicaNow = `
  SELECT CASE WHEN pg_is_in_recovery() THEN ${walPositionSql('pg_last_wal_replay_lsn()')} END AS position, ${origin}`;

interface PollResult {
  readonly position: string | null;
  readonly origin: string;
}

/** A running poll of a replica. */
export interface ReplicaWatch {
  close(): Promise<void>;
}

/**
 * Polls a replica's WAL position until it is closed, on a connection of its own.
 * @param lag receives the positions
 * @param onChange is called whenever the replica becomes usable (`undefined`) or unusable, with the reason
 */
export function watchReplica(
  primary: Database,
  url: string,
  lag: ReplicaLag,
  onChange: (reason: string | undefined) => void,
): ReplicaWatch {
  let client: pg.Client | undefined;
  let reason: string | undefined = 'not checked yet';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function disconnect(): void {
    lag.lost();
    const gone = client;
    client = undefined;
    void gone?.end().catch(() => {});
  }
  async function connect(): Promise<pg.Client> {
    if (client) return client;
    const opening = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    // After a reconnect, it may be a different server, or further behind.
    opening.on('error', () => client === opening && disconnect());
    opening.on('end', () => client === opening && disconnect());
    await opening.connect();
    client = opening;
    return opening;
  }
  async function poll(): Promise<string | undefined> {
    const connection = await connect();
    const at = performance.now();
    const [ours] = await primary.sql<PollResult>(primaryNow, []);
    if (ours?.position) lag.primaryAt(BigInt(ours.position), at);
    const [theirs] = (await connection.query<PollResult>(replicaNow)).rows;
    if (!theirs?.position) throw new Error('it is not a streaming replica');
    if (theirs.origin !== ours?.origin) throw new Error('it is a replica of a different database');
    lag.replayedTo(BigInt(theirs.position));
    const behind = lag.behind(performance.now());
    return behind > LARGEST_LAG_MS ? `it is more than ${LARGEST_LAG_MS / 1_000} s behind` : undefined;
  }
  async function pollAgain(): Promise<void> {
    const found = await poll().catch((error: Error) => {
      disconnect();
      return error.message || 'it cannot be reached';
    });
    if (closed) return;
    if (found !== reason) onChange(found);
    reason = found;
    timer = setTimeout(() => {
      polling = pollAgain();
    }, POLL_INTERVAL_MS);
  }
  let polling = pollAgain();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await polling;
      disconnect();
    },
  };
}
