import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { caller, may, pageSettings } from '../../app/session';
import { unsentText } from '../../app/unsent';
import { useQuery } from '../../data/answers';
import { type DataOf, now, request } from '../../data/client';
import { isLive } from '../../data/live';
import { reminding, unsentReason } from '../../data/reminding';
import { Health, SendTestMail } from '../../generated/operations/health';
import { formatAgo, formatBytes, formatMoment } from '../../i18n/dates';
import { formatNumber, type Key, type Total, t, totalOf } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Bones, FaultNote } from '../../ui/state';
import { Badge, type Urgency } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';

/** State of the gateway, as administrators see it. */
export type HealthData = DataOf<typeof Health>;

/** The part of it that only administrators may ask for. */
export type GatewayData = NonNullable<HealthData['gatewayHealth']>;

interface HealthFactProps {
  readonly title: Key;
  readonly state: Urgency;
  /** Sentences that say what the state means, and what to do. */
  readonly children: ComponentChildren;
}

/** Renders the state of one part of the gateway. */
export function HealthFact({ title, state, children }: HealthFactProps) {
  return (
    <section class="healthfact">
      <h2>{t(title)}</h2>
      <Badge urgency={state}>{t(`health.state_${state}`)}</Badge>
      <div class="stack tight">{children}</div>
    </section>
  );
}

/** Renders settings or a command as they are typed. */
export function Typed({ text }: { readonly text: string }) {
  return <pre class="typed">{text}</pre>;
}

/** Hours after which an upload should have been filed, however often that was tried. */
const latestUpload = 1;

/** Milliseconds that an answer of the database may take. */
const slowMs = 250;

/** Days after which a backup is an old one. */
const oldBackup = 7;

const hoursSince = (moment: string): number => (now().getTime() - Date.parse(moment)) / 3_600_000;

/** Returns a count of the gateway's queues, which stops at 10,000. */
const counted = (count: number): Total => totalOf(count, count < 10_000);

/** Renders how many uploads wait, and for how long. */
export function UploadsFact({ uploads: { waiting, oldestAt, failed } }: Pick<GatewayData, 'uploads'>) {
  const isLate = oldestAt !== null && hoursSince(oldestAt) > latestUpload;
  return (
    <HealthFact title="health.uploads" state={isLate ? 'late' : failed > 0 ? 'near' : 'good'}>
      <p>
        {oldestAt
          ? t('health.uploads_waiting', { n: counted(waiting), ago: formatAgo(oldestAt) })
          : t('health.uploads_none')}{' '}
        {isLate && t('health.uploads_late')}
      </p>
      {failed > 0 && (
        <p>
          <a href="/inbox">{t('health.uploads_failed', { n: counted(failed) })}</a>
        </p>
      )}
    </HealthFact>
  );
}

/** Renders how the database answers. */
export function DatabaseFact({ database: { version, latencyMs, size } }: Pick<GatewayData, 'database'>) {
  const isSlow = latencyMs > slowMs;
  const ms = formatNumber(Math.max(1, Math.round(latencyMs)));
  return (
    <HealthFact title="health.database" state={isSlow ? 'near' : 'good'}>
      <p>
        {t('health.database_fine', { version, ms, size: formatBytes(Number(size)) })}{' '}
        {isSlow && t('health.database_slow')}
      </p>
    </HealthFact>
  );
}

/** Renders what is free on the disk of the database. */
export function DiskFact({ database: { disk } }: Pick<GatewayData, 'database'>) {
  if (!disk) {
    return (
      <HealthFact title="health.disk" state="plain">
        <p>{t('health.disk_unknown')}</p>
      </HealthFact>
    );
  }
  const [free, total] = [Number(disk.free), Number(disk.total)];
  const state = free < 2 ** 30 ? 'late' : free < total / 10 ? 'near' : 'good';
  return (
    <HealthFact title="health.disk" state={state}>
      <p>
        {t('health.disk_free', { free: formatBytes(free), total: formatBytes(total) })}{' '}
        {state !== 'good' && t('health.disk_full')}
      </p>
    </HealthFact>
  );
}

