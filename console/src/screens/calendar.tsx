import { useState } from 'preact/hooks';
import { itemsAddress } from '../app/addresses';
import { navigate, place } from '../app/router';
import { useShortcuts } from '../app/shortcuts';
import { usePages } from '../data/pages';
import { CalendarItems } from '../generated/operations/calendar';
import { addDays, addMonths, formatMonth, today } from '../i18n/dates';
import { formatNumber, t } from '../i18n/i18n';
import { ListFoot } from '../list/foot';
import { Button, LinkButton } from '../ui/button';
import { PageHead } from '../ui/page';
import { FaultNote } from '../ui/state';
import { Agenda } from './calendar/agenda';
import { MonthGrid } from './calendar/grid';
import { firstDayOf, type MonthItem } from './calendar/month';
import { SubscribeDialog } from './calendar/subscribe';
import './calendar.css';

const addressOfMonth = (month: string): string => `/calendar?month=${month.slice(0, 7)}`;

/** Groups items by their days. */
function byDay(items: readonly MonthItem[]): ReadonlyMap<string, readonly MonthItem[]> {
  const days = new Map<string, MonthItem[]>();
  for (const item of items) {
    const date = item.expirationDate ?? '';
    days.set(date, [...(days.get(date) ?? []), item]);
  }
  return days;
}

/** Renders what expires in a month: as a grid of days, and as a list. */
export default function CalendarScreen() {
  const [isSubscribing, setSubscribing] = useState(false);
  const first = firstDayOf(place.value.search.get('month'));
  const until = addMonths(first, 1);
  const list = usePages(CalendarItems, { from: first, until }, ({ expirationItems }) => expirationItems, 500);
  const before = addressOfMonth(addMonths(first, -1));
  const after = addressOfMonth(until);
  useShortcuts({
    ArrowLeft: () => navigate(before, { keepScroll: true }),
    ArrowRight: () => navigate(after, { keepScroll: true }),
    t: () => navigate('/calendar', { keepScroll: true }),
  });
  const days = byDay(list.isStale ? [] : list.rows);
  return (
    <>
      <PageHead
        title={formatMonth(first)}
        beside={
          list.totalCount !== undefined &&
          !list.isStale && (
            <a class="num" href={itemsAddress({ from: first, until })}>
              {t('calendar.count', { n: list.totalCount })}
            </a>
          )
        }
      >
        <Button icon="link" onClick={() => setSubscribing(true)}>
          {t('calendar.subscribe')}
        </Button>
        <LinkButton icon="back" href={before}>
          <span class="unseen">{t('calendar.previous')}</span>
        </LinkButton>
        <LinkButton href="/calendar">{t('calendar.today')}</LinkButton>
        <LinkButton icon="next" href={after}>
          <span class="unseen">{t('calendar.next')}</span>
        </LinkButton>
      </PageHead>
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      <div class="calendarcolumns">
        <MonthGrid first={first} last={addDays(until, -1)} days={days} today={today()} />
        <Agenda days={days} isFirst={list.isFirst || list.isStale} />
      </div>
      {isSubscribing && <SubscribeDialog onClose={() => setSubscribing(false)} />}
      {list.hasMore && !list.isStale && <ListFoot list={list} />}
      <span class="unseen" role="status">
        {list.totalCount !== undefined && formatNumber(list.totalCount)}
      </span>
    </>
  );
}
