import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { GatewayError } from '../../domain/errors.js';
import { type ImportOptions, importLimits } from '../../imports/options.js';
import { quoteCells } from './headers/peers.js';

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
  readonly headers: readonly string[];
  /** The rows below the headers. They are parsed as they are read, so memory does not grow with their number. */
  readonly rows: AsyncIterable<FileRow>;
}

const refuse = (message: string) => new GatewayError('BAD_REQUEST', message);

/** Byte order marks, and the encodings that they stand for. */
const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Decodes a file. The encoding is that of its byte order mark, or the chosen one. */
function decode(content: Uint8Array, encoding: ImportOptions['encoding']): string {
  const marked = marks.find(([bytes]) => bytes.every((byte, at) => content[at] === byte))?.[1];
  const label = marked ?? (encoding === 'WINDOWS_1252' ? 'windows-1252' : 'utf-8');
  try {
    return new TextDecoder(label, { fatal: true }).decode(content);
  } catch {
    throw refuse(
      marked
        ? `The file begins like ${marked}, but is not in it.`
        : 'The file is not in UTF-8. Save it as UTF-8, or choose Windows-1252.',
    );
  }
}

const delimiters = [',', ';', '\t'];

/** Finds the separator: the one that occurs most often in the header, outside quotes. */
function delimiterOf(text: string): string {
  const counts = delimiters.map(() => 0);
  let isQuoted = false;
  // A loop, because the backtracking of an expression would not survive a quote that never ends.
  for (const character of text.replace(/^[\r\n]+/, '')) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\r' || character === '\n') break;
    const at = delimiters.indexOf(character);
    if (at !== -1) counts[at] = (counts[at] ?? 0) + 1;
  }
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
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

async function* below(records: AsyncIterable<FileRow>): AsyncGenerator<FileRow> {
  let count = -1;
  for await (const row of records) {
    if (++count === 0) continue;
    if (count > importLimits.rows) throw refuse(`The file has more than ${importLimits.rows} rows.`);
    yield row;
  }
}

/**
 * Reads a CSV file as a table. Its rows can be read several times.
 * @throws GatewayError BAD_REQUEST for what is no such file; reading the rows may throw it, too
 */
export async function readFile(
  content: Uint8Array,
  { encoding }: Pick<ImportOptions, 'encoding'>,
): Promise<FileTable> {
  const text = quoteCells(decode(content, encoding));
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const line = text.slice(0, nul).split(/\r\n|\r|\n/).length;
    throw refuse(`The file is not text: line ${line} contains the character NUL.`);
  }
  const delimiter = delimiterOf(text);
  const bytes = Buffer.from(text);
  for await (const head of recordsIn(chunksOf(bytes), delimiter)) {
    checkHeaders(head);
    return {
      headers: head.cells,
      rows: { [Symbol.asyncIterator]: () => below(recordsIn(chunksOf(bytes), delimiter)) },
    };
  }
  throw refuse('The file has no header.');
}
