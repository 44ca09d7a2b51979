import { signal } from '@preact/signals';
import { CsvFile } from '../../data/csv';
import { allPages } from '../../data/pages';
import { type ExpirationItemFilter, type ExpirationItemOrder, ItemsToSave } from '../../generated/operations';
import { today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { statusText } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import { peopleOf } from './table';

/** Rows that were read so far for a file that is being made. */
export const saving = signal<{ readonly rows: number; readonly cancel: () => void } | undefined>(undefined);

/** Saves all that a list shows as a file, read page by page. */
export async function saveItems(filter: ExpirationItemFilter, orderBy: ExpirationItemOrder[]): Promise<void> {
  if (saving.peek()) return;
  const abort = new AbortController();
  const head = [
    'name',
    'type',
    'expires',
    'status',
    'contact',
    'location',
    'assigned',
    'tag',
    'team',
  ] as const;
  const file = new CsvFile([...head.map((name) => t(`items.${name}`)), t('item.details'), t('item.fields')]);
  let rows = 0;
  const show = () => {
    saving.value = { rows, cancel: () => abort.abort() };
  };
  show();
  const pages = allPages(
    ItemsToSave,
    { filter, orderBy },
    ({ expirationItems }) => expirationItems,
    abort.signal,
  );
  try {
    for (;;) {
      const next = await pages.next();
      if (next.done) {
        if (next.value) return tellFault(next.value);
        break;
      }
      for (const item of next.value) {
        file.add([
          item.name,
          item.category?.name,
          item.expirationDate,
          statusText(item.status),
          peopleOf(item).join('; '),
          item.locations.map(({ name }) => name).join('; '),
          item.assignedTo?.name,
          item.tags.map(({ name }) => name).join('; '),
          item.team?.name,
          item.details,
          item.customFields.map(({ name, value }) => `${name}: ${value ?? ''}`).join('; '),
        ]);
      }
      rows += next.value.length;
      show();
    }
    if (abort.signal.aborted) return;
    file.save(`items-${today()}.csv`);
    tell(t('common.exported', { n: rows }));
  } finally {
    saving.value = undefined;
  }
}
