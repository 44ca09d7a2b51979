import { retryDelay } from '../../domain/load/backoff.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { type Attempt, type Claim, claimJobs } from '../queue/jobs.js';
import type { Loop } from '../queue/loop.js';
import { type Keep, type QueueWorkerSettings, startQueueWorker } from '../queue/worker.js';
import type { EnumOf } from '../sql/columns.js';
import { sql } from '../sql/sql.js';

/** An object that is to be removed from its store, unless a file has it. */
interface Removal extends Attempt {
  readonly store: EnumOf<'StoreKind'>;
  readonly objectKey: string;
}

function claim(database: Database, claim: Claim): Promise<Removal[]> {
  const kinds = database.files.all.map(({ kind }) => kind);
  return claimJobs(database, 'file_removals', claim, {
    where: sql`store = ANY(${kinds}::store_kind[])`,
    set: sql`store = store`,
    returning: sql`store, object_key AS "objectKey"`,
  });
}

/** Returns whether a file or an archive has an object. Once a removal is claimed, no further file can get it. */
async function hasFile(database: Database, { store, objectKey }: Removal): Promise<boolean> {
  const statement = sql`
    SELECT FROM attachment_contents WHERE store = ${store}::store_kind AND object_key = ${objectKey}
    UNION ALL SELECT FROM archive_parts WHERE store = ${store}::store_kind AND object_key = ${objectKey}
    LIMIT 1`;
  return (await database.query(named('file_removals.needed', statement))).length > 0;
}

/** Removes an object, unless a file has it. After a failure it is tried again, with no end. */
async function remove(
  database: Database,
  removal: Removal,
  { clock, log }: Pick<QueueWorkerSettings, 'clock' | 'log'>,
  keep: Keep,
): Promise<'removed' | 'retried'> {
  const { id, attempts, store, objectKey } = removal;
  try {
    if (!(await hasFile(database, removal))) await database.files.find(store).remove(objectKey);
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    log.warn({ key: objectKey, attempts, reason }, 'a file could not be removed from its store');
    const due = new Date(clock().getTime() + retryDelay(attempts, Math.random()));
    const later = sql`
      UPDATE file_removals SET due_at = ${due}::timestamptz WHERE id = ${id}::uuid AND attempts = ${attempts}`;
    await keep(() => database.query(named('file_removals.later', later)));
    return 'retried';
  }
  // Another file may have lost the object meanwhile, which has begun a new count of attempts.
  const done = sql`DELETE FROM file_removals WHERE id = ${id}::uuid AND attempts = ${attempts}`;
  await keep(() => database.query(named('file_removals.done', done)));
  return 'removed';
}

/** Starts removing objects that no file has from the stores. Any number of processes may do so. */
export function startFileRemovals(settings: QueueWorkerSettings): Loop {
  const { database } = settings;
  return startQueueWorker<Removal, 'removed' | 'retried'>({
    ...settings,
    ...{ table: 'file_removals', jobs: 'file removals', unstored: 'retried' },
    // A store has longer to answer than this.
    leaseMs: settings.leaseMs ?? 60_000,
    claim: (wanted) => claim(database, wanted),
    work: (removal, _signal, keep) => remove(database, removal, settings, keep),
  });
}
