import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSharedQuotas, type SharedQuotas } from '../../src/access/shared-quotas.js';
import { openDatabase } from '../../src/db/connection/database.js';
import { costPerUse, quotaWindow, remainingUses, waitForUse } from '../../src/domain/load/quota.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

const cost = costPerUse(10);
let sent: string[] = [];
let fresh: TestDatabase;
let now: number;
const errors: Error[] = [];
const made: SharedQuotas[] = [];

beforeAll(async () => {
  fresh = await createDatabase(({ query }) => sent.push(query));
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  now = 1_000_000;
  errors.length = 0;
  await Promise.all(made.splice(0).map((quotas) => quotas.close()));
  await fresh.database.sql('DELETE FROM rate_limits', []);
  sent = [];
});

/** Returns the quotas of a process, which settle when they are told to. */
function start(database = fresh.database): SharedQuotas {
  const onError = (error: Error) => void errors.push(error);
  const quotas = createSharedQuotas(database, { uptime: () => now, onError, interval: 3_600_000 });
  made.push(quotas);
  return quotas;
}

/** Uses a quota as often as it allows, at most so many times. */
function use(quotas: SharedQuotas, key: string, times: number): number {
  let used = 0;
  for (; used < times && waitForUse(quotas.of(key, cost), now) === 0; used++) quotas.use(key, cost, now);
  return used;
}

const remaining = (quotas: SharedQuotas, key: string) => remainingUses(quotas.of(key, cost), now);

/** Moves the database's clock, as far as the counts can tell: what they were written as of is longer ago. */
const moveDatabaseClock = (ms: number) =>
  fresh.database.sql("UPDATE rate_limits SET as_of = as_of - $1::float8 * interval '1 millisecond'", [ms]);

