import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { resultFile } from '../../csv/import/answers.js';
import { startImports } from '../../csv/import/worker.js';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import type { EnumOf } from '../../db/sql/columns.js';
import { notFound } from '../../domain/errors.js';
import {
  cancelImport,
  createImport,
  findImport,
  resumeImport,
  runImport,
  type ShownImport,
} from '../../imports/imports.js';
import { type ImportOptions, isOfWorkspace, type NewImport } from '../../imports/options.js';
import {
  findOrganization,
  findUser,
  findWorkspace,
  firstUser,
  personAsCaller,
} from '../../setup/accounts.js';
import { withDatabase } from '../database.js';
import { PartialSuccess } from '../errors.js';
import { checkFileStores } from '../file-stores.js';
import { untilSignal } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions } from '../terminal/io.js';
import { openImportFile } from './file.js';
import { createReporter, type ImportReporter, summary } from './report.js';

export interface ImportFileOptions extends ReportOptions {
  readonly kind: EnumOf<'ImportKind'>;
  readonly mode?: ImportOptions['mode'];
  /** Id or name of the workspace that a ZIP file is for. */
  readonly workspace?: string;
  readonly dryRun?: boolean;
  readonly dateFormat?: ImportOptions['dateFormat'];
  readonly encoding?: ImportOptions['encoding'];
  readonly map?: ImportOptions['mapping'];
  /** Columns whose values are imported although a spreadsheet seems to have damaged them. */
  readonly acceptDamage?: string[];
  readonly atomic?: boolean;
  /** True to send reminders also for dates that are already due. */
  readonly remind?: boolean;
  readonly again?: boolean;
  readonly organization?: string;
  /** Id or e-mail address. */
  readonly user?: string;
  /** File for the outcome of each row. */
  readonly result?: string;
}

/** Milliseconds between two looks at an import. */
const pollMs = 100;

/** Finds out who imports, and into which workspace if a whole one is imported. */
async function importer(database: Database, { kind, organization, user, workspace }: ImportFileOptions) {
  const { id: organizationId } = await findOrganization(database, organization);
  const chosen = user === undefined ? undefined : await findUser(database.prisma, organizationId, user);
  if (user !== undefined && !chosen) throw notFound('user', user);
  const person = chosen ?? (await firstUser(database.prisma, organizationId));
  const caller = await personAsCaller(database, person);
  const needsWorkspace = isOfWorkspace({ kind }) || workspace !== undefined;
  const team = needsWorkspace ? await findWorkspace(database, organizationId, workspace) : undefined;
  return { teamId: team?.id, open: () => new Session(database, { caller, now: new Date() }) };
}

const newImport = (file: string, options: ImportFileOptions, teamId: string | undefined): NewImport => ({
  kind: options.kind,
  fileName: file === '-' ? null : basename(file),
  teamId,
  mode: options.mode,
  dateFormat: options.dateFormat,
  encoding: options.encoding,
  mapping: options.map,
  acceptDamage: options.acceptDamage,
  atomic: options.atomic ?? false,
  quiet: !options.remind,
  again: options.again,
});

/** Waits until an import leaves some states, and reports how far it has come. */
async function until(
  open: () => Session,
  id: string,
  states: readonly ShownImport['state'][],
  reporter: ImportReporter,
  signal: AbortSignal,
): Promise<ShownImport> {
  for (;;) {
    const shown = await findImport(open(), id);
    if (!states.includes(shown.state)) return shown;
    reporter.progress(shown);
    signal.throwIfAborted();
    await wait(pollMs, undefined, { signal });
  }
}

/** Makes the preview of an import, and runs it. @returns the import at its end */
async function follow(
  open: () => Session,
  id: string,
  { dryRun }: ImportFileOptions,
  reporter: ImportReporter,
  signal: AbortSignal,
): Promise<ShownImport> {
  let shown = await until(open, id, ['READING'], reporter, signal);
  if (shown.state !== 'FAILED') await reporter.preview(shown);
  if (dryRun) return shown.state === 'READY' ? cancelImport(open(), id) : shown;
  if (shown.state === 'READY') shown = await runImport(open(), id);
  if (shown.state === 'CANCELLED') shown = await resumeImport(open(), id);
  return until(open, id, ['RUNNING'], reporter, signal);
}

