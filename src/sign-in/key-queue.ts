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
  readonly sender: KeySender;
}

/** A sender that asks for keys. One cannot fill a line. */
export interface KeySender {
  readonly name: string;
  /** True if it is signed in, or comes from where the account's user always does. */
  readonly isKnown: boolean;
}

/** Reason for which a key is not derived. */
export type KeyRefusal = 'sender' | 'queue';

/** A derived key, or why there is none. */
export type KeyResult = Uint8Array | KeyRefusal;

/** Derives keys from passwords. */
export type KeyQueue = (request: KeyRequest) => Promise<KeyResult>;

const keyLength = 32;

/** The most keys that wait in a line. The last one waits for about ten seconds. */
const longestLine = 20;

/** The most keys of one sender that wait. */
const mostOfSender = 3;

/** A line of keys that wait. The first one may be under way. */
interface Line {
  readonly keys: (() => Promise<void>)[];
  /** Numbers of keys, by the names of their senders. */
  readonly bySender: Map<string, number>;
}

/**
 * Creates the queue in which keys are derived. It derives one at a time, so it never takes more than one
 * processor and the memory of one key. Known senders have a line of their own, which comes first: whoever
 * guesses from many addresses fills only the other one. The processes of a gateway share the queue of the
 * primary.
 */
export function createKeyQueue(): KeyQueue {
  const createLine = (): Line => ({ keys: [], bySender: new Map() });
  const [known, others] = [createLine(), createLine()];
  let isWorking = false;

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (;;) {
      const line = [known, others].find(({ keys }) => keys.length > 0);
      if (!line) break;
      await line.keys[0]?.();
      line.keys.shift();
    }
    isWorking = false;
  }

  return async ({ password, salt, parameters: { ln, r, p }, sender: { name, isKnown } }) => {
    const { keys, bySender } = isKnown ? known : others;
    const own = bySender.get(name) ?? 0;
    if (own >= mostOfSender) return 'sender';
    if (keys.length >= longestLine) return 'queue';
    bySender.set(name, own + 1);
    const cost = 2 ** ln;
    // Node.js refuses what takes more than this; scrypt needs 128 · N · r bytes and some more.
    const options = { cost, blockSize: r, parallelization: p, maxmem: 130 * cost * r + 1e6 };
    const key = new Promise<Uint8Array>((resolve, reject) => {
      keys.push(() => derive(password, salt, keyLength, options).then(resolve, reject));
    });
    void work();
    try {
      return await key;
    } finally {
      const left = (bySender.get(name) ?? 1) - 1;
      if (left > 0) bySender.set(name, left);
      else bySender.delete(name);
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
