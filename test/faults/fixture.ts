import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, type TestContext, type TestOptions, test } from 'vitest';
import { createDatabase } from '../support/gateway.js';
import { onPosix as posix } from '../support/skipping.js';
import { compileGateway, type GatewayProcess, type GatewaySettings, startProcess } from './support.js';

/** Whether this is the long form: `npm run faults`. In its short form each scenario runs with small numbers. */
export const isLong = process.env.FAULTS === 'long';

/** Milliseconds that a scenario may take: 11,000 writes, or 50 starts of a gateway, take minutes on a busy machine. */
export const timeout = isLong ? 900_000 : 240_000;

/** Those who write at once. */
export const writers = isLong ? 16 : 6;

/** Returns a test that sends signals to groups of processes, which Windows does not have. */
export const onPosix = (name: string, options: TestOptions, work: (context: TestContext) => Promise<void>) =>
  test(name, { ...posix, ...options }, work);

/** What the scenarios of a file share. */
export interface Bench {
  /** The admin token of its gateways. */
  readonly token: string;
  /** A folder, removed at the end. */
  readonly root: string;
  /** The compiled gateway, to be run. */
  readonly program: string;
  /** A migrated database of a scenario's own, in the PostgreSQL of all tests; it is dropped after the test. */
  database(): Promise<string>;
  /** Starts a gateway that only serves: filing uploads is a load of its own. It is ended after the test. */
  start(settings: { databaseUrl: string } & Partial<GatewaySettings>): Promise<GatewayProcess>;
}

/** Prepares a file's scenarios. */
export function prepareBench(): Bench {
  const token = randomBytes(32).toString('base64url');
  const bench = { token, root: '', program: '' };
  const cleanings: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    bench.root = await mkdtemp(join(tmpdir(), 'gateway-faults-'));
    await chmod(bench.root, 0o711); // as root, PostgreSQL runs as another user
    bench.program = await compileGateway(bench.root);
  });
  afterEach(async () => {
    // The last first: gateways before their databases.
    for (let clean = cleanings.pop(); clean; clean = cleanings.pop()) await clean();
  });
  afterAll(() => rm(bench.root, { recursive: true }));
  return Object.assign(bench, {
    database: async () => {
      const { url, drop } = await createDatabase();
      cleanings.push(drop);
      return url;
    },
    start: async (settings: { databaseUrl: string } & Partial<GatewaySettings>) => {
      const { program, root } = bench;
      const env = { WORKER: 'off', RATE_LIMIT: 'off', ...settings.env };
      const gateway = await startProcess({ program, dataDir: join(root, 'data'), token, ...settings, env });
      cleanings.push(() => gateway.kill());
      return gateway;
    },
  });
}

/** A gateway with a PostgreSQL of its own, for all scenarios of a file. */
export interface Whole {
  readonly token: string;
  /** As it runs now. */
  gateway(): GatewayProcess;
  /** Kills it with its PostgreSQL, and starts both anew. */
  restart(): Promise<void>;
}

/** Starts a gateway with its embedded PostgreSQL before a file's scenarios, and asks it to end after them. */
export function prepareWhole(): Whole {
  const bench = prepareBench();
  const { token } = bench;
  const start = () => startProcess({ program: bench.program, dataDir: join(bench.root, 'data'), token });
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await start();
  });
  // There is none when not even the first start succeeded.
  afterAll(() => gateway?.stop());
  return {
    token,
    gateway: () => gateway,
    restart: async () => {
      await gateway.kill();
      gateway = await start();
    },
  };
}
