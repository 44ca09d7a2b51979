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
 * An entry of a lockfile.
 * @typedef {{ version?: string, optional?: boolean, peer?: boolean, os?: string[] | string, cpu?: string[] | string, libc?: string[] | string }} Package
 */

/** Reads a lockfile's packages by folder; empty if there is none. @param {string} path @returns {Record<string, Package>} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * Returns whether a list of a lockfile, such as `["linux"]` or `["!win32"]`, allows a value; no list allows all. Some
 * packages name one value without a list.
 * @param {string[] | string | undefined} named @param {string} value
 */
function allows(named, value) {
  if (named === undefined) return true;
  const list = [named].flat();
  if (list.includes('any')) return true;
  const denied = list.filter((entry) => entry.startsWith('!'));
  return !denied.includes(`!${value}`) && (denied.length === list.length || list.includes(value));
}

/** Returns the C library of this system, as npm names it. */
function libcOfSystem() {
  if (process.platform !== 'linux') return '';
  const { header } = /** @type {{ header: object }} */ (process.report.getReport());
  return 'glibcVersionRuntime' in header ? 'glibc' : 'musl';
}

/**
 * Returns whether a package is a program's build for this very system, which the program needs although npm calls
 * it optional. @param {Package} entry
 */
function isForThisSystem({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  if (!allows(os, process.platform) || !allows(cpu, process.arch)) return false;
  return libc === undefined || allows(libc, libcOfSystem());
}

/**
 * Lists a lockfile's packages that this system needs and that are not installed, by npm's record.
 * @param {string} folder @returns {string[]} their paths, such as `node_modules/typescript`
 */
function missingIn(folder) {
  const there = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  const missing = [];
  for (const [path, entry] of Object.entries(packagesOf(join(folder, 'package-lock.json')))) {
    if (path === '') continue;
    const { version } = there[path] ?? {};
    if (there[path] === undefined && entry.optional === true && !isForThisSystem(entry)) continue;
    // Whoever starts this by npm passes on its settings, with which npm leaves out packages that only peers need.
    if (there[path] === undefined && entry.peer === true) continue;
    // A removal that was interrupted may have left npm's record.
    if (
      there[path] === undefined ||
      version !== entry.version ||
      !existsSync(join(folder, path, 'package.json'))
    )
      missing.push(path);
  }
  return missing;
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
 * @throws {Error} with npm's message, or with the packages that npm left out
 */
export async function installPackages(
  folder,
  onInstall = () => say(`Installing the packages of ${folder}.`),
) {
  if (missingIn(folder).length === 0) return;
  // Install all packages, even if the environment says production.
  const flags = ['--include=dev', '--prefer-offline', '--fetch-retries=1', '--no-audit', '--no-fund'];
  const install = async () => {
    // Another process may have installed them meanwhile.
    if (missingIn(folder).length === 0) return;
    onInstall();
    await npm(folder, 'ci', ...flags);
    // npm leaves out an optional package that it cannot download, and reports success.
    if (missingIn(folder).length > 0) await npm(folder, 'ci', ...flags);
    const missing = missingIn(folder);
    if (missing.length > 0) throw new Error(`npm ci left out ${missing.join(', ')} in ${folder}.`);
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
