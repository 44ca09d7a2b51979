import { expect, test } from 'vitest';
import { startLoop } from '../../src/db/queue/loop.js';
import { eventually } from '../support/eventually.js';

/** Longer than any test, so that only waking begins a run. */
const never = 3_600_000;

/** Starts a loop whose runs end when the test says so. */
function heldLoop(interval: number | (() => number) = never) {
  const held: { end(): void; fail(message: string): void }[] = [];
  const faults: [string, boolean][] = [];
  const run = () =>
    new Promise<void>((resolve, reject) =>
      held.push({ end: resolve, fail: (message) => reject(new Error(message)) }),
    );
  const loop = startLoop(run, interval, ({ message }, isFirst) => faults.push([message, isFirst]));
  /** Waits for a number of runs, and returns the last. */
  const runs = async (count: number) => {
    await eventually(() => expect(held.length).toBe(count));
    return held[count - 1] as (typeof held)[number];
  };
  return { loop, runs, held, faults };
}

test('a loop that is woken in a run begins one more after it, and none beside it', async () => {
  const { loop, runs, held } = heldLoop();
  loop.wake();
  const first = await runs(1);
  loop.wake();
  loop.wake();
  await new Promise(setImmediate);
  expect(held).toHaveLength(1);
  first.end();
  const second = await runs(2);
  second.end();
  await new Promise(setImmediate);
  expect(held).toHaveLength(2);
  await loop.stop();
});

test('a loop that is stopped waits for its run, and begins no other', async () => {
  const { loop, runs, held } = heldLoop();
  loop.wake();
  const run = await runs(1);
  loop.wake();
  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  run.end();
  await stopped;
  loop.wake();
  await new Promise(setImmediate);
  expect(held).toHaveLength(1);
});

test('a loop goes on after a failure, and says which one is the first', async () => {
  let interval = 1;
  const { loop, runs, faults } = heldLoop(() => interval);
  (await runs(1)).fail('one');
  (await runs(2)).fail('two');
  (await runs(3)).end();
  const last = await runs(4);
  interval = never;
  last.fail('three');
  await eventually(() => expect(faults).toHaveLength(3));
  expect(faults).toEqual([
    ['one', true],
    ['two', false],
    ['three', true],
  ]);
  await loop.stop();
});
