import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { installPackages, npm } from './packages.mjs';

/** Files that are smaller when they are sent as brotli. */
const compressible = /\.(html|js|css|svg|json|webmanifest)$/;

/**
 * Writes the brotli form of a file beside it, with the best compression, because it is built only once.
 * @param {string} path
 */
async function compress(path) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }));
}

/**
 * Builds the console, a package of its own whose script `build` writes to the target. Its packages are
 * installed first if needed. It has its own lock file, so that the gateway's contains no browser packages.
 * @param {string} folder of its package
 * @param {string} target folder of its output
 * @throws {Error} with the message of npm or the build
 */
export async function buildConsole(folder, target) {
  await installPackages(folder);
  await npm(folder, 'run', 'build');
  const files = [
    'index.html',
    ...(await readdir(join(target, 'assets'))).map((name) => join('assets', name)),
  ];
  await Promise.all(
    files.filter((name) => compressible.test(name)).map((name) => compress(join(target, name))),
  );
}
