import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { entries } from './entries.mjs';

/**
 * Packages that stay in node_modules: WebAssembly, and megabytes of text for pages. Other packages with files
 * of their own are found by `require.resolve`, which bundlers do not follow.
 */
const external = [/^@prisma\/client\/runtime\/query_compiler/, /^@graphql-yoga\/render-graphiql/];

/** Writes a file atomically: readers see the old or the new one. @param {string} path @param {string} text */
async function write(path, text) {
  const part = `${path}.${process.pid}.part`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(part, text);
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
 * Bundles files with everything that they import, including packages, because finding a file takes longer
 * than reading it. Types are removed; `npm run typecheck` checks them.
 * @param {string} source folder of the sources
 * @param {string} target folder of the output
 * @param {Readonly<Record<string, string>>} inputs paths below the source folder, by the names of the output
 * @throws {Error} for invalid TypeScript, with the place, and for an import that is not found
 */
async function bundle(source, target, inputs) {
  const { rolldown } = await import('rolldown');
  /** @type {string[]} */
  const warnings = [];
  const input = Object.fromEntries(Object.entries(inputs).map(([name, path]) => [name, join(source, path)]));
  const build = await rolldown({
    input,
    cwd: dirname(source),
    platform: 'node',
    external,
    plugins: [placed(source)],
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
      entryFileNames: '[name].js',
    });
    // For example about an import that is not found, which would otherwise fail at run time.
    if (warnings.length > 0) throw new Error(warnings.join('\n'));
    return output;
  } finally {
    await build.close();
  }
}

/** Returns the folders of the modules' packages. @param {readonly string[]} paths */
const packagesOf = (paths) =>
  [...new Set(paths.map((path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]))]
    .filter((folder) => folder !== undefined)
    .sort();

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
  const output = await bundle(source, target, inputs);
  const chunks = output.filter((file) => file.type === 'chunk');
  const programs = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.mjs'),
  );
  return new Map([
    ['THIRD-PARTY.txt', noticesOf(packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))],
    ...programs.map((path) => /** @type {const} */ ([path, readFileSync(join(source, path), 'utf8')])),
    ...output.flatMap((file) =>
      file.type === 'asset' ? [/** @type {const} */ ([file.fileName, `${file.source}`])] : [],
    ),
    ...chunks
      .sort((one, other) => Number(one.isEntry) - Number(other.isEntry))
      .map(({ fileName, code }) => /** @type {const} */ ([fileName, code])),
  ]);
}

/** Lists a path and all folders that it is in. @param {string} path @returns {string[]} */
const withFolders = (path) => (path === '.' ? [] : [path, ...withFolders(dirname(path))]);

/**
 * Compiles the sources to a folder: the entries, their shared code, unbundled programs (`.mjs`), and the
 * licences of bundled packages. Everything else in the folder but the console is removed.
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
