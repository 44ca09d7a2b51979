/**
 * Measures how many broken conditions the tests notice: `npm run mutation -- --count 200 --seed 1`.
 *
 * It works in a copy of the tree. One run of all tests records which files reach which condition. Then each condition
 * is broken alone, and only those files run, quickest first, until a test fails.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { env, execPath, kill, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plantSwitches } from './switches.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    project: { type: 'string', multiple: true, default: ['doors', 'system'] },
    revision: { type: 'string' },
  },
});

/** @typedef {{ file: string, atLoad: number[], inTests: number[] }} Reached */
/** @typedef {{ name: string, status: string, startTime: number, endTime: number }} FileResult */

const say = (/** @type {string} */ text) => stdout.write(`${text}\n`);

/** Copies a revision, or the tracked files as they are, to a temporary folder. */
function copyTree() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 });
  const revision = options.revision ?? (git('stash', 'create').toString().trim() || 'HEAD');
  const tree = mkdtempSync(join(tmpdir(), 'mutation-'));
  execFileSync('tar', ['-x', '-C', tree], { input: git('archive', revision) });
  // Packages of another revision would be installed through the link, in place of those that are here.
  const text = (/** @type {string[]} */ ...path) => {
    const file = join(...path, 'package-lock.json');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const locks = git('ls-files', '*package-lock.json').toString().trim().split('\n');
  for (const folder of locks.map((lock) => dirname(lock))) {
    const isSame = folder === '.' || text(root, folder) === text(tree, folder);
    if (isSame && existsSync(join(root, folder, 'node_modules')))
      symlinkSync(join(root, folder, 'node_modules'), join(tree, folder, 'node_modules'));
  }
  cpSync(join(here, 'setup.mjs'), join(tree, 'mutation.setup.mjs'));
  cpSync(join(here, 'vitest.config.mjs'), join(tree, 'mutation.config.mjs'));
  return tree;
}

const tree = copyTree();
const reachedFile = join(tree, 'mutation.reached.json');
const resultsFile = join(tree, 'mutation.results.json');
const durationsFile = join(tree, 'mutation.durations.json');

/**
 * Runs tests in the copy. Returns false if one failed, or if they take much longer than usual.
 *
 * @param {string[]} args
 * @param {Record<string, string>} variables
 * @param {number} [limit] in milliseconds
 */
async function passes(args, variables, limit) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const projects = options.project.map((name) => `--project=${name}`);
  const own = ['run', ...projects, '--config=mutation.config.mjs', '--maxWorkers=1'];
  const child = spawn(execPath, [vitest, ...own, ...args], {
    ...{ cwd: tree, env: { ...env, ...variables }, stdio: 'ignore' },
    // A group of its own, so that what hangs ends with its database.
    detached: true,
  });
  const timer = limit && setTimeout(() => child.pid && kill(-child.pid, 'SIGTERM'), limit);
  const [status] = await once(child, 'exit');
  if (timer) clearTimeout(timer);
  return status === 0;
}

const { mutants, total } = plantSwitches(tree, Number(options.count), Number(options.seed));
say(`${mutants.length} of ${total} conditions, in ${tree}`);

await passes(['--reporter=json', `--outputFile=${resultsFile}`], { REACHED: reachedFile });
/** @type {FileResult[]} */
const results = JSON.parse(readFileSync(resultsFile, 'utf8')).testResults;
const sound = new Map(
  results
    .filter(({ status }) => status === 'passed')
    .map((file) => [file.name, file.endTime - file.startTime]),
);
writeFileSync(durationsFile, JSON.stringify(Object.fromEntries(sound)));
for (const { name, status } of results)
  if (status === 'failed') say(`left out, because it fails without a change: ${relative(tree, name)}`);

/** @type {Reached[]} */
const reached = readFileSync(reachedFile, 'utf8')
  .trim()
  .split('\n')
  .map((row) => JSON.parse(row));

/**
 * Lists the sound test files that reach a condition. What a module reaches while it loads is used by all files, because
 * it loads only once.
 *
 * @param {number} id
 */
function filesFor(id) {
  const isAtLoad = reached.some(({ atLoad }) => atLoad.includes(id));
  const files = reached.filter(({ inTests }) => isAtLoad || inTests.includes(id)).map(({ file }) => file);
  return files.filter((file) => sound.has(file));
}

const counts = { noticed: 0, unnoticed: 0, unreached: 0 };
for (const { id, place, text, change } of mutants) {
  const files = filesFor(id);
  const usual = files.reduce((sum, file) => sum + (sound.get(file) ?? 0), 0);
  const variables = { MUTANT: String(id), DURATIONS: durationsFile };
  /** @type {keyof typeof counts} */
  const outcome =
    files.length === 0
      ? 'unreached'
      : (await passes(['--bail=1', ...files], variables, 120_000 + 5 * usual))
        ? 'unnoticed'
        : 'noticed';
  counts[outcome]++;
  say(`${outcome}: ${place} (${files.length} files): ${text} -> ${change}`);
}
rmSync(tree, { recursive: true });

const share = ((100 * counts.noticed) / mutants.length).toFixed(1);
say(
  `${share} % noticed: ${counts.noticed} of ${mutants.length}; ${counts.unreached} are reached by no test.`,
);
