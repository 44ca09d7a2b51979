/** Reasons for which a mail was not taken, by their codes. */
const mailFailures = {
  MAIL_ADDRESS_UNKNOWN: 'The mail server does not know the address.',
  MAIL_ADDRESS_REFUSED: 'The mail server does not accept mail for the address.',
  MAIL_ADDRESS_NOT_ASCII: 'The mail server cannot send to an address with letters outside ASCII.',
  MAIL_MAILBOX_FULL: 'The mailbox is full.',
  MAIL_MAILBOX_DISABLED: 'The mailbox does not accept mail.',
  MAIL_NO_ROUTE: "The mail server could not reach the recipient's mail server.",
  MAIL_BLOCKED: "The recipient's mail server does not trust the sender, or considers the mail spam.",
  MAIL_TOO_LARGE: 'The mail is too large for the mail server.',
  MAIL_MESSAGE_REFUSED: 'The mail server does not accept the mail as it is.',
  MAIL_LIMIT_REACHED: 'The mail server accepts no more mails for now: a limit is reached.',
  MAIL_RELAY_REFUSED: 'The mail server does not pass mail on to other mail servers for the gateway.',
  MAIL_SERVER_BUSY: 'The mail server asked the gateway to try again later.',
  MAIL_SERVER_REFUSED: 'The mail server does not accept mail from the gateway.',
  MAIL_SERVER_UNREACHABLE: 'The mail server could not be reached.',
  MAIL_CONNECTION_LOST: 'The connection to the mail server ended before it had answered.',
  MAIL_SENDER_REFUSED: "The mail server does not accept the sender's address.",
  MAIL_SIGN_IN_REFUSED: 'The mail server does not accept the user name or password.',
  MAIL_NOT_SECURE: 'A secure connection to the mail server could not be established.',
  CHAT_REFUSED: 'The chat service did not accept the message.',
  CHAT_UNREACHABLE: 'The chat service could not be reached.',
  CHAT_NOBODY_TOLD: 'The Apprise server knows no service for the address, so that nobody was told.',
  CHAT_PARTLY_TOLD: 'The Apprise server did not reach all of its services; the others have the message.',
  MAIL_LINKS_UNAVAILABLE: 'The process that sends mail cannot create its link.',
} as const satisfies Record<string, string>;

/** Code of a reason for which a mail was not taken. */
export type MailFailure = keyof typeof mailFailures;

/** Failures of a mailbox that is no more: it does not exist, or is disabled. */
export const ofDeadMailboxes: ReadonlySet<MailFailure> = new Set<MailFailure>([
  'MAIL_ADDRESS_UNKNOWN',
  'MAIL_MAILBOX_DISABLED',
]);

/** Tells whether a failure is that of a chat message. */
export const isChatFailure = (failure: MailFailure): boolean => failure.startsWith('CHAT_');

/** Tells whether a text is the code of a mail's failure. */
const isMailFailure = (code: string | null): code is MailFailure =>
  code !== null && Object.hasOwn(mailFailures, code);

/**
 * Reasons for which a delivery or a reminder ended without being told. Rows keep the key; APIs have a code and plain
 * words for each.
 */
const endings = {
  deleted: ['ITEM_DELETED', 'The item was deleted before it was sent.'],
  moved: ['ITEM_MOVED', 'The item was moved to another workspace before it was sent.'],
  archived: ['ITEM_ARCHIVED', 'The item was archived before it was sent.'],
  missing: ['ITEM_MISSING', 'The item was marked as missing before it was sent.'],
  off: ['REMINDERS_OFF', 'Reminders of the item were turned off before it was sent.'],
  'date removed': ['DATE_REMOVED', 'The date of the item was removed before it was sent.'],
  'date changed': ['DATE_CHANGED', 'The date of the item was changed before it was sent.'],
  renewed: ['ITEM_RENEWED', 'The item was renewed before it was sent.'],
  acknowledged: ['ACKNOWLEDGED', 'Somebody acknowledged the date before it was sent.'],
  suppressed: ['SUPPRESSED', 'Mail to the address was stopped by its owner, the mail server or an admin.'],
  inactive: ['INACTIVE', 'The recipient is inactive, or may not see the workspace.'],
  'no recipient': ['NOT_A_RECIPIENT', 'The address is no longer that of a recipient.'],
  muted: ['MUTED', 'The recipient has paused mail.'],
  postponed: ['POSTPONED', 'The recipient asked to be reminded later.'],
  'nothing to tell': ['NOTHING_TO_TELL', 'Nothing is left to remind of.'],
  superseded: ['SUPERSEDED', 'Another reminder for the same date says it.'],
  imported: ['IMPORTED', 'Its time had passed when the item was imported.'],
  'long past': ['LONG_PAST', 'Its time had passed long before the item was entered.'],
  'without recipient': ['WITHOUT_RECIPIENT', 'None of its own recipients could be reached.'],
  refused: ['MAIL_REFUSED', 'The mail server refused the address.'],
  'chat failed': ['CHAT_FAILED', 'The chat service did not take the message.'],
  failed: ['MAIL_FAILED', 'The mail server did not accept it for a day.'],
  demo: ['DEMO', 'Nobody gets mails of the demo: its people do not exist.'],
  'the link opens nothing any more': ['INVITATION_ENDED', 'The link no longer works.'],
} as const satisfies Record<string, readonly [code: string, words: string]>;

