import type { GraphQLSchema } from 'graphql';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { keepPlans, preferIndexes } from '../../db/sql/by-index.js';
import { readRows } from '../../db/sql/select.js';
import { GatewayError } from '../../domain/errors.js';
import {
  importLimits,
  type ListKind,
  type Preview,
  type RowError,
  wholeWorkspace,
} from '../../imports/options.js';
import {
  type Batch,
  type ClaimedImport,
  quietReminders,
  readOutcomes,
  settleFailure,
  settlePreview,
  storeBatch,
} from '../../imports/queue.js';
import type { Declared } from '../../records/declare/declare.js';
import { logEvent } from '../../records/event-logs.js';
import { NewNames, shareNewNames } from '../../records/named/named-new.js';
import type { Resource } from '../../records/resource.js';
import { mapHeaders, resourceOf, targetOf } from './mapping.js';
import { Identifier, type RowIdentity } from './match-rows.js';
import { type IdentifiedRow, RowPlanner } from './plan-rows.js';
import { type FileTable, readFile } from './read-file.js';
import { RowReader } from './read-rows.js';
import { foresee, resultOf, writeRows } from './write-rows.js';

/** Rows that are written in one transaction. */
export const batchRows = 500;

/** Milliseconds that checking a batch for a preview may take. */
export const longestPreviewMs = 15_000;

/** Milliseconds that the transaction of a batch may take. It waits for the batch before. */
const longestBatchMs = 30_000;

/** Milliseconds that the transaction of all rows may take. */
const longestAtomicMs = 120_000;

/** Errors and rows that a preview shows. */
export const previewLimits = { errors: 100, rows: 20 } as const;

/** Dependencies of processing imports. */
export interface ImportWork {
  readonly database: Database;
  readonly clock: () => Date;
  readonly schema: GraphQLSchema;
  /** Rows that are written in one transaction, if not the usual ones. */
  readonly batchRows?: number;
}

/** An import of a CSV file that a worker has claimed. */
type ClaimedList = ClaimedImport & { readonly kind: ListKind };

/** An import whose file has been read. */
interface Opened {
  readonly claimed: ClaimedList;
  readonly session: Session;
  readonly table: FileTable;
  readonly columns: readonly (string | undefined)[];
  readonly resource: Resource & Declared;
  readonly reader: RowReader;
  readonly planner: RowPlanner;
  /** The records that the rows are about. */
  readonly identities: readonly (RowIdentity | undefined)[];
}

/** Thrown to roll back what a worker has written that lost its import. */
export class Undone extends Error {}

/** Reads the users of the caller's organization by their addresses. */
export async function readUsers(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, string[]>();
  for (const { id, email } of await readRows(session, 'User', { where: {} })) {
    const key = email.toLowerCase();
    users.set(key, [...(users.get(key) ?? []), id]);
  }
  return users;
}

/** Collects rows in batches. */
export async function* batchesOf<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Reads a file, and finds the records that its rows are about. */
async function open(work: ImportWork, claimed: ClaimedList, signal: AbortSignal): Promise<Opened> {
  const { kind, options, content, session } = claimed;
  if (!session) throw new GatewayError('FORBIDDEN', 'The person who created the import may no longer write.');
  const table = await readFile(content, options);
  const target = targetOf(work.schema, kind);
  const mapping = mapHeaders(work.schema, target, table, options);
  const reader = new RowReader(target, table, mapping, options, await readUsers(session));
  const resource = resourceOf(target);
  const identifier = new Identifier(kind, resource, options);
  const planner = new RowPlanner(target, resource, reader, identifier);
  const identities: Opened['identities'][number][] = [];
  for await (const batch of batchesOf(table.rows, batchRows)) {
    signal.throwIfAborted();
    const rows = batch.map((row) => reader.read(row));
    const found = await work.database.inTransaction(async (tx) => {
      await preferIndexes(tx);
      return session.within(tx, () => planner.identify(session, rows));
    }, session.caller);
    identities.push(...found.map(({ identity }) => identity));
    if (options.atomic && identities.length > importLimits.atomicRows) {
      const message = `An import of all or nothing has at most ${importLimits.atomicRows} rows.`;
      throw new GatewayError('BAD_REQUEST', message);
    }
  }
  return { claimed, session, table, columns: mapping.columns, resource, reader, planner, identities };
}

/** Reads rows in batches, with the records that they are about. */
async function* rowsOf(
  { table, reader, identities }: Opened,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedRow[]> {
  let at = 0;
  for await (const batch of batchesOf(table.rows, size)) {
    signal.throwIfAborted();
    yield batch.map((row) => ({ row: reader.read(row), identity: identities[at++] }));
  }
}

/** Finds out what an import would do, and writes nothing. */
async function makePreview(work: ImportWork, opened: Opened, signal: AbortSignal): Promise<Preview> {
  const { database, clock } = work;
  const { session, table, columns, resource, planner } = opened;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const errors: RowError[] = [];
  const first: Preview['rows'][number][] = [];
  const names = new NewNames({ isAhead: true });
  for await (const batch of rowsOf(opened, work.batchRows ?? batchRows, signal)) {
    const own = new Session(database, { caller: session.caller, now: clock() });
    // PostgreSQL itself refuses to write here.
    const outcomes = await database.inSnapshot(
      (tx) =>
        own.within(tx, async () => {
          await preferIndexes(tx);
          shareNewNames(tx, names);
          return foresee(own, resource, await planner.plan(tx, own, batch, true));
        }),
      session.caller,
      longestPreviewMs,
    );
    for (const { action } of outcomes) counts[action]++;
    errors.push(
      ...outcomes.flatMap((outcome) => outcome.errors).slice(0, previewLimits.errors - errors.length),
    );
    for (const { row, action } of outcomes.slice(0, previewLimits.rows - first.length)) {
      first.push({ row: row.line, action, values: Object.fromEntries(row.cells) });
    }
  }
  const headers = table.headers.map((header, at) => ({ header, column: columns[at] ?? null }));
  return { columns: headers, ...counts, errors, rows: first };
}

const verbs = {
  ITEMS: 'items',
  CONTACTS: 'contacts',
  VEHICLES: 'vehicles',
  LOCATIONS: 'locations',
  COMPANIES: 'companies',
  TYPES: 'document types',
};

/** Writes the event of a finished import. */
async function logImported(tx: Transaction, session: Session, opened: Opened): Promise<void> {
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
async function writeBatches(work: ImportWork, opened: Opened, signal: AbortSignal): Promise<void> {
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
  opened: Opened,
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
    const opened = await open(work, { ...claimed, kind }, signal);
    if (claimed.state === 'READING') {
      const preview = await makePreview(work, opened, signal);
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
