import { caller } from '../../../app/session';
import { request } from '../../../data/client';
import { SendTestMail } from '../../../generated/operations/health';
import { formatAgo } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { Button } from '../../../ui/button';
import { tell, tellFault } from '../../../ui/toast';
import { type GatewayData, type HealthData, HealthFact, Typed } from './fact';

interface RemindingProps {
  readonly health: HealthData['reminderHealth'];
}

/** Address of the screen where mail is set up. */
const mailAddress = '/settings/mail';

function TestMail() {
  const address = caller.value?.me.email ?? '';
  async function send() {
    const outcome = await request(SendTestMail, { to: address });
    if (!outcome.ok) return tellFault(outcome.fault);
    const { isSent = false, answer = '' } = outcome.data.sendTestMail ?? {};
    tell(isSent ? t('health.test_mail_sent') : t('health.test_mail_failed', { answer }));
  }
  return (
    <div>
      <Button icon="send" onClick={send}>
        {t('health.test_mail', { address })}
      </Button>
    </div>
  );
}

/** Renders whether mail is set up, and whether the mail server accepts any. */
export function MailFact({ health: { obstacle, mail } }: RemindingProps) {
  if (!mail.isSetUp) {
    return (
      <HealthFact title="health.mail" state="late">
        <p>
          {t('health.mail_none')} <a href={mailAddress}>{t('health.fix_NO_MAIL')}</a>
        </p>
      </HealthFact>
    );
  }
  if (mail.problem) {
    return (
      <HealthFact title="health.mail" state="late">
        <p>{t('health.mail_refused')}</p>
        <Typed text={mail.problem} />
        <p>
          <a href={mailAddress}>{t('health.mail_settings')}</a>
        </p>
        <TestMail />
      </HealthFact>
    );
  }
  const isKnown = obstacle !== 'NO_WORKER';
  return (
    <HealthFact title="health.mail" state={isKnown ? (mail.hasLinks ? 'good' : 'near') : 'plain'}>
      <p>{isKnown ? t('health.mail_fine', { from: mail.from ?? '' }) : t('health.mail_unknown')}</p>
      {!mail.hasLinks && (
        <p>
          {t('health.mail_no_links')} <a href={mailAddress}>{t('health.mail_settings')}</a>
        </p>
      )}
      <TestMail />
    </HealthFact>
  );
}

/** Renders whether a worker runs. */
export function WorkerFact({ workers }: { readonly workers: GatewayData['workers'] }) {
  if (workers.running > 0) {
    return (
      <HealthFact title="health.worker" state="good">
        <p>{t('health.worker_fine', { n: workers.running })}</p>
      </HealthFact>
    );
  }
  return (
    <HealthFact title="health.worker" state="late">
      <p>{t('health.worker_none')}</p>
      <Typed text="expiration-gateway worker" />
      {workers.seenAt && (
        <p class="soft small">{t('health.worker_seen', { ago: formatAgo(workers.seenAt) })}</p>
      )}
    </HealthFact>
  );
}

const sentences = {
  RESTORED: 'health.unsent_RESTORED',
  NO_MAIL: 'health.reminders_held',
  NO_WORKER: 'health.reminders_held',
  MAIL_REFUSED: 'health.reminders_refused',
  STANDSTILL: 'health.reminders_still',
  SOME_MAIL_REFUSED: 'health.reminders_some_refused',
} as const;

/** Renders whether reminders are decided and sent. */
export function RemindersFact({ health }: RemindingProps) {
  const { obstacle, decidedAt, silentTeamIds, queued, failedToday } = health;
  return (
    <HealthFact title="health.reminders" state={obstacle ? 'late' : failedToday > 0 ? 'near' : 'good'}>
      <p>
        {obstacle
          ? t(sentences[obstacle])
          : t('health.reminders_fine', { ago: decidedAt ? formatAgo(decidedAt) : '–' })}
      </p>
      {(queued > 0 || failedToday > 0) && (
        <p class="line">
          {queued > 0 && <a href="/deliveries?state=QUEUED">{t('health.reminders_queued', { n: queued })}</a>}
          {failedToday > 0 && (
            <a href="/deliveries?state=FAILED">{t('health.reminders_failed', { n: failedToday })}</a>
          )}
        </p>
      )}
      {silentTeamIds.length > 0 && <p class="soft small">{t('health.demo')}</p>}
    </HealthFact>
  );
}
