import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  return wanted.every(
    ([path, { version, optional }]) =>
      path === '' || there[path]?.version === version || (optional && there[path] === undefined),
  );
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

/**
 * Installs the packages of a folder's lock file, unless they are installed.
 * @param {string} folder
 * @param {() => void} [onInstall] called before the installation, if there is something to install
 * @throws {Error} with npm's message
 */
export async function installPackages(folder, onInstall) {
  if (isInstalled(folder)) return;
  onInstall?.();
  // Install all packages, even if the environment says production.
  await npm(folder, 'ci', '--include=dev', '--no-audit', '--no-fund');
}
