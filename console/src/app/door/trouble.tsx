import type { DoorOutcome } from '../../data/door';
import { type Fault, faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { LinkButton } from '../../ui/button';
import { Icon } from '../../ui/icon';

/** A request that the gateway has refused. */
export type Refused = Extract<DoorOutcome<unknown>, { ok: false }>;

/** Renders what went wrong. Screen readers say it immediately. */
export function Trouble({ text, words }: { readonly text: string; readonly words?: string | undefined }) {
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
export function FaultNote({ fault }: { readonly fault: Fault | undefined }) {
  if (!fault) return null;
  return <Trouble text={fault.violations.size > 0 ? t('fault.invalid') : faultText(fault)} />;
}

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
