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
