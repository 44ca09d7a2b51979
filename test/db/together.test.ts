import { expect, test } from 'vitest';
import { together } from '../../src/db/queue/queue.js';
import { eventually } from '../support/eventually.js';

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
