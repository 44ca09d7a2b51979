import type { Page } from '../../data/pages';
import { usePages } from '../../data/pages';
import { ItemHistory } from '../../generated/operations/items';
import type { EventLineFragment, ItemHistoryQuery } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { EventLine } from '../../records/history';
import { Button } from '../../ui/button';
import { Card } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import type { ItemDetail } from './item';

const none: Page<EventLineFragment> = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };

const pick = ({ expirationItem }: ItemHistoryQuery): Page<EventLineFragment> =>
  expirationItem?.eventLogs ?? none;

/** Renders the history of the item in sentences. */
export function History({ item }: { readonly item: ItemDetail }) {
  const list = usePages(ItemHistory, { id: item.id }, pick, 15);
  return (
    <Card title={t('item.history')}>
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {list.isFirst && <Bones rows={4} />}
      {!list.isFirst && list.rows.length === 0 && <p class="soft">{t('start.recent_none')}</p>}
      <ul class="events">
        {list.rows.map((event) => (
          <EventLine key={event.id} event={event} isOwn />
        ))}
      </ul>
      {list.hasMore && (
        <Button weight="bare" icon="down" onClick={list.more} isBusy={list.isLoadingMore}>
          {t('common.more_rows')}
        </Button>
      )}
    </Card>
  );
}
