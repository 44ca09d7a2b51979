import { addressOf } from '../app/addresses';
import { may } from '../app/session';
import { Unsent } from '../app/unsent';
import { usePages } from '../data/pages';
import { unsentReason } from '../data/reminding';
import { reminderPolicyDocuments } from '../generated/operations/reminderPolicy';
import { Upcoming } from '../generated/operations/reminders';
import { formatDay, formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { recordScreen } from '../records/record-screen';
import { Button } from '../ui/button';
import { Card } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { Badge, notToldText } from '../ui/status';
import { ApplyCard } from './reminders/apply';
import {
  dayText,
  inputOfSteps,
  type Policy,
  type Step,
  type StepDraft,
  StepsEditor,
  stepDrafts,
} from './reminders/steps';
import './reminders.css';

/** Renders the days of a policy in order, each with its recipients. */
function Timeline({
  steps,
  teamId,
}: {
  readonly steps: readonly Step[];
  readonly teamId: string | undefined;
}) {
  return (
    <Card title={t('fields.steps')}>
      <Unsent teamId={teamId} />
      <ol class="timeline">
        {steps.map((step) => (
          <li key={step.id} class={step.offsetDays > 0 ? 'late' : step.offsetDays === 0 ? 'day' : ''}>
            <p class="strong">{dayText(step.offsetDays)}</p>
            {step.about && (
              <p class="soft small">
                {t(step.about === 'NOTICE' ? 'fields.noticeDate' : 'fields.expirationDate')}
              </p>
            )}
            <p class="soft small">
              {step.recipients
                .filter((kind) => kind !== 'ADDRESSES')
                .map((kind) => t(`reminders.${kind}`))
                .concat(step.addresses)
                .join(', ')}
            </p>
            {step.repeatEveryDays !== null && (
              <p class="soft small">{t('reminders.every', { n: step.repeatEveryDays })}</p>
            )}
            {step.onlyUnacknowledged && <p class="soft small">{t('reminders.only_unacknowledged')}</p>}
            {step.asksForDocument && <p class="soft small">{t('reminders.asks')}</p>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Days that the preview looks ahead. */
const days = 30;

/** Renders the reminders of the next days if nothing changes. */
function UpcomingCard() {
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

/** Returns whether a policy is a workspace's default. */
const isOfTeam = ({ id, team }: Policy): boolean => team?.reminderPolicyId === id;

/** Renders reminder policies: their list, or one with its days and recipients. */
export default recordScreen({
  kind: 'REMINDER_POLICY',
  documents: reminderPolicyDocuments,
  // A workspace's default policy always exists, and only administrators may change it.
  canChange: (policy) => may('ADMINISTER') || !isOfTeam(policy),
  canDelete: (policy) => !isOfTeam(policy),
  fields: [
    'name',
    { name: 'timeOfDay', hint: 'reminders.time_hint', control: { type: 'time' } },
    { name: 'deliverOn', isNeeded: true },
    'contactsMayRenew',
    {
      type: 'own',
      fact: false,
      name: 'steps',
      read: (policy) => stepDrafts(policy?.steps),
      send: (steps: readonly StepDraft[]) => inputOfSteps(steps),
      words: (steps: readonly StepDraft[]) =>
        inputOfSteps(steps)
          .map(({ offsetDays }) => dayText(offsetDays))
          .join(', '),
      Editor: StepsEditor,
    },
  ],
  columns: [
    'name',
    { label: 'fields.team', text: ({ team }) => team?.name },
    {
      label: 'fields.steps',
      text: ({ steps }) => steps.map(({ offsetDays }) => dayText(offsetDays)).join(', '),
      class: 'roomy',
    },
    {
      label: 'fields.timeOfDay',
      text: ({ timeOfDay }) => timeOfDay?.slice(0, 5),
      include: 'timeOfDay',
      class: 'roomy',
    },
  ],
  belowList: () => <UpcomingCard />,
  beside: (policy) => isOfTeam(policy) && <Badge>{t('reminders.team_default')}</Badge>,
  aside: (policy) => (
    <>
      <Timeline steps={policy.steps} teamId={policy.team?.id} />
      {may('WRITE') && policy.team && <ApplyCard policy={policy} />}
    </>
  ),
});
