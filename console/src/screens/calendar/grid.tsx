import { addressOf, itemsAddress } from '../../app/addresses';
import { addDays, type Day, formatDay } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { type MonthItem, weekdayName, weeksOf } from './month';

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
