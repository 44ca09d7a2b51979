import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AdmissionQueue, type AdmissionSlot, ShedRecord } from '../../src/domain/load/admission.js';
import { limits, percentile, promptQueue, simulate } from './admission.support.js';

/** Returns a queue with two places, on a clock that a test moves. */
function smallQueue() {
  const clock = { now: 0 };
  const queue = promptQueue({ ...limits, width: { least: 2, most: 2 } }, () => clock.now);
  return { clock, queue };
}

function taken(queue: AdmissionQueue): AdmissionSlot {
  const place = queue.take();
  if (!place) throw new Error('There is no free place.');
  return place;
}

describe('the queue', () => {
  test('gives out all slots, then lets requests wait in order', () => {
    const { queue } = smallQueue();
    const [first] = [taken(queue), taken(queue)];
    expect(queue.take()).toBeUndefined();
    const turns: string[] = [];
    queue.wait('ordinary', (place) => turns.push(place ? 'a' : 'a, in vain'));
    queue.wait('ordinary', (place) => turns.push(place ? 'b' : 'b, in vain'));
    first.leave();
    first.leave();
    expect([turns, queue.running, queue.waiting]).toEqual([['a'], 2, 1]);
  });

  test('signals free slots, and gives out one at a time', () => {
    let told = 0;
    const queue = new AdmissionQueue(
      { ...limits, width: { least: 2, most: 2 } },
      () => 0,
      () => told++,
    );
    const running = [taken(queue), taken(queue)];
    const turns: string[] = [];
    for (const name of ['a', 'b', 'c']) queue.wait('ordinary', () => turns.push(name));
    expect([told, queue.serve()]).toEqual([0, false]);
    for (const place of running) place.leave();
    expect([told, turns]).toEqual([2, []]);
    expect([queue.serve(), turns]).toEqual([true, ['a']]);
    // Who waits goes before who comes.
    expect(queue.take()).toBeUndefined();
    expect([queue.serve(), turns, queue.waiting]).toEqual([false, ['a', 'b'], 1]);
  });

  test('forgets who waits no longer', () => {
    const { queue } = smallQueue();
    const [first] = [taken(queue), taken(queue)];
    const giveUp = queue.wait('ordinary', () => expect.unreachable());
    giveUp();
    first.leave();
    expect([queue.running, queue.waiting]).toEqual([1, 0]);
  });

  test('refuses at once while nothing is completed, uploads last, and ends what waits', () => {
    const { clock, queue } = smallQueue();
    const [first] = [taken(queue), taken(queue)];
    const turns: unknown[] = [];
    queue.wait('ordinary', (place) => turns.push(place));
    expect(queue.isTooLong('ordinary')).toBe(false);
    clock.now = 751;
    expect([queue.isTooLong('ordinary'), queue.isTooLong('upload')]).toEqual([true, false]);
    queue.sweep();
    expect(turns).toEqual([]);
    clock.now = 1_501;
    queue.sweep();
    expect([turns, queue.waiting]).toEqual([[undefined], 0]);
    first.leave();
    expect(queue.isTooLong('ordinary')).toBe(false);
  });

  test('takes back a slot that is held for too long, and gives it to a waiting request', () => {
    const { clock, queue } = smallQueue();
    const [first] = [taken(queue), taken(queue)];
    clock.now = 30_001;
    const turns: (AdmissionSlot | undefined)[] = [];
    queue.wait('ordinary', (place) => turns.push(place));
    queue.sweep();
    expect([first.isLeft, turns[0]?.isLeft, queue.running]).toEqual([true, false, 1]);
  });

  test('lets back in who gave a place up for a while', () => {
    const { queue } = smallQueue();
    const [first] = [taken(queue), taken(queue)];
    first.leave();
    taken(queue);
    expect(queue.takeAgain().isLeft).toBe(false);
    expect([queue.running, queue.take()]).toEqual([3, undefined]);
  });
});

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const capacities = fc.integer({ min: 40, max: 1_000 });

