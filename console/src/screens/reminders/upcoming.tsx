import { addressOf } from '../../app/addresses';
import { Unsent } from '../../app/unsent';
import { usePages } from '../../data/pages';
import { unsentReason } from '../../data/reminding';
import { Upcoming } from '../../generated/operations/reminders';
import { formatDay, formatMoment } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import { Card } from '../../ui/page';
import { notToldText } from '../../ui/reason';
import { Bones, FaultNote } from '../../ui/state';

/** Days that the preview looks ahead. */
const days = 30;

/** Renders the reminders of the next days if nothing changes. */
export function UpcomingCard() {
  const list = usePages(Upcoming, { days }, ({ upcomingReminders }) => upcomingReminders);
  const silent = list.rows.find(({ team }) => unsentReason(team?.id));
  return (
    <div class="belowlist">
      <Card title={t('reminders.upcoming', { n: days })}>
        <Unsent teamId={silent?.team?.id} />
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {list.isFirst && <Bones rows={5} />}
        {!list.isFirst && !list.fault && list.rows.length === 0 && (
          <p class="soft">{t('reminders.upcoming_none')}</p>
        )}
        <ul class="rows">
          {list.rows.map(
            ({ at, about, itemName, team, expirationItem, expirationDate, step, recipients, occurrence }) => (
              <li key={`${expirationItem?.id}-${about}-${step.id}-${occurrence}-${at}`} class="upcoming">
                <time class="num" dateTime={at}>
                  {formatMoment(at)}
                </time>
                <span>
                  <a
                    class="strong"
                    href={expirationItem ? addressOf('EXPIRATION_ITEM', expirationItem.id) : undefined}
                  >
                    {shownName(itemName)}
                  </a>
                  <span class="soft small block">
                    {about === 'NOTICE' && `${t('fields.noticeDate')}: `}
                    {formatDay(expirationDate)}
                  </span>
                </span>
                <span class="soft small">
                  {unsentReason(team?.id) && <span class="block near-text">{t('health.not_sent')}</span>}
                  {recipients.length === 0 && t('reminders.nobody')}
                  {recipients.map(({ address, reasonCode }) => (
                    <span class="block" key={address}>
                      {reasonCode
                        ? t('reminders.not_told', { address, reason: notToldText(reasonCode) })
                        : address}
                    </span>
                  ))}
                </span>
              </li>
            ),
          )}
        </ul>
        {list.hasMore && (
          <Button onClick={list.more} isBusy={list.isLoadingMore}>
            {t('common.more_rows')}
          </Button>
        )}
      </Card>
    </div>
  );
}
