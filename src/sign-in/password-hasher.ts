import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Owner } from '../domain/load/shares.js';
import {
  createKeyQueue,
  type KeyQueue,
  type KeySender,
  keyRefused,
  type ScryptParameters,
} from './key-queue.js';

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
