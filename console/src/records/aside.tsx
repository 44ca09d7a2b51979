import type { ComponentChildren } from 'preact';
import { addressOf, itemsAddress } from '../app/addresses';
import { useQuery } from '../data/answers';
import type { DataOf } from '../data/client';
import { usePages } from '../data/pages';
import { ItemsHere, RecordHistory } from '../generated/operations/records';
import type { ExpirationItemFilter, RecordKind } from '../generated/types';
import { formatTotal, type Total, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Button } from '../ui/button';
import { Card } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { Countdown, DateText, Status } from '../ui/status';
import { EventLine } from './history';

type Line = DataOf<typeof ItemsHere>['expirationItems']['nodes'][number];

/** Renders an item in a card, as a link to it. */
export function ItemLine({ id, name, status, expirationDate }: Line) {
  return (
    <li>
      <a class="rowlink itemline" href={addressOf('EXPIRATION_ITEM', id)}>
        <span class="breaks strong">{shownName(name)}</span>
        <Status status={status} />
        <span class="soft small">{expirationDate && <DateText date={expirationDate} />}</span>
        {expirationDate && (
          <span class="small">
            <Countdown date={expirationDate} />
          </span>
        )}
      </a>
    </li>
  );
}

/** Renders the items of a record that expire next, and links to all of them. */
export function ItemsCard({
  title,
  filter,
  parameters,
}: {
  readonly title?: string;
  readonly filter: ExpirationItemFilter;
  /** The same filter in the address of the list of items. */
  readonly parameters: Readonly<Record<string, string>>;
}) {
  const { data, fault, reload } = useQuery(ItemsHere, { filter: { ...filter, isActive: true } });
  const items = data?.expirationItems;
  return (
    <Card
      title={title ?? t('records.expires_here')}
      action={
        items &&
        items.totalCount > 0 && (
          <a class="small" href={itemsAddress(parameters)}>
            {t('records.see_all', { n: items })}
          </a>
        )
      }
    >
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!items && !fault && <Bones rows={4} />}
      {items?.nodes.length === 0 && <p class="soft">{t('records.expires_none')}</p>}
      <ul class="rows">
        {items?.nodes.map((item) => (
          <ItemLine key={item.id} {...item} />
        ))}
      </ul>
    </Card>
  );
}

/** Renders the history of a record as sentences. */
export function HistoryCard({ kind, id }: { readonly kind: RecordKind; readonly id: string }) {
  const list = usePages(RecordHistory, { kind, id }, (data) => data.list, 10);
  if (!list.isFirst && !list.fault && list.rows.length === 0) return null;
  return (
    <Card title={t('records.history')}>
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {list.isFirst && <Bones rows={3} />}
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

/** Renders records that belong to another one, as links. */
export function LinksCard({
  title,
  links,
  total,
}: {
  readonly title: string;
  readonly links: readonly {
    readonly id: string;
    readonly label: string;
    readonly href: string | undefined;
  }[];
  readonly total: Total;
}): ComponentChildren {
  if (links.length === 0) return null;
  return (
    <Card title={title} action={<span class="soft num">{formatTotal(total)}</span>}>
      <ul class="rows">
        {links.map(({ id, label, href }) => (
          <li key={id}>
            <a class="rowlink" href={href}>
              <span class="breaks">{shownName(label)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
