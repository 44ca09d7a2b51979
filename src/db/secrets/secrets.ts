import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Bytes of a key: AES-256. */
const keyLength = 32;

/** Source of the gateway's key, and of the one before it. */
export interface KeySource {
  /** The configured key. */
  readonly secretKey: KeyObject | undefined;
  /** The configured key before this one. What it has encrypted can still be read. */
  readonly secretKeyOld?: KeyObject | undefined;
  /** False if links signed with the old key do not work, because others know it. */
  readonly secretKeyOldLinks?: boolean;
  /** The folder whose files `secret.key` and `secret.key.old` hold the keys if none is configured. */
  readonly dataDir: string;
}

/** Error for a missing, unreadable or wrong key. The operator must fix it; the message says how. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';
}

/**
 * Parses a key of 32 bytes. It must be 64 hexadecimal digits or base64 in either alphabet; else the result is
 * undefined.
 */
export function parseKey(text: string): KeyObject | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return createSecretKey(Buffer.from(text, 'hex'));
  // Node's decoder accepts both alphabets, with and without padding.
  return /^[\w+/-]{43}=?$/.test(text) ? createSecretKey(Buffer.from(text, 'base64')) : undefined;
}

/** Returns the path of the key file, which is used if no key is configured. */
export function keyFileIn(dataDir: string): string {
  return resolve(dataDir, 'secret.key');
}

/** Returns the path of the file with the key before this one. */
export function oldKeyFileIn(dataDir: string): string {
  return `${keyFileIn(dataDir)}.old`;
}

/**
 * Reads the key from its file.
 * @returns undefined if there is no file
 * @throws SecretKeyError if it cannot be read or contains no key
 */
export async function readKeyFile(path: string): Promise<KeyObject | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SecretKeyError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const key = parseKey(text.trim());
  if (!key) throw new SecretKeyError(`${path} does not contain a key of ${keyLength} bytes in base64.`);
  return key;
}

