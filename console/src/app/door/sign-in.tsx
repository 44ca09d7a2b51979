import { useState } from 'preact/hooks';
import { askDoor, askForPasskey, canUsePasskeys, type DoorOutcome } from '../../data/door';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { focusFirst, TextField, useFirstFocus } from '../../ui/field';
import { type Refusal, refuse, session, signOut } from '../session';
import { DoorFrame, enterConsole, LinkOver, Trouble, troubleText } from './frame';
import { acceptSignIn, neededFactors, type SecondFactor, type SignedIn } from './options';
import { Ways } from './ways';

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
function SecondFactorForm({
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

/** Renders the step that signing in has come to. */
function Step(props: { readonly refusal: Refusal | undefined; readonly isAgain: boolean }) {
  if (!neededFactors.value) return <Ways {...props} />;
  const startOver = () => {
    neededFactors.value = undefined;
  };
  return (
    <SecondFactorForm
      factors={neededFactors.value}
      onDone={acceptSignIn}
      onLate={() => {
        startOver();
        refuse('late');
      }}
      onStartOver={startOver}
    />
  );
}

/** Renders the screen on which a person signs in. */
export function SignIn({ refusal }: { readonly refusal: Refusal | undefined }) {
  const lead = neededFactors.value ? t('session.second_lead') : t('session.lead');
  return (
    <DoorFrame title={t('session.title')} lead={lead}>
      <Step refusal={refusal} isAgain={false} />
    </DoorFrame>
  );
}

/**
 * Says that a second factor has become necessary. It is set up in another tab, so that unsaved input stays
 * here; that tab tells this one when it is done.
 */
function EnrollAgain() {
  return (
    <Dialog title={t('signIn.enroll_title')}>
      <div class="stack">
        <p>{t('signIn.enroll_lead')}</p>
        <a class="button first" href="/sign-in/enroll" target="_blank" rel="noopener">
          {t('door.next')}
        </a>
        <Button weight="bare" icon="leave" onClick={signOut}>
          {t('session.sign_out')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Lets a person sign in again above the current page, which stays unchanged. */
export function SignInAgain() {
  const { value } = session;
  if (value.state !== 'in' || !value.over) return null;
  if (typeof value.over === 'object' && value.over.reason === 'SECOND_FACTOR_MISSING') return <EnrollAgain />;
  return (
    <Dialog title={t('session.again')}>
      <div class="stack">
        <p>{t('session.again_text')}</p>
        <Step refusal={value.over} isAgain />
        <Button weight="bare" icon="leave" onClick={signOut}>
          {t('session.sign_out')}
        </Button>
      </div>
    </Dialog>
  );
}
