import { badField, GatewayError } from '../../domain/errors.js';
import { isUuid } from '../../domain/rules.js';

/**
 * A position in the feed of changes, after everything written at or before it. Transactions are numbered in
 * the order in which they began to write; `seq` orders the rows of one transaction.
 */
export interface FeedPosition {
  /** The feed's epoch. The numbers are only meaningful within it. */
  readonly epoch: string;
  readonly xid: bigint;
  readonly seq: bigint;
}

/** Encodes a position as a cursor, which is opaque to clients. */
export function encodePosition({ epoch, xid, seq }: FeedPosition): string {
  return Buffer.from(JSON.stringify([epoch, String(xid), String(seq)])).toString('base64url');
}

/** Largest numbers of PostgreSQL's types `xid8` and `bigint`. */
const largest = { xid: 2n ** 64n - 1n, seq: 2n ** 63n - 1n };

function readNumber(text: unknown, most: bigint): bigint | undefined {
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number <= most ? number : undefined;
}

/**
 * Decodes a cursor.
 * @throws GatewayError BAD_REQUEST for anything but a cursor of `encodePosition`
 */
export function decodePosition(cursor: string): FeedPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  const [epoch, first, second] = Array.isArray(parts) ? parts : [];
  const [xid, seq] = [readNumber(first, largest.xid), readNumber(second, largest.seq)];
  if (typeof epoch !== 'string' || !isUuid(epoch) || xid === undefined || seq === undefined)
    throw badField(['after'], 'is not a cursor for changes');
  return { epoch, xid, seq };
}

/** Returns whether a position comes after another one of the same epoch. */
export function isBehind(one: FeedPosition, other: FeedPosition): boolean {
  return one.xid > other.xid || (one.xid === other.xid && one.seq > other.seq);
}

/** Creates the error for a cursor after which changes may be missing. */
export const cursorTooOld = (why: string) =>
  new GatewayError(
    'PRECONDITION_FAILED',
    `${why} Load the lists again, and start with \`changes(last: 1)\`.`,
  );
