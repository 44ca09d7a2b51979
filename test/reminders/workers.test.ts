import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lostMs, readWorkers, startHeartbeat } from '../../src/reminders/health.js';
import { createDatabase, type TestDatabase, testTime } from '../support/gateway.js';

let db: TestDatabase;
let now: Date;
beforeEach(async () => {
  db = await createDatabase();
  now = testTime;
});
afterEach(() => db.drop());

const later = (ms: number) => new Date(testTime.getTime() + ms);
const read = () => readWorkers(db.database, now);
const begin = (hasMail: boolean) => {
  const options = { database: db.database, clock: () => now, log: pino({ level: 'silent' }) };
  const heartbeat = startHeartbeat({ ...options, hasDemoMail: false });
  heartbeat.hasMail(hasMail);
  return heartbeat;
};

test('a worker tells that it runs, what it does, and that it has stopped', async () => {
  expect(await read()).toMatchObject({ running: 0, seenAt: null, decidedAt: null, hasMail: null });
  const [first, second] = [begin(false), begin(true)];
  await expect.poll(read).toMatchObject({ running: 2, hasMail: true, decidedAt: null, idleSince: testTime });
  now = later(1_000);
  second.decided();
  second.triedMail('535 bad credentials');
  await expect
    .poll(read)
    .toMatchObject({ decidedAt: now, idleSince: now, mailProblem: '535 bad credentials' });
  second.triedMail(undefined);
  await expect.poll(read).toMatchObject({ mailProblem: null });
  now = later(2_000);
  await second.stop();
  expect(await read()).toMatchObject({ running: 1, hasMail: false, decidedAt: later(1_000), seenAt: now });
  await first.stop();
  expect(await read()).toMatchObject({ running: 0, hasMail: null, decidedAt: later(1_000) });
});

test('a worker that is silent for a minute counts as lost, and is deleted after a month', async () => {
  await begin(true).stop();
  await db.database.sql('UPDATE workers SET stopped_at = NULL');
  now = later(lostMs - 1);
  expect(await read()).toMatchObject({ running: 1 });
  now = later(lostMs);
  expect(await read()).toMatchObject({ running: 0, seenAt: testTime });
  now = later(31 * 86_400_000);
  const next = begin(false);
  await expect.poll(read).toMatchObject({ running: 1, seenAt: now });
  const count = () => db.database.sql<{ number: number }>('SELECT count(*)::int AS number FROM workers');
  await expect.poll(count).toEqual([{ number: 1 }]);
  await next.stop();
});
