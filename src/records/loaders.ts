import DataLoader from 'dataloader';
import type { RowOf } from '../db/sql/columns.js';
import { modelOf, type RecordKind, recordKinds } from '../db/sql/models.js';
import type { Session, Transaction } from '../db/sql/scope.js';
import { readRows, rowsOf } from '../db/sql/select.js';
import { joinedBy, type Pointer } from '../db/sql/selection.js';
import { Kept } from '../domain/kept.js';

type Records = { [Kind in RecordKind]: RowOf<Capitalize<Kind>>[] };

/** A record that others point at, by its kind. */
export type Linked<Kind extends RecordKind> = Records[Kind][number];

/** Reads what belongs to many keys at once; the answers stand in the order of the keys. */
export type Batch<T> = (session: Session, keys: readonly string[]) => Promise<readonly T[]>;

const loaders = new Kept<Session, Map<unknown, DataLoader<string, unknown>>>();

/**
 * What belongs to a key. All the keys that are asked for of one batch in one turn of a request are read together,
 * and each key once in a request.
 * @param name tells batches apart that are one function's, made anew for each use
 */
export function loadThrough<T>(
  session: Session,
  batch: Batch<T>,
  key: string,
  name: unknown = batch,
): Promise<T> {
  const ofSession = loaders.ensure(session, () => new Map());
  const known = ofSession.get(name) as DataLoader<string, T> | undefined;
  const loader = known ?? new DataLoader<string, T>((keys) => batch(session, keys));
  ofSession.set(name, loader);
  return loader.load(key);
}

/** The rows of each key, for a batch that reads many rows of a key. */
export function grouped<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const groups = new Map(keys.map((key) => [key, [] as Row[]]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}

/** Reads the records of a kind by their ids. */
function reading<Kind extends RecordKind>(kind: Kind): Batch<Linked<Kind> | null> {
  return async (session, ids) => {
    const found = await readRows(session, modelOf(kind), { where: { id: { in: ids } } });
    const rows = new Map((found as object[] as Linked<Kind>[]).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? null);
  };
}

const byId = Object.fromEntries(recordKinds.map((kind) => [kind, reading(kind)])) as {
  [Kind in RecordKind]: Batch<Linked<Kind> | null>;
};

/**
 * The record that another points at, or null when it points at nothing or at what the caller may not see. All
 * that are asked for in one turn of a request are read by one statement.
 */
export function load<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  id: string | null,
): Promise<Linked<Kind> | null> | null {
  return id === null ? null : loadThrough(session, byId[kind] as Batch<Linked<Kind> | null>, id);
}

/** The record that a row points at, as `load` gives it; at once where it was read with the row. */
export function follow<Kind extends RecordKind, Field extends string>(
  session: Session,
  row: Record<Field, string | null>,
  by: Pointer<Kind> & { readonly field: Field },
): Linked<Kind> | null | Promise<Linked<Kind> | null> {
  const joined = joinedBy(row, by) as Linked<Kind> | null | undefined;
  return joined === undefined ? load(session, by.kind, row[by.field]) : joined;
}

/** Records by their ids, in the order of the ids; one that is gone meanwhile is left out. */
export async function loadAll<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  ids: readonly string[],
): Promise<Linked<Kind>[]> {
  const records = await Promise.all(ids.map((id) => load(session, kind, id)));
  return records.filter((record) => record !== null);
}

/** Forgets what a session has loaded: a write may have changed it. */
export function forgetLoaded(session: Session): void {
  loaders.set(session, undefined);
}

const lookups = new Kept<Transaction, Map<string, Promise<unknown>>>();

/**
 * What a transaction looks up of other records: once for all the records that it writes.
 * @param key what is looked up, in words of its own
 */
export function lookUp<T>(tx: Transaction, key: string, work: () => Promise<T>): Promise<T> {
  const ofTransaction = lookups.ensure(tx, () => new Map());
  const found = (ofTransaction.get(key) as Promise<T> | undefined) ?? work();
  ofTransaction.set(key, found);
  return found;
}

/** The record that another points at, read inside a transaction. */
export async function findLinked(
  tx: Transaction,
  session: Session,
  kind: RecordKind,
  id: string | null,
): Promise<object | null> {
  if (id === null) return null;
  return lookUp(tx, `${kind} ${id}`, () => rowsOf(modelOf(kind)).find(tx, session, id));
}
