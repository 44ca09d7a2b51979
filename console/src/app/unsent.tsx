import { type UnsentReason, unsentReason } from '../data/reminding';
import { t } from '../i18n/i18n';
import { Icon } from '../ui/icon';
import { may } from './session';

/** Returns the address of the screen where administrators can mend something. */
const mendingAddress = (reason: UnsentReason): string =>
  reason === 'NO_MAIL' ? '/settings/mail' : '/settings/health';

/** Returns why no reminder is sent, in words for this person. */
export function unsentText(reason: UnsentReason): string {
  if (reason === 'DEMO' || may('ADMINISTER')) return t(`health.unsent_${reason}`);
  return t(reason === 'NO_MAIL' ? 'health.unsent_plain_NO_MAIL' : 'health.unsent_plain');
}

interface UnsentProps {
  /** The workspace whose reminders are promised; any, if left out. */
  readonly teamId?: string | undefined;
  /** A small line without a background. */
  readonly isSmall?: boolean;
}

/** Renders that no reminder is sent, and what to do, wherever one is promised. Nothing while they are sent. */
export function Unsent({ teamId, isSmall = false }: UnsentProps) {
  const reason = unsentReason(teamId);
  // Every screen says at its top that a restored database sends nothing.
  if (!reason || reason === 'RESTORED') return null;
  const text = (
    <p>
      {unsentText(reason)}{' '}
      {may('ADMINISTER') && <a href={mendingAddress(reason)}>{t(`health.fix_${reason}`)}</a>}
    </p>
  );
  if (isSmall) return <div class="near-text small unsent">{text}</div>;
  return (
    <div class="note near unsent">
      <Icon name="warning" />
      {text}
    </div>
  );
}
