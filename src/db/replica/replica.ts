import { type Database, openDatabase, type SentStatement } from '../connection/database.js';
import type { ReadSource, Replica } from '../connection/read-source.js';
import { createReplicaLag } from './replica-lag.js';
import { LARGEST_LAG_MS, walPositionSql, watchReplica } from './replica-watch.js';

/** What a replica is opened with. */
export interface ReplicaOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** As the primary's. */
  readonly rowSecurity?: boolean;
  /** Told whenever it begins to be used, and with the reason when it is no longer. */
  readonly onChange: (reason: string | undefined) => void;
  /** Told why a statement was sent to the primary as well. */
  readonly onFallback: (error: unknown) => void;
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
}

/** Milliseconds that a read may take on the replica, before it is sent to the primary. */
const READ_TIMEOUT_MS = 10_000;

/**
 * Milliseconds after a caller's write in which its reads must find it for certain. Longer than `largestLag`, what a
 * write may take from its beginning to its commit, and what the clocks of gateways may be apart, together.
 */
export const WRITER_WINDOW_MS = 120_000;

/** Columns of the look-up of callers, for `Progress`. What users write is in the event log, indexed by them. */
export const progressColumns = `
    (SELECT max(created) FROM event_logs WHERE event_logs.user_id = users.id) AS "lastWrite",
    ${walPositionSql('pg_current_wal_flush_lsn()')} AS "writtenTo"`;

/**
 * Opens the replica of a database, and watches from now on how far it is. It need not be there.
 *
 * Callers who have not written lately may read from it while it is at most `largestLag` behind. Who has must find
 * what was written, through whichever gateway: such a caller may read from it once it has replayed all that the
 * primary had committed when the caller was looked up.
 */
export function openReplica(primary: Database, options: ReplicaOptions): Replica {
  const { url, poolSize, rowSecurity = false, onChange, onFallback, onStatement } = options;
  const settings = { url, poolSize, rowSecurity, onStatement, queryTimeout: READ_TIMEOUT_MS };
  const own = openDatabase({ ...settings, onError: () => {} });
  const lag = createReplicaLag();
  const watch = watchReplica(primary, url, lag, onChange);
  /** Reads here, or at the primary when that fails. */
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
      // Of whom nothing is known reads from the primary.
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
