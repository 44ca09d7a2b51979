import { useState } from 'preact/hooks';
import { addressOf, itemsAddress } from '../app/addresses';
import { navigate, place } from '../app/router';
import { useShortcuts } from '../app/shortcuts';
import type { DataOf } from '../data/client';
import { usePages } from '../data/pages';
import { CalendarItems } from '../generated/operations/calendar';
import { addDays, addMonths, type Day, formatDay, formatMonth, today, weekdayName } from '../i18n/dates';
import { formatNumber, formatTotal, locale, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { ListFoot } from '../list/table';
import { Button, LinkButton } from '../ui/button';
import { Card, PageHead } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { Countdown, Status } from '../ui/status';
import { SubscribeDialog } from './calendar/subscribe';
import './calendar.css';

/** An item of the current month. */
export type MonthItem = DataOf<typeof CalendarItems>['expirationItems']['nodes'][number];

/** Reads the month from the address: its first day, or that of this month. */
export function firstDayOf(text: string | null): Day {
  const isMonth = text && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text >= '1900-01' && text < '9999-01';
  return `${isMonth ? text : today().slice(0, 7)}-01`;
}

/** Browsers expose the first day of the week under one of two names. */
interface WeekLocale extends Intl.Locale {
  getWeekInfo?(): { readonly firstDay: number };
  readonly weekInfo?: { readonly firstDay: number };
}

/** Returns the first day of the week: 1 for Monday, 7 for Sunday. */
function weekBegins(): number {
  const known: WeekLocale = new Intl.Locale(locale());
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

/** Returns the weeks of a month, each of seven days. */
export function weeksOf(first: Day, last: Day): readonly (readonly Day[])[] {
  const weekday = new Date(`${first}T12:00:00Z`).getUTCDay();
  const begin = addDays(first, -((weekday - weekBegins() + 7) % 7));
  const weeks: Day[][] = [];
  for (let day = begin; day <= last; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(day, at)));
  }
  return weeks;
}

interface AgendaProps {
  readonly days: ReadonlyMap<string, readonly MonthItem[]>;
  readonly isFirst: boolean;
}

/** Renders what expires in a month, one day below the other. */
export function Agenda({ days, isFirst }: AgendaProps) {
  return (
    <Card title={t('calendar.agenda')}>
      {isFirst && <Bones rows={6} />}
      {!isFirst && days.size === 0 && <p class="soft">{t('calendar.none')}</p>}
      <div class="stack">
        {[...days].map(([day, items]) => (
          <section key={day}>
            <h3 class="line far small">
              <span>
                {weekdayName(day, 'short')}, {formatDay(day)}
              </span>
              <Countdown date={day} />
            </h3>
            <ul class="rows">
              {items.map(({ id, name, status, category }) => (
                <li key={id}>
                  <a class="rowlink" href={addressOf('EXPIRATION_ITEM', id)}>
                    <span class="breaks grow">
                      <span class="strong">{shownName(name)}</span>
                      {category && <span class="soft small clip block">{category.name}</span>}
                    </span>
                    <Status status={status} />
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Card>
  );
}

interface GridProps {
  readonly first: Day;
  readonly last: Day;
  readonly days: ReadonlyMap<string, readonly MonthItem[]>;
  readonly today: Day;
}

/** Items that fit into a day. */
const most = 3;

function Items({ day, items, today }: { day: Day; items: readonly MonthItem[]; today: Day }) {
  const address = itemsAddress({ from: day, until: addDays(day, 1) });
  const urgency = day < today ? 'late' : day <= addDays(today, 7) ? 'near' : 'plain';
  const shown = items.length > most ? items.slice(0, most - 1) : items;
  return (
    <>
      <a
        class={`daycount badge num ${urgency}`}
        href={address}
        aria-label={t('calendar.count', { n: items.length })}
      >
        {formatNumber(items.length)}
      </a>
      <ul class="dayitems">
        {shown.map(({ id, name }) => (
          <li key={id}>
            <a class={`dayitem ${urgency}`} href={addressOf('EXPIRATION_ITEM', id)} title={shownName(name)}>
              {shownName(name)}
            </a>
          </li>
        ))}
        {items.length > shown.length && (
          <li>
            <a class="small" href={address}>
              {t('calendar.and_more', { n: items.length - shown.length })}
            </a>
          </li>
        )}
      </ul>
    </>
  );
}

/** Renders a month as a table of weeks, with what expires on its days. */
export function MonthGrid({ first, last, days, today }: GridProps) {
  const weeks = weeksOf(first, last);
  return (
    <table class="month">
      <caption class="unseen">{t('calendar.title')}</caption>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" abbr={weekdayName(day, 'long')}>
              {weekdayName(day, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const isOther = day < first || day > last;
              const items = days.get(day) ?? [];
              return (
                <td
                  key={day}
                  class={isOther ? 'other' : undefined}
                  aria-current={day === today ? 'date' : undefined}
                >
                  <time class="daynumber num" dateTime={day} title={formatDay(day, 'long')}>
                    {formatNumber(Number(day.slice(8)))}
                  </time>
                  {items.length > 0 && <Items day={day} items={items} today={today} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
          list.total &&
          !list.isStale && (
            <a class="num" href={itemsAddress({ from: first, until })}>
              {t('calendar.count', { n: list.total })}
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
        {list.total && formatTotal(list.total)}
      </span>
    </>
  );
}
