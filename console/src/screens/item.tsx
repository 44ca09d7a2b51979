import { addressOf } from '../app/addresses';
import { navigate, place } from '../app/router';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import { useQuery } from '../data/answers';
import { request } from '../data/client';
import {
  DeleteExpirationItem,
  ExpirationItemRecord,
  RestoreExpirationItem,
} from '../generated/operations/expirationItem';
import { CopyItem } from '../generated/operations/items';
import { formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { HistoryCard } from '../records/aside';
import { Facts } from '../records/facts';
import { LinkButton } from '../ui/button';
import { Menu, MenuAction } from '../ui/menu';
import { Card, PageHead } from '../ui/page';
import { Bones, Empty, FaultNote } from '../ui/state';
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
  const { id, name, version, isActive } = item;
  async function copy() {
    const outcome = await request(CopyItem, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    if (!outcome.data.copyExpirationItem) return;
    tell(t('item.copied'));
    navigate(`${addressOf('EXPIRATION_ITEM', outcome.data.copyExpirationItem.id)}?edit`);
  }
  async function remove() {
    const outcome = await request(DeleteExpirationItem, { id, ifVersion: version });
    if (!outcome.ok) {
      tellFault(outcome.fault);
      return onChanged();
    }
    navigate('/items');
    tell(t('common.deleted', { name }), async () => {
      const restored = await request(RestoreExpirationItem, { id });
      if (!restored.ok) return tellFault(restored.fault);
      tell(t('common.undone'));
      navigate(addressOf('EXPIRATION_ITEM', id));
    });
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

const above = () => ({ href: '/items', label: t('items.title') });

/** Renders an item with its status, files, people, places, notes and history. */
function ItemView({ id }: ScreenProps) {
  const { data, fault, reload } = useQuery(ExpirationItemRecord, { id });
  const item = data?.record;
  if (!item) {
    return (
      <>
        <PageHead title={t('items.title')} above={above()} />
        {fault && fault.kind !== 'gone' && <FaultNote fault={fault} onRetry={reload} />}
        {(fault?.kind === 'gone' || (data && !item)) && (
          <Empty icon="search" title={t('item.gone')} text={t('item.gone_text')}>
            <LinkButton href="/items">{t('items.title')}</LinkButton>
          </Empty>
        )}
        {!data && !fault && <Bones rows={10} />}
      </>
    );
  }
  if (place.value.search.has('edit') && may('WRITE')) return <ItemForm item={item} onChanged={reload} />;
  return (
    <>
      <PageHead title={item.name} above={above()} beside={<Status status={item.status} />}>
        {may('WRITE') && <ItemActions item={item} onChanged={reload} />}
      </PageHead>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      <HolderLine item={item} />
      <div class="itemgrid">
        <div class="stack">
          <Standing item={item} onChanged={reload} />
          <Files item={item} onChanged={reload} />
          <Notes item={item} onChanged={reload} />
          <HistoryCard kind="EXPIRATION_ITEM" id={id} />
        </div>
        <div class="stack">
          <Holders item={item} />
          <ItemFacts item={item} />
          <People item={item} />
          <Places item={item} />
          <Watches item={item} />
        </div>
      </div>
    </>
  );
}

/** Renders an item, or the form for a new one. */
export default function ItemScreen({ id }: ScreenProps) {
  if (id !== 'new') return <ItemView id={id} />;
  if (may('WRITE')) return <ItemForm />;
  return <Empty icon="items" title={t('fault.forbidden')} />;
}
