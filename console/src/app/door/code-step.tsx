import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { enterConsole, type SignedIn } from './entry';
import { LinkOver, type Refused, Trouble } from './trouble';

/** Renders the second step: a code of the authenticator app, or a recovery code. */
export function CodeStep() {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const [refused, setRefused] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  if (refused?.status === 403) return <LinkOver text={t('door.code_over')} />;
  async function submit(event: Event) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const typed = code.replace(/\s/g, '');
    const body = isRecovery ? { recoveryCode: typed } : { code: typed };
    const outcome = await askDoor<SignedIn>('POST', '/second-factor', body);
    setBusy(false);
    if (outcome.ok) return enterConsole();
    setCode('');
    setRefused(outcome);
  }
  return (
    <form class="stack" onSubmit={submit}>
      {refused && <Trouble text={refused.status === 401 ? t('door.wrong_code') : faultText(refused.fault)} />}
      <TextField
        key={String(isRecovery)}
        label={isRecovery ? t('door.recovery_code') : t('door.code')}
        value={code}
        onInput={setCode}
        control={{
          autoComplete: isRecovery ? 'off' : 'one-time-code',
          inputMode: isRecovery ? 'text' : 'numeric',
          autoCapitalize: 'none',
          spellcheck: false,
          autofocus: true,
          required: true,
        }}
      />
      <Button type="submit" weight="first" isBusy={busy}>
        {t('session.sign_in')}
      </Button>
      <p class="small">
        <button type="button" class="plainlink" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? t('door.use_app') : t('door.use_recovery')}
        </button>
      </p>
    </form>
  );
}
