import { addressOf } from '../../app/addresses';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Card } from '../../ui/page';
import { Bones } from '../../ui/state';
import { Countdown, Status } from '../../ui/status';
import { type MonthItem, weekdayName } from './month';

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
              <Countdown date={day} timeZone={items[0]?.team?.timezone} />
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
