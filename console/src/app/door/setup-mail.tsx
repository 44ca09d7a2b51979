import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Check, SelectField, TextField } from '../../ui/field';
import { fieldsOfSteps, type MailDraft, mailOf, newMail, type StepProps, securities } from './setup-draft';
import { Trouble } from './trouble';

interface MailProps extends StepProps {
  readonly secret: string;
  /** True if the gateway has a mail server already. */
  readonly hasMail: boolean;
}

/** Renders the questions about the mail server, which can also be answered later. */
export function MailStep({ hasMail, ...props }: MailProps) {
  const { draft, change } = props;
  const [last, setLast] = useState(draft.mail ?? newMail);
  if (hasMail) return <p>{t('mail.from_environment')}</p>;
  function toggle(isWanted: boolean) {
    // What was typed comes back with the box.
    if (draft.mail) setLast(draft.mail);
    change({ mail: isWanted ? last : undefined });
  }
  return (
    <>
      <Check label={t('door.with_mail')} checked={draft.mail !== undefined} onChange={toggle} />
      {draft.mail ? (
        <MailFields {...props} mail={draft.mail} />
      ) : (
        <p class="soft">
          {t('mail.missing')} {t('door.mail_later')}
        </p>
      )}
    </>
  );
}

function MailFields({
  mail,
  draft,
  change,
  fault,
  secret,
}: Omit<MailProps, 'hasMail'> & { readonly mail: MailDraft }) {
  const [tried, setTried] = useState<'sent' | Fault>();
  const set = (changes: Partial<MailDraft>) => change({ mail: { ...mail, ...changes } });
  const trialFault = typeof tried === 'object' ? tried : undefined;
  const [refusedField = ''] = trialFault?.violations.keys() ?? [];
  const isField = fieldsOfSteps[2]?.includes(refusedField);
  const wrong = (name: string) =>
    (isField ? trialFault?.violations.get(name) : undefined) ?? fault?.violations.get(name);
  async function test() {
    setTried(undefined);
    const body = { secret, mail: mailOf(draft), to: draft.email, language: draft.language };
    const outcome = await askDoor('POST', '/setup/mail', body);
    setTried(outcome.ok ? 'sent' : outcome.fault);
  }
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
  return (
    <>
      <TextField
        label={t('mail.host')}
        wrong={wrong('host')}
        value={mail.host}
        onInput={(host) => set({ host })}
        control={{ ...plain, required: true, placeholder: 'smtp.example.com' }}
      />
      <SelectField
        label={t('mail.security')}
        value={mail.security}
        onChange={(security) => set({ security })}
        choices={securities.map((value) => ({ value, label: t(`mail.security_${value}`) }))}
      />
      <TextField
        label={t('mail.port')}
        hint={t('door.port_hint')}
        wrong={wrong('port')}
        value={mail.port}
        onInput={(port) => set({ port })}
        control={{ ...plain, inputMode: 'numeric', pattern: '[0-9]+' }}
      />
      <TextField
        label={t('mail.user')}
        hint={t('mail.user_hint')}
        wrong={wrong('user')}
        value={mail.user}
        onInput={(user) => set({ user })}
        control={plain}
      />
      <TextField
        label={t('mail.password')}
        value={mail.password}
        onInput={(password) => set({ password })}
        control={{ ...plain, type: 'password' }}
      />
      <TextField
        label={t('mail.from')}
        wrong={wrong('from')}
        value={mail.from}
        onInput={(from) => set({ from })}
        control={{ ...plain, required: true, placeholder: 'Expiry <expiry@example.com>' }}
      />
      <Button onClick={test}>{t('mail.test')}</Button>
      {tried === 'sent' && (
        <p class="note" role="status">
          {t('mail.test_sent')}
        </p>
      )}
      {trialFault && !isField && (
        <Trouble
          text={trialFault.kind === 'invalid' ? t('mail.test_failed') : faultText(trialFault)}
          words={trialFault.kind === 'invalid' ? trialFault.message : undefined}
        />
      )}
    </>
  );
}
