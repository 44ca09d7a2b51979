import { useEffect, useState } from 'preact/hooks';
import { askDoor, askForPasskey, canUsePasskeys, stopSuggesting, suggestsPasskeys } from '../../data/door';
import { faultText } from '../../data/fault';
import { type Key, t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { PasswordField, TextField, useFirstFocus } from '../../ui/field';
import { openWindow } from '../oidc';
import { type OidcSettings, pageSettings, type Refusal, signIn } from '../session';
import { Trouble, troubleText } from './frame';
import { acceptSignIn, loadSignInOptions, type SignedIn, type SignInOptions, signInOptions } from './options';

/** Signs in with a passkey. @returns why it failed; undefined if the person declined */
async function signInWithPasskey(isSuggested: boolean): Promise<string | undefined> {
  const asked = await askForPasskey('passkey', isSuggested);
  if (!asked) return undefined;
  const outcome = asked.ok ? await askDoor<SignedIn>('POST', '/passkey', { response: asked.data }) : asked;
  if (outcome.ok) await acceptSignIn(outcome.data);
  return troubleText(outcome, t('session.wrong_passkey'));
}

/** Renders the button that signs in with a passkey. */
export function PasskeyButton({
  isFirst,
  isSuggested,
}: {
  readonly isFirst: boolean;
  /** True if the browser may also suggest passkeys in the field for the address. */
  readonly isSuggested: boolean;
}) {
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (!isSuggested) return;
    let isLeft = false;
    void suggestsPasskeys().then(async (suggests) => {
      if (suggests && !isLeft) setRefused(await signInWithPasskey(true));
    });
    return () => {
      isLeft = true;
      void stopSuggesting();
    };
  }, [isSuggested]);
  if (!canUsePasskeys()) return null;
  return (
    <>
      <Trouble text={refused} />
      <Button
        icon="user"
        weight={isFirst ? 'first' : 'plain'}
        onClick={async () => setRefused(await signInWithPasskey(false))}
      >
        {t('session.with_passkey')}
      </Button>
    </>
  );
}

/** Renders the form for an e-mail address and a password. */
export function PasswordForm({
  email,
  onEmail,
  takesPasskeys,
  onForgotten,
}: {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** True if the browser may suggest passkeys in the field for the address. */
  readonly takesPasskeys: boolean;
  readonly onForgotten: () => void;
}) {
  const [password, setPassword] = useState('');
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useFirstFocus();
  async function submit(event: Event) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const outcome = await askDoor<SignedIn>('POST', '/password', { email: email.trim(), password });
    if (outcome.ok) {
      setPassword('');
      await acceptSignIn(outcome.data);
    } else {
      setRefused(troubleText(outcome, t('session.wrong_password')));
    }
    setBusy(false);
  }
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      <Trouble text={refused} />
      <TextField
        label={t('session.email')}
        value={email}
        onInput={onEmail}
        control={{
          type: 'email',
          autoComplete: takesPasskeys ? 'username webauthn' : 'username',
          autoCapitalize: 'none',
          spellcheck: false,
          required: true,
        }}
      />
      <PasswordField
        label={t('session.password')}
        value={password}
        onInput={setPassword}
        autoComplete="current-password"
      />
      <Button type="submit" weight="first" isBusy={busy}>
        {busy ? t('session.signing_in') : t('session.sign_in')}
      </Button>
      <p class="small">
        <button type="button" class="plainlink" onClick={onForgotten}>
          {t('session.forgotten')}
        </button>
      </p>
    </form>
  );
}

/** Renders the form for an access token. */
export function TokenForm({ isFirst }: { readonly isFirst: boolean }) {
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  async function submit(event: Event) {
    event.preventDefault();
    if (!token.trim()) return;
    setBusy(true);
    await signIn(token.trim(), 'tab');
    setBusy(false);
  }
  return (
    <form class="stack" onSubmit={submit}>
      <PasswordField
        label={t('session.token')}
        hint={t('session.token_hint')}
        value={token}
        onInput={setToken}
        autoComplete="off"
        autoFocus={isFirst}
      />
      <Button type="submit" weight={isFirst ? 'first' : 'plain'} isBusy={busy}>
        {busy ? t('session.signing_in') : t('session.sign_in')}
      </Button>
    </form>
  );
}

