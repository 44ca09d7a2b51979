import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { ownerAsCaller } from '../../access/tokens.js';
import { writeResult } from '../../csv/import/answers.js';
import { startImports } from '../../csv/import/worker.js';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import { notFound } from '../../domain/errors.js';
import {
  cancelImport,
  createImport,
  findImport,
  type ImportKind,
  resumeImport,
  runImport,
  type ShownImport,
} from '../../imports/imports.js';
import type { ImportOptions, NewImport } from '../../imports/options.js';
import { readImportResult } from '../../imports/results.js';
import { findOrganization, findUser, firstUser } from '../../setup/accounts.js';
import { withDatabase } from '../database.js';
import { PartialSuccess } from '../errors.js';
import { untilSignal } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions } from '../terminal/io.js';
import { input } from '../terminal/stdin.js';
import { createReporter, type ImportReporter, summary } from './report.js';

export interface ImportFileOptions extends ReportOptions {
  readonly kind: ImportKind;
  readonly mode: ImportOptions['mode'];
  readonly dryRun?: boolean;
  readonly dateFormat?: ImportOptions['dateFormat'];
  readonly encoding?: ImportOptions['encoding'];
  readonly map?: ImportOptions['mapping'];
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

/** Returns what opens sessions of the person who imports. */
async function importer(database: Database, { organization, user }: ImportFileOptions) {
  const { id: organizationId } = await findOrganization(database, organization);
  const chosen = user === undefined ? undefined : await findUser(database.prisma, organizationId, user);
  if (user !== undefined && !chosen) throw notFound('user', user);
  const person = chosen
    ? await database.prisma.user.findUniqueOrThrow({ where: { id: chosen.id } })
    : await firstUser(database.prisma, organizationId);
  // The role of the person limits the import when it is processed.
  return () => new Session(database, { caller: ownerAsCaller(person), now: new Date() });
}

const newImport = (file: string, options: ImportFileOptions): NewImport => ({
  kind: options.kind,
  fileName: file === '-' ? null : basename(file),
  mode: options.mode,
  dateFormat: options.dateFormat,
  encoding: options.encoding,
  mapping: options.map,
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

/**
 * Imports a CSV file. Workers of gateways may process it; so does this command, which needs none of them.
 * @throws {PartialSuccess} if rows have errors
 * @throws {Error} if nothing could be imported, or at a signal
 */
export async function importCommand(io: Io, file: string, options: ImportFileOptions): Promise<void> {
  const config = readSettings(io.env, 'import');
  const content = file === '-' ? await buffer(input(io)) : await readFile(file);
  const reporter = createReporter(io, options);
  const work = async (stop: Promise<string>, database: Database) => {
    const open = await importer(database, options);
    const { id } = await createImport(open(), newImport(file, options), content, {
      resume: !options.dryRun,
    });
    const stopImports = startImports({
      ...{ database, pollMs, clock: () => new Date() },
      log: pino({ level: options.verbose ? 'debug' : 'error' }, io.stderr),
      loadSchema: async () => (await import('../../graphql/schema.js')).schema,
    });
    const stopping = new AbortController();
    let stoppedBy: string | undefined;
    void stop.then((name) => {
      stoppedBy = name;
      stopping.abort();
    });
    try {
      const shown = await follow(open, id, options, reporter, stopping.signal);
      if (options.result !== undefined)
        await writeFile(options.result, await writeResult(await readImportResult(open(), id)));
      await reporter.end(shown, options.dryRun ?? false);
      checkOutcome(shown, options.dryRun ?? false);
    } catch (error) {
      throw stoppedBy === undefined ? error : await interrupted(open, id, stoppedBy);
    } finally {
      reporter.clear();
      await stopImports();
    }
  };
  await untilSignal(io.signals ?? process, (stop) =>
    withDatabase(config, quietLog(io, options), ({ database }) => work(stop, database)),
  );
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
