import { CsvError, parse } from 'csv-parse/sync';
import { GatewayError } from '../../domain/errors.js';
import { type ImportOptions, importLimits } from '../../imports/imports.js';
import { quoteCells } from './peers.js';

/** A row of a file. */
export interface FileRow {
  /** The line at which it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text of a file as a table. */
export interface FileTable {
  readonly headers: readonly string[];
  readonly rows: readonly FileRow[];
  /** The separator of its cells. */
  readonly delimiter: string;
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
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.replace(/^[\r\n]+/, ''))?.[0] ?? '';
  const bare = header.replace(/"(?:[^"]|"")*"/g, '');
  const counts = delimiters.map((delimiter) => bare.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads a CSV file (RFC 4180). Empty rows are dropped.
 * @throws GatewayError BAD_REQUEST for what is no such file
 */
export function readFile(content: Uint8Array, { encoding }: Pick<ImportOptions, 'encoding'>): FileTable {
  const text = quoteCells(decode(content, encoding));
  if (text.includes('\0')) throw refuse('The file is not text: it contains the character NUL.');
  const delimiter = delimiterOf(text);
  let parsed: CsvRecord[];
  try {
    // The types of csv-parse do not tell that `info` returns each record with its line.
    parsed = parse(text, {
      delimiter,
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: importLimits.rows + 2,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (error instanceof CsvError) throw refuse(`The file is not CSV: ${error.message}.`);
    throw error;
  }
  const [head, ...rows] = parsed;
  if (!head) throw refuse('The file has no header.');
  if (rows.length > importLimits.rows) throw refuse(`The file has more than ${importLimits.rows} rows.`);
  const headers = head.record;
  const known = new Set<string>();
  for (const header of headers.filter((name) => name.trim() !== '')) {
    // Names of custom fields may differ in nothing but case or white space.
    const key = header.startsWith('custom:') ? header : header.trim().toLowerCase();
    if (known.has(key))
      throw refuse(`Line ${head.info.lines}: the header ${JSON.stringify(header)} occurs twice.`);
    known.add(key);
  }
  return {
    headers,
    delimiter,
    rows: rows.map(({ record, info }) => ({ line: info.lines, cells: record })),
  };
}
