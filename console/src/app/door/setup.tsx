import { useEffect, useMemo, useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { language, languages, t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import type { Draft, FieldSpec } from '../../records/record-type';
import { askedOf, fieldsOfServer, inputOfServer, type TrialAnswer, Tried } from '../../screens/settings/mail';
import { Button } from '../../ui/button';
import { focusFirst } from '../../ui/field';
import { firstWay, madeWay, sendWay, wayFields } from './first-way';
import { DoorFrame, isOver, LinkOver, Trouble, useEntry } from './frame';
import { type SignInOptions, takeSecret } from './options';

type Field = FieldSpec<unknown>;

const wide = { isWide: true } as const;

const person: readonly Field[] = [
  {
    ...{ type: 'text', name: 'organization', label: 'door.organization', ...wide },
    control: { required: true, autoComplete: 'organization' },
  },
  {
    ...{ type: 'text', name: 'name', label: 'door.your_name', ...wide },
    control: { required: true, autoComplete: 'name' },
  },
  {
    ...{ type: 'text', name: 'email', label: 'door.email', hint: 'door.email_hint', ...wide },
    control: {
      ...{ type: 'email', required: true, autoComplete: 'username', autoCapitalize: 'none' },
      spellcheck: false,
    },
  },
];

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Lists the fields about time zone, language and the demo. */
function placeFields(): readonly Field[] {
  const zones = [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return [
    {
      ...{ type: 'choice', name: 'timezone', label: 'fields.timezone', hint: 'door.timezone_hint', ...wide },
      isNeeded: true,
      choices: zones.map((value) => ({ value, words: value.replaceAll('_', ' ') })),
    },
    {
      ...{ type: 'choice', name: 'language', label: 'session.language', hint: 'door.language_hint', ...wide },
      isNeeded: true,
      choices: Object.entries(languages).map(([value, words]) => ({ value, words })),
    },
    { type: 'check', name: 'demo', label: 'door.demo', hint: 'door.demo_hint', ...wide },
  ];
}

/** Name of the field with the password of the mail server. */
const mailPassword = 'mailPassword';

/** Lists the fields about the mail server, which can also be answered later. */
function mailFields(): readonly Field[] {
  const short = fieldsOfServer(false)
    .filter(({ name }) => name !== 'replyTo')
    // The person's own password is another one.
    .map((field) => (field.name === 'password' ? { ...field, name: mailPassword } : field));
  return [
    {
      ...{ type: 'check', name: 'withMail', label: 'door.with_mail', ...wide },
      hint: ({ withMail }) => (withMail ? '' : `${t('mail.missing')} ${t('door.mail_later')}`),
    },
    ...short.map(
      (field): Field => ({
        ...field,
        isShown: (draft) => draft.withMail === true && (field.isShown?.(draft) ?? true),
      }),
    ),
  ];
}

/** Lists the fields of each step. A gateway that has a mail server asks for none. */
const stepsOf = ({ ways, sendsMail }: SignInOptions): readonly (readonly Field[])[] => [
  [...person, ...wayFields(ways)],
  placeFields(),
  sendsMail ? [] : mailFields(),
];

/** Returns the mail server as both APIs take it; null to set it up later. */
const serverIn = (draft: Draft) =>
  draft.withMail ? inputOfServer({ ...draft, password: draft[mailPassword] }) : null;

interface TestProps {
  readonly secret: string;
  readonly draft: Draft;
  readonly onWrong: (found: ReadonlyMap<string, string>) => void;
}

/** Sends a test mail, and says what came of it. */
function TestMail({ secret, draft, onWrong }: TestProps) {
  const [tried, setTried] = useState<TrialAnswer | 'running' | Fault>();
  const asked = askedOf(inputOfServer(draft));
  async function test() {
    setTried('running');
    const body = { secret, mail: serverIn(draft), to: draft.email, language: draft.language };
    const outcome = await askDoor<TrialAnswer>('POST', '/setup/mail', body);
    const violations = outcome.ok ? new Map<string, string>() : outcome.fault.violations;
    const isField = fieldsOfServer(false).some(({ name }) => violations.has(name));
    onWrong(isField ? violations : new Map());
    if (isField) setTried(undefined);
    else setTried(outcome.ok ? outcome.data : outcome.fault);
  }
  return (
    <>
      <div>
        <Button icon="send" onClick={test} isBusy={tried === 'running'}>
          {t('mail.test')}
        </Button>
      </div>
      <div role="status">
        {tried === 'running' && <Tried asked={asked} result={undefined} />}
        {typeof tried === 'object' && 'isSent' in tried && <Tried asked={asked} result={tried} />}
      </div>
      {typeof tried === 'object' && 'kind' in tried && (
        <Trouble
          text={tried.kind === 'invalid' ? t('mail.test_failed') : faultText(tried)}
          words={tried.kind === 'invalid' ? tried.message : undefined}
        />
      )}
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
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<Draft>({});
  const [found, setFound] = useState<ReadonlyMap<string, string>>();
  const { refused, enter, hasDeclined } = useEntry('/setup');
  const steps = useMemo(() => stepsOf(options), [language.value]);
  useEffect(() => focusFirst(document.querySelector('.door form')), [step]);
  if (isOver(refused)) return <LinkOver text={t('door.setup_over')} words={refused?.fault.message} />;
  const isLast = step === steps.length - 1;
  const fields = steps.flatMap((own, at) =>
    own.map(
      (field): Field => ({
        ...field,
        isShown: (all) => at === step && (field.isShown?.(all) ?? true),
      }),
    ),
  );
  async function finish(all: Draft) {
    const { organization, name, email, timezone, language, demo } = all;
    const given = { organization, name, email, timezone, language, demo, mail: serverIn(all), secret };
    return enter(given, () => madeWay(all, '/setup/passkey', { secret, name, email }));
  }
  async function send(all: Draft) {
    const outcome = await sendWay(all, async () => (isLast ? finish(all) : undefined));
    if (!outcome) setStep((now) => Math.min(now + 1, steps.length - 1));
    else if (!outcome.ok) {
      // Shows the step of the field that is refused.
      const [wrong] = outcome.fault.violations.keys();
      const place = steps.findIndex((own) => own.some(({ name }) => name === wrong));
      if (place >= 0) setStep(place);
    }
    return outcome;
  }
  return (
    <>
      <Form
        fields={fields}
        initial={{
          ...firstWay(options.ways),
          ...{ timezone: ownZone(), language: language.peek(), demo: true },
          publicUrl: location.origin,
        }}
        onDraft={setDraft}
        found={found}
        action={t(isLast ? 'door.set_up' : 'door.next')}
        send={(_input, _base, all) => send(all)}
        beside={step > 0 && <Button onClick={() => setStep(step - 1)}>{t('common.back')}</Button>}
      >
        <p class="soft small" role="status">
          {t('door.step', { n: step + 1 })}
        </p>
        {hasDeclined && <Trouble text={t('signIn.passkey_none_made')} />}
        {isLast && options.sendsMail && <p>{t('mail.from_environment')}</p>}
      </Form>
      {isLast && draft.withMail === true && <TestMail secret={secret} draft={draft} onWrong={setFound} />}
    </>
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