/** Cancels an import that a signal interrupts, and says what was written. */
async function interrupted(open: () => Session, id: string, name: string): Promise<Error> {
  const shown = await cancelImport(open(), id).catch(() => findImport(open(), id));
  const rest =
    shown.doneCount === 0
      ? 'nothing was written'
      : `${shown.doneCount} of ${shown.rowCount} rows were processed (${summary(shown)}); ` +
        'the same command imports the rest';
  return new Error(`Stopped by ${name}; ${rest}.`);
}

/** Dependencies of importing a file until a signal stops it. */
interface Importing {
  readonly io: Io;
  readonly database: Database;
  readonly reporter: ImportReporter;
  readonly signal: AbortSignal;
  /** Returns the name of the signal that stops it. */
  readonly stoppedBy: () => string | undefined;
}

/** Imports a file whose bytes can be read. */
async function importFile(
  { io, database, reporter, signal, stoppedBy }: Importing,
  file: string,
  content: Parameters<typeof createImport>[2],
  options: ImportFileOptions,
): Promise<void> {
  if (isOfWorkspace(options)) await checkFileStores(database);
  const { teamId, open } = await importer(database, options);
  // A command that was killed while it stored the file left an import that nobody continues.
  const finding = { resume: !options.dryRun, awaited: false };
  const { id } = await createImport(open(), newImport(file, options, teamId), content, finding);
  const stopImports = startImports({
    ...{ database, pollMs, clock: () => new Date() },
    log: pino({ level: options.verbose ? 'debug' : 'error' }, io.stderr),
    loadSchema: async () => (await import('../../graphql/schema.js')).schema,
  });
  try {
    const shown = await follow(open, id, options, reporter, signal);
    if (options.result !== undefined) await writeFile(options.result, await resultFile(open(), shown));
    await reporter.end(shown, options.dryRun ?? false);
    checkOutcome(shown, options.dryRun ?? false);
  } catch (error) {
    const name = stoppedBy();
    throw name === undefined ? error : await interrupted(open, id, name);
  } finally {
    reporter.clear();
    await stopImports();
  }
}

/**
 * Imports a CSV file, or the ZIP file of a workspace. Workers of gateways may process it; so does this
 * command, which needs none of them.
 * @throws {PartialSuccess} if rows have errors
 * @throws {Error} if nothing could be imported, or at a signal
 */
export async function importCommand(io: Io, file: string, options: ImportFileOptions): Promise<void> {
  const config = readSettings(io.env, 'import');
  const reporter = createReporter(io, options);
  await untilSignal(io.signals ?? process, async (stop) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    let stoppedBy: string | undefined;
    void stop.then((name) => {
      stoppedBy = name;
      stopping.abort();
    });
    try {
      const content = await openImportFile(io, file, options.kind, reporter, signal);
      await withDatabase(config, quietLog(io, options), ({ database }) =>
        importFile({ io, database, reporter, signal, stoppedBy: () => stoppedBy }, file, content, options),
      );
    } catch (error) {
      reporter.clear();
      if ((error as Error).name !== 'AbortError' || stoppedBy === undefined) throw error;
      throw new Error(`Stopped by ${stoppedBy}; nothing was written.`);
    }
  });
}

/** @throws {Error} unless all rows were imported, or would be */
function checkOutcome(shown: ShownImport, isDry: boolean): void {
  if (shown.state === 'FAILED') throw new Error(shown.error ?? 'The import failed.');
  if (shown.state === 'CANCELLED' && !isDry) throw new Error('The import was cancelled by somebody else.');
  const failed = isDry ? (shown.preview?.failed ?? 0) : shown.failedCount;
  if (failed === 0) return;
  const rows = failed === 1 ? '1 row' : `${failed} rows`;
  throw new PartialSuccess(`${rows} ${isDry ? 'cannot be' : 'could not be'} imported.`);
}
