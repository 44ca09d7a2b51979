import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { readStored, type StoredContent, sizeSql, storedColumnsSql } from './contents.js';
import { stageFiles } from './staging.js';
import { type FileStore, MissingObject } from './store.js';

const { sql } = Prisma;

/** A file's row, and the organization that it belongs to. */
interface PlacedFile extends StoredContent {
  readonly id: string;
  readonly organizationId: string;
}

/** Files of a kind of place. */
export interface PlaceCount {
  /** Null is the database. */
  readonly store: FileStore['kind'] | null;
  readonly files: number;
  readonly bytes: number;
}

/** Counts the files of each place, and their bytes. A copy counts like its original. */
export async function countPlaces(database: Pick<Database, 'query'>): Promise<PlaceCount[]> {
  const statement = sql`
    SELECT store, count(*)::int AS files, coalesce(sum(${sizeSql}), 0)::float8 AS bytes
    FROM attachment_contents AS stored GROUP BY store ORDER BY store NULLS FIRST`;
  return database.query(named('attachment_contents.places', statement));
}

/** Number of files that are listed at a time. */
const page = 500;

/** Number of files that are worked on at once. */
const atOnce = 4;

/**
 * Works on each file that a condition selects, several at once. Files that are added
 * meanwhile may be left out.
 * @throws what `work` throws, and the reason of `signal` if it is aborted
 */
async function eachFile(
  database: Pick<Database, 'query'>,
  where: Prisma.Sql,
  work: (id: string) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const statement = sql`
      SELECT stored.id FROM attachment_contents AS stored
      WHERE stored.id > ${after}::uuid AND (${where}) ORDER BY stored.id LIMIT ${page}`;
    const rows = await database.query<{ id: string }>(named('attachment_contents.ids', statement));
    const waiting = rows.map(({ id }) => id);
    const workers = Array.from({ length: atOnce }, async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        signal?.throwIfAborted();
        await work(id);
      }
    });
    // All of them end before an error of one is told, so that nothing goes on behind the caller's back.
    const ends = await Promise.allSettled(workers);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < page) return;
  }
}

async function findPlaced(database: Pick<Database, 'query'>, id: string): Promise<PlacedFile | undefined> {
  const statement = sql`
    SELECT stored.id, coalesce(attachments.organization_id, bin_entries.organization_id) AS "organizationId",
      ${storedColumnsSql(sql`stored.content`)}
    FROM attachment_contents AS stored
    LEFT JOIN attachments ON attachments.id = stored.attachment_id
    LEFT JOIN bin_entries ON bin_entries.id = stored.bin_entry_id
    WHERE stored.id = ${id}::uuid`;
  const [found] = await database.query<PlacedFile>(named('attachment_contents.placed', statement));
  return found;
}

/** Returns the condition that rows still are where a file was read. Copies share an object. */
const samePlaceSql = ({ id, store, objectKey }: PlacedFile) =>
  store === null
    ? sql`id = ${id}::uuid AND store IS NULL`
    : sql`store = ${store}::store_kind AND object_key = ${objectKey}`;

/** Moves a file's bytes to a store. The row changes once they are there and have been read back. */
async function moveToStore(database: Database, target: FileStore, file: PlacedFile, bytes: Uint8Array) {
  const content = { bytes: new Uint8Array(bytes) };
  const [staged] = await stageFiles(database, target, file.organizationId, [content]);
  if (!staged) throw new Error('A file was not written.');
  const { key } = staged;
  const written = bytes.length === 0 ? new Uint8Array() : await target.read(key, 0, bytes.length);
  if (Buffer.compare(written, bytes) !== 0) throw new Error(`${target.address} has changed the file ${key}.`);
  const statement = sql`
    UPDATE attachment_contents
    SET content = NULL, store = ${target.kind}::store_kind, object_key = ${key}, object_size = ${bytes.length}
    WHERE ${samePlaceSql(file)}`;
  // If the file was deleted meanwhile, its object stays noted for removal.
  await database.query(named('attachment_contents.move', statement));
}

/** Moves a file's bytes into the database. */
async function moveToDatabase(database: Database, file: PlacedFile, bytes: Uint8Array) {
  const statement = sql`
    UPDATE attachment_contents SET content = ${bytes}, store = NULL, object_key = NULL, object_size = NULL
    WHERE ${samePlaceSql(file)}`;
  await database.query(named('attachment_contents.move', statement));
}

/** Result of moving files. */
export interface MovedFiles {
  readonly moved: number;
  /** Files whose bytes are gone; their rows stay as they are. */
  readonly lost: number;
}

export interface MoveOptions {
  readonly signal?: AbortSignal;
  readonly onMoved?: (moved: MovedFiles) => void;
}

/**
 * Moves all files that are elsewhere to where new files go, while gateways run. Each file is moved by itself,
 * so that this can be interrupted and repeated.
 * @throws GatewayError UNAVAILABLE if a store does not answer; the reason of `signal` if it is aborted
 */
export async function moveFiles(
  database: Database,
  { signal, onMoved }: MoveOptions = {},
): Promise<MovedFiles> {
  const { target } = database.files;
  let [moved, lost] = [0, 0];
  const where = target ? sql`store IS DISTINCT FROM ${target.kind}::store_kind` : sql`store IS NOT NULL`;
  const move = async (id: string) => {
    const file = await findPlaced(database, id);
    // A copy may have been moved with its original.
    if (!file || file.store === (target?.kind ?? null)) return;
    const bytes = await readStored(database, async () => file);
    if (!bytes) lost += 1;
    else {
      await (target ? moveToStore(database, target, file, bytes) : moveToDatabase(database, file, bytes));
      moved += 1;
    }
    onMoved?.({ moved, lost });
  };
  await eachFile(database, where, move, signal);
  return { moved, lost };
}

/** A file whose object is gone from its store, or shorter than it was. */
export interface LostFile {
  readonly store: FileStore['kind'];
  readonly objectKey: string;
}

/**
 * Looks for the last byte of each file that is in a store.
 * @throws GatewayError UNAVAILABLE if a store does not answer
 */
export async function findLostFiles(database: Database, signal?: AbortSignal): Promise<LostFile[]> {
  const lost: LostFile[] = [];
  const look = async (id: string) => {
    const file = await findPlaced(database, id);
    if (!file) return;
    const { store, objectKey, size } = file;
    // There is nothing to lose of an empty one.
    if (store === null || objectKey === null || !size) return;
    try {
      const last = await database.files.find(store).read(objectKey, size - 1, 1);
      if (last.length !== 1) lost.push({ store, objectKey });
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
      lost.push({ store, objectKey });
    }
  };
  await eachFile(database, sql`store IS NOT NULL`, look, signal);
  return lost;
}
