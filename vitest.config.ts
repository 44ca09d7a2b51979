import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vite would take graphql's ES modules for our files while Node takes its CommonJS ones for the libraries',
    // and a schema of the one is none to the other.
    alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Each test many times (test/support/busy.mjs).
    ...(process.env.BUSY_TIMES && { runner: './test/support/repeating-runner.ts' }),
    globalSetup: ['test/support/global-setup.ts'],
    // What fails, and a summary; `--reporter=default` tells of each file.
    reporters: ['minimal'],
    // The suite's files share nothing but modules, which take longer to load than most files to run.
    isolate: false,
    // Files wait for their database and for processes about as long as they compute, so all processors are used, where
    // Vitest leaves one free. Every gateway has a pool of connections, and PostgreSQL has not enough for many of them.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    // Only what hangs takes so long; what is slow for a while, on a machine with other things to do, is not at fault.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // As long as what waits otherwise does (test/support/eventually.ts); Vitest's own second is a quiet machine's.
    expect: { poll: { timeout: 30_000, interval: 10 } },
  },
});
