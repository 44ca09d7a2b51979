import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../domain/errors.js';
import { type Owner, Turns } from '../domain/load/shares.js';

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

/**
 * A sender that asks for keys. Neither it nor its organization can fill a line. The organization of somebody unknown
 * is the address.
 */
export interface KeySender extends Owner {
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

/** A key that waits. */
interface Waiting {
  readonly derive: () => Promise<void>;
  readonly refuse: () => void;
}

/** Creates the owner of keys that somebody unknown asks for. */
export const ownerAt = (address: string): Owner => ({ organizationId: address, personId: address });

/**
 * Creates the queue in which keys are derived. It derives one at a time, so it never takes more than one
 * processor and the memory of one key. Known senders have a line of their own, which comes first: whoever
 * guesses from many addresses fills only the other one. In both lines organizations take turns, and in a full one those
 * with fewest keys displace those with most. The processes of a gateway share the queue of the primary.
 */
export function createKeyQueue(): KeyQueue {
  const [known, others] = [new Turns<Waiting>(), new Turns<Waiting>()];
  let underWay: KeySender | undefined;

  async function work(): Promise<void> {
    if (underWay) return;
    for (;;) {
      const line = known.size > 0 ? known : others;
      const next = line.next();
      if (!next) break;
      underWay = { ...next.owner, isKnown: line === known };
      await next.entry.derive();
    }
    underWay = undefined;
  }
  const isUnderWay = ({ personId, isKnown }: KeySender) =>
    underWay?.personId === personId && underWay.isKnown === isKnown;

  return async ({ password, salt, parameters: { ln, r, p }, sender }) => {
    const line = sender.isKnown ? known : others;
    if (line.count(sender).person + (isUnderWay(sender) ? 1 : 0) >= mostOfSender) return 'sender';
    if (line.size + (underWay?.isKnown === sender.isKnown ? 1 : 0) >= longestLine) {
      const displaced = line.displace(sender);
      if (!displaced) return 'queue';
      displaced.refuse();
    }
    const cost = 2 ** ln;
    // Node.js refuses what takes more than this; scrypt needs 128 · N · r bytes and some more.
    const options = { cost, blockSize: r, parallelization: p, maxmem: 130 * cost * r + 1e6 };
    const key = new Promise<KeyResult>((resolve, reject) => {
      const derived = () => derive(password, salt, keyLength, options).then(resolve, reject);
      line.add(sender, { derive: derived, refuse: () => resolve('queue') });
    });
    void work();
    return key;
  };
}

/** Creates the error for a key that is not derived. */
export function keyRefused(refusal: KeyRefusal): GatewayError {
  const headers = { 'Retry-After': '5' };
  return refusal === 'sender'
    ? new GatewayError('TOO_MANY_REQUESTS', 'Too many sign-ins at once. Try again in 5 s.', { headers })
    : new GatewayError('UNAVAILABLE', 'Too many people are signing in. Try again in 5 s.', { headers });
}
