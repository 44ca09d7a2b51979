import { type Database, openDatabase } from '../connection/database.js';
import type { SentStatement } from '../connection/pool.js';
import type { ReadSource, Replica } from '../connection/read-source.js';
import { createReplicaLag } from './replica-lag.js';
import { LARGEST_LAG_MS, walPositionSql, watchReplica } from './replica-watch.js';

export interface ReplicaOptions {
  readonly url: string;
  /** Maximum number of pooled connections. */
  readonly poolSize: number;
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
export const WRITER_WINDOW_MS = 120_000;

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
  const { url, poolSize, rowSecurity = false, onChange, onFallback, onStatement } = options;
  const settings = { url, poolSize, rowSecurity, onStatement, queryTimeout: READ_TIMEOUT_MS };
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
