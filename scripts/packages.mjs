import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a lockfile says of packages, by their folders; nothing where there is none. @param {string} path @returns {Record<string, { version?: string, optional?: boolean }>} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Tells whether what a lockfile names is installed, as npm noted it. Optional packages are for some systems alone. @param {string} folder */
function isInstalled(folder) {
  const there = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  const wanted = Object.entries(packagesOf(join(folder, 'package-lock.json')));
  return wanted.every(
    ([path, { version, optional }]) =>
      path === '' || there[path]?.version === version || (optional && there[path] === undefined),
  );
}

/** Runs npm in a folder: the one that runs this, else the system's. @param {string} folder @param {string[]} args */
export async function npm(folder, ...args) {
  const { npm_execpath: own = '' } = process.env;
  const isOwn = /npm-cli\.js$/.test(own);
  // The one that runs this has told where it works; a path with spaces is nothing for a shell.
  const all = [...(isOwn ? [own] : []), '--prefix', '.', ...args];
  // npm is a batch file on Windows, which a shell alone runs.
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
 * Installs the packages of a folder by its lock file, unless they are there.
 * @param {string} folder
 * @returns {Promise<boolean>} whether there was something to install
 * @throws {Error} with what npm says
 */
export async function installPackages(folder) {
  if (isInstalled(folder)) return false;
  // Whatever the environment says of production: all packages are wanted.
  await npm(folder, 'ci', '--include=dev', '--no-audit', '--no-fund');
  return true;
}
