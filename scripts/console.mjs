import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

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

/** Runs a program of Node.js to its end in a folder. @param {string} folder @param {string[]} args */
async function run(folder, ...args) {
  try {
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stderr = '', stdout = '' } = /** @type {{ stderr?: string, stdout?: string }} */ (error);
    throw new Error(
      `${args.join(' ')} failed in ${folder}.\n${`${stderr.trim()}\n${stdout.trim()}`.trim()}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Builds the console with Vite, which writes to the target, in a process of its own.
 * @param {string} folder of its sources
 * @param {string} target folder of its output
 * @throws {Error} with the message of the build
 */
export async function buildConsole(folder, target) {
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '..', 'bin', 'vite.js');
  await run(folder, join('scripts', 'operations.mjs'));
  await run(folder, vite, 'build');
  const files = [
    'index.html',
    ...(await readdir(join(target, 'assets'))).map((name) => join('assets', name)),
  ];
  await Promise.all(
    files.filter((name) => compressible.test(name)).map((name) => compress(join(target, name))),
  );
}
