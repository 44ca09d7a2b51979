import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The name of what a file is compiled to. @param {string} path */
const outputOf = (path) => path.replace(/\.ts$/, '.js');

/** Writes a whole file at once: who reads it meanwhile reads the old one. @param {string} path @param {string} text */
async function write(path, text) {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, text);
  await rename(part, path);
}

/**
 * Compiles files: takes their types away, which `npm run typecheck` checks, and leaves the rest as it is.
 * @param {string} source folder of the sources
 * @param {string} target folder of the output; made if need be
 * @param {readonly string[]} paths below the source folder
 * @throws {Error} at a file that is no TypeScript, with what is wrong and where
 */
export async function compile(source, target, paths) {
  const { transformSync } = await import('rolldown/utils');
  for (const path of paths) {
    const output = join(target, outputOf(path));
    const text = await readFile(join(source, path), 'utf8');
    await mkdir(dirname(output), { recursive: true });
    if (!path.endsWith('.ts')) {
      await write(output, text);
      continue;
    }
    const options = { target: 'es2023', sourcemap: true, typescript: { onlyRemoveTypeImports: true } };
    const { code, map, errors } = transformSync(join(source, path), text, options);
    const [error] = errors;
    if (error) throw new Error(`${path}: ${error.message}`);
    const mapName = `${basename(output)}.map`;
    await write(join(dirname(output), mapName), JSON.stringify(map));
    await write(output, `${code}//# sourceMappingURL=${mapName}\n`);
  }
}

/** Removes what files were compiled to. @param {string} target @param {readonly string[]} paths */
export async function removeOutputs(target, paths) {
  for (const output of paths.map((path) => join(target, outputOf(path)))) {
    await rm(output, { force: true });
    await rm(`${output}.map`, { force: true });
  }
}
