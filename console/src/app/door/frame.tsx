import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { askDoor, type DoorOutcome } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { chooseLanguage, type Language, language, languages, t } from '../../i18n/i18n';
import { LinkButton } from '../../ui/button';
import { Icon } from '../../ui/icon';
import type { SecondFactor, SignedIn } from './options';

/** Renders the card of a page for people who are not signed in. It offers the languages. */
export function DoorFrame({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <main class="door" id="main" tabIndex={-1}>
      <div class="card stack">
        <img src="/favicon.svg" alt="" width="48" height="48" />
        <div class="stack tight">
          <h1>{title}</h1>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {children}
        <p class="line small">
          {(Object.entries(languages) as [Language, string][]).map(([code, name]) => (
            <button
              key={code}
              type="button"
              class="plainlink"
              lang={code}
              aria-pressed={language.value === code}
              onClick={() => void chooseLanguage(code)}
            >
              {name}
            </button>
          ))}
        </p>
      </div>
    </main>
  );
}

/** The outcome of a request that the gateway has refused. */
export type RefusedOutcome = Extract<DoorOutcome<unknown>, { ok: false }>;

/** Renders what went wrong, if anything did. Screen readers say it immediately. */
export function Trouble({
  text,
  words,
}: {
  readonly text: string | undefined;
  /** The gateway's own words, in English. */
  readonly words?: string | undefined;
}) {
  if (!text) return null;
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <p>{text}</p>
      {words && (
        <p class="breaks" lang="en">
          {words}
        </p>
      )}
    </div>
  );
}

/** Renders the fault of a request, unless a field shows it. */
export function FormFault({ fault }: { readonly fault: Fault | undefined }) {
  if (!fault) return null;
  return <Trouble text={fault.violations.size > 0 ? t('fault.invalid') : faultText(fault)} />;
}

/** Returns whether a link has expired or was used. A refusal with a reason is about the way to sign in. */
export const isOver = (refused: RefusedOutcome | undefined): boolean =>
  refused?.status === 403 && !refused.fault.reason;

/** Renders why a link does not work, and the way to sign in. */
export function LinkOver({ text, words }: { readonly text: string; readonly words?: string | undefined }) {
  return (
    <>
      <Trouble text={text} words={words} />
      <LinkButton weight="first" href="/">
        {t('door.to_sign_in')}
      </LinkButton>
    </>
  );
}

/**
 * Describes why the gateway refused a step of signing in.
 * @param wrong the text for a wrong password, code or passkey
 */
export function troubleText(outcome: DoorOutcome<unknown>, wrong: string): string | undefined {
  if (outcome.ok) return undefined;
  const { fault, status, retryAfter } = outcome;
  if (status === 401) return wrong;
  if (fault.kind === 'busy' && retryAfter !== undefined) {
    return retryAfter < 60
      ? t('session.wait_seconds', { n: retryAfter })
      : t('session.wait_minutes', { n: Math.ceil(retryAfter / 60) });
  }
  return fault.kind === 'forbidden' && !fault.reason ? t('session.not_this_way') : faultText(fault);
}

/** Opens the console in place of this page. Going back does not return to the link. */
export const enterConsole = (): void => location.replace('/');

/** Makes the part of a request that the browser has to ask for. Undefined if the person declined. */
type Ask = () => Promise<DoorOutcome<object> | undefined>;

const nothing: Ask = async () => ({ ok: true, data: {} });

/** Sends what signs somebody in, and opens the console unless a second factor is needed. */
export function useEntry(path: string) {
  const [refused, setRefused] = useState<RefusedOutcome>();
  const [busy, setBusy] = useState(false);
  const [factors, setFactors] = useState<readonly SecondFactor[]>();
  const [hasDeclined, setDeclined] = useState(false);
  async function send(body: object, ask: Ask): Promise<DoorOutcome<SignedIn> | undefined> {
    const asked = await ask();
    return asked?.ok ? askDoor<SignedIn>('POST', path, { ...body, ...asked.data }) : asked;
  }
  async function enter(body: object, ask = nothing): Promise<DoorOutcome<SignedIn> | undefined> {
    if (busy) return undefined;
    setBusy(true);
    setRefused(undefined);
    const outcome = await send(body, ask);
    setBusy(false);
    setDeclined(!outcome);
    if (outcome && !outcome.ok) setRefused(outcome);
    else if (outcome?.data.state === 'second-factor') setFactors(outcome.data.ways ?? []);
    else if (outcome) enterConsole();
    return outcome;
  }
  return { refused, busy, factors, enter, hasDeclined };
}
