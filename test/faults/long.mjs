/** Runs the long fault runs, with a table of their figures at the end: `npm run faults`, and Vitest's arguments. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=./test/faults/table.ts'];
const args = ['run', 'test/faults', '--no-file-parallelism', ...reporters, ...process.argv.slice(2)];
const env = { ...process.env, FAULTS: 'long' };
const { status } = spawnSync(process.execPath, [vitest, ...args], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;
