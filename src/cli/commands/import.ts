import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { resultFile } from '../../csv/import/result.js';
import { startImports } from '../../csv/start-jobs.js';
import type { Database } from '../../db/connection/database.js';
import { Session } from '../../db/connection/session.js';
import type { EnumOf } from '../../db/sql/conditions.js';
import { notFound } from '../../domain/errors.js';
import {
  cancelImport,
  createImport,
  findImport,
  largeWorkspaceFile,
  resumeImport,
  runImport,
  type ShownImport,
  type WorkspaceFile,
} from '../../imports/imports.js';
import {
  type DamagedColumn,
  type ImportOptions,
  importLimits,
  isOfWorkspace,
  type ListPreview,
  type NewImport,
  type Preview,
  type PreviewRow,
  type RecordsAlongside,
  type RowError,
  type UnknownPerson,
  type WorkspacePreview,
} from '../../imports/options.js';
import {
  findOrganization,
  findUser,
  findWorkspace,
  firstUser,
  personAsCaller,
} from '../../setup/accounts.js';
import { checkFileStores, withDatabase } from '../database.js';
import { PartialSuccess } from '../errors.js';
import { untilSignal } from '../process/signals.js';
import { readSettings } from '../settings.js';
import {
  type Io,
  input,
  isLive,
  print,
  quietLog,
  type ReportOptions,
  terminalWidth,
} from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { type Column, escapeControls, formatTable, truncate } from '../terminal/table.js';

/** Shows an import: for people at a terminal, and elsewhere as lines of JSON. */
interface ImportReporter {
  /** Shows that the file is read. */
  reading(text: string): void;
  /** Shows what the import will do, and the errors of rows. */
  preview(shown: ShownImport): Promise<void>;
  /** Shows how far it has come. */
  progress(shown: ShownImport): void;
  /** Shows what it did. */
  end(shown: ShownImport, isDry: boolean): Promise<void>;
  /** Removes the progress from the terminal. */
  clear(): void;
}

const counts = (shown: ShownImport) => ({
  created: shown.createdCount,
  updated: shown.updatedCount,
  unchanged: shown.unchangedCount,
  failed: shown.failedCount,
});

const inWords = (done: ReturnType<typeof counts>) =>
  `${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged, ${done.failed} with errors`;

/** Says what an import has done so far. */
const summary = (shown: ShownImport): string => inWords(counts(shown));

/** Cells of the bar. */
const width = 30;

function bar({ doneCount, rowCount, state }: ShownImport): string {
  if (state === 'READING') return 'Reading the file';
  const done = Math.floor((width * doneCount) / Math.max(rowCount, 1));
  return `[${'#'.repeat(done)}${'-'.repeat(width - done)}] ${doneCount} of ${rowCount} rows`;
}

const errorLine = ({ list, row, column, value, message }: RowError) => {
  const place = [list, `line ${row}`, column].filter((part) => part != null).join(', ');
  return escapeControls(`${place}: ${message}${value ? ` (${JSON.stringify(value)})` : ''}`);
};

/** Says how a spreadsheet seems to have damaged a column, and what becomes of it. */
function damageLine({ column, damage, cells, before, after, accepted }: DamagedColumn): string {
  const what = damage === 'ROUNDED' ? 'rounded' : 'lost leading zeros';
  const name = /\s/.test(column) ? JSON.stringify(column) : column;
  const rest = accepted ? 'imported all the same' : `not imported without --accept-damage ${name}`;
  const values = cells === 1 ? '1 value' : `${cells} values`;
  return escapeControls(`${column}: ${values} ${what} (${before} -> ${after}): ${rest}`);
}

/** Asks who a name is, or what becomes of a holder that does not exist. */
function personLine({ header, value, rows, kinds = [] }: UnknownPerson): string {
  const [answer, way] =
    kinds.length > 0 ? [kinds.join('|'), `make it with --person`] : ['<address>', 'say who with --person'];
  const what = kinds.length > 0 ? 'names none that exists' : 'is nobody who is known';
  const option = JSON.stringify(`${value}=${answer}`);
  return escapeControls(
    `${header}: ${JSON.stringify(value)}, ${rows === 1 ? '1 row' : `${rows} rows`}, ${what}: ${way} ${option}`,
  );
}

/** Says how many records of a kind would be made because rows name them. */
const alongsideText = ({ kind, count }: RecordsAlongside): string =>
  `${count} ${count === 1 ? kind : `${kind.replace(/y$/, 'ie')}s`}`;

/** The most columns of a value that a line shows. */
const longestValue = 60;

const shownValue = (value: string | null) => (value === null ? '(empty)' : truncate(value, longestValue));

/** Says what a row changes, with each value as it will be stored. */
function changeLine({ row, action, changes = [] }: PreviewRow): string {
  const shown = changes
    .filter(({ leftOut }) => !leftOut)
    .map(({ column, before, after }) => `${column}: ${shownValue(before)} -> ${shownValue(after)}`);
  return escapeControls([`line ${row}, ${action}`, ...shown].join('; '));
}

