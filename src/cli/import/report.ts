import { shownPreview } from '../../csv/import/answers.js';
import type { ShownImport } from '../../imports/imports.js';
import type {
  DamagedColumn,
  ListPreview,
  PreviewRow,
  RowError,
  WorkspacePreview,
} from '../../imports/options.js';
import { type Io, isLive, print, type ReportOptions, terminalWidth } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { type Column, escapeControls, formatTable, truncate } from '../terminal/table.js';

/** Shows an import: for people at a terminal, and elsewhere as lines of JSON. */
export interface ImportReporter {
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
export const summary = (shown: ShownImport): string => inWords(counts(shown));

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

/** Creates the reporter that suits the output. */
export function createReporter(io: Io, options: ReportOptions): ImportReporter {
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
