import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { decrypt, encrypt, type Secrets } from '../db/secrets/secrets.js';
import type { Caller } from '../domain/caller.js';
import { badField, unauthorized } from '../domain/errors.js';
import { roles } from '../domain/roles.js';
import { callersOf } from './authenticate.js';
import { identifyAgain } from './identify.js';

/** Seconds for which a link to a file may be good. */
export const longestLink = 7 * 86_400;

/** Contents of a link: its end and its caller. That is a token by its id, or an issuer's subject by the claims. */
const contents = z.tuple([
  z.int(),
  z.union([
    z.guid(),
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

/** Key's purpose. Each file has a key of its own, so that a link to one is none to another. */
const purposeOf = (id: string) => `link to the attachment ${id}`;

/**
 * Makes a link to a file for a caller. It is sent as `link` in the query, in place of a token, and is sealed with a
 * key that is derived from SECRET_KEY (HKDF), as it may carry claims about the caller.
 * @param seconds for which it is good
 * @throws GatewayError BAD_REQUEST for a time out of range; SecretKeyError without a key
 */
export async function createFileLink(session: Session, id: string, seconds: number): Promise<string> {
  if (seconds < 1 || seconds > longestLink)
    throw badField(['expiresIn'], `must be from 1 to ${longestLink}, not ${seconds}`, 'range');
  const { caller, now, secrets } = session;
  if (!secrets) throw new Error('This session has no key.');
  const end = Math.floor(now.getTime() / 1000) + seconds;
  const who = caller.identity ? { ...caller.identity, userId: caller.user.id } : caller.tokenId;
  const text = JSON.stringify([end, who]);
  const key = await secrets.keyFor(purposeOf(id));
  return Buffer.from(encrypt(key, text, id)).toString('base64url');
}

/** A request for a file by a link. */
export interface SentLink {
  readonly id: string;
  readonly link: string;
}

async function openLink(secrets: Secrets, { id, link }: SentLink) {
  const own = id.toLowerCase();
  const key = await secrets.keyFor(purposeOf(own));
  try {
    return contents.parse(JSON.parse(decrypt(key, Buffer.from(link, 'base64url'), own)));
  } catch {
    throw unauthorized('The link is not one to this file.', 'invalid_token');
  }
}

/**
 * Finds out whose link a request has, and what that caller may do now.
 * @returns null when the caller's token does not work any more
 * @throws GatewayError UNAUTHORIZED for a link that was not made here for this file, or is over
 */
export async function callerOfLink(
  database: Database,
  secrets: Secrets,
  sent: SentLink,
  now: Date,
): Promise<Caller | null> {
  const [end, who] = await openLink(secrets, sent);
  if (now.getTime() >= end * 1000) throw unauthorized('The link is over.', 'invalid_token');
  if (typeof who === 'string') return (await callersOf(database, [who], now)).get(who) ?? null;
  const { userId, ...identity } = who;
  // What the claims say is good for as long as their token.
  const [caller = null] = await identifyAgain(database, [{ identity, user: { id: userId } }], now);
  return caller;
}
