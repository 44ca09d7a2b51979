import { randomUUID } from 'node:crypto';
import type { Caller } from '../../domain/caller.js';
import type { Database } from '../connection/database.js';
import { type FileStore, FilesNeeded, type StagedFile, storeUnavailable } from './store.js';

/*
 * A new file is in its store before its row is committed, and no transaction waits for a store. A write first runs
 * without its files, which validates it, and is rolled back. Then the objects are noted for removal and written, and
 * the write runs again. The transaction that gives an object to a file also takes off the note (the trigger
 * `keep_file`), so a worker removes whatever no file has got.
 */

/** Notes objects that are about to be written. No write takes nearly as long as they are left alone. */
const noteSql = `
  INSERT INTO file_removals (store, object_key, due_at)
  SELECT $1::store_kind, key, now() + interval '15 minutes' FROM unnest($2::text[]) AS key`;

/** Writes objects for new files. Each is noted for removal until a file has it. */
export async function stageFiles(
  database: Pick<Database, 'sql'>,
  store: FileStore,
  organizationId: string,
  contents: readonly { readonly bytes: Uint8Array<ArrayBuffer> }[],
): Promise<StagedFile[]> {
  const files = contents.map(({ bytes }) => {
    const id = randomUUID();
    return { store: store.kind, key: `${organizationId}/${id.slice(0, 2)}/${id}`, bytes };
  });
  const keys = files.map(({ key }) => key);
  await database.sql(noteSql, [store.kind, keys]);
  try {
    for (const { key, bytes } of files) await store.write(key, bytes);
  } catch (error) {
    await discard(database, keys);
    throw error;
  }
  return files;
}

/** Lets workers remove objects that no file has got. If this fails, they do it later. */
async function discard(database: Pick<Database, 'sql'>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const text = 'UPDATE file_removals SET due_at = now() WHERE object_key = ANY($1::text[]) AND attempts = 0';
  await database.sql(text, [keys]).catch(() => {});
}

/**
 * Runs a write. If it adds files that go to a store, it runs again once they are there.
 * @param write may run several times; runs that fail are rolled back
 * @throws what `write` throws; GatewayError UNAVAILABLE if the store cannot be used
 */
export async function withStagedFiles<T>(
  database: Database,
  { organizationId }: Pick<Caller, 'organizationId'>,
  write: (staged: readonly StagedFile[]) => Promise<T>,
): Promise<T> {
  const { target } = database.files;
  if (!target) return write([]);
  let staged: readonly StagedFile[] = [];
  try {
    return await write(staged);
  } catch (error) {
    if (!(error instanceof FilesNeeded)) throw error;
    staged = await stageFiles(database, target, organizationId, error.contents);
  }
  try {
    return await write(staged);
  } catch (error) {
    await discard(
      database,
      staged.map(({ key }) => key),
    );
    // Only work that has other files each time it runs comes to this.
    throw error instanceof FilesNeeded ? storeUnavailable(error) : error;
  }
}
