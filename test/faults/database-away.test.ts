import { execFile } from 'node:child_process';
import { chown, mkdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { execute } from '../support/database.js';
import { check } from './check.js';
import { sendOnce } from './client.js';
import { isLong, prepareBench } from './fixture.js';
import { startLoad } from './load.js';
import { type DatabaseServer, startServer } from './server.js';

const bench = prepareBench();
const { token } = bench;
const writers = isLong ? 16 : 6;
const between = isLong ? 1_000 : 40;
const rounds = isLong ? 10 : 2;
const onPosix = test.skipIf(process.platform === 'win32');
const timeout = 120_000;

let server: DatabaseServer;
beforeAll(async () => {
  if (process.platform !== 'win32') server = await startServer(join(bench.root, 'server'));
});
afterAll(() => server?.stop());

onPosix('the database is killed under load', { timeout }, async (context) => {
  const databaseUrl = await server.create();
  const { url } = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers, url: () => url });
  const ready = async () => (await sendOnce(token, url, { method: 'GET', path: '/health/ready' })).status;
  const recovery: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await load.more(between);
    await server.kill();
    await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 10_000, interval: 20 });
    expect((await sendOnce(token, url, { method: 'GET', path: '/health/live' })).status).toBe(200);
    await server.start();
    recovery.push(await load.recovery());
    expect(await ready()).toBe(200);
  }
  await load.more(between);
  const result = await load.stop();
  const scenario = `Database killed, ${rounds} times`;
  await check(context, { scenario, result, recovery, databaseUrl, url, token });
  expect(result.refused).toBeGreaterThan(0);
  // The gateway stays up: each request is answered.
  expect(result.unanswered).toBe(0);
});
