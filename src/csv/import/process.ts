import type { GraphQLSchema } from 'graphql';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { keepPlans, preferIndexes, readRows } from '../../db/sql/select.js';
import { GatewayError } from '../../domain/errors.js';
import { type HolderKind, holderKinds } from '../../domain/holder-kinds.js';
import { folded } from '../../domain/text/names.js';
import type { RowResult } from '../../imports/imports.js';
import { findContactsNamed, findHolderTexts } from '../../imports/matches.js';
import {
  type DamagedColumn,
  importLimits,
  type ListKind,
  type Preview,
  type PreviewRow,
  type RowError,
  type UnknownPerson,
  wholeWorkspace,
} from '../../imports/options.js';
import {
  type Batch,
  type ClaimedImport,
  type FormerRecord,
  quietReminders,
  readOutcomes,
  settleFailure,
  settlePreview,
  storeBatch,
} from '../../imports/queue.js';
import type { Declared } from '../../records/declare/declare.js';
import { logEvent } from '../../records/event-logs.js';
import { createNamed, type NewNames, shareNewNames } from '../../records/named.js';
import {
  type NewRecord,
  type PlannedChange,
  planChange,
  storeChanges,
  storeNewRecords,
} from '../../records/record.js';
import type { RecordBase, Resource } from '../../records/resource.js';
import { formerOf, writeInHalves } from './former.js';
import { answeredHolders, HoldersByText } from './holders.js';
import { Identifier, type RowIdentity } from './match.js';
import { PeopleByName } from './people.js';
import { countDamages, type Damages, type IdentifiedRow, type PlannedRow, RowPlanner } from './plan.js';
import { FileProfile } from './profile.js';
import { type FileTable, mended, readFile } from './read-file.js';
import { mapHeaders, type ParsedRow, RowReader, resourceOf, rowError, targetOf } from './rows.js';

/** Rows that are written in one transaction. */
export const batchRows = 500;

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
interface OpenedImport {
  readonly claimed: ClaimedList;
  readonly session: Session;
  readonly table: FileTable;
  readonly profile: FileProfile;
  readonly columns: readonly (string | undefined)[];
  /** Columns that the values of others suggest. */
  readonly guesses: readonly (string | null)[];
  readonly resource: Resource & Declared;
  readonly reader: RowReader;
  readonly planner: RowPlanner;
  readonly people: PeopleByName;
  /** The records that the rows are about. */
  readonly identities: readonly (RowIdentity | undefined)[];
  /** Outcomes of the rows that earlier attempts have written. */
  readonly done: readonly RowResult[];
}

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

/** Reads the rows of a table one after the other. Other work goes on in between. */
async function* parsedRows({ rows }: Pick<FileTable, 'rows'>, reader: RowReader): AsyncGenerator<ParsedRow> {
  for await (const row of rows) yield reader.read(row);
}