/** Returns a preview as a program gets it, in the names of REST. */
function shownPreview({ workspace, headerLine, ...preview }: Preview) {
  const { errors, warnings = [], damaged = [], dates = [], rows } = preview;
  const withList = (error: RowError) => ({ list: null, ...error });
  const { leftOut, ...others } = workspace ?? {};
  return {
    ...preview,
    ...(headerLine !== undefined && { header_line: headerLine }),
    dates: dates.map(({ firstShortYear: first_short_year, ...column }) => ({ ...column, first_short_year })),
    errors: errors.map(withList),
    warnings: warnings.map(withList),
    damaged: damaged.map((column) => ({ ...column, damage: column.damage.toLowerCase() })),
    rows: rows.map(({ changes = [], ...row }) => ({
      ...row,
      changes: changes.map(({ damage, leftOut: left_out, ...change }) => ({
        ...{ ...change, damage: damage?.toLowerCase() ?? null, left_out },
      })),
    })),
    workspace: workspace ? { ...others, left_out: leftOut } : null,
  };
}

/** Creates the reporter that suits the output. */
function createReporter(io: Io, options: ReportOptions): ImportReporter {
  const isForPeople = isLive(io.stdout, io.env) && !options.json;
  return isForPeople ? forPeople(io, options) : forPrograms(io, options);
}

const listColumns: readonly Column<ListPreview>[] = [
  { title: 'LIST', cell: ({ list }) => list, isKey: true },
  { title: 'ROWS', cell: ({ rows }) => String(rows) },
  { title: 'CREATED', cell: ({ imported, created }) => (imported ? String(created) : 'not imported') },
  { title: 'UPDATED', cell: ({ imported, updated }) => (imported ? String(updated) : '') },
  { title: 'UNCHANGED', cell: ({ imported, unchanged }) => (imported ? String(unchanged) : '') },
  { title: 'WITH ERRORS', cell: ({ imported, failed }) => (imported ? String(failed) : '') },
];

/** Prints what would become of each list of a workspace. */
async function printWorkspace(io: Io, { name, lists, leftOut }: WorkspacePreview): Promise<void> {
  await print(io.stderr, `Workspace: ${escapeControls(name)}`);
  const lines = formatTable(lists, listColumns, terminalWidth(io.stderr));
  await print(io.stderr, lines.join('\n'));
  for (const { list, column, cells } of leftOut) {
    const which = `${cells === 1 ? '1 cell' : `${cells} cells`} of ${column} in ${list}`;
    await print(io.stderr, `Left out, because they name what exists neither in the file nor here: ${which}`);
  }
}

function forPeople(io: Io, options: ReportOptions): ImportReporter {
  const line = createProgress(io, options);
  return {
    reading: (text) => line.show(() => text),
    async preview({ preview, rowCount }) {
      line.clear();
      if (!preview) return;
      for (const error of preview.errors) await print(io.stderr, errorLine(error));
      for (const warning of preview.warnings ?? []) await print(io.stderr, errorLine(warning));
      for (const column of preview.damaged ?? []) await print(io.stderr, damageLine(column));
      for (const person of preview.people ?? []) await print(io.stderr, personLine(person));
      if (!options.quiet)
        for (const row of preview.rows)
          if (row.changes?.some(({ leftOut }) => !leftOut)) await print(io.stderr, changeLine(row));
      const left = preview.failed - preview.errors.length;
      if (preview.errors.length === 100 && left > 0)
        await print(io.stderr, `and ${left} more rows with errors`);
      const unknown = preview.columns.filter(({ column }) => column === null).map(({ header }) => header);
      if (unknown.length > 0 && !options.quiet)
        await print(io.stderr, `Columns that are not imported: ${unknown.join(', ')}`);
      if (preview.workspace && !options.quiet) await printWorkspace(io, preview.workspace);
      const alongside = (preview.alongside ?? []).map(alongsideText);
      if (alongside.length > 0 && !options.quiet)
        await print(io.stderr, `Made with them: ${alongside.join(', ')}.`);
      if (!options.quiet) await print(io.stderr, `Rows: ${rowCount}. Preview: ${inWords(preview)}.`);
    },
    progress: (shown) => line.show(() => bar(shown)),
    async end(shown, isDry) {
      line.clear();
      if (options.quiet || shown.state === 'FAILED') return;
      const text = isDry ? 'Nothing was written.' : `Imported: ${summary(shown)}.`;
      await print(io.stdout, text);
    },
    clear: line.clear,
  };
}

