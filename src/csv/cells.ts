import { stringify } from 'csv-stringify/sync';

/** Mark at the start of a file, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/** Characters with which a formula starts, also in their full width (OWASP, CSV injection). */
const formula = '[=+\\-@\\t\\r\\uff0b\\uff0d\\uff1d\\uff20]';

const needsGuard = new RegExp(`^(?='*${formula})`);
const guard = new RegExp(`^'(?='*${formula})`);

/** Puts an apostrophe before what a spreadsheet would take for a formula. */
export const guarded = (text: string): string => text.replace(needsGuard, "'");

/** Removes the apostrophe that `guarded` has put before a text. */
export const unguarded = (text: string): string => text.replace(guard, '');

/** Writes records as CSV (RFC 4180), with CRLF at the end of each. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][], {
    record_delimiter: 'windows',
    // A lone line break, or the separator of another country's spreadsheets, would split the cell.
    quoted_match: /[\r\n\t;]/,
  });
}
