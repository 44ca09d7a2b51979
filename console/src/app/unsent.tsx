import { useState } from 'preact/hooks';
import { request } from '../data/client';
import { reminding, type UnsentReason, unsentReason } from '../data/reminding';
import { GoLive } from '../generated/operations/health';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Icon } from '../ui/icon';
import { tellFault } from '../ui/toast';
import { may } from './session';

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

/** Returns the address of the screen where administrators can mend something. */
const mendingAddress = (reason: UnsentReason): string =>
  reason === 'NO_MAIL' ? '/settings/mail' : '/settings/health';

/** Returns why no reminder is sent, in words for this person. */
export function unsentText(reason: UnsentReason): string {
  if (reason === 'DEMO' || may('ADMINISTER')) return t(`health.unsent_${reason}`);
  return t(reason === 'NO_MAIL' ? 'health.unsent_plain_NO_MAIL' : 'health.unsent_plain');
}

interface UnsentProps {
  /** The workspace whose reminders are promised; any, if left out. */
  readonly teamId?: string | undefined;
  /** A small line without a background. */
  readonly isSmall?: boolean;
}

/** Renders that no reminder is sent, and what to do, wherever one is promised. Nothing while they are sent. */
export function Unsent({ teamId, isSmall = false }: UnsentProps) {
  const reason = unsentReason(teamId);
  // Every screen says at its top that a restored database sends nothing.
  if (!reason || reason === 'RESTORED') return null;
  const text = (
    <p>
      {unsentText(reason)}{' '}
      {may('ADMINISTER') && <a href={mendingAddress(reason)}>{t(`health.fix_${reason}`)}</a>}
    </p>
  );
  if (isSmall) return <div class="near-text small unsent">{text}</div>;
  return (
    <div class="note near unsent">
      <Icon name="warning" />
      {text}
    </div>
  );
}
