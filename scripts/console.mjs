import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/** Files that are smaller when they are sent as brotli. */
const compressible = /\.(html|js|css|svg|json|webmanifest)$/;

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
async function npm(folder, ...args) {
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

/** Writes the brotli form of a file beside it: as small as can be, since it is made once. @param {string} path */
async function compress(path) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }));
}

/**
 * Builds the console, a package of its own whose script `build` writes to the target. Its packages are installed first, unless
 * they are there: by its own lock file, so that the gateway's has nothing of a browser's.
 * @param {string} folder of its package
 * @param {string} target folder of its output
 * @throws {Error} with what npm or the build says
 */
export async function buildConsole(folder, target) {
  // Whatever the environment says of production: all of its packages are for building.
  if (!isInstalled(folder)) await npm(folder, 'ci', '--include=dev', '--no-audit', '--no-fund');
  await npm(folder, 'run', 'build');
  const files = [
    'index.html',
    ...(await readdir(join(target, 'assets'))).map((name) => join('assets', name)),
  ];
  await Promise.all(
    files.filter((name) => compressible.test(name)).map((name) => compress(join(target, name))),
  );
}
