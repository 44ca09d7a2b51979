import { formatMoment } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Facts } from '../../records/facts';
import { Card } from '../../ui/page';
import { itemFields } from './fields';
import type { ItemDetail } from './item';

/** Gives the custom fields of an item the names that its type has for them. */
function withNames(item: ItemDetail): ItemDetail {
  const names = new Map(item.category?.customFields.map(({ id, name }) => [id, name]));
  const named = item.customFields.map((field) => ({ ...field, name: names.get(field.id) ?? field.name }));
  return { ...item, customFields: named };
}

/** Renders the facts about the item. */
export function ItemFacts({ item }: { readonly item: ItemDetail }) {
  const { created, modified } = item;
  return (
    <Card title={t('item.about')}>
      <Facts kind="EXPIRATION_ITEM" fields={itemFields()} row={withNames(item)} />
      <p class="soft small itemdetails">
        {t('item.created_on', { date: formatMoment(created) })}
        <br />
        {t('item.changed_on', { date: formatMoment(modified) })}
      </p>
    </Card>
  );
}
