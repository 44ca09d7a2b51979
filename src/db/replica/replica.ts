import type pg from 'pg';
import { type Database, openDatabase, type ReadSource, type Replica } from '../connection/database.js';
import type { Pooling, SentStatement } from '../connection/pool.js';
import { DatabaseClient, timelineSql } from '../hosts/hosts.js';
import { startLoop } from '../queue/loop.js';

/** Tracks the replication lag of a read replica. Positions are byte offsets in the write-ahead log (LSNs). */
interface ReplicaLag {
  /** Records the primary's WAL position. `at` is a time before it was queried, in milliseconds. */
  primaryAt(position: bigint, at: number): void;
  /** Records the WAL position that the replica has replayed. */
  replayedTo(position: bigint): void;
  /** Clears all positions, because the connection to the replica was lost. */
  lost(): void;
  /** Returns whether the replica has replayed the log up to a position. */
  has(position: bigint): boolean;
  /**
   * Computes the replica's lag in milliseconds. It is an upper bound, and `Infinity` while nothing is known.
   */
  behind(now: number): number;
}

/**
 * The most positions of the primary to keep. Beyond that, the replica must first catch up with the oldest.
 */
const LARGEST_HISTORY = 512;

/**
 * Creates the tracker of a replica's lag. The replica has everything committed at a time once it has replayed
 * up to a position that the primary had later. Only this process's clock is used, and an idle primary does
 * not make its replica look outdated.
 */
export function createReplicaLag(): ReplicaLag {
  let moments: { readonly position: bigint; readonly at: number }[] = [];
  let replayed = -1n;
  let completeAt = Number.NEGATIVE_INFINITY;
  return {
    primaryAt(position, at) {
      if (moments.length < LARGEST_HISTORY) moments.push({ position, at });
    },
    replayedTo(position) {
      replayed = position;
      for (const moment of moments) if (moment.position <= position) completeAt = moment.at;
      moments = moments.filter((moment) => moment.position > position);
    },
    lost() {
      moments = [];
      replayed = -1n;
      completeAt = Number.NEGATIVE_INFINITY;
    },
    has: (position) => replayed >= position,
    behind: (now) => now - completeAt,
  };
}

/** Milliseconds between two polls of the replica's position. */
const POLL_INTERVAL_MS = 100;

/** Milliseconds that a poll's connection or query may take. */
const QUERY_TIMEOUT_MS = 2_000;

/** The largest lag, in milliseconds, at which the replica is still used. */
const LARGEST_LAG_MS = 20_000;

