import { FileError } from '../../domain/files.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { sql } from '../sql/sql.js';
import { readStored } from './contents.js';
import { eachFile, findPlaced, type PlacedFile } from './placed.js';
import { stageFiles } from './staging.js';
import type { FileStore } from './store.js';

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
  /** Files whose bytes are missing or damaged; their rows stay as they are. */
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
