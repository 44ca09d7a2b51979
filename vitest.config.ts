import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const resolve = {
  // Vite would take graphql's ES modules for our files while Node takes its CommonJS ones for the libraries',
  // and a schema of the one is none to the other.
  alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }],
};

const shared = {
  // Each test many times (test/support/busy.mjs).
  ...(process.env.BUSY_TIMES && { runner: './test/support/repeating-runner.ts' }),
  // The suite's files share nothing but modules, which take longer to load than most files to run.
  isolate: false,
  // Only what hangs takes so long; what is slow for a while, on a machine with other things to do, is not at fault.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // As long as what waits otherwise does (test/support/eventually.ts); Vitest's own second is a quiet machine's.
  expect: { poll: { timeout: 30_000, interval: 10 } },
};

/** Tests of processes, databases, the whole from outside and work in the background, and those that take long. */
const system = [
  'test/{browser,cli,clients,database,deploy,faults,fuzz,isolation,packaging,scripts}/**/*.test.ts',
  'test/{jobs,mail,reminders}/**/*.test.ts',
  'test/data/{reading,replica,scope,writing}.test.ts',
  'test/graphql/nested.bytes.test.ts',
  'test/live/ends.test.ts',
  'test/http/{receiving.chunks,stream-memory}.test.ts',
  'test/rest/idempotency.large.test.ts',
];

// Projects do not inherit the mode, by which `npm run test:image` and `npm run pictures` ask for what is left out otherwise.
export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // What fails, and a summary; `--reporter=default` tells of each file.
    reporters: ['minimal'],
    // Files wait for their database and for processes about as long as they compute, so all processors are used, where
    // Vitest leaves one free. Every gateway has a pool of connections, and PostgreSQL has not enough for many of them.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    projects: [
      // Both doors and what is behind them: `npm test`.
      { mode, resolve, test: { ...shared, name: 'doors', include: ['test/**/*.test.ts'], exclude: system } },
      { mode, resolve, test: { ...shared, name: 'system', include: system } },
    ],
  },
}));
