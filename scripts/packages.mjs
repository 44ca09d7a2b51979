/**
 * Installs packages that only maintainers need, in folders with lockfiles of their own, and runs their
 * programs: `node scripts/packages.mjs tools/lint -- biome check`. Without a folder it installs those that the
 * types of the sources come from.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { exclusively } from './lock.mjs';
import { project } from './stamps.mjs';

/**
 * Reads a lockfile's packages by folder; empty if there is none. @param {string} path @returns
 * {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * Returns whether a lockfile's packages are installed, as npm recorded. Optional packages are only for some
 * systems. @param {string} folder
 */
function isInstalled(folder) {
  const there = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  const wanted = Object.entries(packagesOf(join(folder, 'package-lock.json')));
  return wanted.every(([path, { version, optional }]) => {
    if (path === '') return true;
    if (there[path] === undefined) return optional === true;
    // A removal that was interrupted may have left npm's record.
    return there[path].version === version && existsSync(join(folder, path, 'package.json'));
  });
}

/**
 * Runs npm in a folder: the npm that runs this script, else the system's. @param {string} folder @param
 * {string[]} args
 */
export async function npm(folder, ...args) {
  const { npm_execpath: own = '' } = process.env;
  const isOwn = /npm-cli\.js$/.test(own);
  // The npm that runs this has set its path; a path with spaces breaks in a shell.
  const all = [...(isOwn ? [own] : []), '--prefix', '.', ...args];
  // On Windows, npm is a batch file, which needs a shell.
  const shell = !isOwn && process.platform === 'win32';
  const maxBuffer = 64 * 1024 * 1024;
  try {
    await promisify(execFile)(isOwn ? process.execPath : 'npm', all, { cwd: folder, shell, maxBuffer });
  } catch (error) {
    const { stderr = '', stdout = '' } = /** @type {{ stderr?: string, stdout?: string }} */ (error);
    const said = `${stderr.trim()}\n${stdout.trim()}`.trim();
    throw new Error(`npm ${args.join(' ')} failed in ${folder}.\n${said}`, { cause: error });
  }
}

/** Reports progress to a person. @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`);

/**
 * Installs the packages of a folder's lock file, unless they are installed, one process at a time.
 * @param {string} folder
 * @param {() => void} [onInstall] called before the installation, if there is something to install
 * @throws {Error} with npm's message
 */
export async function installPackages(
  folder,
  onInstall = () => say(`Installing the packages of ${folder}.`),
) {
  if (isInstalled(folder)) return;
  const install = async () => {
    // Another process may have installed them meanwhile.
    if (isInstalled(folder)) return;
    onInstall();
    // Install all packages, even if the environment says production.
    await npm(
      folder,
      'ci',
      '--include=dev',
      '--prefer-offline',
      '--fetch-retries=1',
      '--no-audit',
      '--no-fund',
    );
  };
  await exclusively(folder, install, say);
}

/**
 * Installs folders of the project, one after the other.
 * @param {string[]} names such as `test/clients`
 * @throws {Error} with npm's message
 */
export async function installFolders(...names) {
  for (const name of names) await installPackages(join(project, name));
}

/** Folders with packages whose types the sources use. */
export const typedFolders = ['tools/prisma', 'test/browser', 'test/clients'];

/**
 * Installs a folder of the project, and returns a function that finds its packages.
 * @param {string} name such as `tools/prisma`
 * @throws {Error} with npm's message
 */
export async function requireFrom(name) {
  await installFolders(name);
  return createRequire(join(project, name, 'package.json'));
}

/**
 * Runs a program of the last folder's packages in this terminal, and passes its exit status on.
 * @param {string} folder @param {string} program @param {string[]} args
 */
function runProgram(folder, program, args) {
  const path = join(folder, 'node_modules', '.bin', program);
  // On Windows, it is a batch file, which needs a shell.
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync(shell ? `"${path}"` : path, args, {
    cwd: project,
    stdio: 'inherit',
    shell,
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const names = words.slice(0, end);
  const [program, ...args] = words.slice(end + 1);
  try {
    await installFolders(...(names.length > 0 ? names : typedFolders));
    if (program !== undefined) runProgram(join(project, names.at(-1) ?? ''), program, args);
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
