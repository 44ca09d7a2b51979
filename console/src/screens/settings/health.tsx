import { useEffect, useState } from 'preact/hooks';
import { pageSettings } from '../../app/settings';
import { isLive } from '../../data/live';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Badge } from '../../ui/status';

/** Runs one of the gateway's own checks. */
async function isWell(path: string): Promise<boolean> {
  try {
    return (await fetch(path, { cache: 'no-store', credentials: 'omit' })).ok;
  } catch {
    return false;
  }
}

function Answer({ isGood }: { readonly isGood: boolean | undefined }) {
  if (isGood === undefined) return <span class="soft">…</span>;
  return <Badge urgency={isGood ? 'good' : 'late'}>{t(isGood ? 'settings.yes' : 'settings.no')}</Badge>;
}

/** Renders the health of the gateway. */
export function HealthPart() {
  const [checks, setChecks] = useState<{ readonly live?: boolean; readonly ready?: boolean }>({});
  async function look() {
    const [live, ready] = await Promise.all([isWell('/health/live'), isWell('/health/ready')]);
    setChecks({ live, ready });
  }
  useEffect(() => {
    look();
    const timer = setInterval(look, 15_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="card narrow stack">
      <dl class="facts">
        <dt>{t('settings.api')}</dt>
        <dd>
          <Answer isGood={checks.live} />
        </dd>
        <dt>{t('settings.database')}</dt>
        <dd>
          <Answer isGood={checks.ready} />
        </dd>
        <dt>{t('settings.live')}</dt>
        <dd>
          <Answer isGood={isLive.value} />
        </dd>
        <dt>{t('settings.version')}</dt>
        <dd class="num">{pageSettings.value?.version ?? '–'}</dd>
      </dl>
      <div>
        <Button icon="renew" onClick={look}>
          {t('common.try_again')}
        </Button>
      </div>
    </div>
  );
}
