import { saveText } from './browser';

/** Matches what a spreadsheet takes for a formula (OWASP, CSV injection). The gateway's exports do the same. */
const formula = /^'*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

/** A value of a file. */
export type Cell = string | number | boolean | null | undefined;

/** Formats a value for a spreadsheet. A text that looks like a formula stays a text. */
export function cell(value: Cell): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file that is built line by line, and saved by the browser. */
export class CsvFile {
  readonly #lines: string[] = [];

  constructor(head: readonly string[]) {
    this.add(head);
  }

  /** Adds a line. */
  add(values: readonly Cell[]): void {
    this.#lines.push(`${values.map(cell).join(',')}\r\n`);
  }

  /** Downloads the file under a name. */
  save(name: string): void {
    // With a byte order mark, by which spreadsheets recognize UTF-8.
    saveText(name, 'text/csv', ['\ufeff', ...this.#lines]);
  }
}
