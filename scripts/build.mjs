/**
 * Builds what is out of date: `node scripts/build.mjs`, with `--generate` only the generated code, and with `--gateway`
 * all but the console. Types are not checked here (`npm run typecheck`).
 */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { compile } from './compile.mjs';
import { buildConsole } from './console.mjs';
import { exclusively } from './lock.mjs';
import { requireFrom } from './packages.mjs';
import {
  compiledFrom,
  compiledStamp,
  consoleFrom,
  consoleStamp,
  generatedFrom,
  generatedStamp,
  project,
  staleness,
} from './stamps.mjs';

/** Reports progress to a person on stderr; stdout belongs to the program. @param {string} text */
const say = (text) =>
  void process.stderr.write(`${process.stderr.isTTY ? text : stripVTControlCharacters(text)}\n`);

/** Writes a stamp, after everything that it covers. @param {string} path @param {object} stamp */
const writeStamp = (path, stamp) => writeFile(path, `${JSON.stringify(stamp, null, 2)}\n`);

/** Generates Prisma's client and the types for the GraphQL schema. @param {string} root */
async function generate(root) {
  say('Generating the database client.');
  const program = (await requireFrom('tools/prisma')).resolve('prisma/build/index.js');
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env[pathName] ?? ''}`;
  // Prisma would check for updates over the network.
  const env = { ...process.env, [pathName]: path, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  await rm(join(root, generatedStamp), { force: true });
  const config = join(project, 'tools', 'prisma', 'prisma.config.mjs');
  await promisify(execFile)(process.execPath, [program, 'generate', '--config', config], { cwd: root, env });
  await writeStamp(join(root, generatedStamp), generatedFrom(root));
}

/** Compiles all sources, because a changed one is bundled with others. @param {string} root */
async function compileSources(root) {
  const now = compiledFrom(root);
  say('Compiling.');
  await compile(join(root, 'src'), join(root, 'dist'));
  await writeStamp(join(root, compiledStamp), now);
}

/** Builds the console. @param {string} root */
async function bundleConsole(root) {
  const now = consoleFrom(root);
  say('Building the console.');
  await rm(join(root, consoleStamp), { force: true });
  await buildConsole(join(root, 'console'), join(root, 'dist', 'console'));
  await writeStamp(join(root, consoleStamp), now);
}

/** Explains a build error, with instructions. @param {unknown} error @param {string} root */
function explain(error, root) {
  const { code, message, path = root } = /** @type {NodeJS.ErrnoException} */ (error);
  const first = 'The gateway has to be built, as its sources have changed since it was, or it never was';
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    const todo = 'Run npm run build as a user who may write there';
    return `${first}. That is not possible: ${path} cannot be written (${code}). ${todo}.`;
  }
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') {
    return `${first}, and the packages for that are not installed. Run npm ci, without --omit=dev.`;
  }
  const { stderr = '' } = /** @type {{ stderr?: string }} */ (error);
  return `The gateway cannot be built: ${stderr.trim() || message}`;
}

/**
 * Builds what is out of date, one process at a time.
 * @param {object} [options]
 * @param {string} [options.root] the project's folder
 * @param {boolean} [options.generateOnly] true to leave dist alone
 * @param {boolean} [options.isWithConsole] false to leave the console alone, which is made of the contracts
 * @returns {Promise<boolean>} whether there was something to build
 * @throws {Error} with instructions, if it cannot be built
 */
export async function build({ root = project, generateOnly = false, isWithConsole = true } = {}) {
  /** @param {ReturnType<typeof staleness>} stale */
  const isDone = (stale) =>
    !(generateOnly ? stale.generated : stale.compiled || (isWithConsole && stale.console));
  if (isDone(staleness(root))) return false;
  try {
    return await exclusively(
      root,
      async () => {
        // Another process may have built it meanwhile.
        const stale = staleness(root);
        if (isDone(stale)) return false;
        if (stale.generated) await generate(root);
        if (!generateOnly && stale.compiled) await compileSources(root);
        if (!generateOnly && isWithConsole && stale.console) await bundleConsole(root);
        return true;
      },
      say,
    );
  } catch (cause) {
    throw new Error(explain(cause, root), { cause });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = {
    generateOnly: process.argv.includes('--generate'),
    isWithConsole: !process.argv.includes('--gateway'),
  };
  await build(options).catch((error) => {
    say(error.message);
    process.exitCode = 1;
  });
}
