/** Reasons for which a delivery or reminder ended without being sent, in plain words. */
const words: Readonly<Record<string, string>> = {
  deleted: 'The item was deleted before it was sent.',
  archived: 'The item was archived before it was sent.',
  missing: 'The item was marked as missing before it was sent.',
  off: 'Reminders of the item were turned off before it was sent.',
  'date removed': 'The date of the item was removed before it was sent.',
  'date changed': 'The date of the item was changed before it was sent.',
  renewed: 'The item was renewed before it was sent.',
  acknowledged: 'Somebody has taken note of the date before it was sent.',
  suppressed: 'The address is not written to: its owner, the mail server or an admin has ended that.',
  inactive: 'The recipient is inactive, or may not see the workspace.',
  muted: 'The recipient wants no mail for a while.',
  'nothing to tell': 'Nothing of what it was to tell is left.',
  superseded: 'A later reminder of the same date is told instead.',
  imported: 'It had passed when the item was imported.',
  'long past': 'It had passed long before the item was entered.',
  'without recipient': 'None of its own recipients could be told.',
  refused: 'The mail server refused the address.',
  failed: 'The mail server could not take it for a day.',
};

/** Describes a reason in plain words. An unknown one is returned unchanged. */
export function reasonText(reason: string | null): string | null {
  return reason === null ? null : (words[reason] ?? reason);
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
  if (state === 'QUEUED') return `The last try failed, and another one follows.${said}`;
  if (state !== 'FAILED') return reasonText(lastError);
  const refused = statusCode !== null && statusCode >= 500;
  const what = refused ? 'The mail server refused it' : 'The mail server could not take it for a day';
  return `${what}, and it was given up.${said}`;
}
