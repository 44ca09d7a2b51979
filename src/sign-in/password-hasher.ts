import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../domain/errors.js';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Hashes passwords, one at a time. */
export interface PasswordHasher {
  /**
   * Hashes a password, in the PHC string format.
   * @param sender who asks; one sender cannot fill the queue
   * @throws GatewayError UNAVAILABLE if the queue is full; TOO_MANY_REQUESTS if the sender has filled its part
   */
  hash(password: string, sender: string): Promise<string>;
  /**
   * Compares a password with a hash. Without one it does the same work, and returns false.
   * @throws GatewayError like `hash`
   */
  verify(phc: string | undefined, password: string, sender: string): Promise<boolean>;
  /** Returns whether a hash has other parameters than new ones. */
  isOutdated(phc: string): boolean;
  /** Returns how often a hash was computed. */
  computed(): number;
}

/** Parameters of scrypt. */
interface Parameters {
  /** The binary logarithm of the cost N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The parameters that OWASP recommends. Each hash takes 128 MiB and about half a second of one processor. */
const recommended: Parameters = { ln: 17, r: 8, p: 1 };

const lengths = { salt: 16, hash: 32 } as const;

/** The most hashes that wait in a process. The last one waits for about ten seconds. */
const longestQueue = 20;

/** The most hashes of one sender that wait. */
const mostOfSender = 3;

const phcPattern = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

interface Parsed extends Parameters {
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
 * Creates the hashing of passwords in a process. It computes one hash at a time, so it never takes more than
 * one processor and the memory of one hash. Requests beyond the queue are refused.
 */
export function createPasswordHasher(parameters: Partial<Parameters> = {}): PasswordHasher {
  const wanted = { ...recommended, ...parameters };
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let computed = 0;
  const bySender = new Map<string, number>();

  function enter(sender: string): void {
    const own = bySender.get(sender) ?? 0;
    const headers = { 'Retry-After': '5' };
    if (own >= mostOfSender) {
      throw new GatewayError('TOO_MANY_REQUESTS', 'Too many sign-ins at once. Try again in 5 s.', {
        headers,
      });
    }
    if (waiting >= longestQueue) {
      throw new GatewayError('UNAVAILABLE', 'Too many people are signing in. Try again in 5 s.', { headers });
    }
    waiting++;
    bySender.set(sender, own + 1);
  }
  function leave(sender: string): void {
    waiting--;
    const own = (bySender.get(sender) ?? 1) - 1;
    if (own > 0) bySender.set(sender, own);
    else bySender.delete(sender);
  }
  async function compute(password: string, salt: Buffer, { ln, r, p }: Parameters, sender: string) {
    enter(sender);
    const turn = last.then(() => {
      computed++;
      const cost = 2 ** ln;
      // Node.js refuses what takes more than this; scrypt needs 128 · N · r bytes and some more.
      return derive(password, salt, lengths.hash, {
        cost,
        blockSize: r,
        parallelization: p,
        maxmem: 130 * cost * r + 1e6,
      });
    });
    last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      leave(sender);
    }
  }
  const blankSalt = randomBytes(lengths.salt);
  return {
    async hash(password, sender) {
      const salt = randomBytes(lengths.salt);
      const hash = await compute(password, salt, wanted, sender);
      const { ln, r, p } = wanted;
      return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
    },
    async verify(phc, password, sender) {
      if (phc === undefined) {
        await compute(password, blankSalt, wanted, sender);
        return false;
      }
      const { salt, hash, ...stored } = parsePhc(phc);
      return timingSafeEqual(await compute(password, salt, stored, sender), hash);
    },
    isOutdated(phc) {
      const { ln, r, p } = parsePhc(phc);
      return ln !== wanted.ln || r !== wanted.r || p !== wanted.p;
    },
    computed: () => computed,
  };
}
