import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxAttempts, retryDelay } from '../../src/domain/load/quota.js';

const anyAttempt = fc.integer({ min: 1, max: 2_000 });
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const longest = 30 * 60_000;
/** As near to 1 as `Math.random` comes. */
const most = 1 - Number.EPSILON / 2;

describe('retryDelay', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [9, 1_280_000],
    [10, longest],
    [11, longest],
    [1_000_000, longest],
  ])('after attempt %i is from half of %i ms to all of it', (attempt, full) => {
    expect(retryDelay(attempt, 0)).toBe(full / 2);
    expect(retryDelay(attempt, 0.5)).toBe(full * 0.75);
    expect(retryDelay(attempt, most)).toBe(full);
  });

  it('is whole milliseconds, never less than 2.5 seconds nor more than half an hour', () => {
    fc.assert(
      fc.property(anyAttempt, anyRandom, (attempt, random) => {
        const delay = retryDelay(attempt, random);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(2_500);
        expect(delay).toBeLessThanOrEqual(longest);
      }),
    );
  });

  it('never shrinks from one attempt to a later one, whatever the luck of each', () => {
    fc.assert(
      fc.property(anyAttempt, anyRandom, anyRandom, (attempt, one, other) => {
        fc.pre(attempt < 9);
        expect(retryDelay(attempt + 1, one)).toBeGreaterThanOrEqual(retryDelay(attempt, other));
      }),
    );
  });

  it('spreads what failed together over half of the wait', () => {
    fc.assert(
      fc.property(anyAttempt, anyRandom, anyRandom, (attempt, one, other) => {
        const full = retryDelay(attempt, most);
        const apart = retryDelay(attempt, one) - retryDelay(attempt, other);
        expect(Math.abs(apart - ((one - other) * full) / 2)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

it('gives up after about three quarters of an hour', () => {
  const waits = (random: number) =>
    Array.from({ length: maxAttempts - 1 }, (_, index) => retryDelay(index + 1, random));
  const minutes = (random: number) => waits(random).reduce((sum, wait) => sum + wait, 0) / 60_000;
  expect(minutes(0)).toBeGreaterThan(20);
  expect(minutes(most)).toBeLessThan(45);
});
