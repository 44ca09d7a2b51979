import { rotateSealedValues, type SealedCounts } from '../../db/secrets/sealed-values.js';
import {
  createSecrets,
  keyFileIn,
  oldKeyFileIn,
  replaceKeyFile,
  SecretKeyError,
} from '../../db/secrets/secrets.js';
import { allSealedValues } from '../../setup/first-visit.js';
import { withDatabase } from '../database.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';

/**
 * Replaces the key in DATA_DIR. The old one is kept beside it.
 * @throws {SecretKeyError} if the key is not in DATA_DIR, or an old one is there already
 */
export async function newKeyCommand(io: Io, options: ReportOptions): Promise<void> {
  const { secretKey, dataDir } = readSettings(io.env, 'secret-key new');
  if (secretKey)
    throw new SecretKeyError(
      'SECRET_KEY is set, so the key is not in DATA_DIR. Create another one with `openssl rand -base64 32`, set it ' +
        'as SECRET_KEY and the present one as SECRET_KEY_OLD, restart, and run `secret-key rotate`.',
    );
  const [file, old] = [keyFileIn(dataDir), oldKeyFileIn(dataDir)];
  if (!(await replaceKeyFile(dataDir)))
    throw new SecretKeyError(
      `${old} exists already. Run \`secret-key rotate\`, and delete that file once no link that it signed is needed.`,
    );
  const text = `${file} has a new key, and ${old} the old one. Restart the gateway, and run \`secret-key rotate\`.`;
  await report(io, options, { file, old }, text);
}

/**
 * Encrypts all values of the database with the present key. It can be repeated, and goes on where it ended.
 * @throws {Error} if neither key opens some of them
 */
export async function rotateKeyCommand(io: Io, options: ReportOptions): Promise<void> {
  const config = readSettings(io.env, 'secret-key rotate');
  const progress = createProgress(io, options);
  const stopped = 'the values so far are encrypted with the new key; run it again for the rest';
  await withAbort(io.signals ?? process, stopped, (signal) =>
    withDatabase(config, quietLog(io, options), async ({ directUrl }) => {
      const onProgress = ({ current, old }: SealedCounts) =>
        progress.show(() => `Encrypting again: ${old} done, ${current} had the new key`);
      const secrets = createSecrets(config);
      const rotating = rotateSealedValues(directUrl, allSealedValues, secrets, { signal, onProgress });
      const { current, old, unreadable } = await rotating.finally(progress.clear);
      const text = `Encrypted with the new key now: ${old}. They had it already: ${current}.`;
      await report(io, options, { sealedAgain: old, current, unreadable }, text);
      if (unreadable.length > 0) throw new SecretKeyError(unreadableText({ unreadable }));
    }),
  );
}

/** Names the values that no known key opens, at most ten of them. */
export function unreadableText({ unreadable }: Pick<SealedCounts, 'unreadable'>): string {
  const named = unreadable.slice(0, 10).map(({ table, key }) => `${table} ${key}`);
  const more = unreadable.length > named.length ? ` and ${unreadable.length - named.length} more` : '';
  return (
    `Neither SECRET_KEY nor the key before it opens ${unreadable.length} values: ${named.join(', ')}${more}. ` +
    'Set the key that they were encrypted with as SECRET_KEY_OLD, or set them anew.'
  );
}
