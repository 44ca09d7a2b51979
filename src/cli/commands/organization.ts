import { readFile } from 'node:fs/promises';
import type { BackupProgress } from '../../db/backup/backup.js';
import { readHead } from '../../db/backup/format.js';
import { exportOrganization } from '../../db/organization/export.js';
import {
  deleteOrganization,
  freezeOrganization,
  removeGuards,
  unfreezeOrganization,
} from '../../db/organization/freeze.js';
import { type ImportProgress, importOrganization } from '../../db/organization/import.js';
import { createSecrets, parseKey, SecretKeyError, type Secrets } from '../../db/secrets/secrets.js';
import { GatewayError } from '../../domain/errors.js';
import {
  findOrganization,
  type ListedOrganization,
  listOrganizations,
  type Named,
  renameOrganization,
} from '../../setup/accounts.js';
import { foundOrganization } from '../../setup/bootstrap.js';
import { sealedValues } from '../../setup/first-visit.js';
import { openFileStores, withDatabase } from '../database.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { askQuestion, type Io, input, print, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { type Column, type ListOptions, printTable } from '../terminal/table.js';
import { fileReader, formatBytes, inWords, tellLeftOut } from './backup.js';

interface CreateOrganizationOptions extends ReportOptions {
  readonly name: string;
  /** E-mail address of the administrator. */
  readonly email?: string;
}

/**
 * Creates an organization with a workspace and an administrator, and shows the administrator's token once.
 */
export async function createOrganizationCommand(io: Io, options: CreateOrganizationOptions): Promise<void> {
  const config = readSettings(io.env, 'organization create');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { name, email } = options;
    const { token, id, userId } = await foundOrganization(database, { name, email }, new Date());
    await print(io.stdout, options.json ? JSON.stringify({ token, id, userId }) : token);
    if (options.json || options.quiet) return;
    await print(
      io.stderr,
      `Created the organization ${id}. Above is its administrator's token; it is not shown again.`,
    );
  });
}

/** Lists all organizations. */
export async function listOrganizationsCommand(io: Io, options: ListOptions): Promise<void> {
  const config = readSettings(io.env, 'organization list');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const rows = await listOrganizations(database);
    await printTable(io, options, { rows, columns, empty: 'There are no organizations.' });
  });
}

const columns: Column<ListedOrganization>[] = [
  { title: 'ID', cell: ({ id }) => id, isKey: true },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'WORKSPACES', cell: ({ _count: { teams } }) => String(teams) },
  { title: 'USERS', cell: ({ _count: { users } }) => String(users) },
];

/** Renames an organization. */
export async function renameOrganizationCommand(
  io: Io,
  idOrName: string,
  options: ReportOptions & { readonly name: string },
): Promise<void> {
  const config = readSettings(io.env, 'organization rename');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { id } = await findOrganization(database, idOrName);
    const { name } = await renameOrganization(database, id, options.name, new Date());
    await report(io, options, { id, name }, `Renamed the organization ${id} to ${JSON.stringify(name)}.`);
  });
}

interface DeleteOrganizationOptions extends ReportOptions {
  /** Name of the organization, in place of the answer to the question. */
  readonly yes?: string;
}

/** Deletes an organization, once its name has been typed. */
export async function deleteOrganizationCommand(
  io: Io,
  idOrName: string,
  options: DeleteOrganizationOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization delete');
  const progress = createProgress(io, options);
  await withAbort(io.signals ?? process, 'nothing was deleted', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ database, directUrl }) => {
      const organization = await findOrganization(database, idOrName);
      const { id, name } = organization;
      if ((options.yes ?? (await ask(io, organization, signal))) !== name)
        throw new GatewayError(
          'BAD_REQUEST',
          `That is not the name ${JSON.stringify(name)}. Nothing was deleted.`,
        );
      await freezeOrganization(directUrl, id, { signal });
      const counts = await deleteOrganization(directUrl, id, {
        signal,
        onProgress: ({ table, done, tables }) =>
          progress.show(() => `Deleting: table ${done + 1} of ${tables}, ${table}`),
      })
        .finally(progress.clear)
        .catch(async (error) => {
          await unfreezeOrganization(directUrl, id);
          throw error;
        });
      await removeGuards(directUrl, id);
      const text = `Deleted ${JSON.stringify(name)} (${id}), ${inWords(counts)}.`;
      await report(io, options, { id, name, rows: counts }, text);
    }),
  );
}

/** Asks for the name of the organization. @throws GatewayError BAD_REQUEST without a terminal */
function ask(io: Io, { id, name }: Named, signal: AbortSignal): Promise<string> {
  const called = JSON.stringify(name);
  const text = `This deletes everything of ${called} (${id}) permanently.\nType its name to go on: `;
  return askQuestion(io, { text, otherwise: `To delete ${called}, add --yes with its name.` }, signal);
}

/** Freezes an organization. */
export async function freezeOrganizationCommand(
  io: Io,
  idOrName: string,
  options: ReportOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization freeze');
  await withAbort(io.signals ?? process, 'the organization is not frozen', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ database, directUrl }) => {
      const { id, name } = await findOrganization(database, idOrName);
      await freezeOrganization(directUrl, id, { signal });
      const text = `Froze ${JSON.stringify(name)} (${id}): it can be read, but not changed.`;
      await report(io, options, { id, name, frozen: true }, text);
    }),
  );
}

/** Lets a frozen organization be changed again. */
export async function unfreezeOrganizationCommand(
  io: Io,
  idOrName: string,
  options: ReportOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization unfreeze');
  await withDatabase(config, quietLog(io, options), async ({ database, directUrl }) => {
    const { id, name } = await findOrganization(database, idOrName);
    await unfreezeOrganization(directUrl, id);
    await report(
      io,
      options,
      { id, name, frozen: false },
      `${JSON.stringify(name)} (${id}) can be changed again.`,
    );
  });
}

interface ExportCommandOptions extends ReportOptions {
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

interface ImportCommandOptions extends ReportOptions {
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
