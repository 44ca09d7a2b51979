import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Programs } from './programs.js';

/** Origin of a PostgreSQL build and of the libraries beside it. */
interface BuildInfo {
  /** The compiler, which names its system, such as `gcc (Ubuntu 7.5.0-3ubuntu1~18.04) 7.5.0`. */
  readonly compiler: string | undefined;
  readonly openssl: { readonly version: string; readonly built: Date | undefined } | undefined;
  readonly icu: string | undefined;
}

/**
 * Reads what programs were built with, from the programs themselves and the libraries beside them. What a
 * platform's build does not tell is undefined.
 */
async function readBuildInfo({ folder, postgres }: Programs): Promise<BuildInfo> {
  const libraries = await librariesIn([folder, join(dirname(folder), 'lib')]);
  const crypto = libraries.find(({ name }) => /^libcrypto\b/.test(name));
  const icu = libraries.flatMap(({ name }) => /^(?:lib)?icuuc\D*([\d.]*\d)/.exec(name)?.[1] ?? []);
  return {
    compiler: /compiled by ([^,\0]+)/.exec(await textOf(postgres))?.[1],
    openssl: crypto && opensslIn(await textOf(crypto.path)),
    icu: icu.sort((one, other) => other.length - one.length)[0],
  };
}

/**
 * Describes the programs of the embedded PostgreSQL in sentences, with the age of bundled libraries.
 */
export async function describePrograms(programs: Programs): Promise<string> {
  const { version, folder, isBundled } = programs;
  if (!isBundled) return `PostgreSQL ${version} of ${folder} runs the embedded database.`;
  const { compiler, openssl, icu } = await readBuildInfo(programs);
  const day = openssl?.built && ` of ${openssl.built.toISOString().slice(0, 10)}`;
  const parts = [
    openssl && `OpenSSL ${openssl.version}${day ?? ''}`,
    icu && `ICU ${icu}`,
    compiler && `compiled by ${compiler}`,
  ].filter(Boolean);
  return (
    `PostgreSQL ${version} is bundled${parts.length > 0 ? ` (${parts.join(', ')})` : ''}, and only a new version of ` +
    'the gateway changes it. It listens on 127.0.0.1 without TLS, which is good enough for trying out, and for ' +
    'small installations on a machine that you trust. For others, set POSTGRES_PROGRAMS or DATABASE_URL ' +
    '(docs/run/postgresql.md).'
  );
}

/** Returns a binary file's bytes as characters. */
const textOf = (path: string) => readFile(path, 'latin1');

async function librariesIn(folders: readonly string[]): Promise<{ name: string; path: string }[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.map((name) => ({ name, path: join(folder, name) }));
    }),
  );
  return found.flat();
}

function opensslIn(text: string): BuildInfo['openssl'] {
  const version = /OpenSSL (\d+\.\d+\.\d+[a-z]*)\b/.exec(text)?.[1];
  const built = new Date(/built on: (\w{3} \w{3} +\d+ [\d:]+ \d{4} UTC)/.exec(text)?.[1] ?? Number.NaN);
  return version === undefined
    ? undefined
    : { version, built: Number.isNaN(built.getTime()) ? undefined : built };
}
