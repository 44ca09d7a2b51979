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
    [t('fields.expirationDate'), date(before.expirationDate), date(now.expirationDate)],
    [t('fields.category'), before.category?.name ?? '', now.category?.name ?? ''],
    [t('fields.assignedTo'), before.assignedTo?.name ?? '', now.assignedTo?.name ?? ''],
    [t('fields.contact'), before.contact?.name ?? '', now.contact?.name ?? ''],
    [t('fields.contacts'), names(before.contacts), names(now.contacts)],
    [t('fields.locations'), names(before.locations), names(now.locations)],
    [t('fields.tags'), names(before.tags), names(now.tags)],
    [t('fields.details'), before.details ?? '', now.details ?? ''],
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
