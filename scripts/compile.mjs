import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { entries } from './entries.mjs';

/**
 * Packages that are read from node_modules as they are: WebAssembly, and megabytes of text for pages. Others that have
 * files of their own are found by `require.resolve`, which no bundler follows.
 */
const external = [/^@prisma\/client\/runtime\/query_compiler/, /^@graphql-yoga\/render-graphiql/];

/** Writes a whole file at once: who reads it meanwhile reads the old one. @param {string} path @param {string} text */
async function write(path, text) {
  const part = `${path}.${process.pid}.part`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(part, text);
  await rename(part, path);
}

/**
 * Lets each module find files beside it as if it were in a file of its own: `import.meta.url` becomes its path in dist.
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
 * Bundles files with all that they import, packages included: to find a file takes longer than to read it. Types are
 * taken away, which `npm run typecheck` checks.
 * @param {string} source folder of the sources
 * @param {string} target folder of the output
 * @param {Readonly<Record<string, string>>} inputs paths below the source folder, by the names of the output
 * @throws {Error} at a file that is no TypeScript, with what is wrong and where, and at an import that is not found
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
      // As later versions of Node.js say. On 20, pg tells by Node's own fetch which one it is on: 100 ms to load.
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
    // Such as of an import that is not found, which would be left for when it runs.
    if (warnings.length > 0) throw new Error(warnings.join('\n'));
    return output;
  } finally {
    await build.close();
  }
}

/** The folders of the packages that modules are of. @param {readonly string[]} paths */
const packagesOf = (paths) =>
  [...new Set(paths.map((path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]))]
    .filter((folder) => folder !== undefined)
    .sort();

/** The name, version and licence of a package, and the texts that must go along. @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/** Writes what the licences of packages ask of who passes them on; packages with the same text stand together. @param {readonly string[]} folders */
function noticesOf(folders) {
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const { title, text } of folders.map(noticeOf)) titles.set(text, [...(titles.get(text) ?? []), title]);
  const notices = [...titles].map(([text, names]) => `${names.join('\n')}\n\n${text}`.trim());
  return `These packages are part of the files in this folder.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * The files of a bundle by their paths, its entries last: when they are there, so is what they import.
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

/**
 * Compiles the sources to a folder, which has nothing else afterwards but the console: the entries, what they share, programs that are
 * run as they are (`.mjs`), and the licences of the packages that are bundled.
 * @param {string} source folder of the sources
 * @param {string} target folder of the output; made if need be
 * @param {Readonly<Record<string, string>>} [inputs] other entries than those of dist
 * @throws {Error} at a file that is no TypeScript, with what is wrong and where
 */
export async function compile(source, target, inputs = entries) {
  const files = await filesOf(source, target, inputs);
  for (const [path, text] of files) await write(join(target, path), text);
  const kept = new Set([...files.keys()].flatMap((path) => [path, dirname(path)]));
  for (const path of await readdir(target, { recursive: true })) {
    if (!kept.has(path) && !/^console([\\/]|$)/.test(path))
      await rm(join(target, path), { recursive: true, force: true });
  }
}
