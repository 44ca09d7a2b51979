import { useEffect } from 'preact/hooks';
import { may } from '../../app/session';
import { pageSettings } from '../../app/settings';
import { unsentText } from '../../app/unsent';
import { isLive } from '../../data/live';
import { useQuery } from '../../data/query';
import { reminding, unsentReason } from '../../data/reminding';
import { Health } from '../../generated/operations/health';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Bones, FaultNote } from '../../ui/state';
import { HealthFact } from './health/fact';
import { BackupFact, DatabaseFact, DiskFact, UploadsFact } from './health/gateway';
import { MailFact, RemindersFact, WorkerFact } from './health/reminders';

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
