import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../domain/errors.js';
import { type Owner, Turns } from '../domain/load/shares.js';

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

/** Parameters of scrypt. */
interface ScryptParameters {
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
type KeyRefusal = 'sender' | 'queue';

/** A derived key, or why there is none. */
export type KeyResult = Uint8Array | KeyRefusal;

/** Derives keys from passwords. */
export type KeyQueue = (request: KeyRequest) => Promise<KeyResult>;

const keyLength = 32;

/** The most keys that wait in a line. The last one waits for about ten seconds. */
const longestLine = 20;

/** The most keys of one sender that wait. */
const maxOfSender = 3;

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
    if (line.count(sender).person + (isUnderWay(sender) ? 1 : 0) >= maxOfSender) return 'sender';
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
function keyRefused(refusal: KeyRefusal): GatewayError {
  const headers = { 'Retry-After': '5' };
  return refusal === 'sender'
    ? new GatewayError('TOO_MANY_REQUESTS', 'Too many sign-ins at once. Try again in 5 s.', { headers })
    : new GatewayError('UNAVAILABLE', 'Too many people are signing in. Try again in 5 s.', { headers });
}

/** Hashes passwords, one at a time. */
export interface PasswordHasher {
  /**
   * Hashes a password, in the PHC string format.
   * @param sender who asks, and has proved to be allowed to; one sender cannot fill the queue
   * @param beside a hash whose salt is used, so that one computation checks a password against both
   * @throws GatewayError UNAVAILABLE if the queue is full; TOO_MANY_REQUESTS if the sender has filled its part
   */
  hash(password: string, sender: Owner, beside?: string): Promise<string>;
  /**
   * Finds the hash of a password. Hashes with one salt take one computation, and so does an empty list.
   * @returns its position; -1 if there is none
   * @throws GatewayError like `hash`
   */
  find(phcs: readonly string[], password: string, sender: KeySender): Promise<number>;
  /** Returns whether a hash differs from a new one in its parameters or salt. */
  isOutdated(phc: string, beside?: string): boolean;
  /** Returns how often a hash was computed. */
  computed(): number;
}

/** The parameters that OWASP recommends. Each hash takes 128 MiB and about half a second of one processor. */
const recommended: ScryptParameters = { ln: 17, r: 8, p: 1 };

const saltLength = 16;

const phcPattern = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

interface Parsed extends ScryptParameters {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function parsePhc(phc: string): Parsed {
  const [, ln, r, p, salt = '', hash = ''] = phcPattern.exec(phc) ?? [];
  if (!ln) throw new Error('A stored password hash has an unknown format.');
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return { ln: Number(ln), r: Number(r), p: Number(p), salt: bytes(salt), hash: bytes(hash) };
}

/**
 * Creates the hashing of passwords.
 * @param queue in which the keys are derived; a queue of this process if left out
 */
export function createPasswordHasher(
  parameters: Partial<ScryptParameters> = {},
  queue: KeyQueue = createKeyQueue(),
): PasswordHasher {
  const wanted = { ...recommended, ...parameters };
  let computed = 0;

  async function compute(
    password: string,
    salt: Uint8Array,
    parameters: ScryptParameters,
    sender: KeySender,
  ) {
    const key = await queue({ password, salt, parameters, sender });
    if (typeof key === 'string') throw keyRefused(key);
    computed++;
    return key;
  }
  const blankSalt = randomBytes(saltLength);
  return {
    async hash(password, { organizationId, personId }, beside) {
      const salt = beside === undefined ? randomBytes(saltLength) : parsePhc(beside).salt;
      const hash = await compute(password, salt, wanted, { organizationId, personId, isKnown: true });
      const { ln, r, p } = wanted;
      return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
    },
    async find(phcs, password, sender) {
      if (phcs.length === 0) await compute(password, blankSalt, wanted, sender);
      const keys = new Map<string, Uint8Array>();
      for (const [at, phc] of phcs.entries()) {
        const { salt, hash, ...stored } = parsePhc(phc);
        const name = phc.slice(0, phc.lastIndexOf('$'));
        const key = keys.get(name) ?? (await compute(password, salt, stored, sender));
        keys.set(name, key);
        if (timingSafeEqual(key, hash)) return at;
      }
      return -1;
    },
    isOutdated(phc, beside) {
      const { ln, r, p, salt } = parsePhc(phc);
      if (beside !== undefined && !parsePhc(beside).salt.equals(salt)) return true;
      return ln !== wanted.ln || r !== wanted.r || p !== wanted.p;
    },
    computed: () => computed,
  };
}
