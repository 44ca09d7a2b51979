import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { entries } from './entries.mjs';

/** Packages that stay in node_modules, because they have native code or load files of their own. */
const external = ['@napi-rs/canvas', 'tesseract.js'];

/** Writes a file atomically: readers see the old or the new one. @param {string} path @param {string | Uint8Array} content */
async function write(path, content) {
  const part = `${path}.${process.pid}.part`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(part, content);
  await rename(part, path);
}

/**
 * Lets each module find files beside it as if it were not bundled: `import.meta.url` becomes its path in
 * dist.
 * @param {string} source
 * @returns {import('rolldown').Plugin}
 */
const placed = (source) => ({
  name: 'placed',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (!id.startsWith(source) || id.includes('node_modules')) return null;
      const path = relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '.js');
      const url = path.includes('/') ? `new URL(${JSON.stringify(path)}, import.meta.url).href` : undefined;
      return url ? { code: code.replaceAll('import.meta.url', url), map: null } : null;
    },
  },
});

/**
 * Copies the files of packages to dist that our modules find with `import.meta.resolve`, such as WebAssembly.
 * @param {string} source
 * @param {Set<string>} copies gets their paths
 * @returns {import('rolldown').Plugin}
 */
const copied = (source, copies) => ({
  name: 'copied',
  transform: {
    filter: { code: 'import.meta.resolve' },
    handler(code, id) {
      if (!id.startsWith(source) || id.includes('node_modules')) return null;
      const changed = code.replaceAll(/import\.meta\.resolve\('([^']+)'\)/g, (_, name) => {
        const path = createRequire(id).resolve(name);
        copies.add(path);
        const reference = this.emitFile({ type: 'asset', name: basename(path), source: readFileSync(path) });
        return `import.meta.ROLLUP_FILE_URL_${reference}`;
      });
      return { code: changed, map: null };
    },
  },
});

/**
 * Bundles files with everything that they import, including packages, because finding a file takes longer
 * than reading it. Types are removed; `npm run typecheck` checks them.
 * @param {string} source folder of the sources
 * @param {string} target folder of the output
 * @param {Readonly<Record<string, string>>} inputs paths below the source folder, by the names of the output
 * @returns its files, and the paths of what they were made from
 * @throws {Error} for invalid TypeScript, with the place, and for an import that is not found
 */
async function bundle(source, target, inputs) {
  const { rolldown } = await import('rolldown');
  /** @type {string[]} */
  const warnings = [];
  /** @type {Set<string>} */
  const copies = new Set();
  const input = Object.fromEntries(Object.entries(inputs).map(([name, path]) => [name, join(source, path)]));
  const build = await rolldown({
    input,
    cwd: dirname(source),
    platform: 'node',
    external,
    plugins: [copied(source, copies), placed(source)],
    tsconfig: false,
    transform: {
      target: 'es2023',
      typescript: { onlyRemoveTypeImports: true },
      // As newer versions of Node.js define it. On 20, pg would load Node's fetch to find out where it runs,
      // which takes 100 ms.
      define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
    },
    onLog: (level, { message }) => void (level === 'warn' && warnings.push(message)),
  });
  try {
    const { output } = await build.generate({
      dir: target,
      format: 'esm',
      sourcemap: true,
      entryFileNames: ({ facadeModuleId }) => `[name]${facadeModuleId?.endsWith('.mjs') ? '.mjs' : '.js'}`,
      assetFileNames: 'assets/[name]-[hash][extname]',
    });
    // For example about an import that is not found, which would otherwise fail at run time.
    if (warnings.length > 0) throw new Error(warnings.join('\n'));
    const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    return { output, origins: [...modules, ...copies] };
  } finally {
    await build.close();
  }
}

/** Returns the folders of the modules' packages. @param {readonly string[]} paths */
const packagesOf = (paths) =>
  [...new Set(paths.map((path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]))]
    .filter((folder) => folder !== undefined)
    .sort();

/** Returns the path of a package's folder as a lockfile names it. @param {string} folder */
const lockPathOf = (folder) => folder.slice(folder.indexOf('node_modules')).replaceAll('\\', '/');

/** Returns whether a module is no package's. @param {string} path */
const isOwn = (path) => !/[\\/]node_modules[\\/]|^\0/.test(path);

/**
 * Returns the name, version and licence of a package, and the texts that must be included. @param {string}
 * folder
 */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/**
 * Writes the notices that packages' licences require; packages with the same text are listed together. @param
 * {readonly string[]} folders
 */
function noticesOf(folders) {
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const { title, text } of folders.map(noticeOf)) titles.set(text, [...(titles.get(text) ?? []), title]);
  const notices = [...titles].map(([text, names]) => `${names.join('\n')}\n\n${text}`.trim());
  return `These packages are part of the files in this folder.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * Returns the files of a bundle by path. Entries come last, so that their imports exist before they do.
 * @param {string} source
 * @param {string} target
 * @param {Readonly<Record<string, string>>} inputs
 */
async function filesOf(source, target, inputs) {
  const { output, origins } = await bundle(source, target, inputs);
  const chunks = output.filter((file) => file.type === 'chunk');
  const folders = packagesOf(origins);
  // Maps show places in our sources; packages are bundled as they are published.
  const foreign = new Set(
    chunks.filter(({ moduleIds }) => !moduleIds.some(isOwn)).map(({ fileName }) => `${fileName}.map`),
  );
  const assets = output.filter((file) => file.type === 'asset' && !foreign.has(file.fileName));
  return new Map(
    /** @type {[string, string | Uint8Array][]} */ ([
      ['THIRD-PARTY.txt', noticesOf(folders)],
      ['packages.json', `${JSON.stringify(folders.map(lockPathOf), null, 2)}\n`],
      ...assets.map((file) => [file.fileName, file.type === 'asset' ? file.source : '']),
      ...chunks
        .sort((one, other) => Number(one.isEntry) - Number(other.isEntry))
        .map(({ fileName, code }) => [
          fileName,
          foreign.has(`${fileName}.map`) ? code.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n') : code,
        ]),
    ]),
  );
}

/** Lists a path and all folders that it is in. @param {string} path @returns {string[]} */
const withFolders = (path) => (path === '.' ? [] : [path, ...withFolders(dirname(path))]);

/**
 * Compiles the sources to a folder: the entries, their shared code, files of packages, and the licences and
 * the list of the packages that these come from (`packages.json`, as the lockfile names them). Everything
 * else in the folder but the console is removed.
 * @param {string} source folder of the sources
 * @param {string} target folder of the output; created if needed
 * @param {Readonly<Record<string, string>>} [inputs] entries, if not those of dist
 * @throws {Error} for invalid TypeScript, with the place
 */
export async function compile(source, target, inputs = entries) {
  const files = await filesOf(source, target, inputs);
  for (const [path, text] of files) await write(join(target, path), text);
  const kept = new Set([...files.keys()].flatMap(withFolders));
  for (const path of await readdir(target, { recursive: true })) {
    if (!kept.has(path) && !/^console([\\/]|$)/.test(path))
      await rm(join(target, path), { recursive: true, force: true });
  }
}
