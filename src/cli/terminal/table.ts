import stringWidth from 'string-width';
import { type Io, print, type ReportOptions, terminalWidth } from './io.js';

export interface Column<T> {
  readonly title: string;
  /** Returns the cell of a row, for programs. */
  readonly cell: (row: T) => string;
  /** Returns a shorter cell for people at a terminal. */
  readonly short?: (row: T) => string;
  /** True for a column that is truncated last, because people copy it. */
  readonly isKey?: boolean;
  /** True for a column that a terminal omits if all rows have the same value. */
  readonly onlyIfVaried?: boolean;
}

export interface ListOptions extends ReportOptions {
  /** True to print tabs between the columns even at a terminal. */
  readonly plain?: boolean;
}

/** Spaces between two columns. */
const GAP = 2;
/** Minimum width of a truncated column. It applies until nothing else can be truncated. */
const LEAST = 6;

const graphemes = new Intl.Segmenter();

/**
 * Escapes control characters that move the cursor or change the writing direction. They show as `\u` and
 * their number.
 */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Truncates a text to a number of columns, with an ellipsis. No character is cut in two. */
export function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Computes widths of columns that fit into a line. The widest is truncated first, keys last. */
function widthsWithin(
  natural: readonly number[],
  isKey: (column: number) => boolean,
  width: number,
): number[] {
  const widths = [...natural];
  const room = width - GAP * (widths.length - 1);
  const cut = (candidates: number[], least: number) => {
    while (widths.reduce((sum, each) => sum + each, 0) > room) {
      const most = Math.max(...candidates.map((column) => widths[column] ?? 0));
      if (most <= least) return;
      widths[candidates.find((column) => widths[column] === most) ?? 0] = most - 1;
    }
  };
  const columns = [...widths.keys()];
  const others = columns.filter((column) => !isKey(column));
  cut(others, LEAST);
  cut(columns, LEAST);
  cut(columns, 1);
  return widths;
}

/** Formats a table with headings, whose lines are at most `width` wide. */
export function formatTable<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): string[] {
  const shown = columns
    .map((column) => {
      const cells = rows.map((row) => escapeControls((column.short ?? column.cell)(row)));
      return { ...column, cells: [column.title, ...cells] };
    })
    .filter(({ onlyIfVaried, cells }) => !onlyIfVaried || new Set(cells).size > 2);
  const natural = shown.map(({ cells }) => Math.max(...cells.map((cell) => stringWidth(cell))));
  const widths = widthsWithin(natural, (column) => shown[column]?.isKey === true, width);
  const line = (index: number) =>
    shown.map(({ cells }, column) => {
      const cell = truncate(cells[index] ?? '', widths[column] ?? 0);
      return cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
    });
  return Array.from({ length: rows.length + 1 }, (_, index) => line(index).join(' '.repeat(GAP)).trimEnd());
}

export interface Listing<T> {
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** Printed on stderr if there are no rows. */
  readonly empty: string;
}

/**
 * Prints rows on stdout. With --json it is one line of JSON; at a terminal it is a table that fits;
 * otherwise, or with --plain, it is one tab-separated line per row without headings.
 */
export async function printTable<T>(io: Io, options: ListOptions, listing: Listing<T>): Promise<void> {
  const { rows, columns, empty } = listing;
  if (options.json) return printList(io, JSON.stringify(rows));
  if (rows.length === 0) return options.quiet ? undefined : print(io.stderr, empty);
  if (options.plain || !io.stdout.isTTY) {
    const lines = rows.map((row) => columns.map(({ cell }) => escapeControls(cell(row))).join('\t'));
    return printList(io, lines.join('\n'));
  }
  const [headings = '', ...lines] = formatTable(rows, columns, terminalWidth(io.stdout));
  await printList(io, [bold(io, headings), ...lines].join('\n'));
}

/** Prints a list; a reader such as `head` may close the pipe early. */
async function printList({ stdout }: Io, text: string): Promise<void> {
  await print(stdout, text).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Makes text bold if the terminal supports it, and nothing forbids it (NO_COLOR, TERM=dumb). */
function bold({ stdout, env }: Io, text: string): string {
  return stdout.hasColors?.(16, env) ? `\u001b[1m${text}\u001b[22m` : text;
}
