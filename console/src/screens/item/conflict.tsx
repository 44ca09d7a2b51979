import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import type { ItemDetail } from './item';

/** Describes what others have changed meanwhile. */
function differences(before: ItemDetail, now: ItemDetail): string[] {
  const names = (records: readonly { readonly name: string | null }[]) =>
    records.map(({ name }) => name).join(', ');
  const date = (day: string | null) => (day ? formatDay(day) : '');
  const rows: [label: string, before: string, now: string][] = [
    [t('items.name'), before.name, now.name],
    [t('items.expires'), date(before.expirationDate), date(now.expirationDate)],
    [t('items.type'), before.category?.name ?? '', now.category?.name ?? ''],
    [t('items.assigned'), before.assignedTo?.name ?? '', now.assignedTo?.name ?? ''],
    [t('item.main_contact'), before.contact?.name ?? '', now.contact?.name ?? ''],
    [t('item.contacts'), names(before.contacts), names(now.contacts)],
    [t('item.locations'), names(before.locations), names(now.locations)],
    [t('item.tags'), names(before.tags), names(now.tags)],
    [t('item.details'), before.details ?? '', now.details ?? ''],
  ];
  return rows
    .filter(([, old, present]) => old !== present)
    .map(([field, old, present]) =>
      t('history.change', { field, before: old || t('history.empty'), after: present || t('history.empty') }),
    );
}

/** Tells that somebody else was faster: their changes, and how to continue. */
export function ConflictNote({
  before,
  now,
  onTake,
}: {
  readonly before: ItemDetail;
  readonly now: ItemDetail;
  readonly onTake: () => void;
}) {
  return (
    <div class="note near" role="alert">
      <Icon name="warning" />
      <div class="grow">
        <p class="strong">{t('fault.changed')}</p>
        <ul>
          {differences(before, now).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>{t('item.conflict_text')}</p>
      </div>
      <Button onClick={onTake}>{t('item.conflict_take')}</Button>
    </div>
  );
}
