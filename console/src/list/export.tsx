import { signal } from '@preact/signals';
import { CsvFile } from '../data/csv';
import type { Fault } from '../data/fault';
import { today } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { tell, tellFault } from '../ui/toast';

/** A column of a file. */
export interface FileColumn<Row> {
  readonly head: string;
  readonly text: (row: Row) => string | number | null | undefined;
}

/** Rows read so far for the file in progress. */
const exporting = signal<{ readonly rows: number; readonly cancel: () => void } | undefined>(undefined);

/** Saves a list as a file, page by page. @param read reads the pages until the signal stops it */
export async function exportList<Row>(
  name: string,
  columns: readonly FileColumn<Row>[],
  read: (signal: AbortSignal) => AsyncGenerator<readonly Row[], Fault | undefined>,
): Promise<void> {
  if (exporting.peek()) return;
  const abort = new AbortController();
  const file = new CsvFile(columns.map(({ head }) => head));
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
