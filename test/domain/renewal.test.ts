import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/domain/dates.js';
import {
  type AutoRenew,
  autoRenewRule,
  proposedRenewal,
  renewalUnits,
  renewedDate,
} from '../../src/domain/reminders/renewal.js';

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
    expect(renew('2031-02-28', 1, 'YEARS', undefined, ['2030-02-28', '2029-02-28', '2028-02-29'])).toBe(
      '2032-02-29',
    );
    // The 29th of February is longer ago than what is known.
    expect(renew('2035-02-28', 1, 'YEARS', undefined, ['2034-02-28', '2033-02-28', '2032-02-29'])).toBe(
      '2036-02-29',
    );
    // Somebody gave it another day since.
    expect(renew('2027-02-27', 1, 'MONTHS', undefined, ['2027-01-31'])).toBe('2027-03-27');
    const since = ['2027-04-28', '2027-03-28', '2027-02-28', '2027-01-31'];
    expect(renew('2028-02-28', 1, 'MONTHS', undefined, since)).toBe('2028-03-28');
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
          before.unshift(date);
          date = next;
        }
      },
    ),
  );
});

describe('the proposal to people', () => {
  const propose = (
    date: string | null,
    today: string,
    rule: Partial<AutoRenew> | null,
    before: string[] = [],
  ) =>
    proposedRenewal(
      date === null ? null : on(date),
      before.map(on),
      on(today),
      rule && { every: 1, unit: 'MONTHS', requireAcknowledgement: false, ...rule },
    )
      ?.toISOString()
      .slice(0, 10);

  test('is none beyond the calendar', () => {
    expect(propose('9998-12-31', '2027-03-04', null)).toBe('9999-12-31');
    expect(propose('9999-12-31', '2027-03-04', null)).toBeUndefined();
    expect(propose('9999-12-01', '2027-03-04', {})).toBeUndefined();
    expect(propose('9999-12-31', '2027-03-04', { from: 'TODAY', every: 1_200 })).toBeUndefined();
  });

  test('is counted from the old date, or from today', () => {
    expect(propose('2027-03-10', '2027-03-04', {})).toBe('2027-04-10');
    expect(propose('2027-03-10', '2027-05-20', { every: 6 })).toBe('2027-09-10');
    expect(propose('2027-03-10', '2027-05-20', { every: 6, from: 'TODAY' })).toBe('2027-11-20');
    expect(propose(null, '2027-05-31', { every: 1, from: 'OLD_DATE' })).toBe('2027-06-30');
  });

  test('is always later than the present date', () => {
    expect(propose('2027-06-30', '2027-03-31', { from: 'TODAY' })).toBe('2027-07-31');
    expect(propose('2027-06-30', '2027-05-30', { from: 'TODAY' })).toBe('2027-07-30');
  });

  test.each([
    ['2027-02-28', ['2027-01-31'], '2027-03-31'],
    ['2027-03-30', ['2027-02-28', '2027-01-30'], '2027-04-30'],
    ['2027-03-14', ['2026-03-15'], '2028-03-14'],
    ['2027-03-14', ['2027-03-01'], '2027-03-27'],
    ['2028-02-28', [], '2029-02-28'],
    ['2029-02-28', ['2028-02-29'], '2030-02-28'],
    ['2031-02-28', ['2030-02-28', '2029-02-28', '2028-02-29'], '2032-02-29'],
  ])('without a rule, after %s and before that %j, is %s', (date, before, next) => {
    expect(propose(date, date, null, before)).toBe(next);
  });
});

test('a series equals one that a calendar of whole months names', () => {
  const model = (first: Date, months: number) => {
    const days = [31, 30, 29, 28].map((day) => Math.min(day, first.getUTCDate()));
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + months];
    const possible = days.map((day) => new Date(Date.UTC(year, month, day)));
    return possible.find((one) => one.getUTCMonth() === ((month % 12) + 12) % 12) as Date;
  };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(on('2020-01-01'), days)),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('MONTHS', 'YEARS'),
      (first, every, unit) => {
        const rule = { every, unit: unit as AutoRenew['unit'], requireAcknowledgement: false };
        const months = unit === 'YEARS' ? 12 * every : every;
        let [date, before] = [first, [] as Date[]];
        for (let count = 1; count <= 40; count++) {
          const next = proposedRenewal(date, before, date, rule) as Date;
          expect(next).toEqual(model(first, count * months));
          before = [date, ...before].slice(0, 24);
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
  [{ every: 1, unit: 'DAYS', from: 'NOW' }, /OLD_DATE/],
])('%j is refused', (rule, message) => {
  expect(autoRenewRule.safeParse(rule).error?.issues[0]?.message).toMatch(message);
});