/** Writes a key file whole. `place` then gives it its name, so that nobody reads half of it. */
async function makeKeyFile(path: string, place: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const text = `${randomBytes(keyLength).toString('base64')}\n`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await place(draft);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new SecretKeyError(`${path} cannot be created: ${(cause as Error).message}`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads the key from its file. A missing file is created, readable only by its owner.
 * @throws SecretKeyError if it cannot be read or created, or contains no key
 */
async function ensureKeyFile(path: string): Promise<KeyObject> {
  const known = await readKeyFile(path);
  if (known) return known;
  // If several processes try at once, one succeeds: creating a link fails if it exists.
  await makeKeyFile(path, (draft) => link(draft, path));
  const made = await readKeyFile(path);
  if (!made) throw new SecretKeyError(`${path} exists, but does not lead to a file.`);
  return made;
}

/**
 * Replaces the key file of a folder. The old one becomes `secret.key.old`.
 * @returns false if there is an old key already, whose values must be encrypted again first
 * @throws SecretKeyError if there is no key, or the files cannot be written
 */
export async function replaceKeyFile(dataDir: string): Promise<boolean> {
  const [path, old] = [keyFileIn(dataDir), oldKeyFileIn(dataDir)];
  const key = await readKeyFile(path);
  if (!key) throw new SecretKeyError(`There is no ${path}, so there is no key to replace.`);
  try {
    await link(path, old);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new SecretKeyError(`${old} cannot be created: ${message}`, { cause });
    // Equal keys are what an attempt leaves that was killed half-way.
    if (!(await readKeyFile(old))?.equals(key)) return false;
  }
  await makeKeyFile(path, (draft) => rename(draft, path));
  return true;
}

/** Encryption of texts in the database with the gateway's key. `sealedValues` lists what is encrypted. */
export interface Secrets {
  /**
   * Encrypts a text for one owner. It creates the key file if that is where the key belongs.
   * @throws SecretKeyError if there is no key and none can be created
   */
  seal(text: string, owner: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a text that was sealed with this key or the one before it.
   * @throws SecretKeyError if there is no key, or if the text was sealed with another key or for another
   *   owner
   */
  open(sealed: Uint8Array, owner: string): Promise<string>;
  /**
   * Encrypts a text with this key that was sealed with the one before it.
   * @returns undefined for a text that this key opens
   * @throws SecretKeyError like `open`
   */
  sealAgain(sealed: Uint8Array, owner: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Derives a key for one purpose (HKDF, RFC 5869), for `encrypt` and `decrypt`. It creates the key file like
   * `seal` does.
   * @throws SecretKeyError like `seal`
   */
  keyFor(purpose: string): Promise<KeyObject>;
  /**
   * Derives the keys that links of one purpose may be signed with. They are of this key, and of the one before
   * it while its links work.
   * @throws SecretKeyError like `seal`
   */
  linkKeysFor(purpose: string): Promise<readonly KeyObject[]>;
  /**
   * Returns whether there is a key. It does not create one.
   * @throws SecretKeyError if the key file cannot be read
   */
  hasKey(): Promise<boolean>;
}

/** Version of the stored format: this byte, the nonce, the ciphertext, the tag. */
const version = 1;
const algorithm = 'aes-256-gcm';
/** Bytes of GCM's nonce and tag (NIST SP 800-38D, sections 8.2 and 5.2.1.2). */
const [nonceLength, tagLength] = [12, 16];

/**
 * Encrypts a text.
 * @param key an AES-256 key
 * @param owner what the text is stored for; decrypting needs the same owner (additional authenticated data)
 */
export function encrypt(key: KeyObject, text: string, owner: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(owner));
  const hidden = [cipher.update(text, 'utf8'), cipher.final()];
  return new Uint8Array(Buffer.concat([Buffer.of(version), nonce, ...hidden, cipher.getAuthTag()]));
}

/** Decrypts a text. Throws for anything but what `encrypt` created with the same key for the same owner. */
export function decrypt(key: KeyObject, sealed: Uint8Array, owner: string): string {
  if (sealed[0] !== version || sealed.length <= 1 + nonceLength + tagLength) {
    throw new Error('it has an unknown format');
  }
  const nonce = sealed.subarray(1, 1 + nonceLength);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  const text = decipher.update(sealed.subarray(1 + nonceLength, -tagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

const derive = (key: KeyObject, purpose: string) =>
  createSecretKey(
    Buffer.from(hkdfSync('sha256', key, new Uint8Array(), purpose, key.symmetricKeySize ?? 32)),
  );

/**
 * Creates the encryption of secrets. The key files are read, or the first is created, when they are first
 * needed; other processes may also create it.
 */
export function createSecrets({
  secretKey,
  secretKeyOld,
  secretKeyOldLinks = true,
  dataDir,
}: KeySource): Secrets {
  const path = keyFileIn(dataDir);
  let key = secretKey;
  // A configured key has a configured one before it, and a file has a file.
  let old: Promise<KeyObject | undefined> | undefined;
  const oldKey = () => {
    old ??= (
      secretKey || secretKeyOld ? Promise.resolve(secretKeyOld) : readKeyFile(oldKeyFileIn(dataDir))
    ).catch((error) => {
      old = undefined;
      throw error;
    });
    return old;
  };

  /** Decrypts a text, and says whether this key did it. */
  async function openWith(sealed: Uint8Array, owner: string): Promise<[text: string, isCurrent: boolean]> {
    // A new key would not help in place of the lost one, so none is created here.
    key ??= await readKeyFile(path);
    const of = `The secret stored for ${owner} cannot be read:`;
    if (!key) throw new SecretKeyError(`${of} SECRET_KEY is not set, and there is no ${path}.`);
    try {
      return [decrypt(key, sealed, owner), true];
    } catch (cause) {
      const former = await oldKey();
      try {
        if (former) return [decrypt(former, sealed, owner), false];
      } catch {}
      const why = secretKey ? 'SECRET_KEY is' : `the key in ${path} is`;
      throw new SecretKeyError(`${of} ${why} not the one that it was encrypted with.`, { cause });
    }
  }

  return {
    hasKey: async () => {
      key ??= await readKeyFile(path);
      return key !== undefined;
    },
    keyFor: async (purpose) => {
      key ??= await ensureKeyFile(path);
      return derive(key, purpose);
    },
    linkKeysFor: async (purpose) => {
      key ??= await ensureKeyFile(path);
      const former = secretKeyOldLinks ? await oldKey() : undefined;
      return [key, ...(former ? [former] : [])].map((each) => derive(each, purpose));
    },
    seal: async (text, owner) => {
      key ??= await ensureKeyFile(path);
      return encrypt(key, text, owner);
    },
    open: async (sealed, owner) => (await openWith(sealed, owner))[0],
    sealAgain: async (sealed, owner) => {
      const [text, isCurrent] = await openWith(sealed, owner);
      return isCurrent || !key ? undefined : encrypt(key, text, owner);
    },
  };
}
