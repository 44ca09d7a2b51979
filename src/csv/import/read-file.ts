import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { GatewayError } from '../../domain/errors.js';
import { type ImportOptions, importLimits } from '../../imports/options.js';
import { isWorkbook, parseSheet, type ReadSheet, readWorkbook, refuseOthers } from '../workbook/workbook.js';
import { foldHeader, isKnownHeader } from './headers.js';
import { quoteCells } from './peers.js';

/** A row of a file. */
export interface FileRow {
  /** The line at which it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Columns that the row is read without, as if the file lacked them. */
  readonly leftOut?: ReadonlySet<string>;
}

/** A file as a table. */
export interface FileTable {
  /** Names of the columns, each of which is unique. */
  readonly headers: readonly string[];
  /** The line of the headers. Above it there may be a title. */
  readonly headerLine: number;
  /** The rows below the headers. They are parsed as they are read, so memory does not grow with their number. */
  readonly rows: AsyncIterable<FileRow>;
  /** The encoding of a text, if it was not chosen. */
  readonly encoding?: TextEncoding;
  /** The sheet, if the file is a workbook. */
  readonly sheet?: ReadSheet;
  /** The sheet as it is kept, if it was read now. */
  readonly sheetRows?: Uint8Array;
}

const refuse = (message: string) => new GatewayError('BAD_REQUEST', message);

/** Byte order marks, and the encodings that they stand for. */
const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The encoding of a text, as options name it. */
type TextEncoding = NonNullable<ImportOptions['encoding']>;

const labels = { UTF_8: 'utf-8', UTF_16: 'utf-16le', WINDOWS_1252: 'windows-1252' } as const;

/** Bytes by which UTF-16 without a mark is recognized. */
const lookedAt = 4096;

/** Recognizes UTF-16 without a mark. In western languages, nearly each second byte is zero. */
function unmarkedUtf16(content: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const start = content.subarray(0, lookedAt);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const isMost = (count: number, other: number) => count > 0.3 * start.length && other < 0.05 * start.length;
  if (isMost(odd, even)) return 'utf-16le';
  return isMost(even, odd) ? 'utf-16be' : undefined;
}

const decodeAs = (content: Uint8Array, label: string) =>
  new TextDecoder(label, { fatal: true }).decode(content);

/** Decodes a file by its byte order mark, the chosen encoding, or its bytes. */
function decode(
  content: Uint8Array,
  chosen: ImportOptions['encoding'] | undefined,
): { readonly text: string; readonly encoding: TextEncoding } {
  const marked = marks.find(([bytes]) => bytes.every((byte, at) => content[at] === byte))?.[1];
  const unmarked = chosen && chosen !== 'UTF_16' ? undefined : unmarkedUtf16(content);
  const found = marked ?? unmarked ?? (chosen ? labels[chosen] : undefined);
  try {
    const label = found ?? 'utf-8';
    const encoding = label === 'utf-8' ? 'UTF_8' : label === 'windows-1252' ? 'WINDOWS_1252' : 'UTF_16';
    return { text: decodeAs(content, label), encoding };
  } catch {
    // Nearly every text of Windows-1252 with a letter beyond English is no UTF-8.
    if (!found) return { text: decodeAs(content, labels.WINDOWS_1252), encoding: 'WINDOWS_1252' };
    throw refuse(
      marked
        ? `The file begins like ${marked}, but is not in it.`
        : `The file is not in ${found.toUpperCase()}.`,
    );
  }
}

const delimiters = [',', ';', '\t'];

/** The most rows in which the header is looked for. */
const maxTitleRows = 20;

/** Characters in which the header ends. */
const headCharacters = 256 * 1024;

/** Splits the first lines of a text at each separator, outside quotes. */
function* firstLines(text: string): Generator<string[][]> {
  let isQuoted = false;
  let cells = delimiters.map(() => ['']);
  let count = 0;
  // A loop, because the backtracking of an expression would not survive a quote that never ends.
  for (const character of text.slice(0, headCharacters)) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === '\r' || character === '\n')) {
      if (cells.some((row) => row.join('').trim() !== '')) {
        yield cells;
        if (++count === maxTitleRows) return;
      }
      cells = delimiters.map(() => ['']);
      continue;
    }
    for (const [at, row] of cells.entries())
      if (!isQuoted && character === delimiters[at]) row.push('');
      else if (character !== '"') row[row.length - 1] += character;
  }
  if (cells.some((row) => row.join('').trim() !== '')) yield cells;
}

/** Counts the cells that are known headers. */
const countKnown = (cells: readonly string[], others: ReadonlySet<string>): number =>
  cells.filter((cell) => cell.trim() !== '' && (isKnownHeader(cell) || others.has(foldHeader(cell)))).length;

