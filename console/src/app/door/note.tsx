import type { DoorOutcome } from '../../data/door';
import { faultText } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Icon } from '../../ui/icon';

/** Renders why something did not work. Screen readers say it at once. */
export function Refused({ text }: { readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <p>{text}</p>
    </div>
  );
}

/**
 * Describes why the gateway refused a step of signing in.
 * @param wrong the text for a wrong password, code or passkey
 */
export function refusedText(outcome: DoorOutcome<unknown>, wrong: string): string | undefined {
  if (outcome.ok) return undefined;
  const { fault, status, retryAfter } = outcome;
  if (status === 401) return wrong;
  if (fault.kind === 'busy' && retryAfter !== undefined) {
    return retryAfter < 60
      ? t('session.wait_seconds', { n: retryAfter })
      : t('session.wait_minutes', { n: Math.ceil(retryAfter / 60) });
  }
  if (fault.kind === 'forbidden') return t('session.not_this_way');
  return faultText(fault);
}