function forPrograms(io: Io, { quiet }: ReportOptions): ImportReporter {
  const write = (event: string, value: object) => print(io.stdout, JSON.stringify({ event, ...value }));
  let last = -1;
  return {
    reading() {},
    async preview({ id, rowCount, preview }) {
      if (!preview) return;
      const { columns, errors, warnings, rows, ...others } = shownPreview(preview);
      if (!quiet) await write('preview', { id, rows: rowCount, ...others, columns });
      for (const { row, ...error } of errors) await write('error', { line: row, ...error });
      for (const { row, ...warning } of warnings) await write('warning', { line: row, ...warning });
      for (const { row, action, changes } of quiet ? [] : rows)
        if (changes.length > 0) await write('row', { line: row, action, changes });
    },
    progress({ state, doneCount, rowCount }) {
      if (quiet || state !== 'RUNNING' || doneCount === last) return;
      last = doneCount;
      void write('progress', { done: doneCount, rows: rowCount });
    },
    async end(shown, isDry) {
      const done = isDry ? {} : counts(shown);
      await write('result', {
        id: shown.id,
        state: shown.state.toLowerCase(),
        rows: shown.rowCount,
        ...done,
      });
    },
    clear() {},
  };
}

/** Reads a stream into memory, and stops soon after the most bytes of a file. */
async function readSmall(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > importLimits.bytes) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Opens the file of an import. A ZIP file with a name is read as it is stored, so it can have any size; other
 * files are read into memory.
 * @param signal ends reading it
 */
async function openImportFile(
  io: Io,
  file: string,
  kind: EnumOf<'ImportKind'>,
  reporter: ImportReporter,
  signal: AbortSignal,
): Promise<Uint8Array | WorkspaceFile> {
  if (file === '-') return readSmall(addAbortSignal(signal, input(io)));
  const found = await stat(file);
  if (!isOfWorkspace({ kind }) || !found.isFile()) return readSmall(createReadStream(file, { signal }));
  let pass = 'Reading';
  async function* read() {
    let done = 0;
    for await (const bytes of createReadStream(file, { signal })) {
      yield bytes as Uint8Array;
      done += bytes.length;
      reporter.reading(`${pass} the file: ${Math.floor((100 * done) / Math.max(found.size, 1))} %`);
    }
    pass = 'Storing';
  }
  return largeWorkspaceFile(read);
}

interface ImportFileOptions extends ReportOptions {
  readonly kind: EnumOf<'ImportKind'>;
  readonly mode?: ImportOptions['mode'];
  /** Id or name of the workspace that a ZIP file is for. */
  readonly workspace?: string;
  readonly dryRun?: boolean;
  readonly dateFormat?: ImportOptions['dateFormat'];
  readonly encoding?: ImportOptions['encoding'];
  readonly sheet?: string;
  readonly headerLine?: number;
  readonly map?: ImportOptions['mapping'];
  /** People whom cells call by a name. */
  readonly person?: ImportOptions['people'];
  /** Kinds of which a holder is made for each text that names none. */
  readonly makeHolders?: ImportOptions['makeHolders'];
  /** Values that all rows have. */
  readonly set?: ImportOptions['constants'];
  /** Cells that are read as another text. */
  readonly correct?: ImportOptions['corrections'];
  readonly allowNoDate?: boolean;
  readonly skipRepeats?: boolean;
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
async function importer(
  database: Database,
  binDays: number,
  { kind, organization, user, workspace }: ImportFileOptions,
) {
  const { id: organizationId } = await findOrganization(database, organization);
  const chosen = user === undefined ? undefined : await findUser(database.prisma, organizationId, user);
  if (user !== undefined && !chosen) throw notFound('user', user);
  const person = chosen ?? (await firstUser(database.prisma, organizationId));
  const caller = await personAsCaller(database, person);
  const needsWorkspace = isOfWorkspace({ kind }) || workspace !== undefined;
  const team = needsWorkspace ? await findWorkspace(database, organizationId, workspace) : undefined;
  return { teamId: team?.id, open: () => new Session(database, { caller, now: new Date(), binDays }) };
}

const newImport = (file: string, options: ImportFileOptions, teamId: string | undefined): NewImport => ({
  kind: options.kind,
  fileName: file === '-' ? null : basename(file),
  teamId,
  mode: options.mode,
  dateFormat: options.dateFormat,
  encoding: options.encoding,
  sheet: options.sheet,
  headerLine: options.headerLine,
  mapping: options.map,
  people: options.person,
  makeHolders: options.makeHolders,
  constants: options.set,
  corrections: options.correct,
  allowNoDate: options.allowNoDate,
  skipRepeats: options.skipRepeats,
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
  /** Days for which deleted records can be restored, and so an import taken back. */
  readonly binDays: number;
  readonly reporter: ImportReporter;
  readonly signal: AbortSignal;
  /** Returns the name of the signal that stops it. */
  readonly stoppedBy: () => string | undefined;
}

/** Imports a file whose bytes can be read. */
async function importFile(
  { io, database, binDays, reporter, signal, stoppedBy }: Importing,
  file: string,
  content: Parameters<typeof createImport>[2],
  options: ImportFileOptions,
): Promise<void> {
  if (isOfWorkspace(options)) await checkFileStores(database);
  const { teamId, open } = await importer(database, binDays, options);
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
      const { binDays } = config;
      const importing = { io, binDays, reporter, signal, stoppedBy: () => stoppedBy };
      await withDatabase(config, quietLog(io, options), ({ database }) =>
        importFile({ ...importing, database }, file, content, options),
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
