import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BackupProgress,
  type LeftOutFile,
  type ReadOutsideFile,
  writeBackup,
} from '../../db/backup/backup.js';
import type { RowCounts } from '../../db/backup/format.js';
import { keepLastBackup } from '../../db/backup/last-backup.js';
import { type BackupRetention, backupName, expendable } from '../../db/backup/series.js';
import { readStored } from '../../db/files/contents.js';
import { type FileStores, Patience } from '../../db/files/store.js';
import { listMigrations, MIGRATIONS_FOLDER } from '../../db/migrations/migrate.js';
import { GatewayError } from '../../domain/errors.js';
import { FileError } from '../../domain/files.js';
import type { Log } from '../../domain/log.js';
import { openFileStores } from '../database.js';
import { withServer } from '../process/server.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';

interface BackupCommandOptions extends ReportOptions {
  /** True to replace an existing file. */
  readonly force?: boolean;
  /** True to include files that are outside the database. */
  readonly withFiles?: boolean;
  /** Older backups of the folder to keep; the others are deleted. */
  readonly keep?: BackupRetention;
}

/**
 * Backs up the database without migrating it first, so that it can precede an upgrade.
 * @param path a file; `-` for stdout; or a folder, in which the backup gets a name with its time
 */
export async function backupCommand(io: Io, path: string, options: BackupCommandOptions): Promise<void> {
  const config = readSettings(io.env, 'backup');
  const toStdout = path === '-';
  const folder = !toStdout && (await isFolder(path)) ? path : undefined;
  if (options.keep && folder === undefined)
    throw new GatewayError('BAD_REQUEST', `--keep needs a folder, and ${path} is none.`);
  const file = folder === undefined ? path : join(folder, backupName(new Date()));
  if (toStdout && io.stdout.isTTY) {
    throw new GatewayError(
      'BAD_REQUEST',
      '- writes binary data to stdout, which is a terminal: pipe or redirect it.',
    );
  }
  const progress = createProgress(io, options);
  const onProgress = (at: BackupProgress) => progress.show(() => progressText(at));
  const log = quietLog(io, options);
  await withAbort(io.signals ?? process, 'no backup was written', (signal) =>
    withServer(config, log, async ({ directUrl }) => {
      const silent = { warn: () => {} };
      const readFile = options.withFiles ? fileReader(openFileStores(config.files, silent)) : undefined;
      const written = { signal, onProgress, force: options.force ?? false, readFile };
      const target = toStdout ? io.stdout : file;
      const { counts, bytes, migrations, outside, leftOut } = await writeBackup(
        directUrl,
        target,
        written,
      ).finally(progress.clear);
      tellLeftOut(log, leftOut);
      // The backup is good all the same.
      await keepLastBackup(directUrl, { at: new Date(), bytes }).catch(({ message }: Error) => {
        log.warn({ reason: message }, 'The database does not keep when it was backed up');
      });
      // Older backups may have the files that this one lacks.
      const isWhole = leftOut.length === 0;
      const deleted =
        folder !== undefined && options.keep && isWhole ? await deleteOld(folder, options.keep) : [];
      const done = `Backed up ${inWords(counts)} to ${toStdout ? 'stdout' : file}, ${formatBytes(bytes)}.`;
      const old = deleted.length > 0 ? [`Deleted ${inFiles(deleted.length)} that need not be kept.`] : [];
      const pending = (await listMigrations(MIGRATIONS_FOLDER)).filter((name) => !migrations.includes(name));
      const older = pending.length > 0 ? [beforeUpgrade] : [];
      const kept = options.keep && !isWhole ? ['No older backup was deleted.'] : [];
      const lacks = outside > 0 ? [outsideText(outside, options)] : [];
      const text = [done, ...older, ...lacks, ...old, ...kept].join(' ');
      // Stdout is used for the backup.
      const told = toStdout ? { env: io.env, stdout: io.stderr, stderr: io.stderr } : io;
      const value = { file, bytes, migrations, pending, rows: counts, outside, leftOut, deleted };
      await report(told, options, value, text);
    }),
  );
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Deletes the backups of a folder that need not be kept. Files of other names stay. */
async function deleteOld(folder: string, keep: BackupRetention): Promise<string[]> {
  const old = expendable(await readdir(folder), keep);
  for (const name of old) await rm(join(folder, name));
  return old;
}

/** Says of a backup before an upgrade who can restore it. */
const beforeUpgrade =
  'It has the schema as it was before the migrations of this version, so the version that runs now can restore it as well.';

/** Says how many files a backup lacks. */
function outsideText(files: number, { withFiles }: BackupCommandOptions): string {
  return withFiles
    ? `The bytes of ${inFiles(files)} could not be read, so they are not in it.`
    : `The bytes of ${inFiles(files)} are outside the database and not in it: use --with-files, or back them up as well.`;
}

/** Names each file that could not be read for a backup. */
export function tellLeftOut(log: Log, files: readonly LeftOutFile[]): void {
  for (const { store, objectKey, problem, reason } of files)
    log.warn({}, `Left out: ${objectKey} (${store}, ${problem}): ${reason}`);
}

/** Creates the reader of files outside the database. */
export function fileReader(stores: FileStores): ReadOutsideFile {
  const patience = new Patience();
  return async ({ id, store, object_key: objectKey, object_size: size, digest = null }) => {
    const row = { contentId: id, content: null, store, objectKey, size, digest };
    try {
      const read = () => readStored({ files: stores }, async () => row);
      return (await patience.attempt(store, read)) ?? new Uint8Array();
    } catch (error) {
      if (error instanceof FileError) return error;
      throw error;
    }
  };
}

/** Describes a number of files for people. */
export const inFiles = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

/** Describes the rows and tables of a backup for people. */
export function inWords(counts: RowCounts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${rows} rows in ${Object.keys(counts).length} tables`;
}

/** Formats a number of bytes for people. */
export function formatBytes(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`;
}

function progressText({ bytes, table, done, tables }: BackupProgress): string {
  return `Backing up: ${formatBytes(bytes)}, table ${done + 1} of ${tables}, ${table}`;
}
