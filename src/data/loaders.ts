import DataLoader from 'dataloader';
import { entityNames } from '../domain/events.js';
import { dbOf, type Session, type Transaction } from './scope.js';

/** How the records of each kind are read by their ids, many at once. */
const readers = {
  category: (db: Transaction, id: { in: string[] }) => db.category.findMany({ where: { id } }),
  contact: (db: Transaction, id: { in: string[] }) => db.contact.findMany({ where: { id } }),
  contactType: (db: Transaction, id: { in: string[] }) => db.contactType.findMany({ where: { id } }),
  location: (db: Transaction, id: { in: string[] }) => db.location.findMany({ where: { id } }),
  tag: (db: Transaction, id: { in: string[] }) => db.tag.findMany({ where: { id } }),
  team: (db: Transaction, id: { in: string[] }) => db.team.findMany({ where: { id } }),
  user: (db: Transaction, id: { in: string[] }) => db.user.findMany({ where: { id } }),
};

/** The kinds of records that others point at. */
export type LinkedKind = keyof typeof readers;
/** What a person calls them. */
export const linkedNames: Record<LinkedKind, string> = { ...entityNames, user: 'user' };

/** A record that others point at, by its kind. */
export type Linked<Kind extends LinkedKind> = Awaited<ReturnType<(typeof readers)[Kind]>>[number];

type Loaders = { [Kind in LinkedKind]?: DataLoader<string, Linked<Kind> | null> };
const loaders = new WeakMap<Session, Loaders>();

function loaderOf<Kind extends LinkedKind>(
  session: Session,
  kind: Kind,
): DataLoader<string, Linked<Kind> | null> {
  const ofSession: Loaders = loaders.get(session) ?? {};
  loaders.set(session, ofSession);
  const known = ofSession[kind] as DataLoader<string, Linked<Kind> | null> | undefined;
  if (known) return known;
  const loader = new DataLoader<string, Linked<Kind> | null>(async (ids) => {
    const rows = (await readers[kind](dbOf(session), { in: [...ids] })) as Linked<Kind>[];
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });
  (ofSession as Record<LinkedKind, unknown>)[kind] = loader;
  return loader;
}

/**
 * The record that another points at, or null when it points at nothing or at what the caller may not see. All
 * that are asked for in one turn of a request are read by one statement.
 */
export function load<Kind extends LinkedKind>(
  session: Session,
  kind: Kind,
  id: string | null,
): Promise<Linked<Kind> | null> | null {
  return id === null ? null : loaderOf(session, kind).load(id);
}

/** Forgets what a session has loaded: a write may have changed it. */
export function forgetLoaded(session: Session): void {
  loaders.delete(session);
}

/** The record that another points at, read alone, inside a transaction. */
export async function findLinked(
  db: Transaction,
  kind: LinkedKind,
  id: string | null,
): Promise<object | null> {
  return id === null ? null : ((await readers[kind](db, { in: [id] }))[0] ?? null);
}