/** Reason for which a delivery or a reminder ended, as rows keep it. */
export type Ending = keyof typeof endings;

/** Reasons of recipients who are told at another time. Nobody else is told in their place. */
export const heldReasons = ['superseded', 'postponed'] as const satisfies readonly Ending[];

/** Returns whether a recipient is told at another time. */
export const isHeld = (reason: Ending | null): boolean => heldReasons.some((held) => held === reason);

/** Code of the reason why a recipient was not notified. */
type NotToldReason = (typeof endings)[Ending][0] | MailFailure;

/** Reasons for which somebody was not told, by their codes: what each means. */
export const notNotifiedReasons = {
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
  readonly errorCode: string | null;
}

/** Replaces an address that a caller may not see. */
export const somebodyElse = 'somebody of another workspace';

/**
 * Explains in plain words why a delivery has not arrived. Null if it is not known.
 * @param isTold true to include the mail server's message, which may contain the address
 */
export function deliveryError({ state, lastError, errorCode }: Faulty, isTold = true): string | null {
  if (lastError === null) return null;
  if (isMailFailure(errorCode) && isChatFailure(errorCode) && (state === 'QUEUED' || state === 'FAILED')) {
    const next = state === 'QUEUED' ? 'The message will be tried again' : 'The message was given up';
    return `${next}: ${lastError}`;
  }
  const said = isTold ? ` The server said: ${lastError}` : '';
  if (state === 'QUEUED') return `The last attempt failed; the mail will be tried again.${said}`;
  if (state !== 'FAILED') return reasonText(lastError);
  const isDead = isMailFailure(errorCode) && ofDeadMailboxes.has(errorCode);
  const what = isDead
    ? 'The mailbox does not exist or is disabled'
    : 'The mail server did not accept it for a day';
  return `${what}, and it was given up.${said}`;
}

/** Returns the code of the reason for which a delivery has not arrived. Null when there is nothing to say. */
export function deliveryReason({ state, lastError, statusCode, errorCode }: Faulty): NotToldReason | null {
  if (lastError === null) return null;
  if (state !== 'QUEUED' && state !== 'FAILED') return reasonCode(lastError);
  if (isMailFailure(errorCode)) return errorCode;
  // Older versions have kept the status alone.
  if (statusCode === null) return 'MAIL_SERVER_UNREACHABLE';
  return statusCode >= 500 ? 'MAIL_ADDRESS_REFUSED' : 'MAIL_SERVER_BUSY';
}

/** State of all workers that matters to reminders. */
export interface WorkersState {
  /** True while the database is silent, because it was restored. */
  readonly isSilent: boolean;
  /** Number of workers that have reported within the last minute. */
  readonly running: number;
  /** Time of the last report of any worker. */
  readonly seenAt: Date | null;
  /** Time at which any worker last looked for reminders that are due. */
  readonly decidedAt: Date | null;
  /** Time since which no running worker with mail has looked for due reminders. A new one counts from its start. */
  readonly idleSince: Date | null;
  /** True if a running worker has a mail server; null when none runs. */
  readonly hasMail: boolean | null;
  /** True if a running worker has `DEMO_MAIL_TO`; null when none runs. */
  readonly hasDemoMail: boolean | null;
  /** Problem of the mail server at the last attempt; null if it accepted the mail. */
  readonly mailProblem: string | null;
}

/** Obstacles to sending reminders. Those that hide others come first. */
export const reminderObstacles = [
  ...(['RESTORED', 'NO_WORKER', 'NO_MAIL', 'MAIL_REFUSED', 'STANDSTILL', 'SOME_MAIL_REFUSED'] as const),
] as const;

/** Obstacle that keeps reminders from being sent. */
export type ReminderObstacle = (typeof reminderObstacles)[number];

/** Milliseconds of delay from which decisions count as standing still. */
const standstillMs = 600_000;

/**
 * Returns the obstacle that prevents reminders from being sent, if any.
 * @param lateSince time since when decisions of some workspace are late or failing; null if none are
 * @param refused number of mails that wait because they were refused
 */
export function obstacleOf(
  { isSilent, running, hasMail, mailProblem, idleSince }: WorkersState,
  lateSince: Date | null,
  refused: number,
  now: Date,
): ReminderObstacle | null {
  if (isSilent) return 'RESTORED';
  if (running === 0) return 'NO_WORKER';
  if (!hasMail) return 'NO_MAIL';
  if (mailProblem !== null) return 'MAIL_REFUSED';
  const standsStill = (since: Date | null) =>
    since !== null && now.getTime() - since.getTime() >= standstillMs;
  if (standsStill(lateSince) || standsStill(idleSince)) return 'STANDSTILL';
  return refused > 0 ? 'SOME_MAIL_REFUSED' : null;
}
