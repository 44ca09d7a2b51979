import { expect, test } from 'vitest';
import { atMost } from '../../src/domain/load/at-most.js';

/** Work that begins at once, and ends when the test says so. */
function heldWork() {
  const begun: number[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const work = (one: number) => () => {
    begun.push(one);
    return new Promise<void>((resolve, reject) =>
      ends.push((failure) => (failure ? reject(failure) : resolve())),
    );
  };
  return { begun, ends, work };
}

test('at most so many pieces of work run at once, also after one has failed', async () => {
  const { begun, ends, work } = heldWork();
  const run = atMost(2);
  const results = [1, 2, 3, 4].map((one) => run(work(one)));
  const settled = Promise.allSettled(results);
  expect(begun).toEqual([1, 2]);
  ends[1]?.(new Error('It failed.'));
  await expect(results[1]).rejects.toThrow('It failed.');
  expect(begun).toEqual([1, 2, 3]);
  ends[0]?.();
  await results[0];
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const end of ends) end();
  expect((await settled).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  ]);
});

test('work that finds too much ahead of it is refused, and takes no place', async () => {
  const { begun, ends, work } = heldWork();
  const run = atMost(1, { most: 1, refuse: () => new Error('Too much is waiting.') });
  const [first, second] = [run(work(1)), run(work(2))];
  await expect(run(work(3))).rejects.toThrow('Too much is waiting.');
  ends[0]?.();
  await first;
  ends[1]?.();
  await second;
  const later = run(work(4));
  expect(begun).toEqual([1, 2, 4]);
  ends[2]?.();
  await later;
});
