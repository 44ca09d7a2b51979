import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepared } from '../../src/db/connection/statement.js';
import { together } from '../../src/db/queue/queue.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

/** Work on many numbers, which ends when the test says so. A group with a negative number fails. */
function heldWork() {
  const groups: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const work = async (all: readonly number[]) => {
    groups.push(all);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (all.some((one) => one < 0)) throw new Error('A negative number.');
  };
  /** Ends each piece of work as it begins. */
  const endAll = async (results: Promise<unknown>) => {
    let isOver = false;
    void results.then(() => {
      isOver = true;
    });
    await eventually(() => {
      for (const end of ends.splice(0)) end();
      expect(isOver).toBe(true);
    });
  };
  return { groups, work, endAll };
}

test('what comes while earlier work is under way is worked on together', async () => {
  const { groups, work, endAll } = heldWork();
  const add = together(work, 3);
  await endAll(Promise.all([1, 2, 3, 4, 5].map(add)));
  expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  await endAll(add(6));
  expect(groups.at(-1)).toEqual([6]);
});

test('if work for many fails, only the one fails that is at fault', async () => {
  const { groups, work, endAll } = heldWork();
  const add = together(work);
  const results = Promise.allSettled([1, 2, -3, 4].map(add));
  await endAll(results);
  expect((await results).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ]);
  expect(groups).toEqual([[1], [2, -3, 4], [2], [-3], [4]]);
});

let made: TestDatabase;
beforeAll(async () => {
  made = await createDatabase(undefined, { patience: { lock: 50 } });
  await made.database.sql('CREATE TABLE things (id int PRIMARY KEY, times int DEFAULT 0)');
  await made.database.sql('INSERT INTO things SELECT generate_series(1, 5)');
});
afterAll(() => made.drop());

/** Work that changes rows in one transaction, with the ids of each attempt. */
function changes(first = 'SELECT 1') {
  const groups: (readonly number[])[] = [];
  const add = together((ids: readonly number[]) => {
    groups.push(ids);
    return made.database.inTransaction(async (tx) => {
      await tx.run(prepared('things.first', { text: first, values: [] }));
      const text = 'UPDATE things SET times = times + 1 WHERE id = ANY($1)';
      await tx.run(prepared('things.change', { text, values: [ids] }));
    });
  });
  /** Changes rows at once, and returns the ids of those that could not be. */
  const change = async (...ids: number[]) => {
    const ends = await Promise.allSettled(ids.map(add));
    return ids.filter((_id, place) => ends[place]?.status === 'rejected');
  };
  return { groups, change };
}

test('while the database is away, a group fails at once, and nobody waits for it alone', async () => {
  const { groups, change } = changes('SELECT pg_terminate_backend(pg_backend_pid())');
  expect(await change(1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
  expect(groups).toEqual([[1], [2, 3, 4]]);
});

test('who holds a row up holds up none of those before it, and the others wait for it once', async () => {
  const { groups, change } = changes();
  const id = 4;
  await made.database.inTransaction(async (tx) => {
    await tx.run(
      prepared('things.lock', { text: 'SELECT FROM things WHERE id = $1 FOR UPDATE', values: [id] }),
    );
    expect(await change(1, 2, 3, id, 5)).toEqual([id, 5]);
  });
  expect(groups).toEqual([[1], [2, 3, 4, 5], [2], [3], [4]]);
  expect(await change(id, 5)).toEqual([]);
});

test('a frozen organization does not fail what is worked on together with it', async () => {
  const { groups, change } = changes();
  await made.database.sql(`
    CREATE FUNCTION refuse_thing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the organization is frozen' USING ERRCODE = 'EGF01'; END $$;
    CREATE TRIGGER frozen BEFORE UPDATE ON things FOR EACH ROW WHEN (NEW.id = 5) EXECUTE FUNCTION refuse_thing()`);
  expect(await change(1, 2, 3, 5)).toEqual([5]);
  expect(groups).toEqual([[1], [2, 3, 5], [2], [3], [5]]);
});