describe('a simulated server', () => {
  test('sheds nothing at half of its capacity', () => {
    const property = fc.property(seeds, capacities, (seed, capacity) => {
      const ended = simulate([{ seconds: 10, arriving: capacity / 2, capacity }], seed);
      expect(ended.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    });
    fc.assert(property, { numRuns: 25 });
  });

  test('at ten times the load does as much as at its best, in time, and is quick again seconds later', () => {
    const property = fc.property(seeds, capacities, (seed, capacity) => {
      const ended = simulate(
        [
          { seconds: 15, arriving: 10 * capacity, capacity },
          { seconds: 2, arriving: capacity / 2, capacity },
          { seconds: 5, arriving: capacity / 2, capacity },
        ],
        seed,
      );
      const done = ended.filter(({ outcome }) => outcome === 'done');
      const during = done.filter(({ phase }) => phase === 0);
      expect(during.length).toBeGreaterThan(0.9 * 15 * capacity);
      expect(
        percentile(
          during.map(({ took }) => took),
          0.99,
        ),
      ).toBeLessThan(2_500);
      const shed = ended.filter(({ outcome, phase }) => outcome === 'overdue' && phase === 0);
      // Those who are not let in are told so at once, but for few.
      expect(shed.length).toBeLessThan(0.05 * ended.length);
      const later = ended.filter(({ phase }) => phase === 2);
      expect(later.every(({ outcome }) => outcome === 'done')).toBe(true);
      expect(
        percentile(
          later.map(({ took }) => took),
          0.5,
        ),
      ).toBeLessThan(200);
    });
    fc.assert(property, { numRuns: 10 });
  });

  test('takes every upload while others are shed', () => {
    const property = fc.property(seeds, capacities, (seed, capacity) => {
      const ended = simulate([{ seconds: 10, arriving: 5 * capacity, capacity, uploads: 0.04 }], seed);
      const uploads = ended.filter(({ kind }) => kind === 'upload');
      expect(uploads.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
      expect(ended.some(({ outcome }) => outcome === 'shed')).toBe(true);
    });
    fc.assert(property, { numRuns: 10 });
  });

  test('sheds while the server stands still, and recovers with it', () => {
    const ended = simulate(
      [
        { seconds: 3, arriving: 100, capacity: 400 },
        { seconds: 10, arriving: 100, capacity: 0 },
        { seconds: 3, arriving: 100, capacity: 400 },
        { seconds: 5, arriving: 100, capacity: 400 },
      ],
      1,
    );
    const outcomes = (wanted: number) =>
      new Set(ended.filter(({ phase }) => phase === wanted).map((e) => e.outcome));
    expect(outcomes(0)).toEqual(new Set(['done']));
    expect(outcomes(3)).toEqual(new Set(['done']));
    const refused = ended.filter(({ outcome, arrived }) => outcome === 'shed' && arrived > 4_000);
    expect(refused.length).toBeGreaterThan(500);
    expect(Math.max(...refused.map(({ took }) => took))).toBe(0);
  });
});

test('a record tells a burst from an overload that lasts, and forgets it within seconds', () => {
  const clock = { now: 0 };
  const record = new ShedRecord(() => clock.now);
  const states: boolean[] = [];
  for (let second = 0; second < 20; second += 1) {
    clock.now = second * 1000;
    for (let n = 0; n < 10; n += 1) record.admit();
    if (second < 8) for (let n = 0; n < 10; n += 1) record.shed();
    states.push(record.isLasting);
  }
  expect(states.indexOf(true)).toBe(5);
  expect(states.lastIndexOf(true)).toBe(12);
  // A few who are refused among many are no overload.
  clock.now = 100_000;
  for (let second = 0; second < 10; second += 1) {
    clock.now += 1_000;
    for (let n = 0; n < 20; n += 1) record.admit();
    record.shed();
  }
  expect(record.isLasting).toBe(false);
});
