import { type Database, within } from './database';

/** A draft of a form: what was typed, and the record at that time. */
export interface KeptDraft {
  readonly values: Readonly<Record<string, unknown>>;
  readonly row: unknown;
  /** Time at which it was typed, in milliseconds. */
  readonly at: number;
}

/** A draft that was kept, and its key. */
export interface FoundDraft extends KeptDraft {
  readonly key: string;
}

/** An answer that was read earlier, and when, in milliseconds. */
export interface KeptAnswer {
  readonly data: unknown;
  readonly at: number;
}

/** Returns whether a user is still the one for whom this browser keeps something. */
type IsOwner = (owner: string) => boolean;

let isOwner: IsOwner = () => false;

/** Says for whom something may be read and written; for nobody before that. */
export function limitTo(owners: IsOwner): void {
  isOwner = owners;
}

/** Tables: answers that were read, drafts that were typed, and the person they belong to. */
type Table = 'answers' | 'drafts' | 'person';

/** A record of a table. Its text is JSON. */
interface Entry {
  /** The owner, and what it is. */
  readonly key: string;
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

/** Milliseconds that something is kept: as long as a session lasts after its last use. */
const longest = 14 * 86_400_000;

/** Bounds of a table: its records, the characters of one, and those of all. */
interface Bounds {
  readonly records: number;
  readonly one: number;
  readonly all: number;
}

const bounds: Readonly<Record<Table, Bounds>> = {
  answers: { records: 500, one: 1_000_000, all: 10_000_000 },
  drafts: { records: 50, one: 200_000, all: 2_000_000 },
  person: { records: 1, one: 200_000, all: 200_000 },
};

const tables = Object.keys(bounds) as readonly Table[];

const database: Database = {
  name: 'kept',
  version: 1,
  upgrade(opened) {
    for (const table of tables) {
      opened.createObjectStore(table, { keyPath: 'key' }).createIndex('age', ['at', 'length']);
    }
  },
};

/** Removes records beyond the bounds of their table, the oldest first, and those of others. */
function prune(store: IDBObjectStore, owner: string, { records, all }: Bounds): void {
  let count = 0;
  let characters = 0;
  // Only the index is read, so that a check costs little.
  const request = store.index('age').openKeyCursor(null, 'prev');
  request.onsuccess = () => {
    const { result } = request;
    if (!result) return;
    const [at, length] = result.key as [number, number];
    count++;
    characters += length;
    const isForeign = !String(result.primaryKey).startsWith(`${owner} `);
    const isBeyond = count > records || characters > all || at < Date.now() - longest;
    if (isForeign || isBeyond) store.delete(result.primaryKey);
    result.continue();
  };
}

/** Writes a record, or removes it, for somebody who is still signed in. */
async function write(owner: string, table: Table, key: string, at: number, value?: unknown): Promise<void> {
  const text = value === undefined ? '' : JSON.stringify(value);
  const whole = `${owner} ${key}`;
  await within(database, 'readwrite', [table], (transaction): undefined => {
    // They may have signed out while the database was opened, and it has been erased before.
    if (!isOwner(owner)) return;
    const store = transaction.objectStore(table);
    const isKept = value !== undefined && text.length <= bounds[table].one;
    if (isKept) store.put({ key: whole, at, length: text.length, text } satisfies Entry);
    else store.delete(whole);
    prune(store, owner, bounds[table]);
  }).catch(() => {
    // A browser that keeps nothing, as in some private windows.
  });
}

async function read(owner: string, table: Table, key: string): Promise<Entry | undefined> {
  const found = await within<Entry | undefined>(database, 'readonly', [table], (transaction) =>
    transaction.objectStore(table).get(`${owner} ${key}`),
  ).catch(() => undefined);
  return found && isOwner(owner) && found.at >= Date.now() - longest ? found : undefined;
}

/** Lets the console open without a connection, where the browser has service workers. */
function startWorker(): void {
  // The development server has none.
  navigator.serviceWorker?.register('/console/worker.js', { scope: '/' }).catch(() => {});
}

/** Erases what belongs to anybody else, and keeps who is signed in; nobody, if undefined. */
export async function claim(owner: string, person: unknown): Promise<void> {
  await within(database, 'readwrite', tables, (transaction): undefined => {
    for (const table of tables) prune(transaction.objectStore(table), owner, bounds[table]);
  }).catch(() => {});
  if (person === undefined) return;
  await write(owner, 'person', 'person', Date.now(), person);
  startWorker();
}

/** Finds who was signed in last, if that is not too long ago. */
export async function findPerson(): Promise<unknown> {
  const found = await within<Entry[]>(database, 'readonly', ['person'], (transaction) =>
    transaction.objectStore('person').getAll(),
  ).catch(() => []);
  const [entry] = found ?? [];
  return entry && entry.at >= Date.now() - longest ? JSON.parse(entry.text) : undefined;
}

/** Keeps an answer for somebody. @param key what it was asked with */
export const keepAnswer = (owner: string, key: string, data: unknown): Promise<void> =>
  // Without a service worker, the console does not open without a connection.
  navigator.serviceWorker ? write(owner, 'answers', key, Date.now(), data) : Promise.resolve();

/** Finds an answer that was kept for somebody. */
export async function findAnswer(owner: string, key: string): Promise<KeptAnswer | undefined> {
  const found = await read(owner, 'answers', key);
  return found && { data: JSON.parse(found.text), at: found.at };
}

/** Keys of the drafts that this page has written: their forms are open. */
const held = new Set<string>();

/** Keys of drafts, which one page asks for and others say that they hold. */
interface HeldMessage {
  readonly asked?: readonly string[];
  readonly told?: readonly string[];
}

/** The channel between pages. The Web Locks API would need https, which gateways in a local network may lack. */
const channel = new BroadcastChannel('expiration-gateway.drafts');
channel.addEventListener('message', ({ data }: MessageEvent<HeldMessage>) => {
  const told = data.asked?.filter((key) => held.has(key)) ?? [];
  if (told.length > 0) channel.postMessage({ told } satisfies HeldMessage);
});

/** Milliseconds that other pages have to answer. */
const patience = 300;

/** Returns which of these drafts another page holds. */
async function heldElsewhere(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  const hear = ({ data }: MessageEvent<HeldMessage>) => {
    for (const key of data.told ?? []) told.add(key);
  };
  channel.addEventListener('message', hear);
  channel.postMessage({ asked: keys } satisfies HeldMessage);
  await new Promise((resolve) => setTimeout(resolve, patience));
  channel.removeEventListener('message', hear);
  return told;
}

/** Keeps a draft of somebody for an open form of this page, or removes it. */
export function keepDraft(owner: string, key: string, draft: KeptDraft | undefined): Promise<void> {
  if (draft) held.add(key);
  else held.delete(key);
  return write(owner, 'drafts', key, draft?.at ?? 0, draft);
}

/** Finds the drafts of a form of somebody that no page holds, the newest first. */
export async function findDrafts(owner: string, form: string): Promise<readonly FoundDraft[]> {
  const begin = `${owner} ${form} `;
  const all = await within<Entry[]>(database, 'readonly', ['drafts'], (transaction) =>
    transaction.objectStore('drafts').getAll(IDBKeyRange.bound(begin, `${begin}\uffff`)),
  ).catch(() => undefined);
  const kept = (all ?? [])
    .filter(({ at }) => at >= Date.now() - longest)
    .map(({ key, text }) => ({ ...(JSON.parse(text) as KeptDraft), key: key.slice(owner.length + 1) }))
    .filter(({ key }) => !held.has(key))
    .sort((one, other) => other.at - one.at);
  const elsewhere = kept.length > 0 ? await heldElsewhere(kept.map(({ key }) => key)) : new Set();
  return isOwner(owner) ? kept.filter(({ key }) => !elsewhere.has(key)) : [];
}
