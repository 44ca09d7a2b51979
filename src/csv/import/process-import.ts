import type { GraphQLSchema } from 'graphql';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { GatewayError } from '../../domain/errors.js';
import { importLimits, type Preview, type RowError } from '../../imports/imports.js';
import {
  type Batch,
  type ClaimedImport,
  quietReminders,
  settleFailure,
  settlePreview,
  storeBatch,
} from '../../imports/queue.js';
import { logEvent } from '../../records/event-logs.js';
import { type ImportTarget, mapHeaders, targetOf } from './mapping.js';
import { type FileRow, type FileTable, readFile } from './read-file.js';
import { type ParsedRow, RowReader } from './read-rows.js';
import { type RowOutcome, RowWriter, resultOf } from './write-rows.js';

/** Rows that are written in one transaction. */
export const batchRows = 500;

/** Milliseconds that the transaction of all rows may take. */
const longestAtomicMs = 120_000;

/** Errors and rows that a preview shows. */
const shown = { errors: 100, rows: 20 } as const;

/** Dependencies of processing imports. */
export interface ImportWork {
  readonly database: Database;
  readonly clock: () => Date;
  readonly schema: GraphQLSchema;
}

/** An import whose file has been read. */
interface Opened {
  readonly claimed: ClaimedImport;
  readonly session: Session;
  readonly target: ImportTarget;
  readonly table: FileTable;
  readonly columns: readonly (string | undefined)[];
  readonly rows: readonly ParsedRow[];
  readonly writer: RowWriter;
}

/** Thrown to roll back what a preview or a lost worker has written. */
class Undone extends Error {}

/** Reads the users of the caller's organization by their addresses. */
async function readUsers(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, string[]>();
  for (const { id, email } of await readRows(session, 'User', { where: {} })) {
    const key = email.toLowerCase();
    users.set(key, [...(users.get(key) ?? []), id]);
  }
  return users;
}

async function open(schema: GraphQLSchema, claimed: ClaimedImport, session: Session): Promise<Opened> {
  const { kind, options, content } = claimed;
  const table = await readFile(content, options);
  const read: FileRow[] = [];
  for await (const row of table.rows) read.push(row);
  const target = targetOf(schema, kind);
  const mapping = mapHeaders(schema, target, table, options);
  if (options.atomic && read.length > importLimits.atomicRows) {
    const message = `An import of all or nothing has at most ${importLimits.atomicRows} rows.`;
    throw new GatewayError('BAD_REQUEST', message);
  }
  const reader = new RowReader(target, table, mapping, options, await readUsers(session));
  const rows = read.map((row) => reader.read(row));
  const writer = new RowWriter(target, reader, options);
  return { claimed, session, target, table, columns: mapping.columns, rows, writer };
}

/** Runs work in a transaction that is always rolled back. */
async function tryOut<T>(
  database: Database,
  session: Session,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await database.inTransaction(async (tx) => {
      result = { value: await work(tx) };
      throw new Undone();
    }, session.caller);
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  if (!result) throw new Error('A transaction ended without a result.');
  return result.value;
}

/** Splits rows into batches. */
const batchesOf = <T>(rows: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));

const countOf = (outcomes: readonly RowOutcome[], action: RowOutcome['action']) =>
  outcomes.filter((outcome) => outcome.action === action).length;

/** Finds out what an import would do, and writes nothing. */
async function makePreview(
  { database, clock }: ImportWork,
  opened: Opened,
  signal: AbortSignal,
): Promise<Preview> {
  const { session, table, columns, rows, writer } = opened;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const errors: RowError[] = [];
  const first: Preview['rows'][number][] = [];
  for (const batch of batchesOf(rows, batchRows)) {
    signal.throwIfAborted();
    const own = new Session(database, { caller: session.caller, now: clock() });
    const outcomes = await tryOut(database, own, (tx) => writer.write(tx, own, batch));
    writer.imagine();
    for (const action of Object.keys(counts) as (keyof typeof counts)[])
      counts[action] += countOf(outcomes, action);
    errors.push(...outcomes.flatMap((outcome) => outcome.errors).slice(0, shown.errors - errors.length));
    for (const { row, action } of outcomes.slice(0, shown.rows - first.length)) {
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
async function logImported(tx: Transaction, session: Session, { claimed, rows }: Opened): Promise<void> {
  const { id, kind } = claimed;
  await logEvent(tx, session, {
    type: 'imported',
    teamId: session.caller.user.teamId,
    description: `A file with ${rows.length} ${verbs[kind]} was imported`,
    details: { import_id: { before: null, after: id }, rows: { before: null, after: rows.length } },
    entities: [],
  });
}

/** Writes the batches of an import that are not written yet. */
async function writeBatches(work: ImportWork, opened: Opened, signal: AbortSignal): Promise<void> {
  const { claimed, rows } = opened;
  const size = claimed.options.atomic ? Math.max(rows.length, 1) : batchRows;
  const batches = batchesOf(rows, size);
  const first = Math.floor(claimed.doneCount / size);
  for (let number = first; number < Math.max(batches.length, 1); number++) {
    signal.throwIfAborted();
    const isLast = number >= batches.length - 1;
    if (!(await writeBatch(work, opened, { number, rows: batches[number] ?? [] }, isLast))) return;
  }
}

/**
 * Writes a batch and its outcomes in one transaction.
 * @returns false if the import was cancelled, or is another worker's
 */
async function writeBatch(
  { database, clock }: ImportWork,
  opened: Opened,
  { number, rows }: { readonly number: number; readonly rows: readonly ParsedRow[] },
  isLast: boolean,
): Promise<boolean> {
  const { claimed, writer } = opened;
  const { atomic, quiet } = claimed.options;
  const session = new Session(database, { caller: opened.session.caller, now: clock() });
  try {
    await database.inTransaction(
      async (tx) => {
        const outcomes = await writer.write(tx, session, rows);
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
      atomic ? longestAtomicMs : undefined,
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
  const { database, schema } = work;
  const { session } = claimed;
  try {
    if (!session)
      throw new GatewayError('FORBIDDEN', 'The person who created the import may no longer write.');
    const opened = await open(schema, claimed, session);
    if (claimed.state === 'READING') {
      const preview = await makePreview(work, opened, signal);
      await settlePreview(database, claimed, preview, opened.rows.length);
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
