import { readFile } from 'node:fs/promises';
import type { BackupProgress } from '../../db/backup/backup.js';
import { readHead } from '../../db/backup/read-backup.js';
import { exportOrganization } from '../../db/organization/export.js';
import { freezeOrganization, unfreezeOrganization } from '../../db/organization/freeze.js';
import { type ImportProgress, importOrganization } from '../../db/organization/import.js';
import { parseKey, SecretKeyError } from '../../db/secrets/secret-key.js';
import { createSecrets, type Secrets } from '../../db/secrets/secrets.js';
import { GatewayError } from '../../domain/errors.js';
import { findOrganization } from '../../setup/accounts.js';
import { sealedValues } from '../../setup/sealed-values.js';
import { fileReader, formatBytes, inWords, tellLeftOut } from '../commands/backup.js';
import { withDatabase } from '../database.js';
import { openFileStores } from '../file-stores.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { input } from '../terminal/stdin.js';

export interface ExportCommandOptions extends ReportOptions {
  /** True to replace an existing file. */
  readonly force?: boolean;
  /** True to freeze the organization first. */
  readonly freeze?: boolean;
  /** An earlier file, to write only what has changed since then. */
  readonly since?: string;
}

/** Writes an organization to a file or to stdout. */
export async function exportOrganizationCommand(
  io: Io,
  idOrName: string,
  file: string,
  options: ExportCommandOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization export');
  const log = quietLog(io, options);
  const toStdout = file === '-';
  if (toStdout && io.stdout.isTTY) {
    throw new GatewayError(
      'BAD_REQUEST',
      'The file goes to stdout, which is a terminal: name a file, or redirect it.',
    );
  }
  const since = options.since === undefined ? undefined : await readHead(options.since, 'organization');
  const progress = createProgress(io, options);
  const onProgress = (at: BackupProgress) => progress.show(() => exportText(at));
  await withAbort(io.signals ?? process, 'no file was written', (signal) =>
    withDatabase(config, log, async ({ database, directUrl }) => {
      const { id, name } = await findOrganization(database, idOrName);
      if (options.freeze) await freezeOrganization(directUrl, id, { signal });
      const secrets = createSecrets(config);
      const exported = { id, secrets, sealed: sealedValues, since: since?.organization };
      const readFile = fileReader(openFileStores(config.files, { warn: () => {} }));
      const written = { signal, onProgress, force: options.force ?? false, readFile };
      const target = toStdout ? io.stdout : file;
      const { counts, bytes, migrations, outside, leftOut } = await exportOrganization(
        directUrl,
        target,
        exported,
        written,
      )
        .finally(progress.clear)
        .catch(async (error) => {
          if (options.freeze) await unfreezeOrganization(directUrl, id);
          throw error;
        });
      const place = toStdout ? 'stdout' : file;
      const end = `If its import fails, \`organization unfreeze ${id}\` here lets it be changed again.`;
      const state = options.freeze ? ` It is frozen: it can be read, but not changed. ${end}` : '';
      const called = `${JSON.stringify(name)} (${id})`;
      const what = since ? `the changes of ${called}` : `${called}, ${inWords(counts)}`;
      const text = `Exported ${what}, to ${place}, ${formatBytes(bytes)}.${state}`;
      tellLeftOut(log, leftOut);
      if (outside > 0)
        log.warn({}, `Files whose bytes could not be read, so that the file lacks them: ${outside}`);
      // Stdout is used for the file.
      const told = toStdout ? { env: io.env, stdout: io.stderr, stderr: io.stderr } : io;
      await report(told, options, { id, name, file, bytes, migrations, rows: counts, leftOut }, text);
    }),
  );
}

export interface ImportCommandOptions extends ReportOptions {
  /** File with the key of the database that the organization comes from. */
  readonly key?: string;
  /** True to keep the organization frozen until its changes are imported. */
  readonly frozen?: boolean;
}

/** Imports an organization, or its changes, from a file or from stdin. */
export async function importOrganizationCommand(
  io: Io,
  file: string,
  options: ImportCommandOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization import');
  const source = file === '-' ? input(io) : file;
  const former = options.key === undefined ? undefined : await secretsIn(options.key, config.dataDir);
  const progress = createProgress(io, options);
  const onProgress = (at: ImportProgress) => progress.show(() => importText(at));
  await withAbort(io.signals ?? process, 'nothing was imported', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ directUrl }) => {
      const keys = { secrets: createSecrets(config), former, sealed: sealedValues };
      const frozen = options.frozen ?? false;
      const importing = importOrganization(directUrl, source, keys, { frozen, signal, onProgress });
      const { id, name, counts, sealedAgain, applied } = await importing
        .finally(progress.clear)
        .catch((error: unknown) => {
          if (error instanceof Error) error.message = `${error.message} ${stillFrozen}`;
          throw error;
        });
      const again = sealedAgain > 0 ? ` Values encrypted again with the key used here: ${sealedAgain}.` : '';
      const called = `${JSON.stringify(name)} (${id})`;
      const what = applied
        ? `the changes of ${called}: ${applied.written} rows written, ${applied.deleted} deleted`
        : `${called}, ${inWords(counts)}`;
      const state = frozen ? ' It is frozen until its changes are imported.' : '';
      const rows = applied ? { applied } : { rows: counts };
      await report(
        io,
        options,
        { id, name, file, ...rows, frozen, sealedAgain },
        `Imported ${what}.${state}${again}`,
      );
    }),
  );
}

/** Says after a failed import how the organization is used again where it is. */
const stillFrozen =
  'If the organization was frozen for this, `organization unfreeze` where it was exported lets it be changed again.';

/** Reads another database's key from a file. @throws {SecretKeyError} if it contains none */
async function secretsIn(file: string, dataDir: string): Promise<Secrets> {
  const secretKey = parseKey((await readFile(file, 'utf8')).trim());
  if (!secretKey) throw new SecretKeyError(`${file} does not contain a key of 32 bytes in base64.`);
  return createSecrets({ secretKey, dataDir });
}

function exportText({ bytes, table, done, tables }: BackupProgress): string {
  return `Exporting: ${formatBytes(bytes)}, table ${done + 1} of ${tables}, ${table}`;
}

function importText({ bytes, size }: ImportProgress): string {
  const part = size ? `, ${Math.floor((100 * bytes) / size)} %` : '';
  return `Importing: ${formatBytes(bytes)}${part}`;
}
