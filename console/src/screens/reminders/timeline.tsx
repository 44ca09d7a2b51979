import { Unsent } from '../../app/unsent';
import { t } from '../../i18n/i18n';
import { Card } from '../../ui/page';
import { dayText, type Step } from './steps';

/** Renders the days of a policy in order, each with its recipients. */
export function Timeline({
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
          </li>
        ))}
      </ol>
    </Card>
  );
}
