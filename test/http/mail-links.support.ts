import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { languages } from '../../src/domain/rules.js';
import { type LinkPurpose, signLink } from '../../src/mail/signed-links.js';
import { mailLinkPurpose } from '../../src/reminders/reminder-worker.js';

export { languages, randomUUID as newId };

/** SECRET_KEY of the gateways whose links are signed here. */
export const secretKeyOfLinks = '5e'.repeat(32);

/** Returns the key with which such a gateway signs links. */
export const readLinkKey = (): Promise<KeyObject> => {
  const secretKey = createSecretKey(Buffer.from(secretKeyOfLinks, 'hex'));
  return createSecrets({ secretKey, dataDir: 'unused' }).keyFor(mailLinkPurpose);
};

/** Returns the path of a link. */
export const pathOfLink = (key: KeyObject, purpose: LinkPurpose, now: Date): string =>
  `/r/${signLink(key, purpose, now)}`;

export type { LinkPurpose };
