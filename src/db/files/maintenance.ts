import { FileError, type FileProblem } from '../../domain/files.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/statement.js';
import { type Sql, sql } from '../sql/sql.js';
import { readStored, type StoredContent, sha256Of, sizeSql, storedColumnsSql } from './contents.js';
import { stageFiles } from './staging.js';
import { causeText, type FileStore, Patience } from './store.js';

/** A file's row, and what it belongs to. */
interface PlacedFile extends StoredContent {
  readonly id: string;
  readonly organizationId: string;
  /** Its attachment; null if it is in the bin. */
  readonly attachmentId: string | null;
  readonly itemId: string | null;
  readonly name: string | null;
}

/** Files of a kind of place. */
interface PlaceCount {
  /** Null is the database. */
  readonly store: FileStore['kind'] | null;
  readonly files: number;
  readonly bytes: number;
}

/** Counts the files of each place, and their bytes. A copy counts like its original. */
export async function countStoredFiles(database: Pick<Database, 'query'>): Promise<PlaceCount[]> {
  const statement = sql`
    SELECT store, count(*)::int AS files, coalesce(sum(${sizeSql}), 0)::float8 AS bytes
    FROM attachment_contents AS stored GROUP BY store ORDER BY store NULLS FIRST`;
  return database.query(prepared('attachment_contents.places', statement));
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
  where: Sql,
  work: (id: string) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const statement = sql`
      SELECT stored.id FROM attachment_contents AS stored
      WHERE stored.id > ${after}::uuid AND (${where}) ORDER BY stored.id LIMIT ${page}`;
    const rows = await database.query<{ id: string }>(prepared('attachment_contents.ids', statement));
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

/** Reads a file by the id of the row with its bytes. */
async function findPlaced(database: Pick<Database, 'query'>, id: string): Promise<PlacedFile | undefined> {
  const statement = sql`
    SELECT stored.id, coalesce(attachments.organization_id, bin_entries.organization_id) AS "organizationId",
      attachments.id AS "attachmentId", attachments.item_id AS "itemId", attachments.name,
      ${storedColumnsSql(sql`stored.content`)}
    FROM attachment_contents AS stored
    LEFT JOIN attachments ON attachments.id = stored.attachment_id
    LEFT JOIN bin_entries ON bin_entries.id = stored.bin_entry_id
    WHERE stored.id = ${id}::uuid`;
  const [found] = await database.query<PlacedFile>(prepared('attachment_contents.placed', statement));
  return found;
}

/** A file whose bytes cannot be read, or are not those that were stored. */
export interface FileFault {
  /** Id of the row that has the bytes, or says where they are. */
  readonly id: string;
  /** Null is the database. */
  readonly store: FileStore['kind'] | null;
  readonly objectKey: string | null;
  /** Its attachment and item; null if it is in the bin. */
  readonly attachmentId: string | null;
  readonly itemId: string | null;
  readonly name: string | null;
  readonly problem: FileProblem;
  /** Message of the store or the system. */
  readonly reason: string;
}

/** Result of examining files. */
interface ExaminedFiles {
  readonly checked: number;
  /** Files of older versions that have their SHA-256 now. */
  readonly filled: number;
  readonly faults: readonly FileFault[];
}

interface ExamineOptions {
  readonly signal?: AbortSignal;
  readonly onChecked?: (checked: number) => void;
}

async function keepDigest(database: Pick<Database, 'query'>, id: string, digest: Uint8Array): Promise<void> {
  const statement = sql`
    UPDATE attachment_contents SET digest = ${digest} WHERE id = ${id}::uuid AND digest IS NULL`;
  await database.query(prepared('attachment_contents.digest', statement));
}

/**
 * Reads a file, and compares it with its SHA-256.
 * @param fill true to give a file without one that of its bytes
 * @returns undefined if it is gone meanwhile
 */
async function examine(
  database: Database,
  id: string,
  { patience, fill }: { readonly patience: Patience; readonly fill: boolean },
): Promise<FileFault | 'filled' | 'good' | undefined> {
  const first = await findPlaced(database, id);
  if (!first) return undefined;
  try {
    const read = () => readStored(database, () => findPlaced(database, id));
    const bytes = await patience.attempt(first.store, read);
    if (!bytes) return undefined;
    if (first.digest || !fill) return 'good';
    await keepDigest(database, id, await sha256Of(bytes));
    return 'filled';
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { store, objectKey, attachmentId, itemId, name } = first;
    return {
      ...{ id, store, objectKey, attachmentId, itemId, name },
      ...{ problem: error.problem, reason: causeText(error) },
    };
  }
}

/**
 * Reads all files, wherever they are. It goes on past those that it cannot read.
 * @throws the reason of `signal` if it is aborted
 */
export async function examineFiles(
  database: Database,
  { signal, onChecked }: ExamineOptions = {},
): Promise<ExaminedFiles> {
  const faults: FileFault[] = [];
  const patience = new Patience();
  let [checked, filled] = [0, 0];
  const look = async (id: string) => {
    const found = await examine(database, id, { patience, fill: true });
    if (!found) return;
    checked += 1;
    if (found === 'filled') filled += 1;
    else if (found !== 'good') faults.push(found);
    onChecked?.(checked);
  };
  await eachFile(database, sql`TRUE`, look, signal);
  return { checked, filled, faults };
}

/** Reads some files that are in stores, chosen at random. */
export async function examineSample(database: Database, most: number): Promise<ExaminedFiles> {
  const page = (where: Sql) =>
    database.query<{ id: string }>(
      prepared(
        'attachment_contents.sample',
        sql`SELECT id FROM attachment_contents WHERE store IS NOT NULL AND ${where} ORDER BY id LIMIT ${most}`,
      ),
    );
  const from = sql`(SELECT gen_random_uuid())`;
  const found = await page(sql`id >= ${from}`);
  const sample = found.length < most ? await page(sql`TRUE`) : found;
  const patience = new Patience();
  const faults: FileFault[] = [];
  for (const { id } of sample) {
    const result = await examine(database, id, { patience, fill: false });
    if (typeof result === 'object') faults.push(result);
  }
  return { checked: sample.length, filled: 0, faults };
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
  await database.query(prepared('attachment_contents.move', statement));
}

/** Moves a file's bytes into the database. */
async function moveToDatabase(database: Database, file: PlacedFile, bytes: Uint8Array) {
  const statement = sql`
    UPDATE attachment_contents SET content = ${bytes}, store = NULL, object_key = NULL, object_size = NULL
    WHERE ${samePlaceSql(file)}`;
  await database.query(prepared('attachment_contents.move', statement));
}

/** Result of moving files. */
interface MovedFiles {
  readonly moved: number;
  /** Files whose bytes are missing or damaged; their rows stay as they are. */
  readonly lost: number;
}

interface MoveOptions {
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
    // A file that is missing or damaged stays where it is, and the others go on.
    const bytes = await readStored(database, async () => file).catch((error: unknown) => {
      if (!(error instanceof FileError) || error.problem === 'unavailable') throw error;
      return undefined;
    });
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
