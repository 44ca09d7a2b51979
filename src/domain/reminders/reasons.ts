import { isMailFailure, type MailFailure, mailFailures } from './mail-failures.js';

/**
 * Reasons for which a delivery or a reminder ended without being told. Rows keep the key; APIs have a code and plain
 * words for each.
 */
const endings = {
  deleted: ['ITEM_DELETED', 'The item was deleted before it was sent.'],
  archived: ['ITEM_ARCHIVED', 'The item was archived before it was sent.'],
  missing: ['ITEM_MISSING', 'The item was marked as missing before it was sent.'],
  off: ['REMINDERS_OFF', 'Reminders of the item were turned off before it was sent.'],
  'date removed': ['DATE_REMOVED', 'The date of the item was removed before it was sent.'],
  'date changed': ['DATE_CHANGED', 'The date of the item was changed before it was sent.'],
  renewed: ['ITEM_RENEWED', 'The item was renewed before it was sent.'],
  acknowledged: ['ACKNOWLEDGED', 'Somebody acknowledged the date before it was sent.'],
  suppressed: ['SUPPRESSED', 'Mail to the address was stopped by its owner, the mail server or an admin.'],
  inactive: ['INACTIVE', 'The recipient is inactive, or may not see the workspace.'],
  muted: ['MUTED', 'The recipient has paused mail.'],
  'nothing to tell': ['NOTHING_TO_TELL', 'Nothing is left to remind of.'],
  superseded: ['SUPERSEDED', 'A later reminder for the same date is sent instead.'],
  imported: ['IMPORTED', 'Its time had passed when the item was imported.'],
  'long past': ['LONG_PAST', 'Its time had passed long before the item was entered.'],
  'without recipient': ['WITHOUT_RECIPIENT', 'None of its own recipients could be reached.'],
  refused: ['MAIL_REFUSED', 'The mail server refused the address.'],
  failed: ['MAIL_FAILED', 'The mail server did not accept it for a day.'],
  'the link opens nothing any more': ['INVITATION_ENDED', 'The link no longer works.'],
} as const satisfies Record<string, readonly [code: string, words: string]>;

/** Reason for which a delivery or a reminder ended, as rows keep it. */
export type Ending = keyof typeof endings;

/** Code of the reason why a recipient was not notified. */
export type NotToldReason = (typeof endings)[Ending][0] | MailFailure;

/** Reasons for which somebody was not told, by their codes: what each means. */
export const notToldReasons = {
  ...mailFailures,
  ...(Object.fromEntries(Object.values(endings)) as Record<(typeof endings)[Ending][0], string>),
};

const isEnding = (reason: string): reason is Ending => Object.hasOwn(endings, reason);

/** Describes a reason in plain words. An unknown one is returned unchanged. */
export function reasonText(reason: string | null): string | null {
  return reason !== null && isEnding(reason) ? endings[reason][1] : reason;
}

/** Returns the code of a reason. It is null for one that is not known. */
export function reasonCode(reason: string | null): NotToldReason | null {
  return reason !== null && isEnding(reason) ? endings[reason][0] : null;
}

/** The parts of a delivery that its error depends on. */
interface Faulty {
  readonly state: string;
  readonly lastError: string | null;
  readonly statusCode: number | null;
}

/** Replaces an address that a caller may not see. */
export const somebodyElse = 'somebody of another workspace';

/**
 * Explains in plain words why a delivery has not arrived. Null if it is not known.
 * @param isTold true to include the mail server's message, which may contain the address
 */
export function deliveryError({ state, lastError, statusCode }: Faulty, isTold = true): string | null {
  if (lastError === null) return null;
  const said = isTold ? ` The server said: ${lastError}` : '';
  if (state === 'QUEUED') return `The last attempt failed; the mail will be tried again.${said}`;
  if (state !== 'FAILED') return reasonText(lastError);
  const refused = statusCode !== null && statusCode >= 500;
  const what = refused ? 'The mail server refused it' : 'The mail server did not accept it for a day';
  return `${what}, and it was given up.${said}`;
}

/** Returns the code of the reason for which a delivery has not arrived. Null when there is nothing to say. */
export function deliveryReason({
  state,
  lastError,
  statusCode,
  errorCode,
}: Faulty & { readonly errorCode: string | null }): NotToldReason | null {
  if (lastError === null) return null;
  if (state !== 'QUEUED' && state !== 'FAILED') return reasonCode(lastError);
  if (isMailFailure(errorCode)) return errorCode;
  // Older versions have kept the status alone.
  if (statusCode === null) return 'MAIL_SERVER_UNREACHABLE';
  return statusCode >= 500 ? 'MAIL_ADDRESS_REFUSED' : 'MAIL_SERVER_BUSY';
}
