import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { navigate, place } from '../app/router';
import { may } from '../app/session';
import { useShortcuts } from '../app/shortcuts';
import { type Page, type Pages, usePages } from '../data/pages';
import { Items } from '../generated/operations/items';
import type { ItemRowFragment, ItemsQuery } from '../generated/types';
import { formatNumber, t } from '../i18n/i18n';
import { ImportLink } from '../records/import-link';
import { SavingNote } from '../records/save';
import { Button, LinkButton } from '../ui/button';
import { PageHead } from '../ui/page';
import { Empty, FaultNote } from '../ui/state';
import { BulkBar } from './items/bulk-bar';
import { orderBy, readFilter, setFilters } from './items/filter';
import { saveItems } from './items/save';
import { Selection } from './items/selection';
import { ItemTable, itemAddress } from './items/table';
import { Toolbar } from './items/toolbar';
import './items.css';

const pick = ({ expirationItems }: ItemsQuery): Page<ItemRowFragment> => expirationItems;

function NoItems({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon="filter" title={t('items.none_found')} text={t('items.none_found_text')}>
        <Button onClick={() => navigate('/items')}>{t('items.clear_filters')}</Button>
      </Empty>
    );
  }
  return (
    <Empty icon="items" title={t('start.empty')} text={t('start.empty_text')}>
      {may('WRITE') && (
        <LinkButton href="/items/new" weight="first" icon="plus">
          {t('items.add')}
        </LinkButton>
      )}
    </Empty>
  );
}

function Foot({ list }: { readonly list: Pages<ItemRowFragment> }) {
  const { rows, totalCount = 0, hasMore, more } = list;
  if (rows.length === 0) return null;
  return (
    <div class="line far listfoot">
      <span class="soft small" role="status">
        {t('common.of_total', { shown: rows.length, total: totalCount })}
      </span>
      {hasMore && (
        <Button onClick={more} isBusy={list.isLoadingMore}>
          {t('common.more_rows')}
        </Button>
      )}
    </div>
  );
}

function useKeys(list: Pages<ItemRowFragment>, selection: Selection): void {
  const ids = list.rows.map(({ id }) => id);
  useShortcuts({
    j: () => selection.move(1, ids.length),
    k: () => selection.move(-1, ids.length),
    ArrowDown: () => selection.move(1, ids.length),
    ArrowUp: () => selection.move(-1, ids.length),
    x: (event) => may('WRITE') && selection.toggle(ids, selection.at.peek(), event.shiftKey),
    Enter: () => {
      const id = ids[selection.at.peek()];
      if (id) navigate(itemAddress(id));
    },
    Escape: () => selection.clear(),
    n: () => may('WRITE') && navigate('/items/new'),
  });
}

/**
 * Renders the list of items. They can be filtered, ordered, selected, changed in bulk, and saved as a file.
 */
export default function ItemsScreen() {
  const { search } = place.value;
  const filter = readFilter(search);
  const order = orderBy(search);
  const list = usePages(Items, { filter, orderBy: order }, pick);
  const selection = useMemo(() => new Selection(), []);
  const question = search.toString();
  useEffect(() => selection.clear(), [question, selection]);
  useKeys(list, selection);
  const chosen = useComputed(() => selection.ids.value.size);
  const ids = selection.ids.peek();
  const items = chosen.value > 0 ? list.rows.filter(({ id }) => ids.has(id)) : [];
  const isEmpty = !list.isFirst && !list.fault && list.rows.length === 0;
  const isFiltered = setFilters(search).length > 0 || search.has('q');
  return (
    <>
      <PageHead
        title={t('items.title')}
        beside={
          list.totalCount !== undefined && <span class="soft num">{formatNumber(list.totalCount)}</span>
        }
      >
        {may('WRITE') && (
          <>
            <ImportLink folder="/items" />
            <LinkButton href="/items/new" weight="first" icon="plus">
              {t('items.add')}
            </LinkButton>
          </>
        )}
      </PageHead>
      <div class="stack">
        <Toolbar onSave={() => void saveItems(filter, order)} />
        <SavingNote />
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {isEmpty && !list.isStale && <NoItems isFiltered={isFiltered} />}
        {(list.isFirst || list.rows.length > 0) && (
          <ItemTable
            items={list.rows}
            isFirst={list.isFirst}
            isStale={list.isStale}
            selection={selection}
            canChoose={may('WRITE')}
          />
        )}
        <Foot list={list} />
      </div>
      <BulkBar items={items} onClear={() => selection.clear()} />
    </>
  );
}
