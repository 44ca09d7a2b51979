import { stringify } from 'csv-stringify/sync';

/** Mark at the start of a file, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/** Characters with which a formula starts, also in their full width (OWASP, CSV injection). */
const formula = '[=+\\-@\\t\\r\\n\\uff0b\\uff0d\\uff1d\\uff20]';

const needsGuard = new RegExp(`^(?='*${formula})`);
const guard = new RegExp(`^'(?='*${formula})`);

/** Puts an apostrophe before what a spreadsheet would take for a formula. */
export const guarded = (text: string): string => text.replace(needsGuard, "'");

/** Removes the apostrophes that `guarded` has put before a text so many times. */
export function unguarded(text: string, times = 1): string {
  let bare = text;
  for (let time = 0; time < times; time += 1) bare = bare.replace(guard, '');
  return bare;
}

/** Headers of the columns that a result file has behind those of the imported file. */
export const resultHeaders = ['_result', '_id', '_error'] as const;

/** Returns whether headers are those of a result file. */
export const isResultFile = (headers: readonly string[]): boolean =>
  resultHeaders.every((name, at) => headers.at(at - resultHeaders.length) === name);

/** Writes records as CSV (RFC 4180), with CRLF at the end of each. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][], {
    record_delimiter: 'windows',
    // A lone line break, or the separator of another country's spreadsheets, would split the cell.
    quoted_match: /[\r\n\t;]/,
  });
}
