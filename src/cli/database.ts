import type { Config, FilesConfig } from '../config/config.js';
import { maxDatabaseConnections } from '../config/parse.js';
import type { StoreAddress } from '../config/table.js';
import { type Database, openDatabase } from '../db/connection/database.js';
import type { AroundStatement, DatabaseOptions } from '../db/connection/pool.js';
import { createFolderStore } from '../db/files/folder.js';
import { examineSample } from '../db/files/maintenance.js';
import { createS3Store } from '../db/files/s3.js';
import { type FileStore, FileStores, type StoreOperation, StoreProblem } from '../db/files/store.js';
import { migrate, pendingMigrations } from '../db/migrations/migrate.js';
import { readSilence, silentText } from '../db/queue/loop.js';
import type { ServerAddresses } from '../db/server/addresses.js';
import { announceLongWait, unlessAborted } from '../db/server/long-wait.js';
import type { Log } from '../domain/log.js';
import { type ServerConfig, withServer } from './process/server.js';
import { abortedBy, StoppedBySignal } from './process/signals.js';

function openStore(place: StoreAddress, { key }: FilesConfig): FileStore {
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

const storeNames: Readonly<Record<FileStore['kind'], string>> = { FOLDER: 'folder', S3: 'bucket' };

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
  const word = storeNames[missing.kind];
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

type DatabaseConfig = ServerConfig &
  Pick<Config, 'databasePool' | 'rowSecurity' | 'migrate'> &
  Partial<Pick<Config, 'files'>>;

/** A database that is open and migrated. */
export interface OpenDatabase {
  /** Connection string, including the password. */
  readonly url: string;
  /** Connection string for work that needs a session of its own. */
  readonly directUrl: string;
  readonly database: Database;
  /** Names of the migrations that were just applied. */
  readonly applied: readonly string[];
}

export interface OpeningOptions {
  /** Wraps every statement. */
  readonly aroundStatement?: AroundStatement | undefined;
  /** Ends the waiting for a server that is not up yet. Without it, there is no waiting. */
  readonly stop?: Promise<string>;
  /** Is awaited once there is a server. */
  readonly before?: (addresses: ServerAddresses) => Promise<void>;
  /** True to try failed migrations again. */
  readonly retry?: boolean | undefined;
}

/**
 * Opens the configured database, applies its migrations, and lets `work` use it. Afterwards it closes
 * everything, whatever happened.
 * @throws {Error} if it cannot be opened or migrated; and what `work` throws
 */
export async function withDatabase<T>(
  config: DatabaseConfig,
  log: Log,
  work: (open: OpenDatabase) => Promise<T>,
  { aroundStatement, stop, before, retry }: OpeningOptions = {},
): Promise<T> {
  const open = async (addresses: ServerAddresses) => {
    await before?.(addresses);
    return withAddresses(addresses, { config, log, aroundStatement, stop, retry }, work);
  };
  return withServer(config, log, open, stop);
}

interface Opening {
  readonly config: DatabaseConfig;
  readonly log: Log;
  readonly aroundStatement: AroundStatement | undefined;
  /** Ends the waiting for migrations. */
  readonly stop?: Promise<string> | undefined;
  /** True to try failed migrations again. */
  readonly retry?: boolean | undefined;
}

/**
 * Opens a database, applies its migrations, and lets `work` use it. Afterwards it closes the database,
 * whatever happened.
 * @throws {Error} if it cannot be opened or migrated; and what `work` throws
 */
export async function withAddresses<T>(
  addresses: ServerAddresses,
  opening: Opening,
  work: (open: OpenDatabase) => Promise<T>,
): Promise<T> {
  const { url, directUrl } = addresses;
  const { config, log, stop, retry } = opening;
  const signal = abortedBy(stop, 'before the database was migrated');
  const applied = config.migrate
    ? await migrate(directUrl, { log, retry, signal })
    : await checkMigrated(directUrl);
  if (config.rowSecurity) {
    const install = async () =>
      (await import('../db/row-security/policies.js')).installRoleAndPolicies(directUrl);
    await startingStep(install, { log, stop, doing: 'row-level security is being set up' });
  }
  const database = openDatabase(databaseOptions(addresses, opening));
  try {
    const result = await work({ url, directUrl, database, applied });
    await database.close();
    return result;
  } catch (error) {
    const closed = database.close();
    // The step that was stopped may still wait for the database, and must not delay the end.
    if (error instanceof StoppedBySignal) closed.catch(() => {});
    else await closed;
    throw error;
  }
}

/** A step of a start that a signal can stop. */
interface StartingStep {
  readonly log: Log;
  readonly stop: Promise<string> | undefined;
  /** A clause that says what it does. */
  readonly doing: string;
}

/**
 * Runs a step of a start. If it takes more than three seconds, the log says what it does.
 * @throws {StoppedBySignal} at a signal, without waiting for the step
 */
export function startingStep<T>(work: () => Promise<T>, { log, stop, doing }: StartingStep): Promise<T> {
  const told = announceLongWait(log, () => ({ reason: doing }), work);
  return unlessAborted(told, abortedBy(stop, `while ${doing}`));
}

/** Returns the options with which every process opens the database. */
export function databaseOptions(
  addresses: ServerAddresses,
  { config, log, aroundStatement }: Opening,
): DatabaseOptions {
  return {
    ...addresses,
    poolSize: config.databasePool,
    rowSecurity: config.rowSecurity,
    aroundStatement,
    files: openFileStores(config.files, log),
    onError: reportLost(log),
  };
}

/** @throws {Error} with instructions, if the database lacks migrations */
async function checkMigrated(url: string): Promise<readonly string[]> {
  const pending = await pendingMigrations(url);
  if (pending.length === 0) return pending;
  throw new Error(`${describePendingMigrations(pending)}: run the command \`migrate\`, or set MIGRATE=on.`);
}

/** Says which migrations a database lacks. */
export function describePendingMigrations(pending: readonly string[]): string {
  const more = pending.length > 1 ? ` and ${pending.length - 1} more` : '';
  return `The database lacks the migration ${pending[0]}${more}`;
}

/**
 * Logs that a connection was lost. The error itself is not logged, because it contains the connection's
 * credentials.
 */
function reportLost(log: Log): (error: Error) => void {
  return ({ message }) => log.warn({ reason: message }, 'A database connection was lost');
}

/** Warns if all processes together may open more connections than an external server accepts. */
export async function checkConnections(database: Database, config: Config, log: Log): Promise<void> {
  // A transaction pooler has fewer connections to the server than its clients have to it.
  if (config.databaseUrl === undefined || config.databasePooling === 'transaction') return;
  const [row] = await database.sql<{ most: number }>(
    "SELECT current_setting('max_connections')::int AS most",
    [],
  );
  const [wanted, most] = [maxDatabaseConnections(config), row?.most ?? 0];
  if (wanted <= most) return;
  const message = 'WORKERS and DATABASE_POOL together need more connections than the database allows';
  log.warn({ wanted, most }, message);
}

/** Warns at the start if the database was restored and sends nothing. */
export async function warnOfSilence(database: Database, log: Log): Promise<void> {
  const backup = await readSilence(database);
  if (backup) log.warn({ backup: backup.madeAt, restored: backup.restoredAt }, silentText);
}
