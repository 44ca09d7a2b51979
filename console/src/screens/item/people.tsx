import { addressOf } from '../../app/addresses';
import { formatNumber, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { kindOfHolder, nameOfHolder } from '../../records/holders';
import { Icon } from '../../ui/icon';
import { Card } from '../../ui/page';
import type { ItemDetail } from './item';

/** Renders whom the item is about, and how to reach them. */
export function People({ item }: { readonly item: ItemDetail }) {
  const { contact, contacts } = item;
  const all = contact ? [contact, ...contacts.filter(({ id }) => id !== contact.id)] : contacts;
  return (
    <Card title={t('fields.contacts')}>
      {all.length === 0 && <p class="soft">{t('item.contacts_none')}</p>}
      <ul class="rows">
        {all.map(({ id, name, email, phone, mobile }) => (
          <li key={id} class="person">
            <a class="strong" href={addressOf('CONTACT', id)}>
              {shownName(name, email)}
            </a>
            {id === contact?.id && <span class="soft small"> {t('fields.contact')}</span>}
            <p class="line small">
              <a href={`mailto:${email}`}>{email}</a>
              {[mobile, phone].filter(Boolean).map((number) => (
                <a key={number} href={`tel:${number}`}>
                  {number}
                </a>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Renders whose paper the item is. */
export function Holders({ item: { holders } }: { readonly item: ItemDetail }) {
  if (holders.nodes.length === 0) return null;
  const more = holders.totalCount - holders.nodes.length;
  return (
    <Card title={t('fields.holders')}>
      <ul class="rows">
        {holders.nodes.map((holder) => (
          <li key={holder.id}>
            <a class="rowlink" href={addressOf(kindOfHolder(holder), holder.id)}>
              <span class="breaks strong">{nameOfHolder(holder)}</span>
              <span class="soft small">{t(`kinds.${kindOfHolder(holder)}`)}</span>
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="soft small">+{formatNumber(more)}</p>}
    </Card>
  );
}

/** Renders the item's locations, each with those around it. */
export function Places({ item }: { readonly item: ItemDetail }) {
  if (item.locations.length === 0) return null;
  return (
    <Card title={t('fields.locations')}>
      <ul class="stack tight">
        {item.locations.map(({ id, name, ancestors }) => (
          <li key={id} class="path">
            {ancestors.nodes.map((above) => (
              <span key={above.id} class="soft">
                {shownName(above.name)}
                <Icon name="next" />
              </span>
            ))}
            <a href={addressOf('LOCATION', id)}>{shownName(name)}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
