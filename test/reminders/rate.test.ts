import { expect, test } from 'vitest';
import { createRate } from '../../src/domain/load/quota.js';

test.each([0.25, 1, 10, 333])('%d in a second are kept within 5 percent', (perSecond) => {
  let now = 0;
  const rate = createRate(perSecond, () => now);
  let taken = 0;
  const ends = 400_000;
  while (now < ends) {
    taken += rate.take(6);
    now += Math.max(1, rate.wait());
  }
  const wanted = (perSecond * ends) / 1_000;
  expect(taken).toBeGreaterThanOrEqual(wanted * 0.95);
  expect(taken).toBeLessThanOrEqual(wanted * 1.05 + 1);
});

test('unused tokens are returned', () => {
  const rate = createRate(10, () => 0);
  expect(rate.take(99)).toBe(5);
  expect(rate.take(1)).toBe(0);
  expect(rate.wait()).toBe(100);
  rate.giveBack(2);
  expect(rate.wait()).toBe(0);
  expect(rate.take(99)).toBe(2);
});

test('a stopped clock saves up at most half a second', () => {
  let now = 0;
  const rate = createRate(10, () => now);
  rate.take(5);
  now = 3_600_000;
  expect(rate.take(99)).toBe(5);
});
