import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { costPerUse, quotaWindow, remainingUses, useOnce, waitForUse } from '../../src/domain/load/quota.js';

const now = Date.parse('2026-11-20T09:30:00.000Z');

/** Asks at these moments, and tells which of them were let through. */
function admitted(perMinute: number, moments: readonly number[]): number[] {
  let quota = { cost: costPerUse(perMinute), until: 0 };
  return moments.filter((moment) => {
    if (waitForUse(quota, moment) > 0) return false;
    quota = { ...quota, until: useOnce(quota, moment) };
    return true;
  });
}

test.each([1, 7, 60, 300, 999_999])('%i per minute: as many at once, and not one more', (perMinute) => {
  const some = Math.min(perMinute, 1000);
  let quota = { cost: costPerUse(perMinute), until: now + (perMinute - some) * costPerUse(perMinute) };
  for (let left = some; left > 0; left--) {
    expect(remainingUses(quota, now)).toBeGreaterThanOrEqual(left);
    expect(waitForUse(quota, now)).toBe(0);
    quota = { ...quota, until: useOnce(quota, now) };
  }
  // 16 are back within the millisecond that is tolerated, where there are so many.
  expect(remainingUses(quota, now)).toBeLessThanOrEqual(perMinute / quotaWindow + 1);
  if (perMinute <= 300) {
    expect(remainingUses(quota, now)).toBe(0);
    expect(waitForUse(quota, now)).toBeCloseTo(costPerUse(perMinute));
    expect(waitForUse(quota, now + costPerUse(perMinute))).toBe(0);
  }
});

test("in any span, at most a minute's worth plus the refill is let through", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (perMinute, between) => {
      let at = now;
      const through = admitted(
        perMinute,
        between.map((gap) => {
          at += gap;
          return at;
        }),
      );
      for (const [first, start] of through.entries()) {
        for (const [last, end] of through.entries()) {
          const back = ((end - start + 2) * perMinute) / quotaWindow;
          if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(perMinute + back);
        }
      }
    }),
  );
});

test('a request that waits as long as told is let through', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (perMinute, between) => {
      let quota = { cost: costPerUse(perMinute), until: 0 };
      let at = now;
      for (const gap of between) {
        at += gap;
        const wait = Math.ceil(waitForUse(quota, at));
        expect(remainingUses(quota, at) > 0).toBe(wait === 0);
        at += wait;
        expect(waitForUse(quota, at)).toBe(0);
        quota = { ...quota, until: useOnce(quota, at) };
      }
    }),
  );
});
