import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestContext, test } from 'vitest';
import { freePort } from '../../src/db/embedded/embedded.js';
import { report } from '../faults/check.js';
import { prepareBench, writers } from '../faults/fixture.js';
import { startLoad } from '../faults/load.js';
import { query } from '../faults/support.js';
import { onlyIf } from '../support/skipping.js';
import { hasBalancer, startBalancer } from './balancer.js';
import { startReaders } from './readers.js';
import { buildVersionBefore, releaseCommit } from './version-before.js';

const bench = prepareBench();
const { token } = bench;
/** Writes that are acknowledged before and after each step. */
const between = 100;
const streams = 5;

/** Applies the migrations of a program, as a job does before a rolling update. */
async function migrate(program: string, databaseUrl: string): Promise<void> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  await promisify(execFile)(process.execPath, [program, 'migrate'], { env });
}

interface Roll {
  readonly scenario: string;
  readonly databaseUrl: string;
  /** The program that runs first, and the one that replaces it. */
  readonly from: string;
  readonly to: string;
  /** True if the first program can also be started on the schema of the other one. */
  readonly restarts: boolean;
}

/**
 * Replaces two gateways behind HAProxy one after the other, while requests write through both APIs and
 * streams are read. Nothing may fail: neither a request, nor a stream without a reason.
 */
async function roll(
  context: TestContext,
  { scenario, databaseUrl, from, to, restarts }: Roll,
): Promise<void> {
  const ports = [await freePort(), await freePort()];
  const start = (place: number, program: string) => {
    const env = { PORT: String(ports[place]), SHUTDOWN_DELAY: '5', MIGRATE: 'off', TRUST_PROXY: '1' };
    return bench.start({ databaseUrl, program, env });
  };
  await migrate(from, databaseUrl);
  const gateways = [await start(0, from), await start(1, from)];
  const balancer = await startBalancer(bench.root, ports);
  context.onTestFinished(balancer.stop);
  const { url } = balancer;
  const load = await startLoad({ token, writers, url: () => url });
  const readers = startReaders({ url, admin: token }, streams);
  await load.more(between);
  await migrate(to, databaseUrl);
  await load.more(between);
  if (restarts) {
    expect(await gateways[0]?.stop()).toBe(0);
    gateways[0] = await start(0, from);
    await load.more(between);
  }
  for (const [place, gateway] of gateways.entries()) {
    expect(await gateway.stop()).toBe(0);
    await start(place, to);
    await load.more(between);
  }
  const before = readers.events();
  await load.more(between);
  await expect.poll(readers.events).toBeGreaterThan(before);
  await readers.stop();
  const result = await load.stop();
  // A request without a key is sent once: any that failed would be among these.
  expect(result).toMatchObject({ unanswered: 0, refused: 0, unexpected: [] });
  expect(readers.ends.length).toBeGreaterThan(0);
  // The rest of the reason differs between versions.
  expect(readers.ends.filter((reason) => !reason.startsWith('The gateway is stopping.'))).toEqual([]);
  expect(readers.gaps).toHaveLength(readers.ends.length);
  const recovery = readers.gaps;
  const figures = await report(context, { scenario, result, recovery, databaseUrl, url, token });
  expect(figures.found).toBe(figures.acknowledged);
}

const timeout = 600_000;

test('two gateways are replaced one after the other under load', {
  timeout,
  ...onlyIf(hasBalancer, 'HAProxy'),
}, async (context) => {
  const databaseUrl = await bench.database();
  const { program } = bench;
  await roll(context, {
    scenario: 'Rolling restart',
    databaseUrl,
    from: program,
    to: program,
    restarts: false,
  });
});

test('the version before runs on the schema of this one, and is replaced under load', {
  timeout,
  ...onlyIf(
    hasBalancer && releaseCommit !== undefined,
    'HAProxy, and the Git history up to the last release',
  ),
}, async (context) => {
  const databaseUrl = await bench.database();
  await query(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const folder = join(bench.root, 'before');
  await mkdir(folder);
  const before = buildVersionBefore(folder);
  const scenario = `Rolling update from ${before.version}`;
  // Releases before that migration refuse any newer schema.
  const restarts = existsSync(join(before.migrations, '20261125151500_tell_the_oldest_version'));
  await roll(context, { scenario, databaseUrl, from: before.program, to: bench.program, restarts });
});
