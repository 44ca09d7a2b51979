import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { decrypt, encrypt, type Secrets } from '../db/secrets/secrets.js';
import { type Caller, ownTokenId, roles } from '../domain/caller.js';
import { badField, unauthorized } from '../domain/errors.js';
import { callersOf, identifyAgain, sessionCallersOf } from './callers.js';

/** The most seconds for which a link to a file may be valid. */
export const longestLink = 7 * 86_400;

/**
 * Contents of a link: its expiry and its caller. The caller is a token by its id, a session by its id, or an
 * issuer's subject by the claims.
 */
const contents = z.tuple([
  z.int(),
  z.union([
    z.guid(),
    z.object({ sessionId: z.guid() }),
    z.object({
      userId: z.guid(),
      issuer: z.string(),
      subject: z.string(),
      email: z.string().nullable(),
      role: z.enum(roles).nullable(),
      teams: z.array(z.string()).nullable(),
      expiresAt: z.iso.datetime().transform((text) => new Date(text)),
    }),
  ]),
]);

/** Names all that a link opens: an attachment, a filtered list, or an export. */
export interface LinkTarget {
  readonly kind: 'attachment' | 'list' | 'export';
  readonly id: string;
}

/**
 * Returns the purpose of the key. Each file has a key of its own, so that a link to one file does not open
 * another.
 */
const purposeOf = ({ kind, id }: LinkTarget) => `link to the ${kind} ${id}`;

/** Returns what a list's link is for: its file with these parameters. */
export function listTarget(name: string, query: URLSearchParams): LinkTarget {
  const own = new URLSearchParams([...query].filter(([parameter]) => parameter !== 'link'));
  return { kind: 'list', id: `${name}?${own}` };
}

/**
 * Creates a link to a file for a caller. It is sent as `link` in the query, in place of a token. It is sealed
 * with a key derived from SECRET_KEY (HKDF), because it may contain claims about the caller.
 * @param seconds for which it is valid
 * @throws GatewayError BAD_REQUEST for a time out of range; SecretKeyError without a key
 */
export async function createFileLink(session: Session, target: LinkTarget, seconds: number): Promise<string> {
  if (seconds < 1 || seconds > longestLink)
    throw badField(['expiresIn'], `must be from 1 to ${longestLink}, not ${seconds}`, 'range');
  const { caller, now, secrets } = session;
  if (!secrets) throw new Error('This session has no key.');
  const end = Math.floor(now.getTime() / 1000) + seconds;
  const who = caller.identity
    ? { ...caller.identity, userId: caller.user.id }
    : (ownTokenId(caller) ?? { sessionId: caller.tokenId });
  const text = JSON.stringify([end, who]);
  const key = await secrets.keyFor(purposeOf(target));
  return Buffer.from(encrypt(key, text, target.id)).toString('base64url');
}

/** A request for a file with a link. */
export interface SentLink {
  readonly target: LinkTarget;
  readonly link: string;
}

async function openLink(secrets: Secrets, { target, link }: SentLink) {
  for (const key of await secrets.linkKeysFor(purposeOf(target))) {
    try {
      return contents.parse(JSON.parse(decrypt(key, Buffer.from(link, 'base64url'), target.id)));
    } catch {}
  }
  throw unauthorized('The link does not belong to this file.', 'invalid_token');
}

/**
 * Finds the caller of a link with their current rights.
 * @returns null if the caller's token or session is no longer valid
 * @throws GatewayError UNAUTHORIZED for a link that was not created here for this file, or has expired
 */
export async function callerOfLink(
  database: Database,
  secrets: Secrets,
  sent: SentLink,
  now: Date,
): Promise<Caller | null> {
  const [end, who] = await openLink(secrets, sent);
  if (now.getTime() >= end * 1000) throw unauthorized('The link has expired.', 'invalid_token');
  if (typeof who === 'string') return (await callersOf(database, [who], now)).get(who) ?? null;
  if ('sessionId' in who) {
    return (await sessionCallersOf(database, [who.sessionId], now)).get(who.sessionId) ?? null;
  }
  const { userId, ...claims } = who;
  // Claims are valid as long as their token.
  const identity = {
    ...claims,
    issuedAt: null,
    client: null,
    hasOtherAudiences: false,
    isEmailVerified: false,
  };
  const [caller = null] = await identifyAgain(database, [{ identity, user: { id: userId } }], now);
  return caller;
}
