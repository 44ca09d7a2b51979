import { useState } from 'preact/hooks';
import { askDoor, type DoorOutcome } from '../../data/door';
import { askForPasskey, canUsePasskeys } from '../../data/passkey';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { focusFirst, TextField, useFirstFocus } from '../../ui/field';
import { enterConsole } from './entry';
import { DoorFrame } from './frame';
import type { SecondFactor, SignedIn } from './options';
import { LinkOver, Trouble, troubleText } from './trouble';

/** Renders the page that asks for a second factor after a link. */
export function SecondStep({
  lead,
  factors,
}: {
  readonly lead: string;
  readonly factors: readonly SecondFactor[];
}) {
  const [isLate, setLate] = useState(false);
  return (
    <DoorFrame title={t('door.second_title')} lead={lead}>
      {isLate ? (
        <LinkOver text={t('session.late')} />
      ) : (
        <SecondFactorForm
          factors={factors}
          onDone={enterConsole}
          onLate={() => setLate(true)}
          onStartOver={enterConsole}
        />
      )}
    </DoorFrame>
  );
}

/** Renders the second step of signing in: a code or a passkey. */
export function SecondFactorForm({
  factors,
  onDone,
  onLate,
  onStartOver,
}: {
  readonly factors: readonly SecondFactor[];
  readonly onDone: (answer: SignedIn) => unknown;
  /** Called once the time is over, so that the first step comes again. */
  readonly onLate: () => void;
  readonly onStartOver: () => void;
}) {
  const [isRecovery, setRecovery] = useState(!factors.includes('totp') && !factors.includes('passkey'));
  const [code, setCode] = useState('');
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useFirstFocus(isRecovery);
  const takesCode = isRecovery || factors.includes('totp');
  async function settle(outcome: DoorOutcome<SignedIn>) {
    if (outcome.ok) return onDone(outcome.data);
    setCode('');
    if (outcome.status === 403) return onLate();
    setRefused(troubleText(outcome, t('session.wrong_code')));
    focusFirst(form.current);
  }
  async function submit(event: Event) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const typed = code.replace(/\s/g, '');
    const sent = isRecovery ? { recoveryCode: typed } : { code: typed };
    await settle(await askDoor<SignedIn>('POST', '/second-factor', sent));
    setBusy(false);
  }
  async function withPasskey() {
    setRefused(undefined);
    const asked = await askForPasskey('second-factor');
    if (!asked) return;
    await settle(
      asked.ok ? await askDoor<SignedIn>('POST', '/second-factor', { passkey: asked.data }) : asked,
    );
  }
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      <Trouble text={refused} />
      {takesCode && (
        <>
          <TextField
            key={String(isRecovery)}
            label={isRecovery ? t('session.recovery_code') : t('session.code')}
            hint={isRecovery ? t('session.recovery_hint') : t('session.code_hint')}
            value={code}
            onInput={setCode}
            control={{
              autoComplete: isRecovery ? 'off' : 'one-time-code',
              inputMode: isRecovery ? 'text' : 'numeric',
              autoCapitalize: 'none',
              spellcheck: false,
              required: true,
            }}
          />
          <Button type="submit" weight="first" isBusy={busy}>
            {busy ? t('session.signing_in') : t('session.sign_in')}
          </Button>
        </>
      )}
      {factors.includes('passkey') && canUsePasskeys() && (
        <Button icon="user" weight={takesCode ? 'plain' : 'first'} onClick={withPasskey}>
          {t('session.with_passkey')}
        </Button>
      )}
      <p class="line small">
        {factors.includes('recovery') && !isRecovery && (
          <button type="button" class="plainlink" onClick={() => setRecovery(true)}>
            {t('session.use_recovery')}
          </button>
        )}
        <button type="button" class="plainlink" onClick={onStartOver}>
          {t('session.start_over')}
        </button>
      </p>
    </form>
  );
}
