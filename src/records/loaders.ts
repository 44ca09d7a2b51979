import DataLoader from 'dataloader';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type Identified, type RowOf, recordsSql } from '../db/sql/conditions.js';
import { modelInfo, modelName, recordKinds } from '../db/sql/models.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { join, sql } from '../db/sql/sql.js';
import { type ForeignKeyJoin, getJoined } from '../db/sql/tree.js';
import { type Caller, may } from '../domain/caller.js';
import type { RecordKind } from '../domain/models.js';
import { isUuid } from '../domain/rules.js';

type Records = { [Kind in RecordKind]: RowOf<Capitalize<Kind>>[] };

/** A record of a kind, as other records link to it. */
export type Linked<Kind extends RecordKind> = Records[Kind][number];

/**
 * Loads values for many keys at once (DataLoader's batch function). The results are in the order of the keys.
 */
export type BatchLoader<T> = (session: Session, keys: readonly string[]) => Promise<readonly T[]>;

/**
 * Loads a value through a DataLoader of the request. Keys requested in one turn of the event loop are read
 * together, and each key once per request. While a list is filled over several turns, reading waits until it
 * is complete.
 * @param name identity of the loader, for batch functions that are created anew for each use
 */
export function loadBatched<T>(
  session: Session,
  batch: BatchLoader<T>,
  key: string,
  name: unknown = batch,
): Promise<T> {
  const known = session.loaders.get(name) as DataLoader<string, T> | undefined;
  const loader =
    known ??
    new DataLoader<string, T>((keys) => batch(session, keys), {
      // Sessions share loaders only for small events, so it does not matter whose slices these are.
      batchScheduleFn: (dispatch) => session.slices.whenIdle(dispatch),
    });
  session.loaders.set(name, loader);
  return loader.load(key);
}

/** Groups rows by key, in the order of the keys. */
export function groupByKey<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const groups = new Map(keys.map((key) => [key, [] as Row[]]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}

/** Creates the batch function that reads records of a kind by id. */
function recordsById<Kind extends RecordKind>(kind: Kind): BatchLoader<Linked<Kind> | null> {
  return async (session, ids) => {
    const found = await readRows(session, modelName(kind), { where: { id: { in: ids } } });
    const rows = new Map(
      (found as object[] as (Linked<Kind> & Identified)[]).map((row) => [row.id as string, row]),
    );
    return ids.map((id) => rows.get(id) ?? null);
  };
}

const byId = Object.fromEntries(recordKinds.map((kind) => [kind, recordsById(kind)])) as {
  [Kind in RecordKind]: BatchLoader<Linked<Kind> | null>;
};

/**
 * Loads a linked record by id, batched with others of the same turn. It is null if the caller may not see it.
 */
export function load<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  id: string | null,
): Promise<Linked<Kind> | null> | null {
  return id === null ? null : loadBatched(session, byId[kind] as BatchLoader<Linked<Kind> | null>, id);
}

/** Returns the record of a join, or loads it if it was not joined. */
export function loadJoined<Kind extends RecordKind, Field extends string>(
  session: Session,
  row: Record<Field, string | null>,
  by: ForeignKeyJoin<Kind> & { readonly field: Field },
): Linked<Kind> | null | Promise<Linked<Kind> | null> {
  const joined = getJoined(row, by) as Linked<Kind> | null | undefined;
  return joined === undefined ? load(session, by.kind, row[by.field]) : joined;
}

/** Loads records in the order of their ids, without those that no longer exist. */
export async function loadAll<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  ids: readonly string[],
): Promise<Linked<Kind>[]> {
  const records = await Promise.all(ids.map((id) => load(session, kind, id)));
  return records.filter((record) => record !== null);
}

/**
 * Memoizes a lookup for the rest of the transaction.
 * @param key identifies what is looked up
 */
export function lookUpOnce<T>(tx: Transaction, key: string, work: () => Promise<T>): Promise<T> {
  const found = (tx.lookUps.get(key) as Promise<T> | undefined) ?? work();
  tx.lookUps.set(key, found);
  return found;
}

/** Look-ups of linked records in a transaction, by kind. Those of one turn are sent together. */
const linkedLoaders = new WeakMap<Transaction, Map<RecordKind, DataLoader<string, object | null>>>();

function linkedLoader(tx: Transaction, kind: RecordKind): DataLoader<string, object | null> {
  const loaders = linkedLoaders.get(tx) ?? new Map<RecordKind, DataLoader<string, object | null>>();
  linkedLoaders.set(tx, loaders);
  const model = modelName(kind);
  const read = async (ids: readonly string[]) => {
    if (ids.length === 1) return [await defineRows(model).find(tx, ids[0] ?? '')];
    const rows: readonly { readonly id: string }[] = await readRows(tx, model, {
      where: { id: { in: ids } },
    });
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  };
  const loader = loaders.get(kind) ?? new DataLoader(read, { cache: false });
  loaders.set(kind, loader);
  return loader;
}

/** Reads a linked record inside a transaction, together with others of the same turn. */
export async function findLinked(
  tx: Transaction,
  kind: RecordKind,
  id: string | null,
): Promise<object | null> {
  if (id === null) return null;
  return lookUpOnce(tx, `${kind} ${id}`, () => linkedLoader(tx, kind).load(id));
}

/** Lists the kinds of records that a caller has the right to read. */
const kindsOf = ({ role }: Caller) =>
  recordKinds.filter((kind) => {
    const { right } = modelInfo[modelName(kind)];
    return right === undefined || may(role, right);
  });

/**
 * Finds the kind of each record by id, with one statement. It is null if the caller does not see the record.
 */
const kindById: BatchLoader<RecordKind | null> = async (session, ids) => {
  const kinds = kindsOf(session.caller);
  const selects = kinds.map(
    (kind, place) =>
      sql`SELECT ${place}::int AS place, record.id ${recordsSql(session, kind, { id: { in: ids } })}`,
  );
  const rows = await session.read<{ place: number; id: string }>(
    prepared('records.kinds', join(selects, ' UNION ALL ')),
  );
  const places = new Map<string, number>();
  for (const { id, place } of rows) places.set(id, Math.min(place, places.get(id) ?? place));
  return ids.map((id) => kinds[places.get(id) ?? kinds.length] ?? null);
};

/** A record of any kind. */
interface AnyRecord {
  readonly kind: RecordKind;
  readonly record: Linked<RecordKind>;
}

/** Finds a record of a kind by id. It is null if the caller does not see it, or may not read that kind. */
export async function findOfKind<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  id: string,
): Promise<Linked<Kind> | null> {
  return isUuid(id) && kindsOf(session.caller).includes(kind) ? load(session, kind, id.toLowerCase()) : null;
}

/** Finds a record of any kind by id. It is null if the caller does not see it. */
export async function findAny(session: Session, id: string): Promise<AnyRecord | null> {
  const kind = isUuid(id) ? await loadBatched(session, kindById, id.toLowerCase()) : null;
  const record = kind && (await load(session, kind, id.toLowerCase()));
  return record && { kind, record };
}
