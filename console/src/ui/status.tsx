import type { ExpirationStatus, NotToldReason, UnreadReason, UploadReason } from '../generated/types';
import {
  type Day,
  daysBetween,
  formatAgo,
  formatDay,
  formatDistance,
  formatMoment,
  today,
} from '../i18n/dates';
import { hasText, type Key, t } from '../i18n/i18n';
import { Icon, type IconName } from './icon';

/** Colors of urgency. Words say the same. */
export type Urgency = 'late' | 'near' | 'good' | 'plain';

interface Standing {
  readonly text: Key;
  readonly urgency: Urgency;
  readonly icon: IconName;
}

const standings: Readonly<Record<ExpirationStatus, Standing>> = {
  EXPIRED: { text: 'status.expired', urgency: 'late', icon: 'warning' },
  MISSING: { text: 'status.missing', urgency: 'late', icon: 'file' },
  NOTIFYING: { text: 'status.notifying', urgency: 'near', icon: 'clock' },
  CURRENT: { text: 'status.current', urgency: 'good', icon: 'check' },
  ARCHIVED: { text: 'status.archived', urgency: 'plain', icon: 'archive' },
  NODATE: { text: 'status.no_date', urgency: 'plain', icon: 'calendar' },
  NO_DATE: { text: 'status.no_date', urgency: 'plain', icon: 'calendar' },
};

/** Returns the status of an item in words. */
export const statusText = (status: ExpirationStatus): string => t(standings[status].text);

/** Renders the status of an item: a word, an icon, a color. */
export function Status({ status }: { readonly status: ExpirationStatus }) {
  const { text, urgency, icon } = standings[status];
  return (
    <span class={`badge ${urgency}`}>
      <Icon name={icon} />
      {t(text)}
    </span>
  );
}

/** Renders any other status as a word. */
export function Badge({
  urgency = 'plain',
  children,
}: {
  readonly urgency?: Urgency;
  readonly children: string;
}) {
  return <span class={`badge ${urgency}`}>{children}</span>;
}

/**
 * Renders how far a date is from the person's own today. So the same date reads the same in all rows, whatever the time zones
 * of their workspaces are.
 */
export function Countdown({ date }: { readonly date: Day }) {
  const days = daysBetween(today(), date);
  const urgency = days < 0 ? 'late-text strong' : days <= 7 ? 'near-text strong' : 'soft';
  return <span class={urgency}>{formatDistance(days)}</span>;
}

/** Renders a day. */
export function DateText({ date }: { readonly date: Day }) {
  return (
    <time class="num" dateTime={date}>
      {formatDay(date)}
    </time>
  );
}

/** Renders how long ago a time was; hovering shows the time itself. */
export function Ago({ moment }: { readonly moment: string }) {
  return (
    <time dateTime={moment} title={formatMoment(moment)}>
      {formatAgo(moment)}
    </time>
  );
}

/** Finds the sentence for a code. Codes that this version does not know share one. */
function sentenceOf(table: 'uploadReasons' | 'unreadReasons' | 'notTold', code: string | null): string {
  const key = `${table}.${code}`;
  return t(hasText(key) ? (key as Key) : `${table}.other`);
}

/** Says why an upload was not filed, and what to do about it. */
export const uploadReasonText = (code: UploadReason | null): string => sentenceOf('uploadReasons', code);

/** Says why a document was not read as a whole, and what to do. */
export const unreadReasonText = (code: UnreadReason): string => sentenceOf('unreadReasons', code);

/** Says why somebody was not told, and what to do about it. */
export const notToldText = (code: NotToldReason | null): string => sentenceOf('notTold', code);

/** Renders a reason as a sentence, with the technical text behind a click. */
export function Reason({ text, details }: { readonly text: string; readonly details: string | null }) {
  return (
    <div class="reason">
      <p>{text}</p>
      {details && (
        <details class="small">
          <summary class="soft">{t('common.details')}</summary>
          <p class="soft">{details}</p>
        </details>
      )}
    </div>
  );
}