/** Renders the form that requests a link by mail. It signs in, or sets a new password. */
export function LinkRequestForm({
  mode,
  email,
  onEmail,
  onBack,
}: {
  readonly mode: 'link' | 'reset';
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onBack: () => void;
}) {
  const [isSent, setSent] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useFirstFocus();
  const back = (
    <Button weight="bare" icon="back" onClick={onBack}>
      {t('common.back')}
    </Button>
  );
  if (mode === 'reset' && !signInOptions.value?.sendsMail) {
    return (
      <>
        <p>{t('session.ask_administrator')}</p>
        {back}
      </>
    );
  }
  if (isSent) {
    return (
      <>
        <p role="status">{t('session.link_sent', { email: email.trim() })}</p>
        {back}
      </>
    );
  }
  async function submit(event: Event) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const outcome = await askDoor('POST', `/${mode}`, { email: email.trim() });
    setBusy(false);
    setSent(outcome.ok);
    setRefused(troubleText(outcome, ''));
  }
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      <Trouble text={refused} />
      <p>{mode === 'link' ? t('session.link_lead') : t('session.reset_lead')}</p>
      <TextField
        label={t('session.email')}
        value={email}
        onInput={onEmail}
        control={{
          type: 'email',
          autoComplete: 'username',
          autoCapitalize: 'none',
          spellcheck: false,
          required: true,
        }}
      />
      <Button type="submit" weight="first" isBusy={busy}>
        {t('session.send_link')}
      </Button>
      {back}
    </form>
  );
}

const refusals: Readonly<Record<Exclude<Refusal, object>, Key>> = {
  expired: 'session.expired',
  uploader: 'session.uploader',
  kept: 'session.kept',
  late: 'session.late',
};

/** Returns the text that explains why somebody is not signed in. */
function refusalText(refusal: Refusal | undefined): string | undefined {
  if (refusal === undefined) return undefined;
  if (typeof refusal === 'string') return t(refusals[refusal]);
  return refusal.kind === 'signed-out' ? t('session.wrong_token') : faultText(refusal);
}

/** Renders the button that signs people in at the issuer. */
function IssuerButton({ settings, isAgain }: { readonly settings: OidcSettings; readonly isAgain: boolean }) {
  async function go() {
    // Must come first, because browsers only open windows directly on a click.
    const window = isAgain ? openWindow() : null;
    const { beginSignIn, signInAgain } = await import('../oidc');
    await (window ? signInAgain(settings, window) : beginSignIn(settings));
  }
  const hasPassword = signInOptions.value?.ways.password;
  return (
    <Button weight={hasPassword ? 'plain' : 'first'} icon="user" onClick={go}>
      {t('session.with_account')}
    </Button>
  );
}

/** Renders what people should know before they type a password. */
function Warnings({ isNew, cookies }: SignInOptions) {
  return (
    <>
      {isNew && (
        <div class="note near">
          <p>{t('session.is_new')}</p>
        </div>
      )}
      {cookies !== 'secure' && (
        <div class="note near">
          <p>{t(cookies === 'refused' ? 'session.refused' : 'session.insecure')}</p>
        </div>
      )}
    </>
  );
}

/** The form that the person has chosen. */
type Mode = 'password' | 'link' | 'reset';

/** Renders the ways to sign in that the gateway allows. */
export function Ways({
  refusal,
  isAgain,
}: {
  readonly refusal: Refusal | undefined;
  readonly isAgain: boolean;
}) {
  const [email, setEmail] = useState('');
  const [mode, setMode] = useState<Mode>('password');
  useEffect(() => void loadSignInOptions(), []);
  const options = signInOptions.value;
  const oidc = pageSettings.value?.oidc;
  const refused = <Trouble text={refusalText(refusal)} />;
  if (mode !== 'password') {
    return (
      <LinkRequestForm mode={mode} email={email} onEmail={setEmail} onBack={() => setMode('password')} />
    );
  }
  const ways = options?.cookies === 'refused' ? undefined : options?.ways;
  const { password = false, passkey = false, link = false } = ways ?? {};
  const hasOthers = password || passkey || link || Boolean(oidc);
  return (
    <>
      {refused}
      {options && <Warnings {...options} />}
      {password && (
        <PasswordForm
          email={email}
          onEmail={setEmail}
          takesPasskeys={passkey}
          onForgotten={() => setMode('reset')}
        />
      )}
      {passkey && <PasskeyButton isFirst={!password} isSuggested={password && !isAgain} />}
      {link && (
        <Button icon="send" weight={password || passkey ? 'plain' : 'first'} onClick={() => setMode('link')}>
          {t('session.by_link')}
        </Button>
      )}
      {oidc && <IssuerButton settings={oidc} isAgain={isAgain} />}
      {hasOthers ? (
        <details>
          <summary>{t('session.with_token')}</summary>
          <TokenForm isFirst={false} />
        </details>
      ) : (
        <TokenForm isFirst />
      )}
    </>
  );
}
