import { now } from '../../../data/client';
import { formatAgo, formatBytes, formatMoment } from '../../../i18n/dates';
import { formatNumber, t } from '../../../i18n/i18n';
import { type GatewayData, HealthFact, Typed } from './fact';

/** Hours after which an upload should have been filed, however often that was tried. */
const latestUpload = 1;

/** Milliseconds that an answer of the database may take. */
const slowMs = 250;

/** Days after which a backup is an old one. */
const oldBackup = 7;

const hoursSince = (moment: string): number => (now().getTime() - Date.parse(moment)) / 3_600_000;

/** Renders how many uploads wait, and for how long. */
export function UploadsFact({ uploads: { waiting, oldestAt, failed } }: Pick<GatewayData, 'uploads'>) {
  const isLate = oldestAt !== null && hoursSince(oldestAt) > latestUpload;
  return (
    <HealthFact title="health.uploads" state={isLate ? 'late' : failed > 0 ? 'near' : 'good'}>
      <p>
        {oldestAt
          ? t('health.uploads_waiting', { n: waiting, ago: formatAgo(oldestAt) })
          : t('health.uploads_none')}{' '}
        {isLate && t('health.uploads_late')}
      </p>
      {failed > 0 && (
        <p>
          <a href="/inbox">{t('health.uploads_failed', { n: failed })}</a>
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
