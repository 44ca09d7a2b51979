import pg from 'pg';
import { expect, type TestContext } from 'vitest';
import { report } from './check.js';
import { isLong, onPosix, prepareBench, timeout, writers } from './fixture.js';
import { startLoad } from './load.js';

const bench = prepareBench();
const { token } = bench;
const between = isLong ? 500 : 40;
const rounds = isLong ? 5 : 1;
const refusals = isLong ? 20 : 1;

/** Milliseconds in which a request is answered that waits 5 s for a connection and then 5 s for a lock. */
const longestAnswer = 14_500;

/** Runs statements in a transaction of another session, which goes on until it is told to end. */
async function hold({ onTestFinished }: TestContext, url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its database is dropped
  onTestFinished(() => client.end());
  await client.connect();
  await client.query(`BEGIN; ${sql}`);
  return async () => void (await client.query('ROLLBACK'));
}

onPosix('locks take all connections of the pool', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  const { url } = await bench.start({ databaseUrl, env: { DATABASE_POOL: '3' } });
  const load = await startLoad({ token, writers, url: () => url });
  const recovery: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await load.more(between);
    const release = await hold(context, databaseUrl, 'LOCK TABLE vehicles');
    await load.refusals(refusals);
    await release();
    recovery.push(await load.recovery());
  }
  await load.more(between);
  const result = await load.stop();
  expect(load.slowest()).toBeLessThan(longestAnswer);
  const scenario = `Pool exhausted, ${rounds} times`;
  await report(context, { scenario, result, recovery, databaseUrl, url, token });
});

onPosix('another session locks a row', { timeout }, async (context) => {
  const databaseUrl = await bench.database();
  const { url } = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers, url: () => url });
  const recovery: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await load.more(between);
    const row = `SELECT FROM contacts WHERE email = 'own-0@example.com' FOR UPDATE`;
    const release = await hold(context, databaseUrl, row);
    const refused = load.refusals(1);
    // The others are not kept waiting.
    await load.more(between);
    await refused;
    await release();
    recovery.push(await load.recovery());
  }
  await load.more(between);
  const result = await load.stop();
  expect(load.slowest()).toBeLessThan(longestAnswer);
  const scenario = `Row locked by another session, ${rounds} times`;
  await report(context, { scenario, result, recovery, databaseUrl, url, token });
});
