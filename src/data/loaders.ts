import DataLoader from 'dataloader';
import type { RecordKind } from './kinds.js';
import { dbOf, type Session, type Transaction } from './scope.js';

/** How the records of each kind are read by their ids, many at once. */
const readers = {
  attachment: (db: Transaction, id: { in: string[] }) => db.attachment.findMany({ where: { id } }),
  category: (db: Transaction, id: { in: string[] }) => db.category.findMany({ where: { id } }),
  company: (db: Transaction, id: { in: string[] }) => db.company.findMany({ where: { id } }),
  contact: (db: Transaction, id: { in: string[] }) => db.contact.findMany({ where: { id } }),
  contactType: (db: Transaction, id: { in: string[] }) => db.contactType.findMany({ where: { id } }),
  eventLog: (db: Transaction, id: { in: string[] }) => db.eventLog.findMany({ where: { id } }),
  expirationItem: (db: Transaction, id: { in: string[] }) => db.expirationItem.findMany({ where: { id } }),
  location: (db: Transaction, id: { in: string[] }) => db.location.findMany({ where: { id } }),
  note: (db: Transaction, id: { in: string[] }) => db.note.findMany({ where: { id } }),
  renewal: (db: Transaction, id: { in: string[] }) => db.renewal.findMany({ where: { id } }),
  tag: (db: Transaction, id: { in: string[] }) => db.tag.findMany({ where: { id } }),
  team: (db: Transaction, id: { in: string[] }) => db.team.findMany({ where: { id } }),
  uploadNotification: (db: Transaction, id: { in: string[] }) =>
    db.uploadNotification.findMany({ where: { id } }),
  user: (db: Transaction, id: { in: string[] }) => db.user.findMany({ where: { id } }),
  vehicle: (db: Transaction, id: { in: string[] }) => db.vehicle.findMany({ where: { id } }),
} satisfies Record<RecordKind, unknown>;

/** A record that others point at, by its kind. */
export type Linked<Kind extends RecordKind> = Awaited<ReturnType<(typeof readers)[Kind]>>[number];

/** Reads what belongs to many keys at once; the answers stand in the order of the keys. */
export type Batch<T> = (db: Transaction, keys: readonly string[], session: Session) => Promise<readonly T[]>;

const loaders = new WeakMap<Session, Map<unknown, DataLoader<string, unknown>>>();

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
  const ofSession = loaders.get(session) ?? new Map<unknown, DataLoader<string, unknown>>();
  loaders.set(session, ofSession);
  const known = ofSession.get(name) as DataLoader<string, T> | undefined;
  const loader = known ?? new DataLoader<string, T>((keys) => batch(dbOf(session), keys, session));
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

const byId = Object.fromEntries(
  Object.entries(readers).map(([kind, read]) => {
    const batch: Batch<object | null> = async (db, ids) => {
      const rows = new Map((await read(db, { in: [...ids] })).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id) ?? null);
    };
    return [kind, batch];
  }),
) as { [Kind in RecordKind]: Batch<Linked<Kind> | null> };

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
  loaders.delete(session);
}

const lookups = new WeakMap<Transaction, Map<string, Promise<unknown>>>();

/**
 * What a transaction looks up of other records: once for all the records that it writes.
 * @param key what is looked up, in words of its own
 */
export function lookUp<T>(tx: Transaction, key: string, work: () => Promise<T>): Promise<T> {
  const ofTransaction = lookups.get(tx) ?? new Map<string, Promise<unknown>>();
  lookups.set(tx, ofTransaction);
  const found = (ofTransaction.get(key) as Promise<T> | undefined) ?? work();
  ofTransaction.set(key, found);
  return found;
}

/** The record that another points at, read inside a transaction. */
export async function findLinked(
  tx: Transaction,
  kind: RecordKind,
  id: string | null,
): Promise<object | null> {
  if (id === null) return null;
  const [found] = await lookUp(tx, `${kind} ${id}`, async () => readers[kind](tx, { in: [id] }));
  return found ?? null;
}
