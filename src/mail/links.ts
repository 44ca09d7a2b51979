import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Actions of links in mails. */
const actions = ['acknowledge', 'snooze', 'unsubscribe'] as const;
export type LinkAction = (typeof actions)[number];

/** Purpose of a link. Whoever has the link may do only this. */
export interface LinkPurpose {
  readonly action: LinkAction;
  readonly organizationId: string;
  /** The item that the mail was about; undefined for a digest as a whole. */
  readonly itemId: string | undefined;
  /** The item's date at that time, `YYYY-MM-DD`. After a renewal the link no longer applies. */
  readonly date: string | undefined;
  /** Recipient of the mail, as the ledger identifies them. */
  readonly recipientKey: string;
}

/** Days for which a link is valid. */
const lifetimeDays = 60;
const dayMs = 86_400_000;

/** Bytes of the code (HMAC-SHA256, cut to 128 bits: RFC 2104 section 5). */
const codeLength = 16;

function codeOf(key: KeyObject, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, codeLength);
}

/**
 * Creates the token of a link. The token contains its purpose, so that nothing needs to be stored.
 * @param key used only for these links
 * @returns letters, digits, `-`, `_` and one `.`
 */
export function signLink(key: KeyObject, purpose: LinkPurpose, now: Date): string {
  const expires = Math.floor(now.getTime() / dayMs) + lifetimeDays;
  const { action, organizationId, itemId = '', date = '', recipientKey } = purpose;
  const fields = [actions.indexOf(action), expires, organizationId, itemId, date, recipientKey];
  const body = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${body}.${codeOf(key, body).toString('base64url')}`;
}

/** Maximum characters of a token. An address has 320, and each may take several bytes. */
const longestToken = 4_096;

/**
 * Reads the token of a link.
 * @returns undefined for one that was not created with this key, or has expired
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
