/**
 * Compares builds with their inputs. Stamps contain hashes of contents, because a checkout changes file
 * times. Nothing is written or locked here, as most starts find everything up to date.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this project. */
export const project = fileURLToPath(new URL('..', import.meta.url));

/** The hashes of an output's inputs, by the names of the inputs. @typedef {Record<string, string>} Stamp */

/** Path of the generated code's stamp, below the project. */
export const generatedStamp = join('prisma', 'generated', 'stamp.json');
/** Path of the compiled code's stamp, below the project. */
export const compiledStamp = join('dist', 'stamp.json');
/** Path of the built console's stamp, below the project. */
export const consoleStamp = join('dist', 'console', 'stamp.json');

/** Hashes a text file, ignoring line endings, which Git may change. @param {string} path */
function hash(path) {
  const bytes = readFileSync(path);
  // Decoding the text of each file takes longer than hashing it.
  const content = bytes.includes('\r\n') ? bytes.toString('utf8').replaceAll('\r\n', '\n') : bytes;
  return createHash('sha256').update(content).digest('base64url');
}

/**
 * Lists the files below a folder, with `/` between names, in order.
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return paths.map((path) => path.replaceAll('\\', '/')).sort();
}

/** Lists the files of the console, without generated ones. @param {string} folder */
function consoleFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      if (/^(node_modules|\..+)$/.test(entry.name)) return [];
      if (!entry.isDirectory()) return [entry.name];
      return filesIn(join(folder, entry.name)).map((path) => `${entry.name}/${path}`);
    })
    .filter((path) => !path.includes('/generated/'))
    .sort();
}

/**
 * Reads the exact versions of packages in package.json. @param {string} root @param {readonly string[]} names
 */
function versionsOf(root, names) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {Record<string, string>} */
  const versions = { ...dependencies, ...devDependencies };
  return Object.fromEntries(names.map((name) => [name, versions[name] ?? '']));
}

/** Hashes files. @param {string} folder @param {readonly string[]} paths @returns {Stamp} */
const hashesOf = (folder, paths) => Object.fromEntries(paths.map((path) => [path, hash(join(folder, path))]));

/** Lists the files of Prisma's schema, below its folder. @param {string} root */
export const modelFiles = (root) => filesIn(join(root, 'prisma')).filter((path) => path.endsWith('.prisma'));

/**
 * Hashes the inputs of prisma/generated: Prisma's schema, our generator, and the others' versions.
 * @param {string} root @returns {Stamp}
 */
export function generatedFrom(root) {
  return {
    ...versionsOf(root, ['@prisma/client', '@pothos/plugin-prisma']),
    ...hashesOf(join(root, 'scripts'), ['columns.mjs']),
    ...hashesOf(join(root, 'prisma'), modelFiles(root)),
  };
}

/**
 * Hashes the inputs of dist: all files of src, the bundled packages, and the compiler. @param {string} root
 * @returns {Stamp}
 */
export function compiledFrom(root) {
  const sources = filesIn(join(root, 'src')).filter((path) => /\.m?[jt]s$/.test(path));
  const scripts = join(root, 'scripts');
  return {
    ...hashesOf(root, ['package-lock.json', 'schema/v1.answers.json']),
    ...hashesOf(scripts, ['compile.mjs', 'entries.mjs']),
    ...hashesOf(root, [generatedStamp]),
    ...hashesOf(join(root, 'src'), sources),
  };
}

/** Packages of the console, and its build tool. */
const consolePackages = [
  '@preact/signals',
  '@simplewebauthn/browser',
  'oauth4webapi',
  'preact',
  'uqr',
  'vite',
];

/**
 * Hashes the inputs of dist/console: its files, the schema of its operations, its packages and build tools.
 * @param {string} root @returns {Stamp}
 */
export function consoleFrom(root) {
  const folder = join(root, 'console');
  return {
    ...hashesOf(root, [
      'schema/gateway.graphql',
      'schema/resources.json',
      'public/corners.css',
      'public/page-picture.js',
      'public/session.js',
      'public/tokens.css',
      'scripts/console.mjs',
      'src/domain/text/mentions.ts',
    ]),
    ...versionsOf(root, consolePackages),
    ...hashesOf(folder, consoleFiles(folder)),
  };
}

/** Reads a stamp; a missing or unreadable one is empty. @param {string} path @returns {Stamp} */
export function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/** Returns whether two stamps have the same inputs. @param {Stamp} one @param {Stamp} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns what is out of date. A folder without sources, such as an installed package, needs no build.
 * @param {string} [root] the project's folder
 */
export function staleness(root = project) {
  if (!existsSync(join(root, 'src'))) return { generated: false, compiled: false, console: false };
  const generated = !isSame(readStamp(join(root, generatedStamp)), generatedFrom(root));
  const compiled = generated || !isSame(readStamp(join(root, compiledStamp)), compiledFrom(root));
  const console =
    existsSync(join(root, 'console')) && !isSame(readStamp(join(root, consoleStamp)), consoleFrom(root));
  return { generated, compiled, console };
}
