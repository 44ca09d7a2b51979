import type { FilesConfig } from '../config/config.js';
import type { StorePlace } from '../config/files-table.js';
import type { Database } from '../db/connection/database.js';
import type { Log } from '../db/embedded/log.js';
import { createFolderStore } from '../db/files/folder.js';
import { createS3Store } from '../db/files/s3.js';
import { type FileStore, FileStores, StoreProblem } from '../db/files/store.js';

function openStore(place: StorePlace, { key }: FilesConfig): FileStore {
  return place.kind === 'FOLDER' ? createFolderStore(place.folder) : createS3Store({ ...place, ...key });
}

/** Opens the configured stores of files. Nothing is sent to them yet. */
export function openFileStores(config: FilesConfig | undefined, log: Pick<Log, 'warn'>): FileStores {
  const { target, from } = config ?? {};
  return new FileStores({
    ...(config && { target: target && openStore(target, config), from: from && openStore(from, config) }),
    onLost: ({ message }) => log.warn({ reason: message }, 'The bytes of a file are gone'),
  });
}

/** Kinds of stores that have files, by one look at an index each. */
const usedSql = `
  SELECT kind FROM unnest(enum_range(NULL::store_kind)) AS kind
  WHERE EXISTS (SELECT FROM attachment_contents WHERE store = kind AND object_key IS NOT NULL)`;

const words: Readonly<Record<FileStore['kind'], string>> = { FOLDER: 'folder', S3: 'bucket' };

/**
 * Checks that the stores work, and that the settings name all that have files.
 * @throws {StoreProblem} with instructions
 */
export async function checkFileStores(database: Database): Promise<void> {
  const stores = database.files.all;
  for (const store of stores) await store.check();
  const used = await database.sql<{ kind: FileStore['kind'] }>(usedSql);
  const missing = used.find(({ kind }) => !stores.some((store) => store.kind === kind));
  if (!missing) return;
  const word = words[missing.kind];
  throw new StoreProblem(
    `Files are in a ${word} that the settings do not name: set FILES, or FILES_FROM until \`files move\` has moved them, to that ${word}.`,
  );
}
