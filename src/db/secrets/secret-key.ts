import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
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
export async function ensureKeyFile(path: string): Promise<KeyObject> {
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
