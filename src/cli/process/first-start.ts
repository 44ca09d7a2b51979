import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setupLink, signInLink } from '../terminal/banner.js';

/** Secrets of a first start. */
export interface FirstSecrets {
  /** Admin token that was created now. */
  readonly token: string | undefined;
  /** True if the token of an earlier start has not ended. */
  readonly hasToken: boolean;
  /** Secret of the link that sets up a new gateway. */
  readonly setup: string | undefined;
}

const fileIn = (dataDir: string) => join(resolve(dataDir), 'first-start.txt');
const tokenLine = 'Admin token: ';

/**
 * Writes the secrets of a first start to a file of its owner. Logs would keep them and ship them elsewhere. A token
 * that an earlier start wrote stays in it.
 * @param origin address at which people reach the gateway, once it is known
 * @returns the file
 */
export async function writeFirstStart(
  dataDir: string,
  { token: made, hasToken, setup }: FirstSecrets,
  origin: string | undefined,
): Promise<string> {
  const file = fileIn(dataDir);
  const before = !hasToken ? '' : await readFile(file, 'utf8').catch(() => '');
  const token =
    made ??
    before
      .split('\n')
      .find((line) => line.startsWith(tokenLine))
      ?.slice(tokenLine.length);
  const lines = [
    token && `${tokenLine}${token}`,
    origin && setup && `Set up: ${setupLink(origin, setup)}`,
    origin && !setup && token && `Sign in: ${signInLink(origin, token)}`,
  ].filter(Boolean);
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
  // A new file, so that neither other rights nor a link of an older one remain.
  const part = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(part, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  await rename(part, file);
  return file;
}

/** Removes the file, because its secrets have ended. */
export async function removeFirstStart(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}
