import { useState } from 'preact/hooks';
import { faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Check, TextField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { openWindow } from '../again';
import { type Refusal, session, signIn, signOut } from '../session';
import { type OidcSettings, pageSettings } from '../settings';
import { DoorFrame } from './frame';

/** Returns the text that explains why somebody is not signed in. */
function refusalText(refusal: Refusal): string {
  if (refusal === 'expired') return t('session.expired');
  if (refusal === 'uploader') return t('session.uploader');
  return refusal.kind === 'signed-out' ? t('session.wrong_token') : faultText(refusal);
}

/** Renders the ways to sign in: at the issuer, or with a token. */
function Ways({ refusal, isAgain }: { readonly refusal: Refusal | undefined; readonly isAgain: boolean }) {
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(false);
  const [busy, setBusy] = useState(false);
  const oidc = pageSettings.value?.oidc;
  async function submit(event: Event) {
    event.preventDefault();
    if (!token.trim()) return;
    setBusy(true);
    await signIn(token.trim(), keep ? 'browser' : 'tab');
    setBusy(false);
  }
  async function atIssuer(settings: OidcSettings) {
    // Must come first, because browsers only open windows directly on a click.
    const window = isAgain ? openWindow() : null;
    const { beginSignIn, signInAgain } = await import('../oidc');
    await (window ? signInAgain(settings, window) : beginSignIn(settings));
  }
  return (
    <>
      {refusal && (
        <div class="note bad" role="alert">
          <Icon name="warning" />
          <p>{refusalText(refusal)}</p>
        </div>
      )}
      {oidc && (
        <>
          <Button weight="first" icon="user" onClick={() => atIssuer(oidc)}>
            {t('session.with_account')}
          </Button>
          <p class="soft small">{t('session.or_token')}</p>
        </>
      )}
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('session.token')}
          hint={t('session.token_hint')}
          value={token}
          onInput={setToken}
          control={{
            type: 'password',
            autoComplete: 'off',
            spellcheck: false,
            autofocus: !oidc || !isAgain,
            required: true,
          }}
        />
        <Check label={t('session.keep')} checked={keep} onChange={setKeep} />
        <Button type="submit" weight={oidc ? 'plain' : 'first'} isBusy={busy}>
          {busy ? t('session.signing_in') : t('session.sign_in')}
        </Button>
      </form>
    </>
  );
}

/** Renders the screen on which a person signs in. */
export function SignIn({ refusal }: { readonly refusal: Refusal | undefined }) {
  return (
    <DoorFrame title={t('session.title')} lead={t('session.lead')}>
      <Ways refusal={refusal} isAgain={false} />
    </DoorFrame>
  );
}

/** Lets a person sign in again above the current page, which stays unchanged. */
export function SignInAgain() {
  const { value } = session;
  if (value.state !== 'in' || !value.over) return null;
  return (
    <Dialog title={t('session.again')}>
      <div class="stack">
        <p>{t('session.again_text')}</p>
        <Ways refusal={value.over} isAgain />
        <Button weight="bare" icon="leave" onClick={signOut}>
          {t('session.sign_out')}
        </Button>
      </div>
    </Dialog>
  );
}
