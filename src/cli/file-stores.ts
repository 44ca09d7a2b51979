import type { FilesConfig } from '../config/config.js';
import type { StorePlace } from '../config/files-table.js';
import { type Database, openDatabase } from '../db/connection/database.js';
import type { Log } from '../db/embedded/log.js';
import { examineSample } from '../db/files/examine.js';
import type { StoreOperation } from '../db/files/failures.js';
import { createFolderStore } from '../db/files/folder.js';
import { createS3Store } from '../db/files/s3.js';
import { type FileStore, FileStores, StoreProblem } from '../db/files/store.js';

function openStore(place: StorePlace, { key }: FilesConfig): FileStore {
  return place.kind === 'FOLDER' ? createFolderStore(place.folder) : createS3Store({ ...place, ...key });
}

const failureTexts: Readonly<Record<StoreOperation, string>> = {
  read: 'A file could not be read',
  write: 'A file could not be stored',
  remove: 'A file could not be removed',
};

/** Opens the configured stores of files. Nothing is sent to them yet. */
export function openFileStores(config: FilesConfig | undefined, log: Pick<Log, 'warn'>): FileStores {
  const { target, from } = config ?? {};
  return new FileStores({
    ...(config && { target: target && openStore(target, config), from: from && openStore(from, config) }),
    onFailure: ({ message, ...failure }) =>
      log.warn({ ...failure, said: message }, failureTexts[failure.operation]),
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
  for (const store of database.files.all) await store.check();
  await checkNamedStores(database);
}

/**
 * Checks that the settings name all stores that have files.
 * @throws {StoreProblem} with instructions
 */
export async function checkNamedStores(database: Database): Promise<void> {
  const stores = database.files.all;
  const used = await database.sql<{ kind: FileStore['kind'] }>(usedSql);
  const missing = used.find(({ kind }) => !stores.some((store) => store.kind === kind));
  if (!missing) return;
  const word = words[missing.kind];
  throw new StoreProblem(
    `Files are in a ${word} that the settings do not name: set FILES, or FILES_FROM until \`files move\` has moved them, to that ${word}.`,
  );
}

/** Number of files that are read as a sample. */
const sampleSize = 20;

/**
 * Reads some of the files that are outside the database.
 * @throws {Error} with instructions, if they cannot be read
 */
export async function checkObjects(url: string, files: FilesConfig | undefined): Promise<string> {
  const stores = openFileStores(files, { warn: () => {} });
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, files: stores, onError: () => {} });
  try {
    await checkNamedStores(database);
    const { checked, faults } = await examineSample(database, sampleSize);
    if (checked === 0) return 'No file is outside the database.';
    const [fault] = faults;
    if (!fault) return `All bytes of ${checked} files outside the database, chosen at random, are right.`;
    const { objectKey, problem, reason } = fault;
    throw new Error(
      `Of ${checked} files chosen at random, ${faults.length} cannot be read, such as ${objectKey} (${problem}: ${reason}): run \`files check\`, and restore them from a copy.`,
    );
  } finally {
    await database.close();
  }
}
