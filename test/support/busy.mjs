/**
 * Runs tests beside endless loops, repeatedly: a test that passes here needs no quiet machine
 * (docs/inside/contributing.md). Arguments are `--loops=4`, `--nice=0`, `--times=1` for each test, `--rounds=1` for all,
 * and Vitest's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';

/** @type {string[]} */
const others = [];
const own = new Map([
  ['loops', 4],
  ['nice', 0],
  ['times', 1],
  ['rounds', 1],
]);
for (const argument of process.argv.slice(2)) {
  const [, name = '', value] = /^--(\w+)=(\d+)$/.exec(argument) ?? [];
  if (own.has(name)) own.set(name, Number(value));
  else others.push(argument);
}
const [count = 0, nice = 0, times = 1, rounds = 1] = own.values();

const loops = Array.from({ length: count }, () => {
  const loop = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
  if (loop.pid !== undefined) setPriority(loop.pid, nice);
  return loop;
});
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});

/** @type {import('node:child_process').ChildProcess | undefined} */
let tests;
let isInterrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    isInterrupted = true;
    tests?.kill(signal);
  });
}

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const env = times > 1 ? { ...process.env, BUSY_TIMES: String(times) } : process.env;
let failed = 0;
for (let round = 1; round <= rounds && !isInterrupted; round++) {
  tests = spawn(process.execPath, [vitest, 'run', '--retry=0', ...others], { env, stdio: 'inherit' });
  const [status] = await once(tests, 'exit');
  if (status !== 0) failed++;
  process.stdout.write(`Round ${round} of ${rounds}, beside ${count} loops: ${failed} failed\n`);
}
process.exit(failed === 0 && !isInterrupted ? 0 : 1);
