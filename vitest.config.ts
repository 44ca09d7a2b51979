import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

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
  setupFiles: ['test/support/folders-setup.ts'],
  // Only what hangs takes so long; what is slow for a while, on a machine with other things to do, is not at fault.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // As long as what waits otherwise does (test/support/eventually.ts); Vitest's own second is a quiet machine's.
  expect: { poll: { timeout: 30_000, interval: 10 } },
};

/** Tests that take long and seldom find anything: `.ci/long` (docs/inside/contributing.md). */
const long = [
  'test/browser/console/screens.test.ts',
  'test/browser/tools.test.ts',
  'test/cli/{cluster,pooler,terminal}.test.ts',
  'test/compliance/growth.large.test.ts',
  'test/clients/{codegen,generators,openapi,relay,tada,typescript.package,typescript.retries}.test.ts',
  'test/db/{folded-keys,growth.large,guard,replica}.test.ts',
  'test/faults/{cut-at-commit,database-*,demo-mail,imports,migration,pooler,reminders*,retries,uploads,waiting,workers-killed}.test.ts',
  'test/fuzz/{doors,execution,multipart,rest-answers,websocket,wire}.test.ts',
  'test/graphql/nested.bytes.test.ts',
  'test/http/stream-memory.test.ts',
  'test/live/ends.test.ts',
  'test/packaging/*.test.ts',
  'test/reminders/{model,year.long}.test.ts',
  'test/requests/guesses.long.test.ts',
  'test/rest/idempotency.large.test.ts',
  'test/upgrades/*.test.ts',
  'test/uploads/{load,picture-corpus}.test.ts',
];

/**
 * Tests of processes, databases, the whole from outside and work in the background, and what needs programs of
 * others (test/clients, test/browser, bench/fonts): `npm run test:system`.
 */
const system = [
  'test/{browser,cli,clients,deploy,faults,fuzz,isolation,mail,reminders,scripts}/**/*.test.ts',
  'test/db/{backup,data-folder,dates-of-photos,drift,embedded,embedded-as-root,event-partitions,expand}.test.ts',
  'test/db/{failover,growth,migrate,programs,reading,rights,schema-diff,scope,tls,writing}.test.ts',
  'test/uploads/!(receiving).test.ts',
  'test/csv/team-import.test.ts',
  'test/http/{file-stores,pages-of-files,receiving.chunks,unreadable-files}.test.ts',
  // They need an issuer of tokens: oidc-provider.
  'test/{http,live}/oidc*.test.ts',
  'test/{http/attachments.links,http/metrics-refusals,mcp/door,sign-in/issuer}.test.ts',
  'test/rest/resumable-uploads.test.ts',
];

/** Takes the pictures of docs/use/console.md anew: `npm run pictures`. */
const pictures = ['test/browser/console/pictures.test.ts'];

/** Both APIs and what is behind them: `npm test`. */
const doors = ['test/**/*.test.ts'];

/** A project without what belongs to others. Vitest's projects do not inherit the settings above. */
const project = (name: string, include: string[], ...others: string[][]) => ({
  resolve,
  test: {
    ...{ ...shared, name, include, exclude: [...configDefaults.exclude, ...others.flat()] },
    // One race among thousands of tests of browsers and processes must not hide what the others say. It is named.
    ...(name === 'system' && process.env.CI && { retry: 1 }),
    // The only one that needs no packages but the root's.
    ...(name !== 'doors' && { globalSetup: ['test/support/packages-setup.ts'] }),
  },
});

const report = process.env.TEST_REPORT;

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // What fails, a summary, and what was skipped; with VERBOSE each file, with TEST_REPORT a file that CI counts by.
    reporters: [
      process.env.VERBOSE ? 'default' : 'minimal',
      './test/support/skip-reporter.ts',
      './test/support/retry-reporter.ts',
      ...(report ? ['json'] : []),
    ],
    ...(report && { outputFile: { json: report } }),
    // Files wait for their database and for processes about as long as they compute, so all processors are used, where
    // Vitest leaves one free. Every gateway has a pool of connections, and PostgreSQL has not enough for many of them.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    projects:
      mode === 'pictures'
        ? [project('pictures', pictures)]
        : [
            project('doors', doors, system, long),
            project('system', system, long, pictures),
            project('long', long),
          ],
  },
}));