/** Renders when the data were last backed up. */
export function BackupFact({ database, lastBackup }: Pick<GatewayData, 'database' | 'lastBackup'>) {
  // Where the database is somebody else's, so may its backups be.
  if (!lastBackup && !database.disk) {
    return (
      <HealthFact title="health.backup" state="plain">
        <p>{t('health.backup_unknown')}</p>
      </HealthFact>
    );
  }
  const isOld = !lastBackup || hoursSince(lastBackup.finishedAt) > 24 * oldBackup;
  return (
    <HealthFact title="health.backup" state={isOld ? 'near' : 'good'}>
      <p>
        {lastBackup &&
          t('health.backup_at', {
            ago: formatAgo(lastBackup.finishedAt),
            date: formatMoment(lastBackup.finishedAt),
            size: formatBytes(Number(lastBackup.size)),
          })}{' '}
        {isOld && t(lastBackup ? 'health.backup_old' : 'health.backup_none')}
      </p>
      {isOld && <Typed text="expiration-gateway backup gateway.backup" />}
    </HealthFact>
  );
}

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
          {queued > 0 && (
            <a href="/deliveries?state=QUEUED">{t('health.reminders_queued', { n: counted(queued) })}</a>
          )}
          {failedToday > 0 && (
            <a href="/deliveries?state=FAILED">{t('health.reminders_failed', { n: counted(failedToday) })}</a>
          )}
        </p>
      )}
      {silentTeamIds.length > 0 && <p class="soft small">{t('health.demo')}</p>}
    </HealthFact>
  );
}

/** Milliseconds between two requests. */
const againMs = 15_000;

function LiveFact() {
  return (
    <HealthFact title="health.live" state={isLive.value ? 'good' : 'near'}>
      <p>{t(isLive.value ? 'health.live_fine' : 'health.live_off')}</p>
    </HealthFact>
  );
}

function VersionFact({ version }: { readonly version: string }) {
  return (
    <HealthFact title="health.version" state="good">
      <p>{t('health.version_runs', { version })}</p>
    </HealthFact>
  );
}

/** Renders the state of each part of the gateway, for administrators. */
function AdminHealth() {
  const { data, fault, reload } = useQuery(Health, {});
  useEffect(() => {
    const timer = setInterval(reload, againMs);
    return () => clearInterval(timer);
  }, []);
  const health = data?.reminderHealth;
  useEffect(() => {
    if (health) reminding.value = health;
  }, [health]);
  const gateway = data?.gatewayHealth;
  return (
    <>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      <div class="card narrow healthfacts">
        {!data && !fault && <Bones rows={8} />}
        {health && gateway && (
          <>
            <MailFact health={health} />
            <WorkerFact workers={gateway.workers} />
            <RemindersFact health={health} />
            <UploadsFact uploads={gateway.uploads} />
            <DatabaseFact database={gateway.database} />
            <DiskFact database={gateway.database} />
            <BackupFact database={gateway.database} lastBackup={gateway.lastBackup} />
          </>
        )}
        <LiveFact />
        <VersionFact version={gateway?.version ?? pageSettings.value?.version ?? '–'} />
        <div>
          <Button icon="renew" onClick={reload}>
            {t('health.look_again')}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Renders the health of the gateway. People other than administrators see what concerns them. */
export function HealthPart() {
  if (may('ADMINISTER')) return <AdminHealth />;
  const reason = unsentReason();
  return (
    <div class="card narrow healthfacts">
      <HealthFact title="health.reminders" state={reason ? 'late' : 'good'}>
        <p>{reason ? unsentText(reason) : t('health.reminders_sent')}</p>
      </HealthFact>
      <LiveFact />
      <VersionFact version={pageSettings.value?.version ?? '–'} />
    </div>
  );
}
