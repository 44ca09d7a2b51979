import { userEvent } from '../access/people.js';
import { ownerAsCaller } from '../access/tokens.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import type { EventName } from '../domain/events.js';
import type { SignInWay } from '../domain/sign-in.js';
import { browserName } from '../domain/text/browser-name.js';
import { logEvent } from '../records/event-logs.js';
import type { SignInContext } from './context.js';

/** Events of people who sign in. */
type SignInEvent = Extract<EventName, 'signed in' | 'sign-in failed' | 'sign-in changed' | 'signed out'>;

/** The ways to sign in, in the words of events. */
export const wayTexts: Readonly<Record<SignInWay, string>> = {
  PASSWORD: 'a password',
  PASSKEY: 'a passkey',
  LINK: 'a link',
  OIDC: 'the issuer',
};

/** The browser that somebody uses, and its address. */
interface Place {
  readonly agent: string;
  readonly address: string;
}

/** Says which browser somebody used, and from which address, for events. */
export const placeOf = ({ agent, address }: Place): string =>
  `(${browserName(agent, ' on ') ?? 'unknown browser'}, ${address})`;

/**
 * Logs what a user did to sign in. The event belongs to the user's default workspace; for an author who does
 * not see that one, nothing is logged.
 */
export async function logSignIn(
  tx: Transaction,
  user: Pick<RowOf<'User'>, 'name' | 'email' | 'teamId'>,
  type: SignInEvent,
  what: string,
  now: Date,
): Promise<void> {
  const { caller } = tx;
  if (!caller.teamIds.includes(user.teamId)) return;
  await logEvent(tx, { caller, now }, userEvent(type, user, what, user.teamId));
}

/**
 * Logs a failed attempt to sign in to an account. The event is written while the answer is on its way, so that
 * a known account takes no longer.
 */
export function logFailure(
  { database, log }: Pick<SignInContext, 'database' | 'log'>,
  account: Pick<RowOf<'User'>, 'id' | 'name' | 'email' | 'teamId' | 'organizationId'>,
  reason: string,
  place: Place,
  now: Date,
): void {
  const what = `was not signed in: ${reason} ${placeOf(place)}`;
  database
    .inTransaction((tx) => logSignIn(tx, account, 'sign-in failed', what, now), ownerAsCaller(account))
    .catch(({ message }: Error) => log.info({ reason: message }, 'A failed sign-in could not be logged'));
}
