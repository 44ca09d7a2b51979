import { signal } from '@preact/signals';
import { type Cell, CsvFile } from '../data/csv';
import type { Fault } from '../data/fault';
import { today } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { tell, tellFault } from '../ui/toast';
import type { Column } from './declare';

/** A column of a file. */
export interface FileColumn<Row> extends Pick<Column<Row>, 'text' | 'file' | 'fileColumns'> {
  readonly head: string;
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
  const fixed = columns.filter(({ fileColumns }) => !fileColumns);
  const lines: { readonly values: readonly Cell[]; readonly own: Readonly<Record<string, Cell>> }[] = [];
  const show = (rows: number) => {
    exporting.value = { rows, cancel: () => abort.abort() };
  };
  show(0);
  try {
    const pages = read(abort.signal);
    let next = await pages.next();
    for (; !next.done; next = await pages.next()) {
      for (const row of next.value) {
        lines.push({
          values: fixed.map(({ text, file = text }) => file(row)),
          own: Object.assign({}, ...columns.map(({ fileColumns }) => fileColumns?.(row))),
        });
      }
      show(lines.length);
    }
    if (next.value) return tellFault(next.value);
    if (abort.signal.aborted) return;
    // Only the rows know these.
    const names = [...new Set(lines.flatMap(({ own }) => Object.keys(own)))];
    const file = new CsvFile([...fixed.map(({ head }) => head), ...names]);
    for (const { values, own } of lines) file.add([...values, ...names.map((name) => own[name])]);
    file.save(`${name}-${today()}.csv`);
    tell(t('common.exported', { n: lines.length }));
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
