import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { ensureKeyFile, type KeySource, keyFileIn, readKeyFile, SecretKeyError } from './secret-key.js';

/** Encryption of texts in the database: tokens' signing secrets, and answers to an issuer's callers. */
export interface Secrets {
  /**
   * Encrypts a text for its owner alone. Makes the key file if that is where the key is to be.
   * @throws SecretKeyError when there is no key and none can be made
   */
  seal(text: string, owner: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a text.
   * @throws SecretKeyError when there is no key, or it is not the one that the text was sealed with for this owner
   */
  open(sealed: Uint8Array, owner: string): Promise<string>;
  /**
   * Derives a key for one purpose (HKDF, RFC 5869), for `encrypt` and `decrypt`. Makes the key file as `seal` does.
   * @throws SecretKeyError as `seal`
   */
  keyFor(purpose: string): Promise<KeyObject>;
  /**
   * Tells whether there is a key. It makes none.
   * @throws SecretKeyError when the key's file cannot be read
   */
  hasKey(): Promise<boolean>;
}

/** The form of what is stored: this byte, the nonce, the ciphertext, the tag. */
const version = 1;
const algorithm = 'aes-256-gcm';
/** Bytes of GCM's nonce and tag (NIST SP 800-38D, sections 8.2 and 5.2.1.2). */
const [nonceLength, tagLength] = [12, 16];

/**
 * Encrypts a text.
 * @param key of AES-256
 * @param owner what the text is kept for: it can be decrypted for nothing else
 */
export function encrypt(key: KeyObject, text: string, owner: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(owner));
  const hidden = [cipher.update(text, 'utf8'), cipher.final()];
  return new Uint8Array(Buffer.concat([Buffer.of(version), nonce, ...hidden, cipher.getAuthTag()]));
}

/** Decrypts a text. Throws for anything but what `encrypt` made with the same key for the same owner. */
export function decrypt(key: KeyObject, sealed: Uint8Array, owner: string): string {
  if (sealed[0] !== version || sealed.length <= 1 + nonceLength + tagLength) {
    throw new Error('its form is not known');
  }
  const nonce = sealed.subarray(1, 1 + nonceLength);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  const text = decipher.update(sealed.subarray(1 + nonceLength, -tagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

/**
 * Makes the keeper of secrets. A key file is read, and made, when it is first needed; commands and other
 * processes beside this one may make it as well.
 */
export function createSecrets({ secretKey, dataDir }: KeySource): Secrets {
  const path = keyFileIn(dataDir);
  let key = secretKey;
  return {
    hasKey: async () => {
      key ??= await readKeyFile(path);
      return key !== undefined;
    },
    keyFor: async (purpose) => {
      key ??= await ensureKeyFile(path);
      return createSecretKey(
        Buffer.from(hkdfSync('sha256', key, new Uint8Array(), purpose, key.symmetricKeySize ?? 32)),
      );
    },
    seal: async (text, owner) => {
      key ??= await ensureKeyFile(path);
      return encrypt(key, text, owner);
    },
    open: async (sealed, owner) => {
      // Another key than the lost one would not help, so none is made here.
      key ??= await readKeyFile(path);
      const of = `What is kept for ${owner} cannot be read:`;
      if (!key) throw new SecretKeyError(`${of} SECRET_KEY is not set, and there is no ${path}.`);
      try {
        return decrypt(key, sealed, owner);
      } catch (cause) {
        const why = secretKey ? 'SECRET_KEY is' : `the key in ${path} is`;
        throw new SecretKeyError(`${of} ${why} not the one that it was sealed with.`, { cause });
      }
    },
  };
}
