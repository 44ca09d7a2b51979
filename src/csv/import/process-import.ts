import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { keepPlans, preferIndexes } from '../../db/sql/by-index.js';
import { GatewayError } from '../../domain/errors.js';
import { type RowError, wholeWorkspace } from '../../imports/options.js';
import {
  type Batch,
  type ClaimedImport,
  quietReminders,
  readOutcomes,
  settleFailure,
  settlePreview,
  storeBatch,
} from '../../imports/queue.js';
import { logEvent } from '../../records/event-logs.js';
import { NewNames, shareNewNames } from '../../records/named/named-new.js';
import { batchRows, type ImportWork, type OpenedImport, openImport, rowsOf } from './open-import.js';
import type { IdentifiedRow } from './plan-rows.js';
import { previewImport } from './preview/preview-import.js';
import { resultOf, writeRows } from './write-rows.js';

/** Milliseconds that the transaction of a batch may take. It waits for the batch before. */
const longestBatchMs = 30_000;

/** Milliseconds that the transaction of all rows may take. */
const longestAtomicMs = 120_000;

/** Thrown to roll back what a worker has written that lost its import. */
export class Undone extends Error {}

const verbs = {
  ITEMS: 'items',
  CONTACTS: 'contacts',
  VEHICLES: 'vehicles',
  LOCATIONS: 'locations',
  COMPANIES: 'companies',
  TYPES: 'document types',
};

/** Writes the event of a finished import. */
async function logImported(tx: Transaction, session: Session, opened: OpenedImport): Promise<void> {
  const { id, kind } = opened.claimed;
  const rows = opened.identities.length;
  await logEvent(tx, session, {
    type: 'imported',
    teamId: session.caller.user.teamId,
    description: `A file with ${rows} ${verbs[kind]} was imported`,
    details: { import_id: { before: null, after: id }, rows: { before: null, after: rows } },
    entities: [],
  });
}

/** Writes the batches of an import that are not written yet. While one is written, the next is planned. */
async function writeBatches(work: ImportWork, opened: OpenedImport, signal: AbortSignal): Promise<void> {
  const { claimed, identities, planner } = opened;
  const total = identities.length;
  const size = claimed.options.atomic ? Math.max(total, 1) : (work.batchRows ?? batchRows);
  const done = claimed.doneCount > 0 ? await readOutcomes(work.database, claimed) : [];
  // What one batch is going to create is no longer missing for the next.
  const names = new NewNames({ isAhead: true });
  let [number, at] = [0, 0];
  let before: Promise<boolean> = Promise.resolve(true);
  let last = before;
  try {
    for await (const rows of rowsOf(opened, size, signal)) {
      const known = done.slice(at, at + rows.length);
      at += rows.length;
      if (known.length > 0) {
        planner.skip(
          rows.map(({ row }) => row),
          known.map(([, id]) => id),
        );
      } else {
        const batch = { number, rows, names, isLast: at === total, before };
        await new Promise<void>((planned, failed) => {
          last = writeBatch(work, opened, batch, planned);
          last.then(() => planned(), failed);
        });
        if (!(await before)) return;
        before = last;
      }
      number++;
    }
    if (total === 0) {
      last = writeBatch(work, opened, { number, rows: [], names, isLast: true, before });
    }
  } finally {
    await last;
  }
}

/** Rows that are written together. */
interface NextBatch {
  readonly number: number;
  readonly rows: readonly IdentifiedRow[];
  readonly names: NewNames;
  readonly isLast: boolean;
  /** Resolves when the batch before is written; to false if it was not. */
  readonly before: Promise<boolean>;
}

/**
 * Writes a batch and its outcomes in one transaction.
 * @param onPlanned called as soon as its rows are checked
 * @returns false if the import was cancelled, or is another worker's
 */
async function writeBatch(
  { database, clock }: ImportWork,
  opened: OpenedImport,
  { number, rows, names, isLast, before }: NextBatch,
  onPlanned?: () => void,
): Promise<boolean> {
  const { claimed, resource, reader, planner } = opened;
  const { atomic, quiet } = claimed.options;
  const session = new Session(database, { caller: opened.session.caller, now: clock() });
  try {
    await database.inTransaction(
      async (tx) => {
        await preferIndexes(tx);
        shareNewNames(tx, names);
        const outcomes = await session.within(tx, async () => {
          const planned = await planner.plan(tx, session, rows, false);
          onPlanned?.();
          if (!(await before)) throw new Undone();
          await keepPlans(tx);
          return writeRows(tx, session, resource, reader, planned);
        });
        const failure = atomic ? outcomes.find(({ action }) => action === 'failed') : undefined;
        if (failure) {
          const [{ row = 0, message = '' } = {} as Partial<RowError>] = failure.errors;
          throw new GatewayError('BAD_REQUEST', `Nothing was imported, because of line ${row}: ${message}`);
        }
        if (quiet && claimed.kind === 'ITEMS') {
          const ids = outcomes.flatMap(({ action, id }) =>
            action !== 'unchanged' && id !== null ? [id] : [],
          );
          await quietReminders(tx, ids, session.now);
        }
        if (isLast) await logImported(tx, session, opened);
        const batch: Batch = { number, results: outcomes.map(resultOf) };
        if (!(await storeBatch(tx, claimed, batch, isLast))) throw new Undone();
      },
      session.caller,
      [],
      atomic ? longestAtomicMs : longestBatchMs,
    );
    return true;
  } catch (error) {
    if (error instanceof Undone) return false;
    throw error;
  }
}

/** Result of an attempt at an import. */
export type ImportOutcome = 'done' | 'failed' | 'retried';

/**
 * Makes the preview of an import, or writes its rows.
 * @throws what may be temporary; the import is continued later
 */
export async function processImport(
  work: ImportWork,
  claimed: ClaimedImport,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { database } = work;
  const { kind } = claimed;
  if (kind === wholeWorkspace) throw new Error('A whole workspace is not a list.');
  try {
    const opened = await openImport(work, { ...claimed, kind }, signal);
    if (claimed.state === 'READING') {
      const preview = await previewImport(work, opened, signal);
      await settlePreview(database, claimed, preview, opened.identities.length);
    } else {
      await writeBatches(work, opened, signal);
    }
    return 'done';
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    await settleFailure(database, claimed, error.message);
    return 'failed';
  }
}
