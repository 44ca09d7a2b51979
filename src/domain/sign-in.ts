import type { Caller } from './caller.js';
import { GatewayError } from './errors.js';

/** Ways in which people can sign in. */
export const signInWays = ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'] as const;

/** A way in which people can sign in. */
export type SignInWay = (typeof signInWays)[number];

const minute = 60_000;
const day = 86_400_000;

/** Lifetimes of sessions, in milliseconds. */
export const sessionTimes = {
  /** A session that was not used for this long has ended. */
  idle: 14 * day,
  /** Every session ends after this long. */
  lifetime: 90 * day,
  /** Time to enter the second factor. */
  pending: 10 * minute,
  /** Time after signing in during which changes need no new confirmation. */
  confirmed: 10 * minute,
} as const;

/** Matches a secret of 256 random bits in base64url. */
export const secretPattern = /^[\w-]{43}$/;

/** Kind of deliveries that are links for signing in. */
export const signInLinkSubject = 'signInLink';

/** A caller at a time, such as a session of the database. */
interface Moment {
  readonly caller: Pick<Caller, 'signIn'>;
  readonly now: Date;
}

/** Returns whether a session's user has just proved who they are. */
export function isConfirmed({ caller: { signIn }, now }: Moment): boolean {
  return signIn !== undefined && now.getTime() - signIn.confirmedAt.getTime() < sessionTimes.confirmed;
}

/**
 * Checks that a session's user has proved who they are within ten minutes. Otherwise somebody at an unlocked
 * computer could change how its user signs in.
 * @throws GatewayError FORBIDDEN
 */
export function checkConfirmed(moment: Moment): void {
  if (isConfirmed(moment)) return;
  throw new GatewayError('FORBIDDEN', 'Confirm who you are first.', { reason: 'UNCONFIRMED' });
}

/**
 * Checks the same for what administrators decide about how others sign in. Tokens of programs cannot be
 * confirmed, and are accepted.
 * @throws GatewayError FORBIDDEN
 */
export function checkAdministrator(moment: Moment): void {
  if (moment.caller.signIn) checkConfirmed(moment);
}
