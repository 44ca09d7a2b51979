import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../domain/errors.js';

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

/** Parameters of scrypt. */
export interface ScryptParameters {
  /** The binary logarithm of the cost N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** A key to derive from a password. */
export interface KeyRequest {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly parameters: ScryptParameters;
  /** Sender that asks. One cannot fill the queue. */
  readonly sender: string;
}

/** Reason for which a key is not derived. */
export type KeyRefusal = 'sender' | 'queue';

/** A derived key, or why there is none. */
export type KeyResult = Uint8Array | KeyRefusal;

/** Derives keys from passwords. */
export type KeyQueue = (request: KeyRequest) => Promise<KeyResult>;

const keyLength = 32;

/** The most keys that wait. The last one waits for about ten seconds. */
const longestQueue = 20;

/** The most keys of one sender that wait. */
const mostOfSender = 3;

/**
 * Creates the queue in which keys are derived. It derives one at a time, so it never takes more than one
 * processor and the memory of one key. The processes of a gateway share the queue of the primary.
 */
export function createKeyQueue(): KeyQueue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const bySender = new Map<string, number>();

  function leave(sender: string): void {
    waiting--;
    const own = (bySender.get(sender) ?? 1) - 1;
    if (own > 0) bySender.set(sender, own);
    else bySender.delete(sender);
  }

  return async ({ password, salt, parameters: { ln, r, p }, sender }) => {
    const own = bySender.get(sender) ?? 0;
    if (own >= mostOfSender) return 'sender';
    if (waiting >= longestQueue) return 'queue';
    waiting++;
    bySender.set(sender, own + 1);
    const turn = last.then(() => {
      const cost = 2 ** ln;
      // Node.js refuses what takes more than this; scrypt needs 128 · N · r bytes and some more.
      const maxmem = 130 * cost * r + 1e6;
      return derive(password, salt, keyLength, { cost, blockSize: r, parallelization: p, maxmem });
    });
    last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      leave(sender);
    }
  };
}

/** Creates the error for a key that is not derived. */
export function keyRefused(refusal: KeyRefusal): GatewayError {
  const headers = { 'Retry-After': '5' };
  return refusal === 'sender'
    ? new GatewayError('TOO_MANY_REQUESTS', 'Too many sign-ins at once. Try again in 5 s.', { headers })
    : new GatewayError('UNAVAILABLE', 'Too many people are signing in. Try again in 5 s.', { headers });
}
