import { randomInt } from 'node:crypto';
import { chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { report } from './check.js';
import { sendOnce } from './client.js';
import { isLong, onPosix, prepareBench, timeout, writers } from './fixture.js';
import { startLoad } from './load.js';
import { type DatabaseServer, startServer } from './server.js';
import { fill, mountSmall } from './small-disk.js';

const bench = prepareBench();
const { token } = bench;
const between = isLong ? 1_000 : 40;
const rounds = isLong ? 10 : 2;
/** Rounds of ending all sessions. */
const ended = isLong ? 1_000 : 20;

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
    await eventually(async () => expect(await ready()).toBe(503));
    expect((await sendOnce(token, url, { method: 'GET', path: '/health/live' })).status).toBe(200);
    await server.start();
    recovery.push(await load.recovery());
    expect(await ready()).toBe(200);
  }
  await load.more(between);
  const result = await load.stop();
  const scenario = `Database killed, ${rounds} times`;
  await report(context, { scenario, result, recovery, databaseUrl, url, token });
  expect(result.refused).toBeGreaterThan(0);
  // The gateway stays up: each request is answered.
  expect(result.unanswered).toBe(0);
});

onPosix('all sessions are ended at random moments under load', { timeout }, async (context) => {
  const databaseUrl = await server.create();
  const { url } = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers, url: () => url });
  const administrator = new pg.Client({ connectionString: databaseUrl });
  await administrator.connect();
  try {
    for (let round = 0; round < ended; round++) {
      await load.more(randomInt(1, 8));
      await administrator.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    }
  } finally {
    await administrator.end();
  }
  await load.more(between);
  const result = await load.stop();
  const scenario = `All sessions ended, ${ended} times`;
  await report(context, { scenario, result, recovery: [], databaseUrl, url, token });
  // The gateway stays up: each request is answered.
  expect(result.unanswered).toBe(0);
});

onPosix('the disk of the tables is full under load', { timeout }, async (context) => {
  const folder = join(bench.root, 'small');
  const unmount = await mountSmall(folder, 48);
  if (!unmount) {
    return context.skip('need a file system that can be mounted');
  }
  context.onTestFinished(async () => void (await unmount()));
  if (server.user) await chown(folder, server.user.uid, server.user.gid);
  await server.execute(`CREATE TABLESPACE small LOCATION '${folder}'`);
  const databaseUrl = await server.create('small');
  context.onTestFinished(async () => {
    await server.execute(`DROP DATABASE ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
    await server.execute('DROP TABLESPACE small');
  });
  const { url } = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers, url: () => url });
  await load.more(between);
  const filler = join(folder, 'filler');
  const recovery: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await fill(filler);
    await load.refusals(10);
    await rm(filler);
    recovery.push(await load.recovery());
    await load.more(between);
  }
  const result = await load.stop();
  const scenario = `Disk full, ${rounds} times`;
  await report(context, { scenario, result, recovery, databaseUrl, url, token });
  expect(result.unanswered).toBe(0);
});
