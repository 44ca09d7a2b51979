import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { PasswordField } from '../../ui/password-field';
import { signIn } from '../session';

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
