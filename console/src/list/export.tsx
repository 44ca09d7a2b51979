import { signal } from '@preact/signals';
import type { Fault } from '../data/fault';
import { saveText } from '../data/storage';
import { today } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { tell, tellFault } from '../ui/toast';
import type { Column } from './declare';

/** Matches what a spreadsheet takes for a formula (OWASP, CSV injection). The gateway's exports do the same. */
const formula = /^'*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

/** Formats a value for a spreadsheet. A text that looks like a formula stays a text. */
export function cell(value: string | number | null | undefined): string {
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
  add(values: readonly (string | number | null | undefined)[]): void {
    this.#lines.push(`${values.map(cell).join(',')}\r\n`);
  }

  /** Downloads the file under a name. */
  save(name: string): void {
    // With a byte order mark, by which spreadsheets recognize UTF-8.
    saveText(name, 'text/csv', ['\ufeff', ...this.#lines]);
  }
}

/** Rows read so far for the file in progress. */
const exporting = signal<{ readonly rows: number; readonly cancel: () => void } | undefined>(undefined);

/** Saves a list as a file, page by page. @param read reads the pages until the signal stops it */
export async function exportList<Row>(
  name: string,
  columns: readonly Column<Row>[],
  read: (signal: AbortSignal) => AsyncGenerator<readonly Row[], Fault | undefined>,
): Promise<void> {
  if (exporting.peek()) return;
  const abort = new AbortController();
  const file = new CsvFile(columns.map(({ label }) => t(label)));
  const show = (rows: number) => {
    exporting.value = { rows, cancel: () => abort.abort() };
  };
  let rows = 0;
  show(rows);
  try {
    const pages = read(abort.signal);
    let next = await pages.next();
    for (; !next.done; next = await pages.next()) {
      for (const row of next.value) file.add(columns.map(({ text }) => text(row)));
      rows += next.value.length;
      show(rows);
    }
    if (next.value) return tellFault(next.value);
    if (abort.signal.aborted) return;
    file.save(`${name}-${today()}.csv`);
    tell(t('common.exported', { n: rows }));
  } finally {
    exporting.value = undefined;
  }
}

/** Renders the progress of the file. */
export function ExportNote() {
  if (!exporting.value) return null;
  return (
    <div class="note" role="status">
      <p>{t('common.exporting', { n: exporting.value.rows })}</p>
      <Button onClick={exporting.value.cancel}>{t('common.cancel')}</Button>
    </div>
  );
}
