import type { DoorOutcome } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { LinkButton } from '../../ui/button';
import { Icon } from '../../ui/icon';

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
