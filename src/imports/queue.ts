import { type Creator, callerOfWork, creatorColumns } from '../access/callers.js';
import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type Attempt, type Claim, claimJobs, notFrozen, settleJob, sweep } from '../db/queue/queue.js';
import type { EnumOf } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import type { HolderKind } from '../domain/holder-kinds.js';
import { type RowResult, releaseArchives } from './imports.js';
import { type ImportOptions, isOfWorkspace, type Preview, type Undo } from './options.js';

/** An import that a worker has claimed, with its creator's rights. */
export interface ClaimedImport extends Attempt {
  readonly kind: EnumOf<'ImportKind'>;
  readonly state: EnumOf<'ImportState'>;
  readonly options: ImportOptions;
  readonly content: Uint8Array;
  /** The sheet of a workbook, once it has been read. */
  readonly sheetRows: Uint8Array | null;
  /** The workspace that a whole workspace is imported into. */
  readonly teamId: string | null;
  /** Size of the ZIP file in bytes. Null if it is no longer kept. */
  readonly size: number | null;
  /** Rows that were processed by earlier attempts. */
  readonly doneCount: number;
  /** Until when it can be taken back. Null if nothing is kept for that. */
  readonly undoUntil: Date | null;
  /** Progress of taking it back. */
  readonly undo: Undo | null;
  /** Undefined if the person may no longer write. */
  readonly session: Session | undefined;
}

type Found = Creator & Omit<ClaimedImport, 'session'>;

/** Claims due imports. */
export async function claimImports(database: Database, claim: Claim): Promise<ClaimedImport[]> {
  const claimed = await claimJobs(database, 'imports', claim, { set: sql`modified = modified` });
  if (claimed.length === 0) return [];
  const statement = sql`
    SELECT import.id, import.attempts, import.kind, import.state, import.options, import.content,
      import.sheet_rows AS "sheetRows",
      import.team_id AS "teamId", import.content_length::float8 AS size, import.done_count AS "doneCount",
      import.undo_until AS "undoUntil", import.undo, ${raw(creatorColumns('import'))}
    FROM imports AS import JOIN users ON users.id = import.user_id
    WHERE import.id = ANY(${claimed.map(({ id }) => id)}::uuid[])`;
  const found = await database.query<Found>(prepared('imports.claimed', statement));
  return found.map((row) => {
    const caller = callerOfWork(row.id, row, isOfWorkspace(row) ? 'administer' : 'write');
    return { ...row, session: caller && new Session(database, { caller, now: claim.now }) };
  });
}

/** Ends the preview of an import. */
export function settlePreview(
  database: Database,
  attempt: Attempt,
  preview: Preview,
  rowCount: number,
  sheetRows?: Uint8Array,
): Promise<boolean> {
  const values = sql`state = 'READY', preview = ${JSON.stringify(preview)}::jsonb, row_count = ${rowCount},
    sheet_rows = ${sheetRows ?? null}, due_at = NULL, modified = now()`;
  return database.inTransaction((tx) => settleJob(tx, 'imports', attempt, values));
}

/** Ends an import that cannot be done. */
export function settleFailure(database: Database, attempt: Attempt, error: string): Promise<boolean> {
  const values = sql`state = 'FAILED', error = ${error}, due_at = NULL, modified = now()`;
  return database.inTransaction((tx) => settleJob(tx, 'imports', attempt, values));
}

/** The values of a record that an import has changed, as they were before. */
export interface FormerRecord {
  readonly id: string;
  /** Time at which the import changed it. A record with another time was changed since. */
  readonly modified: string;
  /** The values by field. Null if they were not kept, because they are too large. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** Set for a holder that the import has made, which has no former values. */
  readonly made?: HolderKind;
}

/** Outcomes of a batch of rows. */
export interface Batch {
  readonly number: number;
  readonly results: readonly RowResult[];
  /** Former values of the changed records, and the holders that were made. Left out if the import cannot be taken back. */
  readonly former?: readonly FormerRecord[];
}

/** The most characters that are kept of the former values of a batch. */
const longestFormer = 8 * 1024 * 1024;

/** Writes former values as JSON. Beyond the limit, only the records are kept. */
function formerText(former: readonly FormerRecord[]): string {
  let length = 0;
  const kept = former.map((one) => {
    const text = JSON.stringify(one);
    length += text.length;
    return length <= longestFormer ? text : JSON.stringify({ ...one, values: null });
  });
  return `[${kept.join(',')}]`;
}

/** Returns how many rows had an outcome. */
const countOf = (results: readonly RowResult[], action: string): number =>
  results.filter(([done]) => done === action).length;