/** SQL for the identity of a database and its replicas. It is the random id of the first migration. */
const origin = '(SELECT id FROM _prisma_migrations ORDER BY migration_name LIMIT 1) AS origin';
/** Returns SQL that converts a log sequence number (LSN) to a number of bytes. */
const walPositionSql = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::bigint`;
/** SQL for the marked timeline of the primary. Positions of different timelines are not comparable. */
const marked = '(SELECT timeline FROM primary_timeline) AS marked';
const primaryNow = `
  SELECT ${walPositionSql('pg_current_wal_flush_lsn()')} AS position, ${timelineSql} AS timeline, ${origin}, ${marked}`;
const markTimeline = `
  INSERT INTO primary_timeline AS mark (timeline) SELECT ${timelineSql}
  ON CONFLICT (single) DO UPDATE SET timeline = excluded.timeline WHERE mark.timeline <> excluded.timeline`;
const replicaNow = `
  SELECT CASE WHEN pg_is_in_recovery() THEN ${walPositionSql('pg_last_wal_replay_lsn()')} END AS position,
    ${origin}, ${marked}`;

interface PollResult {
  readonly position: string | null;
  /** The timeline that was marked last; null if none was. */
  readonly marked: bigint | string | null;
  readonly origin: string;
}

/** A running poll of a replica. */
interface ReplicaWatch {
  close(): Promise<void>;
}

/**
 * Polls a replica's WAL position until it is closed, on a connection of its own.
 * @param lag receives the positions
 * @param onChange is called whenever the replica becomes usable (`undefined`) or unusable, with the reason
 */
function watchReplica(
  primary: Database,
  url: string,
  lag: ReplicaLag,
  onChange: (reason: string | undefined) => void,
): ReplicaWatch {
  let client: pg.Client | undefined;
  let reason: string | undefined = 'not checked yet';
  /** The primary's timeline at the last poll. */
  let timeline: string | undefined;

  function disconnect(): void {
    lag.lost();
    const gone = client;
    client = undefined;
    void gone?.end().catch(() => {});
  }
  async function connect(): Promise<pg.Client> {
    if (client) return client;
    const opening = new DatabaseClient({
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
    const [ours] = await primary.sql<PollResult & { timeline: bigint }>(primaryNow, []);
    const now = String(ours?.timeline);
    if (now !== timeline) lag.lost();
    timeline = now;
    if (String(ours?.marked) !== now) await primary.sql(markTimeline);
    if (ours?.position) lag.primaryAt(BigInt(ours.position), at);
    const [theirs] = (await connection.query<PollResult>(replicaNow)).rows;
    if (!theirs?.position) throw new Error('it is not a streaming replica');
    if (theirs.origin !== ours?.origin) throw new Error('it is a replica of a different database');
    if (String(theirs.marked) !== now) throw new Error('it has not followed the primary to its timeline yet');
    lag.replayedTo(BigInt(theirs.position));
    const behind = lag.behind(performance.now());
    return behind > LARGEST_LAG_MS ? `it is more than ${LARGEST_LAG_MS / 1_000} s behind` : undefined;
  }
  async function check(): Promise<void> {
    const found = await poll().catch((error: Error) => {
      disconnect();
      return error.message || 'it cannot be reached';
    });
    if (found !== reason) onChange(found);
    reason = found;
  }
  const checking = startLoop(check, POLL_INTERVAL_MS, () => {});
  checking.wake();
  return {
    close: async () => {
      await checking.stop();
      disconnect();
    },
  };
}

export interface ReplicaOptions {
  readonly url: string;
  /** Maximum number of pooled connections. */
  readonly poolSize: number;
  readonly pooling?: Pooling;
  /** Row-level security, set as on the primary. */
  readonly rowSecurity?: boolean;
  /** Called when the replica becomes usable (`undefined`) or unusable, with the reason. */
  readonly onChange: (reason: string | undefined) => void;
  /** Called with the error when a read falls back to the primary. */
  readonly onFallback: (error: unknown) => void;
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
}

/** Milliseconds that the replica may take before a read goes to the primary. */
const READ_TIMEOUT_MS = 10_000;

/**
 * Milliseconds after a write in which its writer's reads must find it (read-your-writes). It exceeds the sum
 * of `LARGEST_LAG_MS`, the longest write from beginning to commit, and the clock differences between
 * gateways.
 */
const WRITER_WINDOW_MS = 120_000;

/**
 * Columns for `Progress` in the query that looks up callers. The event log, indexed by user, has the users'
 * writes.
 */
export const progressColumns = `
    (SELECT max(created) FROM event_logs WHERE event_logs.user_id = users.id) AS "lastWrite",
    ${walPositionSql('pg_current_wal_flush_lsn()')} AS "writtenTo"`;

/**
 * Opens the read replica of a database, and starts to poll its lag. The replica need not be reachable yet.
 *
 * Callers who have not written lately may read from it while its lag is at most `LARGEST_LAG_MS`. A caller
 * who has written must find the write through any gateway. Such a caller reads from the replica only once it
 * has replayed everything that the primary had committed when the caller was looked up.
 */
export function openReplica(primary: Database, options: ReplicaOptions): Replica {
  const { url, poolSize, rowSecurity = false, pooling, onChange, onFallback, onStatement } = options;
  const settings = {
    url,
    poolSize,
    rowSecurity,
    onStatement,
    queryTimeout: READ_TIMEOUT_MS,
    ...(pooling && { pooling }),
  };
  const own = openDatabase({ ...settings, onError: () => {} });
  const lag = createReplicaLag();
  const watch = watchReplica(primary, url, lag, onChange);
  /** Runs a query on the replica, and on the primary if it fails there. */
  const withFallback = <T>(here: () => Promise<T>, there: () => Promise<T>): Promise<T> =>
    here().catch((error) => {
      onFallback(error);
      return there();
    });
  const source: ReadSource = {
    query: (statement, caller) =>
      withFallback(
        () => own.query(statement, caller),
        () => primary.query(statement, caller),
      ),
    pipeline(caller) {
      const [here, there] = [own.pipeline(caller), primary.pipeline(caller)];
      return (statement) =>
        withFallback(
          () => here(statement),
          () => there(statement),
        );
    },
  };
  const isUsed = () => lag.behind(performance.now()) <= LARGEST_LAG_MS;
  const replica: Replica = {
    source,
    isUsed,
    lag() {
      const behind = lag.behind(performance.now());
      return Number.isFinite(behind) ? behind : undefined;
    },
    suits(caller, now) {
      const { progress } = caller;
      // Without known progress, the caller reads from the primary.
      if (!progress || !isUsed()) return false;
      const { lastWrite, position } = progress;
      const isWriter = lastWrite !== null && now.getTime() - lastWrite.getTime() < WRITER_WINDOW_MS;
      return !isWriter || lag.has(position);
    },
    close: async () => {
      primary.replica = undefined;
      await watch.close();
      await own.close();
    },
  };
  primary.replica = replica;
  return replica;
}