/** Lets time pass, for everybody. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await moveDatabaseClock(ms);
}

const rows = () => fresh.database.sql<{ key: string }>('SELECT key FROM rate_limits ORDER BY key', []);

test('processes see one count, once they have settled', async () => {
  const [one, two] = [start(), start()];
  expect(use(one, 'a', 4)).toBe(4);
  expect(use(two, 'a', 3)).toBe(3);
  expect([remaining(one, 'a'), remaining(two, 'a')]).toEqual([6, 7]);
  await one.settle();
  await two.settle();
  expect(remaining(two, 'a')).toBe(3);
  use(one, 'a', 1);
  await one.settle();
  expect(remaining(one, 'a')).toBe(2);
  expect(remaining(one, 'b')).toBe(10);
});

test('excess use between exchanges is a debt', async () => {
  const [one, two] = [start(), start()];
  expect(use(one, 'a', 99) + use(two, 'a', 99)).toBe(20);
  await one.settle();
  await two.settle();
  await pass(60_000);
  expect(use(two, 'a', 99)).toBe(0);
  await pass(cost);
  expect(use(two, 'a', 99)).toBe(1);
});

test('using costs no statement, settling one for all keys, and nothing used none', async () => {
  const quotas = start();
  for (let key = 0; key < 200; key++) use(quotas, `key ${key}`, 3);
  expect(sent).toEqual([]);
  await quotas.settle();
  expect(sent).toHaveLength(1);
  expect(use(quotas, 'key 7', 99)).toBe(7);
  await quotas.settle();
  expect(use(quotas, 'key 7', 99)).toBe(0);
  sent = [];
  await quotas.settle();
  expect(sent).toEqual([]);
});

test('uses during an exchange are kept for the next one', async () => {
  const [one, two] = [start(), start()];
  use(one, 'a', 2);
  const settling = one.settle();
  use(one, 'a', 3);
  await settling;
  expect(remaining(one, 'a')).toBe(5);
  await one.settle();
  use(two, 'a', 1);
  await two.settle();
  expect(remaining(two, 'a')).toBe(4);
});

test('many processes that settle the same keys at once do not wait for one another', async () => {
  const processes = Array.from({ length: 8 }, () => start());
  const keys = Array.from({ length: 50 }, (_, key) => `key ${key}`);
  for (const [index, quotas] of processes.entries()) {
    // Each begins at another key.
    for (const key of [...keys.slice(index * 6), ...keys.slice(0, index * 6)]) use(quotas, key, 1);
  }
  await Promise.all(processes.map((quotas) => quotas.settle()));
  const last = start();
  use(last, 'key 3', 1);
  await last.settle();
  expect(remaining(last, 'key 3')).toBe(1);
  expect(errors).toEqual([]);
});

test('completely refilled quotas are removed', async () => {
  const quotas = start();
  use(quotas, 'old', 1);
  await quotas.settle();
  await pass(120_000);
  use(quotas, 'new', 1);
  await quotas.settle();
  expect(await rows()).toEqual([{ key: 'new' }]);
});

test('without a database a process counts on by itself, and says so once', async () => {
  const database = openDatabase({ url: fresh.url, poolSize: 1, onError: () => {} });
  const quotas = start(database);
  use(quotas, 'a', 2);
  await fresh.database.sql('ALTER TABLE rate_limits RENAME TO away', []);
  try {
    await quotas.settle();
    use(quotas, 'a', 1);
    await quotas.settle();
    expect(remaining(quotas, 'a')).toBe(7);
    expect(errors).toHaveLength(1);
  } finally {
    await fresh.database.sql('ALTER TABLE away RENAME TO rate_limits', []);
  }
  await quotas.close();
  await database.close();
  const other = start();
  use(other, 'a', 1);
  await other.settle();
  expect(remaining(other, 'a')).toBe(6);
});

const hour = 3_600_000;

test.each([
  ['an hour back', -hour],
  ['a year back', -365 * 24 * hour],
])("while the database's clock is set %s, quotas refill in their own time", async (_what, jump) => {
  const [one, two] = [start(), start()];
  use(one, 'a', 10);
  await one.settle();
  await moveDatabaseClock(jump);
  use(two, 'a', 1);
  await two.settle();
  expect(use(two, 'a', 1)).toBe(0);
  await pass(2 * cost);
  expect(use(two, 'a', 99)).toBe(1);
  await two.settle();
  await pass(60_000);
  expect(use(one, 'a', 99)).toBe(10);
});

test("a forward jump of the database's clock refills a minute's worth once", async () => {
  const quotas = start();
  use(quotas, 'a', 10);
  await quotas.settle();
  await moveDatabaseClock(hour);
  expect(use(quotas, 'a', 99)).toBe(0);
  await pass(cost);
  expect(use(quotas, 'a', 99)).toBe(1);
  await quotas.settle();
  expect(use(quotas, 'a', 99)).toBe(9);
  await quotas.settle();
  expect(use(quotas, 'a', 99)).toBe(0);
});

test('uses refilled before the exchange are not owed any more', async () => {
  const quotas = start();
  for (let minute = 0; minute < 5; minute++) {
    expect(use(quotas, 'a', 99)).toBe(10);
    await pass(60_000);
  }
  await quotas.settle();
  expect(use(quotas, 'a', 99)).toBe(10);
});

/** What can happen to the counts of several processes. */
const steps = fc.array(
  fc.oneof(
    fc.record({ use: fc.nat(12), by: fc.nat(2) }),
    fc.record({ settle: fc.constant(true), by: fc.nat(2) }),
    fc.record({ pass: fc.nat(90_000) }),
    fc.record({ jump: fc.integer({ min: -9_000 * hour, max: 9_000 * hour }) }),
  ),
  { minLength: 1, maxLength: 15 },
);

test('however clocks jump, nobody is locked out for long, and no gate stays open', async () => {
  let runs = 0;
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (count, all) => {
    const key = `run ${runs++}`;
    const processes = Array.from({ length: count }, () => start());
    const settle = async () => {
      for (const quotas of processes) await quotas.settle();
    };
    let [through, passed, forward] = [0, 0, 0];
    for (const step of all) {
      const quotas = 'by' in step ? processes[step.by % count] : undefined;
      if (quotas && 'use' in step) through += use(quotas, key, step.use);
      if (quotas && 'settle' in step) await quotas.settle();
      if ('pass' in step) {
        passed += step.pass;
        await pass(step.pass);
      }
      if ('jump' in step) {
        if (step.jump > 0) forward++;
        await moveDatabaseClock(step.jump);
      }
    }
    // What each may have used before it knew of the others; the run itself takes less than one use's time.
    const most = count * (quotaWindow * (1 + forward) + passed) + cost;
    expect(through * cost).toBeLessThanOrEqual(most);
    await settle();
    await pass((count + 1) * quotaWindow);
    await settle();
    for (const quotas of processes) expect(remaining(quotas, key)).toBe(10);
  });
  await fc.assert(property, { numRuns: 40 });
});
