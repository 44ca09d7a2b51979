import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/domain/dates.js';
import {
  type AutoRenew,
  autoRenewRule,
  renewalUnits,
  renewedDate,
} from '../../src/domain/reminders/policy.js';

const on = (date: string) => new Date(date);
const renew = (date: string, every: number, unit: AutoRenew['unit'], today = date, before: string[] = []) =>
  renewedDate(on(date), before.map(on), addDays(on(today), today === date ? 1 : 0), { every, unit })
    .toISOString()
    .slice(0, 10);

describe('the next date', () => {
  test.each([
    ['2027-03-31', 30, 'DAYS', '2027-04-30'],
    ['2027-03-31', 1, 'DAYS', '2027-04-01'],
    ['2027-01-31', 1, 'MONTHS', '2027-02-28'],
    ['2027-03-31', 1, 'MONTHS', '2027-04-30'],
    ['2027-11-30', 3, 'MONTHS', '2028-02-29'],
    ['2027-12-31', 1, 'MONTHS', '2028-01-31'],
    ['2028-02-29', 1, 'YEARS', '2029-02-28'],
    ['2028-02-29', 4, 'YEARS', '2032-02-29'],
  ] as const)('after %s, every %i %s, is %s', (date, every, unit, next) => {
    expect(renew(date, every, unit)).toBe(next);
  });

  test('is the first that has not passed', () => {
    expect(renew('2027-01-31', 1, 'MONTHS', '2027-07-15')).toBe('2027-07-31');
    expect(renew('2027-01-31', 1, 'MONTHS', '2027-07-31')).toBe('2027-07-31');
    expect(renew('2027-01-31', 1, 'DAYS', '2027-07-15')).toBe('2027-07-15');
  });

  test('keeps the day that it began with', () => {
    expect(renew('2027-02-28', 1, 'MONTHS', undefined, ['2027-01-31'])).toBe('2027-03-31');
    expect(renew('2031-02-28', 1, 'YEARS', undefined, ['2028-02-29', '2029-02-28', '2030-02-28'])).toBe(
      '2032-02-29',
    );
    // Somebody gave it another day since.
    expect(renew('2027-02-27', 1, 'MONTHS', undefined, ['2027-01-31'])).toBe('2027-03-27');
  });
});

test('renewed again and again, it never drifts, and never falls behind', () => {
  const days = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(on('2020-01-01'), days));
  const period = fc.record({
    every: fc.integer({ min: 1, max: 40 }),
    unit: fc.constantFrom(...renewalUnits),
  });
  fc.assert(
    fc.property(
      days,
      period,
      fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 12 }),
      (first, rule, waits) => {
        const before: Date[] = [];
        let date = first;
        for (const wait of waits) {
          const today = addDays(date, wait);
          const next = renewedDate(date, before, today, rule);
          expect(next.getTime()).toBeGreaterThan(date.getTime());
          expect(next.getTime()).toBeGreaterThanOrEqual(today.getTime());
          const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
          if (rule.unit !== 'DAYS') expect(next.getUTCDate()).toBe(Math.min(first.getUTCDate(), lastDay));
          before.push(date);
          date = next;
        }
      },
    ),
  );
});

test.each([
  [{ every: 0, unit: 'DAYS' }, /at least 1/],
  [{ every: 101, unit: 'YEARS' }, /hundred years/],
  [{ every: 1, unit: 'WEEKS' }, /must be DAYS/],
  [{ unit: 'DAYS' }, /required/],
])('%j is refused', (rule, message) => {
  expect(autoRenewRule.safeParse(rule).error?.issues[0]?.message).toMatch(message);
});
