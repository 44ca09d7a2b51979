import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Bytes of a key: AES-256. */
const keyLength = 32;

/** Source of the key that encrypts signing secrets. */
export interface KeySource {
  /** The configured key. */
  readonly secretKey: KeyObject | undefined;
  /** The folder whose file `secret.key` holds the key if none is configured. */
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

/**
 * Creates the complete key file atomically. If several processes try at once, one succeeds: creating a link
 * fails if it exists.
 */
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const text = `${randomBytes(keyLength).toString('base64')}\n`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path);
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
export async function ensureKeyFile(path: string): Promise<KeyObject> {
  const known = await readKeyFile(path);
  if (known) return known;
  await makeKeyFile(path);
  const made = await readKeyFile(path);
  if (!made) throw new SecretKeyError(`${path} exists, but does not lead to a file.`);
  return made;
}
