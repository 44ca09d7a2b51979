import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { TextField, useFirstFocus } from '../../ui/field';
import { PasswordField } from '../../ui/password-field';
import { acceptSignIn } from './arrive';
import type { SignedIn } from './options';
import { Trouble, troubleText } from './trouble';

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
