import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Actions that a link in a mail can lead to. */
const actions = ['acknowledge', 'snooze', 'unsubscribe'] as const;
export type LinkAction = (typeof actions)[number];

/** What a link is for. Whoever has the link may do this, and nothing else. */
export interface LinkPurpose {
  readonly action: LinkAction;
  readonly organizationId: string;
  /** The item that the mail was about; absent for a digest as a whole. */
  readonly itemId: string | undefined;
  /** The item's date at that time, `YYYY-MM-DD`: a renewed item is another matter. */
  readonly date: string | undefined;
  /** Who was written to, as the ledger names them. */
  readonly recipientKey: string;
}

/** Days for which a link works. */
const lifetimeDays = 60;
const dayMs = 86_400_000;

/** Bytes of the code (HMAC-SHA256, cut to 128 bits: RFC 2104 section 5). */
const codeLength = 16;

function codeOf(key: KeyObject, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, codeLength);
}

/**
 * Makes the token of a link. It says itself what it is for, so that nothing needs to be stored.
 * @param key of these links alone
 * @returns letters, digits, `-`, `_` and one `.`
 */
export function signLink(key: KeyObject, purpose: LinkPurpose, now: Date): string {
  const expires = Math.floor(now.getTime() / dayMs) + lifetimeDays;
  const { action, organizationId, itemId = '', date = '', recipientKey } = purpose;
  const fields = [actions.indexOf(action), expires, organizationId, itemId, date, recipientKey];
  const body = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${body}.${codeOf(key, body).toString('base64url')}`;
}

/** Characters of a token at most: an address has 320, and each may take several bytes. */
const longestToken = 4_096;

/**
 * Reads the token of a link.
 * @returns undefined for one that was not made with this key, or is too old
 */
export function readLink(key: KeyObject, token: string, now: Date): LinkPurpose | undefined {
  if (token.length > longestToken) return undefined;
  const [body = '', code = '', ...rest] = token.split('.');
  const given = Buffer.from(code, 'base64url');
  const expected = codeOf(key, body);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return undefined;
  }
  const [action, expires, organizationId, itemId, date, recipientKey] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  ) as [number, number, string, string, string, string];
  const known = actions[action];
  if (!known || now.getTime() >= (expires + 1) * dayMs) return undefined;
  return {
    ...{ action: known, organizationId, recipientKey },
    ...{ itemId: itemId || undefined, date: date || undefined },
  };
}
