import { useEffect, useState } from 'preact/hooks';
import { faultText } from '../../data/fault';
import { type Key, t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { openWindow } from '../again';
import type { Refusal } from '../session';
import { type OidcSettings, pageSettings } from '../settings';
import { LinkRequestForm } from './link-request';
import { loadSignInOptions, type SignInOptions, signInOptions } from './options';
import { PasskeyButton } from './passkey-button';
import { PasswordForm } from './password-form';
import { TokenForm } from './token-form';
import { Trouble } from './trouble';

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
