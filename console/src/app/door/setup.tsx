import { useEffect, useRef, useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { language, languages, t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Check, type Choice, focusFirst, SelectField, TextField } from '../../ui/field';
import { MailForm, type MailValues, mailInputOf, newMail } from '../mail-form';
import { useEntry } from './entry';
import { FirstWayFields, isChosen, madeWay } from './first-way';
import { DoorFrame } from './frame';
import type { SignInOptions } from './options';
import { takeSecret } from './options';
import { type Draft, fieldsOfSteps, newDraft, type StepProps } from './setup-draft';
import { FormFault, isOver, LinkOver, Trouble } from './trouble';

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

/** Renders the questions about the first person and their organization. */
export function PersonStep({ draft, change, fault, isTried, ways }: StepProps) {
  return (
    <>
      <TextField
        label={t('door.organization')}
        wrong={fault?.violations.get('organization')}
        value={draft.organization}
        onInput={(organization) => change({ organization })}
        control={{ required: true, autoComplete: 'organization' }}
      />
      <TextField
        label={t('door.your_name')}
        wrong={fault?.violations.get('name')}
        value={draft.name}
        onInput={(name) => change({ name })}
        control={{ required: true, autoComplete: 'name' }}
      />
      <TextField
        label={t('door.email')}
        hint={t('door.email_hint')}
        wrong={fault?.violations.get('email')}
        value={draft.email}
        onInput={(email) => change({ email })}
        control={{
          type: 'email',
          required: true,
          autoComplete: 'username',
          autoCapitalize: 'none',
          spellcheck: false,
        }}
      />
      <FirstWayFields
        way={draft.way}
        ways={ways}
        change={(changes) => change({ way: { ...draft.way, ...changes } })}
        fault={fault}
        isTried={isTried}
      />
    </>
  );
}

const choicesOf = (names: readonly string[]): Choice<string>[] =>
  names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }));

/** Lists all time zones, with the one that the browser has. */
const zones = (own: string) =>
  choicesOf([...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort());

/** Renders the questions about time zone, language and the demo. */
export function PlaceStep({ draft, change }: StepProps) {
  return (
    <>
      <SelectField
        label={t('fields.timezone')}
        hint={t('door.timezone_hint')}
        value={draft.timezone}
        onChange={(timezone) => change({ timezone })}
        choices={zones(draft.timezone)}
      />
      <SelectField
        label={t('session.language')}
        hint={t('door.language_hint')}
        value={draft.language}
        onChange={(language) => change({ language })}
        choices={Object.entries(languages).map(([value, label]) => ({
          value: value as keyof typeof languages,
          label,
        }))}
      />
      <div>
        <Check label={t('door.demo')} checked={draft.demo} onChange={(demo) => change({ demo })} />
        <p class="soft small">{t('door.demo_hint')}</p>
      </div>
    </>
  );
}

/** Answer about the link: the options of a gateway that is not set up yet. */
type Checked = 'asking' | 'over' | 'offline' | SignInOptions;

function useCheck(secret: string): Checked {
  const [checked, setChecked] = useState<Checked>(secret ? 'asking' : 'over');
  useEffect(() => {
    if (!secret) return;
    void Promise.all([
      askDoor('POST', '/setup/check', { secret }),
      askDoor<SignInOptions>('GET', '/options'),
    ]).then(([valid, options]) => {
      if (valid.ok && options.ok) setChecked(options.data);
      else setChecked(!valid.ok && valid.status === 403 ? 'over' : 'offline');
    });
  }, [secret]);
  return checked;
}

/** Renders the questions about a new gateway, in three steps. Nothing is stored before the last one. */
function Steps({ secret, options }: { readonly secret: string; readonly options: SignInOptions }) {
  // With a mail server in its settings, the gateway asks for none.
  const { ways, sendsMail: hasMail } = options;
  const [draft, setDraft] = useState<Draft>(() => newDraft(ways));
  const [step, setStep] = useState(0);
  const [isTried, setTried] = useState(false);
  const { refused, busy, enter, hasDeclined } = useEntry('/setup');
  const form = useRef<HTMLFormElement>(null);
  const fault = refused?.fault;
  useEffect(() => focusFirst(form.current), [step]);
  // Shows the step of the field that the gateway has refused.
  useEffect(() => {
    const [field] = fault?.violations.keys() ?? [];
    const place = fieldsOfSteps.findIndex((fields) => field !== undefined && fields.includes(field));
    if (place >= 0) setStep(place);
  }, [fault]);
  if (isOver(refused)) return <LinkOver text={t('door.setup_over')} words={fault?.message} />;
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const isLast = step === 2;
  async function submit(event: Event) {
    event.preventDefault();
    setTried(true);
    if (!isChosen(draft.way)) setStep(0);
    else if (!isLast) setStep(step + 1);
    else await finish();
  }
  async function finish() {
    const { way, mail: server, ...given } = draft;
    const mail = hasMail || !server ? null : mailInputOf(server);
    const { name, email } = given;
    await enter({ ...given, secret, mail }, () => madeWay(way, '/setup/passkey', { secret, name, email }));
  }
  const props = { draft, change, fault, isTried, ways };
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      <p class="soft small" role="status">
        {t('door.step', { n: step + 1 })}
      </p>
      <FormFault fault={fault} />
      {hasDeclined && <Trouble text={t('signIn.passkey_none_made')} />}
      {step === 0 && <PersonStep {...props} />}
      {step === 1 && <PlaceStep {...props} />}
      {isLast && <MailStep {...props} secret={secret} hasMail={hasMail} />}
      <div class="line far">
        {step > 0 && <Button onClick={() => setStep(step - 1)}>{t('common.back')}</Button>}
        <span class="push">
          <Button type="submit" weight="first" isBusy={busy}>
            {isLast ? t('door.set_up') : t('door.next')}
          </Button>
        </span>
      </div>
    </form>
  );
}

/** Renders the page with which the first person sets a new gateway up. */
export default function SetupPage() {
  const [secret] = useState(takeSecret);
  const checked = useCheck(secret);
  // A screen reader reads the page's title, too.
  useEffect(() => {
    document.title = t('door.setup_title');
  }, [language.value]);
  return (
    <DoorFrame title={t('door.setup_title')} lead={t('door.setup_lead')}>
      {checked === 'over' && <LinkOver text={t('door.setup_over')} />}
      {checked === 'offline' && <LinkOver text={t('door.setup_offline')} />}
      {typeof checked === 'object' && <Steps secret={secret} options={checked} />}
    </DoorFrame>
  );
}
