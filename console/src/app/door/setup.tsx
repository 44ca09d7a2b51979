import { useEffect, useRef, useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import { language, t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { focusFirst } from '../../ui/field';
import { mailInputOf } from '../mail-form';
import { useEntry } from './entry';
import { isChosen, madeWay } from './first-way';
import { DoorFrame } from './frame';
import type { SignInOptions } from './options';
import { takeSecret } from './secret';
import { type Draft, fieldsOfSteps, newDraft } from './setup-draft';
import { MailStep } from './setup-mail';
import { PersonStep, PlaceStep } from './setup-steps';
import { FormFault, isOver, LinkOver, Trouble } from './trouble';

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
