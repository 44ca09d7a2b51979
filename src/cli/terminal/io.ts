import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import stringWidth from 'string-width';
import { GatewayError } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';

/** A stream to write to. A terminal has more properties. */
interface Output extends Writable {
  readonly isTTY?: boolean;
  /** Columns of a terminal's line. */
  readonly columns?: number;
  hasColors?(count: number, env: object): boolean;
}

/** Streams and environment of a command's process. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Defaults to the process's. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** An optional file with further settings for `env`. */
  readonly envFile?: string;
  /** Names of the settings from the file. */
  readonly fromFile?: ReadonlySet<string>;
  /** Emits SIGINT, SIGTERM and SIGHUP. Defaults to the process. */
  readonly signals?: NodeJS.EventEmitter;
}

/** The options that every command has. */
export interface GlobalOptions {
  /** Suppresses everything that was not asked for, except warnings and errors. */
  readonly quiet?: boolean;
  /** Reports each step on stderr. */
  readonly verbose?: boolean;
}

/** The options of a command that reports what it did. */
export interface ReportOptions extends GlobalOptions {
  readonly json?: boolean;
}

/** Returns whether a terminal can move its cursor; `TERM=dumb` means that it cannot. */
export function isLive(stream: Output, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Returns the columns of a terminal's line; 80 if unknown. */
export function terminalWidth({ columns }: Output): number {
  return columns || 80;
}

/** Writes a line and waits until it is flushed. The process may end right after. */
export function print(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Reports a command's result on stdout: one line of JSON, or text unless quiet. */
export async function report(io: Io, options: ReportOptions, value: unknown, text: string): Promise<void> {
  if (options.json) await print(io.stdout, JSON.stringify(value));
  else if (!options.quiet) await print(io.stdout, text);
}

/**
 * Returns a log on stderr for commands whose stdout is their answer. It has warnings, errors, and steps if
 * requested.
 */
export function quietLog(io: Io, { verbose }: GlobalOptions): Log {
  const write = (details: object, message: string) => {
    const { err } = details as { err?: Error };
    io.stderr.write(`${message}${err ? `: ${err.message}` : ''}\n`);
  };
  return { info: verbose ? write : () => {}, warn: write, error: write };
}

/**
 * Returns the input stream of a command.
 * @throws {GatewayError} BAD_REQUEST at a terminal, where it would wait for somebody to type
 */
export function input({ stdin = process.stdin }: Io): Readable {
  if (!stdin.isTTY) return stdin;
  throw new GatewayError(
    'BAD_REQUEST',
    '- reads stdin, which is a terminal: pipe or redirect something into it.',
  );
}

/** Formats the time between two dates in its largest whole unit. */
export function formatDuration(from: Date, to: Date): string {
  const minutes = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 60_000));
  if (minutes < 60) return `${minutes}m`;
  return minutes < 1_440 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1_440)}d`;
}

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

interface Listing<T> {
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

/** A progress line at the bottom of a terminal. */
interface ProgressLine {
  /** Rewrites the line, at most ten times a second. */
  show(text: () => string): void;
  /** Removes the line. */
  clear(): void;
}

/** Minimum milliseconds between two updates. */
const INTERVAL = 100;
const ERASE = '\r\u001b[K';

/** Creates a progress line on stderr. It is invisible if that is no terminal, or with --quiet. */
export function createProgress(io: Io, { quiet }: GlobalOptions): ProgressLine {
  if (quiet || !isLive(io.stderr, io.env)) return { show() {}, clear() {} };
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (now - last < INTERVAL) return;
      last = now;
      io.stderr.write(ERASE + truncate(text(), terminalWidth(io.stderr) - 1));
    },
    clear() {
      if (last > Number.NEGATIVE_INFINITY) io.stderr.write(ERASE);
    },
  };
}

/** A question to whoever sits at the terminal. */
interface Question {
  readonly text: string;
  /** Instructions for when nobody can be asked. */
  readonly otherwise: string;
}

/**
 * Asks a question at the terminal, and returns the answer.
 * @throws {GatewayError} BAD_REQUEST without a terminal
 */
export async function askQuestion(
  { stdin = process.stdin, stderr }: Io,
  { text, otherwise }: Question,
  signal?: AbortSignal,
): Promise<string> {
  if (!stdin.isTTY) throw new GatewayError('BAD_REQUEST', `Nobody can be asked here. ${otherwise}`);
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return await lines.question(text, { ...(signal && { signal }) });
  } finally {
    lines.close();
  }
}