/** Finds the separator that makes most headers known. Else, it occurs most in the first line with any. */
function delimiterOf(text: string, others: ReadonlySet<string>): string {
  let [best, most, first]: [number, number, number | undefined] = [0, 1, undefined];
  for (const ways of firstLines(text)) {
    const counts = ways.map((cells) => cells.length);
    if (Math.max(...counts) > 1) first ??= counts.indexOf(Math.max(...counts));
    for (const [at, cells] of ways.entries()) {
      const known = countKnown(cells, others);
      if (known > most) [best, most] = [at, known];
    }
  }
  return delimiters[most > 1 ? best : (first ?? 0)] ?? ',';
}

interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Bytes that are parsed at once. Other work goes on in between. */
const chunkBytes = 64 * 1024;

/** The most bytes of a row. A quote that never ends must not fill the memory. */
const longestRow = 16 * 1024 * 1024;

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Parses a text (RFC 4180). Empty rows are dropped. @throws GatewayError BAD_REQUEST naming the line */
export async function* recordsIn(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<FileRow> {
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: longestRow,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // In a cell without quotes, a quote is a character, as in 24" or 37'8".
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  try {
    // The types of csv-parse do not tell that `info` returns each record with its line.
    const records = pipeline(Readable.from(bytes), parser, () => {}) as AsyncIterable<CsvRecord>;
    for await (const { record, info } of records) yield { line: info.lines, cells: record };
  } catch (error) {
    if (error instanceof CsvError) throw refuse(`The file is not CSV: ${error.message}.`);
    throw error;
  }
}

/** Checks that no header occurs twice. @throws GatewayError BAD_REQUEST */
export function checkHeaders({ cells, line }: FileRow): void {
  const known = new Set<string>();
  for (const header of cells.filter((name) => name.trim() !== '')) {
    // Names of custom fields may differ in nothing but case or white space.
    const key = header.startsWith('custom:') ? header : header.trim().toLowerCase();
    if (known.has(key)) throw refuse(`Line ${line}: the header ${JSON.stringify(header)} occurs twice.`);
    known.add(key);
  }
}

/**
 * Finds the row of the headers. Above it there may be a title, or a row of headers that several columns share.
 * @param others folded headers that are known besides the usual ones
 */
function findHeader(rows: readonly FileRow[], others: ReadonlySet<string>): number {
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  const counts = rows.map(({ cells }) => countKnown(cells, others));
  const most = Math.max(...counts);
  const at = counts.indexOf(most);
  const isTitle = (count: number) => 2 * count <= (filled[at] ?? 0);
  if (most > 1 && (counts[0] === 0 || filled.slice(0, at).every(isTitle))) return at;
  if (counts[0] !== 0) return 0;
  const widest = rows[filled.indexOf(Math.max(...filled))];
  const placeOf = (row: FileRow | undefined) => row?.cells.findIndex((cell) => cell.trim() !== '') ?? 0;
  // A title stands where the table begins.
  const isAbove = (row: FileRow, count: number) =>
    2 * count <= Math.max(...filled) && placeOf(row) <= placeOf(widest);
  return rows.findIndex((row, place) => !isAbove(row, filled[place] ?? 0));
}

/** Returns the letters of a column as spreadsheets show them, such as `AB`. */
function lettersOf(at: number): string {
  const rest = Math.floor(at / 26);
  return (rest > 0 ? lettersOf(rest - 1) : '') + String.fromCharCode(65 + (at % 26));
}

/** Names columns by their headers. Those without one are named by their letters, and repeated ones are numbered. */
function nameColumns(cells: readonly string[], width: number): string[] {
  const taken = new Set<string>();
  /** The number that a name had last. */
  const counts = new Map<string, number>();
  // Names of custom fields may differ in nothing but case or white space.
  const keyOf = (name: string) => (name.startsWith('custom:') ? name : name.trim().toLowerCase());
  return Array.from({ length: width }, (_, at) => {
    const header = cells[at] ?? '';
    const own = header.trim() === '' ? `(${lettersOf(at)})` : header;
    let name = own;
    let count = counts.get(keyOf(own)) ?? 1;
    while (taken.has(keyOf(name))) name = `${own} (${++count})`;
    counts.set(keyOf(own), count);
    taken.add(keyOf(name));
    return name;
  });
}

/** Cells that are read in one turn of the event loop. Even without a value, each costs those that look at it. */
const cellsPerTurn = 20_000;

/** Characters that cost as much as a cell, because a cell may have a list. */
const charactersPerCell = 8;

/**
 * Yields the rows below the header. Rows of a sheet are filled up, because it has no cells without values. Other work
 * goes on in between.
 */
async function* below(
  records: AsyncIterable<FileRow>,
  headerLine: number,
  width: number | undefined,
): AsyncGenerator<FileRow> {
  let [count, cells] = [0, 0];
  for await (const row of records) {
    const characters = row.cells.reduce((sum, cell) => sum + cell.length, 0);
    cells += Math.max(row.cells.length, width ?? 1, characters / charactersPerCell);
    if (cells >= cellsPerTurn) {
      cells = 0;
      await setImmediate();
    }
    if (row.line <= headerLine) continue;
    if (++count > importLimits.rows) throw refuse(`The file has more than ${importLimits.rows} rows.`);
    const missing = (width ?? 0) - row.cells.length;
    yield missing > 0 ? { ...row, cells: [...row.cells, ...Array<string>(missing).fill('')] } : row;
  }
}

/** Options of reading a file. */
export type ReadingOptions = Partial<Pick<ImportOptions, 'encoding' | 'sheet' | 'headerLine' | 'mapping'>>;

/** Makes a table of rows, of which some may be above the headers. @throws GatewayError BAD_REQUEST */
async function tableOf(
  records: () => AsyncIterable<FileRow>,
  { headerLine: chosen, mapping = [] }: ReadingOptions,
  width?: number,
): Promise<FileTable> {
  const first: FileRow[] = [];
  for await (const row of records()) {
    if (chosen != null && row.line < chosen) continue;
    first.push(row);
    if (chosen != null || first.length === maxTitleRows) break;
  }
  const others = new Set(mapping.map(({ header }) => foldHeader(header)));
  const head = first[chosen == null && first.length > 0 ? findHeader(first, others) : 0];
  if (!head) throw refuse('The file has no header.');
  if (head.cells.length > importLimits.columns)
    throw refuse(`The file has more than ${importLimits.columns} columns.`);
  return {
    headers: nameColumns(head.cells, width ?? head.cells.length),
    headerLine: head.line,
    rows: { [Symbol.asyncIterator]: () => below(records(), head.line, width) },
  };
}

/** Returns a table with the cells that were mended in its preview. */
export function mended(table: FileTable, corrections: ImportOptions['corrections'] | undefined): FileTable {
  if (!corrections || corrections.length === 0) return table;
  const texts = new Map<string, string>();
  const places = new Set<number>();
  for (const { header, row, from, to } of corrections) {
    const at = table.headers.indexOf(header);
    if (at === -1) continue;
    places.add(at);
    texts.set(JSON.stringify(row == null ? [at, (from ?? '').trim()] : [at, row]), to ?? '');
  }
  const mend = ({ line, cells }: FileRow) =>
    cells.map((cell, at) =>
      places.has(at)
        ? (texts.get(JSON.stringify([at, line])) ?? texts.get(JSON.stringify([at, cell.trim()])) ?? cell)
        : cell,
    );
  async function* rows() {
    for await (const row of table.rows) yield { ...row, cells: mend(row) };
  }
  return { ...table, rows: { [Symbol.asyncIterator]: rows } };
}

/** Yields the rows of a sheet. */
async function* rowsOfSheet(sheet: ReadSheet): AsyncGenerator<FileRow> {
  for (const { number, cells } of sheet.rows()) yield { line: number, cells };
}

/** Reads a line that tells the separator, as Excel understands it: `sep=;`. */
function separatorIn(text: string): string | undefined {
  return /^\ufeff?"?sep=([,;\t])"?[,;\t]*(?:\r|\n)/i.exec(text)?.[1];
}

/** Reads a text as a table. */
async function readText(content: Uint8Array, options: ReadingOptions): Promise<FileTable> {
  refuseOthers(content);
  const decoded = decode(content, options.encoding);
  const text = quoteCells(decoded.text);
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const line = text.slice(0, nul).split(/\r\n|\r|\n/).length;
    throw refuse(`The file is not text: line ${line} contains the character NUL.`);
  }
  const said = separatorIn(text);
  const others = new Set((options.mapping ?? []).map(({ header }) => foldHeader(header)));
  const delimiter = said ?? delimiterOf(text, others);
  const bytes = Buffer.from(text);
  async function* records() {
    let isFirst = said !== undefined;
    for await (const row of recordsIn(chunksOf(bytes), delimiter)) {
      if (!isFirst) yield row;
      isFirst = false;
    }
  }
  return { ...(await tableOf(records, options)), encoding: decoded.encoding };
}

/**
 * Reads a file as a table. Its rows can be read several times.
 * @param sheetRows the sheet of a workbook, if it was read before
 * @throws GatewayError BAD_REQUEST for what is no such file; reading the rows may throw it, too
 */
export async function readFile(
  content: Uint8Array,
  options: ReadingOptions,
  sheetRows?: Uint8Array | null,
  signal?: AbortSignal,
): Promise<FileTable> {
  if (!isWorkbook(content)) return readText(content, options);
  const read = sheetRows
    ? { sheet: parseSheet(sheetRows), sheetRows }
    : await readWorkbook(content, { sheet: options.sheet ?? null }, signal);
  const table = await tableOf(() => rowsOfSheet(read.sheet), options, read.sheet.width);
  return { ...table, ...read };
}
