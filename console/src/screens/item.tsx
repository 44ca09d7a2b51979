import { addressOf } from '../app/addresses';
import { navigate, place } from '../app/router';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import { request } from '../data/client';
import {
  DeleteExpirationItem,
  ExpirationItemRecord,
  RestoreExpirationItem,
} from '../generated/operations/expirationItem';
import { CopyItem } from '../generated/operations/items';
import { formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { Facts } from '../records/facts';
import { RecordPage, removeRecord } from '../records/page';
import { LinkButton } from '../ui/button';
import { Menu, MenuAction } from '../ui/menu';
import { Card } from '../ui/page';
import { Empty } from '../ui/state';
import { Status } from '../ui/status';
import { tell, tellFault } from '../ui/toast';
import { HolderLine, Holders, Notes, People, Places } from './item/cards';
import { type ItemDetail, itemFields, type PartProps } from './item/fields';
import { Files } from './item/files';
import { ItemForm } from './item/form';
import { Standing } from './item/standing';
import { Watches } from './item/watches';
import { archiveItems } from './items/bulk';
import './item.css';

/** Gives the custom fields of an item the names that its type has for them. */
function withNames(item: ItemDetail): ItemDetail {
  const names = new Map(item.category?.customFields.map(({ id, name }) => [id, name]));
  const named = item.customFields.map((field) => ({ ...field, name: names.get(field.id) ?? field.name }));
  return { ...item, customFields: named };
}

/** Renders the facts about the item. */
function ItemFacts({ item }: { readonly item: ItemDetail }) {
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

/** Renders the actions on the whole item. */
function ItemActions({ item, onChanged }: PartProps) {
  const { id, name, isActive } = item;
  async function copy() {
    const outcome = await request(CopyItem, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    if (!outcome.data.copyExpirationItem) return;
    tell(t('item.copied'));
    navigate(`${addressOf('EXPIRATION_ITEM', outcome.data.copyExpirationItem.id)}?edit`);
  }
  async function remove() {
    const documents = { remove: DeleteExpirationItem, restore: RestoreExpirationItem };
    if (!(await removeRecord('EXPIRATION_ITEM', documents, item, name))) await onChanged();
  }
  return (
    <>
      <LinkButton href={`${addressOf('EXPIRATION_ITEM', id)}?edit`} icon="edit">
        {t('common.edit')}
      </LinkButton>
      <Menu label={t('common.more')} icon="more" isSquare>
        {(close) => {
          const and = (work: () => unknown) => () => {
            close();
            void work();
          };
          return (
            <>
              <MenuAction
                icon="archive"
                onClick={and(async () => {
                  if (await archiveItems([item], !isActive)) await onChanged();
                })}
              >
                {t(isActive ? 'items.archive' : 'items.unarchive')}
              </MenuAction>
              <MenuAction icon="copy" onClick={and(copy)}>
                {t('item.copy')}
              </MenuAction>
              <MenuAction icon="trash" onClick={and(remove)}>
                {t('common.delete')}
              </MenuAction>
            </>
          );
        }}
      </Menu>
    </>
  );
}

/** Renders an item with its status, files, people, places, notes and history. */
function ItemView({ id }: ScreenProps) {
  return (
    <RecordPage
      kind="EXPIRATION_ITEM"
      id={id}
      list={t('items.title')}
      document={ExpirationItemRecord}
      history="main"
      instead={(item, reload) =>
        place.value.search.has('edit') && may('WRITE') && <ItemForm item={item} onChanged={reload} />
      }
      beside={({ status }) => <Status status={status} />}
      actions={(item, reload) => may('WRITE') && <ItemActions item={item} onChanged={reload} />}
      lead={(item) => <HolderLine item={item} />}
      main={(item, reload) => (
        <>
          <Standing item={item} onChanged={reload} />
          <Files item={item} onChanged={reload} />
          <Notes item={item} onChanged={reload} />
        </>
      )}
      aside={(item) => (
        <>
          <Holders item={item} />
          <ItemFacts item={item} />
          <People item={item} />
          <Places item={item} />
          <Watches item={item} />
        </>
      )}
    />
  );
}

/** Renders an item, or the form for a new one. */
export default function ItemScreen({ id }: ScreenProps) {
  if (id !== 'new') return <ItemView id={id} />;
  if (may('WRITE')) return <ItemForm />;
  return <Empty icon="items" title={t('fault.forbidden')} />;
}
