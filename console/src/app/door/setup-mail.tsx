import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Check } from '../../ui/field';
import { MailForm, type MailValues, mailInputOf, newMail } from '../mail-form';
import { fieldsOfSteps, type StepProps } from './setup-draft';
import { Trouble } from './trouble';

interface MailProps extends StepProps {
  readonly secret: string;
  /** True if the gateway has a mail server already. */
  readonly hasMail: boolean;
}

/** Renders the questions about the mail server, which can also be answered later. */
export function MailStep({ hasMail, ...props }: MailProps) {
  const { draft, change } = props;
  const [last, setLast] = useState(() => draft.mail ?? newMail());
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
}: Omit<MailProps, 'hasMail'> & { readonly mail: MailValues }) {
  const [tried, setTried] = useState<'sent' | Fault>();
  const trialFault = typeof tried === 'object' ? tried : undefined;
  const [refusedField = ''] = trialFault?.violations.keys() ?? [];
  const isField = fieldsOfSteps[2]?.includes(refusedField);
  const wrong = (name: string) =>
    (isField ? trialFault?.violations.get(name) : undefined) ?? fault?.violations.get(name);
  async function test() {
    setTried(undefined);
    const body = { secret, mail: mailInputOf(mail), to: draft.email, language: draft.language };
    const outcome = await askDoor('POST', '/setup/mail', body);
    setTried(outcome.ok ? 'sent' : outcome.fault);
  }
  return (
    <>
      <MailForm values={mail} onChange={(changed) => change({ mail: changed })} wrong={wrong} isShort />
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
