import { signal } from '@preact/signals';
import { CsvFile } from '../data/csv';
import type { Fault } from '../data/fault';
import type { Operation } from '../data/operation';
import { allPages, type Page } from '../data/pages';
import { today } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { tell, tellFault } from '../ui/toast';
import type { Column } from './table';

/** Rows read so far for the file in progress. */
const saving = signal<{ readonly rows: number; readonly cancel: () => void } | undefined>(undefined);

/** Saves a list as a file, page by page. @param read reads the pages until the signal stops it */
export async function saveList<Row>(
  name: string,
  shown: readonly Column<Row>[],
  read: (signal: AbortSignal) => AsyncGenerator<readonly Row[], Fault | undefined>,
): Promise<void> {
  if (saving.peek()) return;
  const columns = shown.filter(({ only }) => only !== 'screen');
  const abort = new AbortController();
  const file = new CsvFile(columns.map(({ label }) => t(label)));
  const show = (rows: number) => {
    saving.value = { rows, cancel: () => abort.abort() };
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
    saving.value = undefined;
  }
}

interface SaveProps<Row, Variables> {
  /** The prefix of the file's name. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly operation: Operation<{ readonly list: Page<Row> }, Variables>;
  /** The filter and the order of the current list. */
  readonly variables: Variables;
}

/** Renders the button that saves a complete list, including rows that are not loaded yet. */
export function SaveButton<Row, Variables extends object>(props: SaveProps<Row, Variables>) {
  const { name, columns, operation, variables } = props;
  const read = (signal: AbortSignal) => allPages(operation, variables, ({ list }) => list, signal);
  return (
    <Button icon="download" weight="bare" onClick={() => saveList(name, columns, read)}>
      {t('common.export_csv')}
    </Button>
  );
}

/** Renders the progress of the file. */
export function SavingNote() {
  if (!saving.value) return null;
  return (
    <div class="note" role="status">
      <p>{t('common.exporting', { n: saving.value.rows })}</p>
      <Button onClick={saving.value.cancel}>{t('common.cancel')}</Button>
    </div>
  );
}
