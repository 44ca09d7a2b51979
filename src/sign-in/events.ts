import { userEvent } from '../access/people.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { EventName } from '../domain/events.js';
import type { SignInWay } from '../domain/sign-in.js';
import type { User } from '../generated/prisma/client.js';
import { logEvent } from '../records/event-logs.js';

/** Events of people who sign in. */
type SignInEvent = Extract<EventName, 'signed in' | 'sign-in failed' | 'sign-in changed' | 'signed out'>;

/** The ways to sign in, in the words of events. */
export const wayTexts: Readonly<Record<SignInWay, string>> = {
  PASSWORD: 'a password',
  PASSKEY: 'a passkey',
  LINK: 'a link',
  OIDC: 'the issuer',
};

/**
 * Logs what a user did to sign in. The event belongs to the user's default workspace; for an author who does
 * not see that one, nothing is logged.
 */
export async function logSignIn(
  tx: Transaction,
  user: Pick<User, 'name' | 'email' | 'teamId'>,
  type: SignInEvent,
  what: string,
  now: Date,
): Promise<void> {
  const { caller } = tx;
  if (!caller.teamIds.includes(user.teamId)) return;
  await logEvent(tx, { caller, now }, userEvent(type, user, what, user.teamId));
}