/**
 * Stores the outcomes of a batch, in the transaction that writes its records. So each row is written once,
 * however often workers die.
 * @returns false if the import was cancelled or is another worker's; nothing may be committed then
 */
export async function storeBatch(
  tx: Transaction,
  attempt: Attempt,
  { number, results, former }: Batch,
  isLast: boolean,
): Promise<boolean> {
  const end = isLast ? sql`, state = 'DONE', due_at = NULL` : sql``;
  const values = sql`done_count = done_count + ${results.length},
    created_count = created_count + ${countOf(results, 'created')},
    updated_count = updated_count + ${countOf(results, 'updated')},
    unchanged_count = unchanged_count + ${countOf(results, 'unchanged')},
    failed_count = failed_count + ${countOf(results, 'failed')}, modified = now()${end}`;
  // An import that is taken back meanwhile writes no more.
  if (!(await settleJob(tx, 'imports', attempt, values, sql`state = 'RUNNING'`))) return false;
  const statement = sql`
    INSERT INTO import_batches (import_id, number, results, former)
    VALUES (${attempt.id}::uuid, ${number}, ${JSON.stringify(results)}::jsonb,
      ${former && former.length > 0 ? formerText(former) : null}::jsonb)`;
  await tx.run(prepared('import_batches.insert', statement));
  return true;
}

/**
 * Stores how far an import has been taken back, in the transaction that does it. So nothing is done twice.
 * @returns false if the import is another worker's
 */
export function storeUndo(tx: Transaction, attempt: Attempt, undo: Undo): Promise<boolean> {
  const end = undo.next < 0 ? sql`, state = 'UNDONE', due_at = NULL` : sql``;
  const values = sql`undo = ${JSON.stringify(undo)}::jsonb, modified = now()${end}`;
  return settleJob(tx, 'imports', attempt, values, sql`state = 'UNDOING'`);
}

/** Reads the outcomes of a batch; undefined if it was not written yet. */
export async function readBatch(
  database: Database,
  { id }: Pick<Attempt, 'id'>,
  number: number,
): Promise<readonly RowResult[] | undefined> {
  return (await readWholeBatch(database, { id }, number))?.results;
}

/** Reads a batch with what its records had before. */
export async function readWholeBatch(
  database: Database,
  { id }: Pick<Attempt, 'id'>,
  number: number,
): Promise<(Pick<Batch, 'results'> & { readonly former: readonly FormerRecord[] | null }) | undefined> {
  const statement = sql`
    SELECT results, former FROM import_batches WHERE import_id = ${id}::uuid AND number = ${number}`;
  const [batch] = await database.query<Pick<Batch, 'results'> & { former: readonly FormerRecord[] | null }>(
    prepared('import_batches.get', statement),
  );
  return batch;
}

/** Reads the outcomes of the batches that earlier attempts have written. */
export async function readOutcomes(database: Database, { id }: Attempt): Promise<RowResult[]> {
  const statement = sql`SELECT results FROM import_batches WHERE import_id = ${id}::uuid ORDER BY number`;
  const batches = await database.query<{ results: RowResult[] }>(prepared('import_batches.find', statement));
  return batches.flatMap(({ results }) => results);
}

/** Lets the reminders of items that are already due only be noted. */
export async function quietReminders(
  tx: Transaction,
  itemIds: readonly string[],
  since: Date,
): Promise<void> {
  if (itemIds.length === 0) return;
  const statement = sql`
    UPDATE reminder_checks SET quiet = true
    WHERE item_id = ANY(${[...itemIds]}::uuid[]) AND requested_at >= ${since}::timestamptz`;
  await tx.run(prepared('reminder_checks.quiet', statement));
}

/** Deletes the former values of records whose import can no longer be taken back. */
async function forgetFormer(database: Database, now: Date): Promise<void> {
  const statement = sql`
    UPDATE import_batches AS batch SET former = NULL FROM imports AS import
    WHERE batch.import_id = import.id AND batch.former IS NOT NULL AND import.due_at IS NULL
      AND (import.state = 'UNDONE' OR import.undo_until <= ${now}::timestamptz) AND ${notFrozen('import')}`;
  await database.query(prepared('import_batches.forget', statement));
}

/** Days for which imports and their files are kept. */
const keptDays = 30;

/** Deletes old imports with their files. */
export async function forgetImports(database: Database, now: Date): Promise<number> {
  await releaseArchives(database, now);
  await forgetFormer(database, now);
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const where = sql`modified < ${before}::timestamptz AND due_at IS NULL`;
  return sweep(database, { table: 'imports', where, order: 'modified', page: 20 });
}
