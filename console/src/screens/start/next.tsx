import { addressOf } from '../../app/addresses';
import { hasTeams } from '../../app/session';
import { Unsent } from '../../app/unsent';
import { useQuery } from '../../data/query';
import { unsentReason } from '../../data/reminding';
import { NextReminders } from '../../generated/operations/start';
import { formatDay, formatMoment } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { joinNames, shownName } from '../../i18n/names';
import { Card } from '../../ui/page';
import { Bones } from '../../ui/state';
import { Countdown, DateText } from '../../ui/status';
import type { StartData } from './data';

/** Renders the items that expire next. */
export function Next({ data }: { readonly data: StartData }) {
  if (data.next.nodes.length === 0) return <p class="soft">{t('start.next_none')}</p>;
  return (
    <ul class="rows">
      {data.next.nodes.map(({ id, name, expirationDate, notifyOn, status, category, team, assignedTo }) => (
        <li key={id}>
          <a class="rowlink" href={addressOf('EXPIRATION_ITEM', id)}>
            <span class="breaks grow">
              <span class="strong">{shownName(name)}</span>
              <span class="soft small block">
                {joinNames(category?.name, hasTeams() && team?.name, assignedTo?.name)}
              </span>
            </span>
            {expirationDate && (
              <span class="atend">
                <Countdown date={expirationDate} timeZone={team?.timezone} />
                <span class="soft small block">
                  <DateText date={expirationDate} />
                </span>
                {status === 'CURRENT' && notifyOn && !unsentReason(team?.id) && (
                  <span class="unseen">{t('start.reminders_from', { date: formatDay(notifyOn) })}</span>
                )}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Renders the next reminders: for what, when, to whom. */
export function Reminders() {
  const { data, fault } = useQuery(NextReminders, { days: 30, first: 6 });
  // With very many workspaces, the gateway refuses to list all of them.
  if (fault) return null;
  const reminders = data?.upcomingReminders.nodes;
  const silent = reminders?.find(({ team }) => unsentReason(team?.id));
  return (
    <Card title={t('start.next_reminders')}>
      {!reminders && <Bones rows={4} />}
      {silent && !unsentReason() && <Unsent teamId={silent.team?.id} isSmall />}
      {reminders?.length === 0 && <p class="soft">{t('start.next_reminders_none')}</p>}
      <ul class="rows">
        {reminders?.map(({ at, itemName, team, expirationItem, recipients }) => {
          const people = recipients.filter(({ reason }) => reason === null).map(({ address }) => address);
          const told = people.join(', ') || t('start.no_recipient');
          return (
            <li key={`${at}${expirationItem?.id}`}>
              <a
                class="rowlink reminderline"
                href={expirationItem ? addressOf('EXPIRATION_ITEM', expirationItem.id) : '/items'}
              >
                <span class="breaks grow">
                  <span class="strong">{shownName(itemName)}</span>
                  <span class="soft small block">
                    {unsentReason(team?.id) ? t('health.not_sent_to', { people: told }) : told}
                  </span>
                </span>
                <span class="soft small atend">{formatMoment(at)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
