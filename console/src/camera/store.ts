import { effect, signal } from '@preact/signals';
import { caller } from '../app/session';
import { type Database, within } from '../data/database';

/** Tables of this device, which belong to the camera. */
type Table = 'documents' | 'pages' | 'photos';

/** A record on this device. */
export interface Kept {
  readonly id: string;
  /** The user and the workspace that the record belongs to. */
  readonly owner: string;
}

/** A record, and its table. */
type Place<Record> = readonly [table: Table, record: Record];

/** Returns the user and the workspace whose records are kept and sent. */
export function ownerOf(): string {
  const me = caller.peek()?.me;
  return me ? `${me.id} ${me.team?.id ?? ''}` : '';
}

/** Records that the browser does not keep, as in private windows. They live as long as this page does. */
const unkept = signal<ReadonlyMap<string, Kept>>(new Map());

/** Returns whether closing this page loses one of these records. */
export const isLosable = (table: Table, ids: readonly string[]): boolean =>
  ids.some((id) => unkept.value.has(`${table} ${id}`));

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

effect(() => {
  if (!caller.value) unkept.value = new Map();
  if (unkept.value.size > 0) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});

const database: Database = {
  name: 'camera',
  version: 2,
  upgrade(opened) {
    for (const table of ['documents', 'pages', 'photos'] satisfies Table[]) {
      if (!opened.objectStoreNames.contains(table))
        opened.createObjectStore(table, { keyPath: 'id' }).createIndex('owner', 'owner');
    }
  },
};

/** Stores and removes records, all or none. @returns whether the browser has done it */
async function write(put: readonly Place<Kept>[], remove: readonly Place<string>[]): Promise<boolean> {
  const tables = [...put, ...remove].map(([table]) => table);
  const run = (transaction: IDBTransaction): undefined => {
    for (const [table, record] of put) transaction.objectStore(table).put(record);
    for (const [table, id] of remove) transaction.objectStore(table).delete(id);
  };
  return (
    tables.length === 0 ||
    within(database, 'readwrite', tables, run).then(
      () => true,
      () => false,
    )
  );
}

/**
 * Keeps records on this device in place of earlier states of them, and removes others. What the browser does
 * not keep stays in memory. Nothing is kept for somebody who has signed out.
 */
export async function keep(
  put: readonly Place<Kept>[],
  remove: readonly Place<string>[] = [],
): Promise<void> {
  const isPresent = () => put.every(([, { owner }]) => owner !== '' && owner === ownerOf());
  if (!isPresent()) return;
  const isStored = await write(put, remove);
  if (!isStored) await write([], remove);
  const rest = new Map(unkept.peek());
  for (const [table, id] of remove) rest.delete(`${table} ${id}`);
  for (const [table, record] of put) {
    if (isStored) rest.delete(`${table} ${record.id}`);
    else if (isPresent()) rest.set(`${table} ${record.id}`, record);
  }
  unkept.value = rest;
}

/** Lists the records of the caller in a table. */
export async function findKept<Record extends Kept>(table: Table): Promise<readonly Record[]> {
  const owner = ownerOf();
  const stored = await within<Record[]>(database, 'readonly', [table], (transaction) =>
    transaction.objectStore(table).index('owner').getAll(owner),
  ).catch(() => []);
  const found = new Map(stored?.map((record) => [record.id, record]));
  for (const [key, record] of unkept.peek()) {
    if (key.startsWith(`${table} `) && record.owner === owner) found.set(record.id, record as Record);
  }
  return [...found.values()];
}
