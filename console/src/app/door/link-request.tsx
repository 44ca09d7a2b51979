import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { TextField, useFirstFocus } from '../../ui/field';
import { signInOptions } from './options';
import { Trouble, troubleText } from './trouble';

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