/** Reads a file, and finds the records that its rows are about. */
async function openImport(
  work: ImportWork,
  claimed: ClaimedList,
  signal: AbortSignal,
): Promise<OpenedImport> {
  const { kind, options, content, session, state } = claimed;
  if (!session) throw new GatewayError('FORBIDDEN', 'The person who created the import may no longer write.');
  // A preview shows what the file is now read as.
  const sent = await readFile(content, options, state === 'READING' ? null : claimed.sheetRows, signal);
  const table = mended(sent, options.corrections);
  const target = targetOf(work.schema, kind);
  const mapping = mapHeaders(work.schema, target, table, options);
  const profile = await FileProfile.of(table, target, mapping);
  const dates = (at: number) => profile.readingOf(at, options.dateFormat);
  const users = await readRows(session, 'User', { where: {} });
  const answered = (options.people ?? []).flatMap(({ email }) => email ?? []);
  const contacts = kind === 'ITEMS' ? await findContactsNamed(session, [...profile.names, ...answered]) : [];
  const people = new PeopleByName(options.people, users, contacts);
  const named = [...profile.holders, ...answeredHolders(profile.holders, options.people)];
  const holders = new HoldersByText(await findHolderTexts(session, named), profile.holders, options);
  const reader = new RowReader(target, table, mapping, dates, await readUsers(session), people, holders);
  const resource = resourceOf(target);
  const done = claimed.doneCount > 0 ? await readOutcomes(work.database, claimed) : [];
  const made = new Set(done.flatMap(([action, id]) => (action === 'created' && id !== null ? [id] : [])));
  const identifier = new Identifier(kind, resource, options, made);
  const planner = new RowPlanner(target, resource, reader, identifier, options.acceptDamage ?? [], holders);
  const identities: OpenedImport['identities'][number][] = [];
  for await (const rows of batchesOf(parsedRows(table, reader), batchRows)) {
    signal.throwIfAborted();
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
  const guesses = profile.guess(target, mapping);
  return {
    claimed,
    session,
    table,
    profile,
    guesses,
    columns: mapping.columns,
    resource,
    reader,
    planner,
    people,
    identities,
    done,
  };
}

/** Reads rows in batches, with the records that they are about. */
async function* rowsOf(
  { table, reader, identities }: OpenedImport,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedRow[]> {
  let at = 0;
  for await (const rows of batchesOf(parsedRows(table, reader), size)) {
    signal.throwIfAborted();
    yield rows.map((row) => ({ row, identity: identities[at++] }));
  }
}

/** The outcome of a row. */
export interface RowOutcome {
  readonly row: ParsedRow;
  readonly action: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly id: string | null;
  readonly errors: readonly RowError[];
  /** Sentences about values that are left out. */
  readonly leftOut?: readonly string[];
  /** Former values of the record, if it was changed. */
  readonly former?: FormerRecord;
}

/** Says which values of a row are left out because they seem to be damaged. */
const leftOutOf = (damages: Damages): string[] =>
  [...damages]
    .filter(([, { leftOut }]) => leftOut)
    .map(([column, { before, after, damage }]) => {
      const what = damage === 'ROUNDED' ? 'rounded' : 'without its leading zeros';
      return `${column}: stays ${before}, because ${after} is the same ${what}`;
    });

/** Returns the outcome as the result file shows it. */
export const resultOf = ({ action, id, errors, leftOut = [] }: Omit<RowOutcome, 'row'>): RowResult => {
  const told = errors.map(({ column, message }) => (column === null ? message : `${column}: ${message}`));
  return [action, id, [...told, ...leftOut].join('; ') || null];
};

/** A row whose outcome is known, with what has to be stored for it. */
interface Decided {
  readonly outcome: RowOutcome;
  readonly made?: NewRecord;
  readonly changed?: PlannedChange<RecordBase>;
}

/** Decides what becomes of planned rows. The values name only records that exist by now. */
function decide(session: Session, resource: Resource, planned: PlannedRow): Decided {
  const { row } = planned;
  if ('errors' in planned) return { outcome: { row, action: 'failed', id: null, errors: planned.errors } };
  if ('made' in planned) {
    const { made } = planned;
    return { outcome: { row, action: 'created', id: made.id, errors: [] }, made };
  }
  const { checked, damages } = planned;
  const changed = planChange(session, resource, checked);
  const action = changed ? 'updated' : 'unchanged';
  const leftOut = leftOutOf(damages);
  return {
    outcome: {
      ...{ row, action, id: checked.current.id, errors: [], leftOut },
      ...(changed && { former: formerOf(changed) }),
    },
    ...(changed && { changed }),
  };
}

/** Returns what would become of planned rows, and writes nothing. */
export const foresee = (session: Session, resource: Resource, planned: readonly PlannedRow[]): RowOutcome[] =>
  planned.map((one) => decide(session, resource, one).outcome);

/** Returns the values of a planned row that may name new records. */
const valuesOf = (planned: PlannedRow) =>
  'made' in planned ? [planned.made] : 'checked' in planned ? [planned.checked.values] : [];

/** Creates the records that rows name and that do not exist yet. @returns the rows with their ids */
async function withNamed(
  tx: Transaction,
  session: Session,
  planned: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const settled = [...(await createNamed(tx, session, planned.flatMap(valuesOf)))];
  return planned.map((one): PlannedRow => {
    if ('errors' in one) return one;
    const values = settled.shift();
    if ('made' in one) return { ...one, made: values as NewRecord };
    return { ...one, checked: { ...one.checked, values: values ?? one.checked.values } };
  });
}

/**
 * Writes planned rows in a transaction, with the events of other writes. What another writer has made
 * impossible meanwhile does not affect other rows.
 * @returns an outcome for each, in their order
 */
export async function writeRows(
  tx: Transaction,
  session: Session,
  resource: Resource,
  reader: RowReader,
  planned: readonly PlannedRow[],
): Promise<RowOutcome[]> {
  const rows = await withNamed(tx, session, planned);
  const decided = rows.map((one) => decide(session, resource, one));
  const stored = await store(
    tx,
    session,
    resource,
    reader,
    decided.filter(({ made, changed }) => made || changed),
  );
  session.forgetLoaded();
  return decided.map((one) => stored.get(one) ?? one.outcome);
}

/** Stores rows. @returns the outcomes of those that the database refuses */
async function store(
  tx: Transaction,
  session: Session,
  resource: Resource,
  reader: RowReader,
  rows: readonly Decided[],
): Promise<Map<Decided, RowOutcome>> {
  const refused = await writeInHalves(tx, session, resource, rows, async (part, some) => {
    await storeNewRecords(
      part,
      session,
      resource,
      some.flatMap(({ made }) => made ?? []),
    );
    await storeChanges(
      part,
      session,
      resource,
      some.flatMap(({ changed }) => changed ?? []),
    );
  });
  return new Map(
    [...refused].map(([one, error]) => {
      const { row } = one.outcome;
      return [one, { row, action: 'failed', id: null, errors: reader.errorsOf(row, error) }];
    }),
  );
}

/** Milliseconds that checking a batch for a preview may take. */
export const longestPreviewMs = 15_000;

/** Errors and rows that a preview shows. */
export const previewLimits = { errors: 100, rows: 20 } as const;

/** Lists what is probably wrong in a row. What a spreadsheet has damaged is told on its own. */
const warningsOf = (planned: PlannedRow): RowError[] =>
  [...planned.row.warnings]
    .filter(([column]) => !('checked' in planned && planned.damages.has(column)))
    .map(([, warning]) => warning);

/** Tells that a row has the same natural key as one before it. */
function repeatOf({ row, identity }: IdentifiedRow): RowError[] {
  const line = identity && 'looksLike' in identity ? identity.looksLike : undefined;
  return line === undefined ? [] : [rowError(row.line, null, null, `looks like line ${line}`)];
}

/** The most unknown names that a preview asks about. */
const mostUnknown = 200;

/** Tells what is imported although the workbook does not show it. */
function hiddenIn({ table, columns }: OpenedImport): RowError[] {
  const { sheet, headerLine, headers } = table;
  if (!sheet) return [];
  const hidden = sheet.hiddenColumns.filter((at) => columns[at] !== undefined);
  const told = hidden.slice(0, previewLimits.errors / 2).map((at) => {
    return rowError(
      headerLine,
      headers[at] ?? null,
      null,
      'is a hidden column of the workbook, and is imported',
    );
  });
  const rows = `${sheet.hiddenRows} hidden rows of the workbook are imported, too`;
  return [...told, ...(sheet.hiddenRows > 0 ? [rowError(headerLine, null, null, rows)] : [])];
}

/** Finds out what an import would do, and writes nothing. */
async function previewImport(
  { database, clock, batchRows: size = batchRows }: ImportWork,
  opened: OpenedImport,
  signal: AbortSignal,
): Promise<Preview> {
  const { claimed, session, table, columns, resource, planner } = opened;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const [errors, warnings, rows]: [RowError[], RowError[], PreviewRow[]] = [[], hiddenIn(opened), []];
  const damaged = new Map<string, DamagedColumn>();
  const people = new Map<string, UnknownPerson>();
  const alongside = new Map<HolderKind, Set<string>>();
  const missing = claimed.options.mode === 'UPDATE_ONLY' ? [] : opened.reader.missing;
  const told = new Set<string>();
  const names = opened.people.newNames();
  for await (const batch of rowsOf(opened, size, signal)) {
    const own = new Session(database, { caller: session.caller, now: clock() });
    // PostgreSQL itself refuses to write here.
    const { planned, changes } = await database.inSnapshot(
      (tx) =>
        own.within(tx, async () => {
          await preferIndexes(tx);
          shareNewNames(tx, names);
          const planned = await planner.plan(tx, own, batch, true);
          const first = planned.slice(0, previewLimits.rows - rows.length);
          return { planned, changes: await planner.show(tx, own, first) };
        }),
      session.caller,
      longestPreviewMs,
    );
    const named = planned.flatMap(({ row }) => row.unknown ?? []);
    for (const { header, value, kinds = [] } of named) {
      const key = `${header} ${folded(value)}`;
      const known = people.get(key) ?? { header, value, kinds, rows: 0 };
      if (people.size < mostUnknown || people.has(key)) people.set(key, { ...known, rows: known.rows + 1 });
    }
    for (const { kind, row } of names.among(planned.flatMap(valuesOf))) {
      const one = holderKinds.find((holder) => holder === kind.resource.kind);
      if (one) alongside.set(one, (alongside.get(one) ?? new Set()).add(row.id));
    }
    const outcomes = foresee(own, resource, planned);
    for (const { action } of outcomes) counts[action]++;
    const add = (to: RowError[], more: RowError[]) =>
      to.push(...more.slice(0, previewLimits.errors - to.length));
    // What all rows lack is told once, and so is a name that is asked about.
    const isNews = ({ column, value }: RowError) => {
      const key = missing.includes(column ?? '') ? column : `${column} ${folded((value ?? '').trim())}`;
      if (column === null || (key !== column && !people.has(`${key}`))) return true;
      return !told.has(`${key}`) && told.add(`${key}`).size > 0;
    };
    add(errors, outcomes.flatMap((outcome) => outcome.errors).filter(isNews));
    add(warnings, [...batch.flatMap(repeatOf), ...planned.flatMap(warningsOf)]);
    countDamages(
      damaged,
      planned.flatMap((one) => ('checked' in one ? one.damages : [])),
    );
    for (const [at, shown] of changes.entries()) {
      const { row, action } = outcomes[at] ?? {};
      if (row && action)
        rows.push({ row: row.line, action, values: Object.fromEntries(row.cells), changes: shown });
    }
  }
  const { headerLine, encoding, sheet } = table;
  const { profile, guesses } = opened;
  const headers = table.headers.map((header, at) => ({
    ...{ header, column: columns[at] ?? null },
    ...{ guess: guesses[at] ?? null, samples: profile.samplesOf(at) },
  }));
  return {
    ...(sheet && { sheets: sheet.sheets.map((one) => ({ ...one, chosen: one.name === sheet.name })) }),
    ...{ headerLine, ...(encoding && { encoding }) },
    columns: headers,
    missing,
    people: [...people.values()],
    alongside: [...alongside].map(([kind, ids]) => ({ kind, count: ids.size })),
    dates: profile.datesOf(claimed.options.dateFormat),
    ...counts,
    errors,
    warnings,
    damaged: [...damaged.values()],
    rows,
  };
}

/** Milliseconds that the transaction of a batch may take. It waits for the batch before. */
const longestBatchMs = 30_000;

/** Milliseconds that the transaction of all rows may take. */
const longestAtomicMs = 120_000;

/** Thrown to roll back what a worker has written that lost its import. */
export class Undone extends Error {}

/** Words of events for the records of each kind. */
export const verbs = {
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
  const { claimed, identities, planner, done } = opened;
  const total = identities.length;
  const size = claimed.options.atomic ? Math.max(total, 1) : (work.batchRows ?? batchRows);
  // What one batch is going to create is no longer missing for the next.
  const names = opened.people.newNames();
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
        const { outcomes, made } = await session.within(tx, async () => {
          const planned = await planner.plan(tx, session, rows, false);
          onPlanned?.();
          if (!(await before)) throw new Undone();
          await keepPlans(tx);
          const known = names.created.length;
          const outcomes = await writeRows(tx, session, resource, reader, planned);
          return { outcomes, made: planner.newHolders.among(names.created.slice(known)) };
        });
        const isFailure = ({ action, row }: RowOutcome) => action === 'failed' && !row.isSkipped;
        const failure = atomic ? outcomes.find(isFailure) : undefined;
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
        const modified = session.now.toISOString();
        const former = [
          ...outcomes.flatMap((outcome) => outcome.former ?? []),
          ...made.map(({ kind, id }): FormerRecord => ({ id, modified, values: null, made: kind })),
        ];
        const batch: Batch = {
          ...{ number, results: outcomes.map(resultOf) },
          ...(claimed.undoUntil && { former }),
        };
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
      await settlePreview(database, claimed, preview, opened.identities.length, opened.table.sheetRows);
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
