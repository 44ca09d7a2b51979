import { useState } from 'preact/hooks';
import { request } from '../data/client';
import { reminding } from '../data/reminding';
import { GoLive } from '../generated/operations/health';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Icon } from '../ui/icon';
import { tellFault } from '../ui/toast';
import { may } from './session';
import { unsentText } from './unsent';

/** Renders on each screen that a restored database sends nothing, and lets administrators end it. */
export function Silence() {
  const [isAsked, ask] = useState(false);
  if (reminding.value?.obstacle !== 'RESTORED') return null;
  const close = () => ask(false);
  async function goLive() {
    const outcome = await request(GoLive, {});
    close();
    if (!outcome.ok) return tellFault(outcome.fault);
    reminding.value = outcome.data.goLive ?? undefined;
  }
  return (
    <div class="note near" role="status">
      <Icon name="warning" />
      <p>{unsentText('RESTORED')}</p>
      {may('ADMINISTER') && <Button onClick={() => ask(true)}>{t('health.fix_RESTORED')}</Button>}
      {isAsked && (
        <Dialog title={t('health.go_live')} onClose={close}>
          <div class="stack">
            <p>{t('health.go_live_text')}</p>
            <div class="line">
              <Button weight="first" onClick={goLive}>
                {t('health.fix_RESTORED')}
              </Button>
              <Button onClick={close}>{t('common.cancel')}</Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
