/**
 * Prints the tests that reach a source file, nearest first: `npm run tests-of -- src/live/feeds.ts`.
 *
 * It follows imports, also those of types, those made when they are needed, and files named by `new URL(…)`. The number
 * is that of imports on the way. Tests that run the gateway as a process import nothing of it, and are not found.
 *
 *     npm run tests-of -- src/live/feeds.ts --steps 2    only those at most two imports away
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { project } from './stamps.mjs';

/** A test, and how many imports lead from it to a file. @typedef {{ test: string, steps: number }} Reaching */

/** Lists our modules, as paths below the project. @returns {string[]} */
const modules = () =>
  ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes('node_modules')),
  );

/** Lists what a module names of others, as it writes them. @param {string} text @returns {string[]} */
function namedIn(text) {
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const typed = [...text.matchAll(/(?:import\(|new URL\(\s*)['"`](\.[^'"`]+)['"`]/g)].map(
    ([, name = '']) => name,
  );
  return [...imported, ...typed].filter((name) => name.startsWith('.'));
}

/**
 * Lists the tests that reach a file, the nearest first.
 * @param {string} file below the project
 * @returns {Reaching[]}
 */
export function testsOf(file) {
  const all = modules();
  const known = new Set(all);
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const from of all)
    for (const name of namedIn(readFileSync(join(project, from), 'utf8'))) {
      const path = relative(project, resolve(project, dirname(from), name)).replaceAll('\\', '/');
      const target = [path.replace(/\.js$/, '.ts'), path].find((one) => known.has(one));
      if (target) importers.set(target, [...(importers.get(target) ?? []), from]);
    }
  const steps = new Map([[file, 0]]);
  // A map goes on to what is added while it is walked.
  for (const [at, step] of steps)
    for (const from of importers.get(at) ?? []) if (!steps.has(from)) steps.set(from, step + 1);
  return [...steps]
    .filter(([path]) => path.endsWith('.test.ts'))
    .map(([test, steps]) => ({ test, steps }))
    .sort((a, b) => a.steps - b.steps || a.test.localeCompare(b.test));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { steps: { type: 'string', default: 'Infinity' } },
  });
  const [name = ''] = positionals;
  const file = relative(project, resolve(name)).replaceAll('\\', '/');
  const print = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`);
  if (modules().includes(file)) {
    const tests = testsOf(file).filter(({ steps }) => steps <= Number(values.steps));
    for (const { test, steps } of tests) print(`${String(steps).padStart(3)}  ${test}`);
    print(`${tests.length} test files reach ${file}.`);
  } else {
    print(name ? `${file} is no module of ours.` : 'Usage: npm run tests-of -- FILE [--steps NUMBER]');
    process.exitCode = 2;
  }
}
