import { useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import { MailForm, type MailValues, mailInputOf, newMail } from '../../app/mail-form';
import { caller } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { MailServer, TestMailServer, UpdateMailServer } from '../../generated/operations/settings';
import type { MailServerRowFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { RemovalDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Bones, FaultNote } from '../../ui/state';
import { tell, tellFault } from '../../ui/toast';

/** Returns the form's values of a mail server. The password is never among them. */
function valuesOf({
  host,
  port,
  security,
  user,
  from,
  replyTo,
  publicUrl,
}: MailServerRowFragment): MailValues {
  const none = newMail();
  if (host === null) return none;
  return {
    ...{ host, port: String(port ?? ''), security: security ?? none.security, user: user ?? '' },
    ...{ password: '', from: from ?? '', replyTo: replyTo ?? '', publicUrl: publicUrl ?? '' },
  };
}

interface Tested {
  readonly isSent: boolean;
  readonly answer: string;
}

/** Sends a test mail, and shows what the mail server said. */
function TestMail({
  settings,
  onFault,
}: {
  /** Settings that are not stored yet; undefined for the ones that apply. */
  readonly settings: MailValues | undefined;
  readonly onFault: (fault: Fault | undefined) => void;
}) {
  const [to, setTo] = useState(caller.value?.me.email ?? '');
  const [tested, setTested] = useState<Tested>();
  async function send(event: Event) {
    event.preventDefault();
    setTested(undefined);
    const variables = { to, ...(settings && { settings: mailInputOf(settings) }) };
    const outcome = await request(TestMailServer, variables);
    onFault(outcome.ok ? undefined : outcome.fault);
    if (outcome.ok) setTested(outcome.data.sendTestMail ?? undefined);
  }
  return (
    <form class="stack" noValidate onSubmit={send}>
      <TextField
        label={t('mail.test_to')}
        value={to}
        onInput={setTo}
        control={{ type: 'email', autoComplete: 'email' }}
      />
      <div>
        <Button icon="send" type="submit">
          {t('mail.test')}
        </Button>
      </div>
      <div role="status">
        {tested?.isSent && <p class="note">{t('mail.test_sent')}</p>}
        {tested && !tested.isSent && (
          <div class="stack tight">
            <p class="late-text">{t('mail.test_failed')}</p>
            <pre class="typed">{tested.answer}</pre>
          </div>
        )}
      </div>
    </form>
  );
}

/** Renders a mail server that the environment sets. */
function FromEnvironment({ mail }: { readonly mail: MailServerRowFragment }) {
  const facts = [
    [t('mail.host'), `${mail.host}:${mail.port}`],
    [t('mail.security'), mail.security && t(`mail.security_${mail.security}`)],
    [t('mail.user'), mail.user],
    [t('mail.from'), mail.from],
    [t('mail.reply_to'), mail.replyTo],
    [t('mail.public_url'), mail.publicUrl],
  ];
  return (
    <>
      <p>{t('mail.from_environment')}</p>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div class="fact" key={label}>
            <dt>{label}</dt>
            <dd>{value || '–'}</dd>
          </div>
        ))}
      </dl>
      <TestMail settings={undefined} onFault={(fault) => fault && tellFault(fault)} />
    </>
  );
}

/** Renders the form of the mail server. */
function Editable({
  mail,
  onDone,
}: {
  readonly mail: MailServerRowFragment;
  readonly onDone: () => unknown;
}) {
  const [before] = useState(() => valuesOf(mail));
  const [values, setValues] = useState(before);
  const [fault, setFault] = useState<Fault>();
  const [isRemoving, setRemoving] = useState(false);
  const isChanged = JSON.stringify(values) !== JSON.stringify(before);
  useUnkept(isChanged);
  const wrong = (field: string) => fault?.violations.get(field) ?? fault?.violations.get(`settings.${field}`);
  async function save(event: Event) {
    event.preventDefault();
    const outcome = await request(UpdateMailServer, { input: mailInputOf(values) });
    setFault(outcome.ok ? undefined : outcome.fault);
    if (!outcome.ok) return;
    tell(t('common.saved'));
    onDone();
  }
  return (
    <>
      {mail.problem && <p class="note near">{t('mail.lost')}</p>}
      {mail.source === 'NONE' && <p class="note near">{t('mail.missing')}</p>}
      <form class="stack" noValidate onSubmit={save}>
        {fault && fault.violations.size === 0 && <FaultNote fault={fault} />}
        <MailForm values={values} onChange={setValues} wrong={wrong} hasPassword={mail.user !== null} />
        <div class="line">
          <Button type="submit" weight="first">
            {t('common.save')}
          </Button>
          {mail.source === 'DATABASE' && (
            <Button icon="trash" weight="bad" onClick={() => setRemoving(true)}>
              {t('mail.remove')}
            </Button>
          )}
        </div>
      </form>
      <TestMail settings={isChanged ? values : undefined} onFault={setFault} />
      {isRemoving && (
        <RemovalDialog
          title={t('mail.remove')}
          text={t('mail.remove_text')}
          action={t('mail.remove')}
          gone={t('mail.removed')}
          send={() => request(UpdateMailServer, {})}
          onDone={onDone}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

/** Renders the mail server, which only the gateway's own organization may set up. */
export function MailPart() {
  const { data, fault, reload } = useQuery(MailServer, {});
  const mail = data?.mailSettings;
  if (fault?.kind === 'forbidden') return <p>{t('mail.not_yours')}</p>;
  return (
    <section class="card narrow stack">
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!mail && !fault && <Bones rows={6} />}
      {mail?.source === 'ENVIRONMENT' && <FromEnvironment mail={mail} />}
      {mail && mail.source !== 'ENVIRONMENT' && (
        <Editable key={JSON.stringify(mail)} mail={mail} onDone={reload} />
      )}
    </section>
  );
}
