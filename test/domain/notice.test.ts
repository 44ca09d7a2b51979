import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, endOfMonth } from '../../src/domain/dates.js';
import {
  formatNoticeRule,
  movedNotice,
  type NoticeRule,
  noticeDateOf,
  noticeEnds,
  noticeRuleRule,
  noticeUnits,
  parseNoticeRule,
} from '../../src/domain/notice.js';

const day = (date: Date) => date.toISOString().slice(0, 10);
const notice = (expires: string, rule: NoticeRule) => day(noticeDateOf(new Date(expires), rule));

describe('the last day to give notice', () => {
  test.each([
    ['2027-03-31', 14, 'DAYS', 'EXPIRATION', '2027-03-17'],
    ['2027-03-31', 3, 'MONTHS', 'EXPIRATION', '2026-12-31'],
    ['2027-05-31', 3, 'MONTHS', 'EXPIRATION', '2027-02-28'],
    ['2028-05-31', 3, 'MONTHS', 'EXPIRATION', '2028-02-29'],
    ['2027-02-28', 3, 'MONTHS', 'EXPIRATION', '2026-11-28'],
    ['2028-02-29', 1, 'YEARS', 'EXPIRATION', '2027-02-28'],
    ['2027-03-31', 6, 'WEEKS', 'END_OF_QUARTER', '2027-02-17'],
    ['2027-04-15', 6, 'WEEKS', 'END_OF_QUARTER', '2027-02-17'],
    ['2027-03-30', 6, 'WEEKS', 'END_OF_QUARTER', '2026-11-19'],
    ['2027-02-28', 3, 'MONTHS', 'END_OF_MONTH', '2026-11-30'],
    ['2027-02-27', 1, 'MONTHS', 'END_OF_MONTH', '2026-12-31'],
    ['2028-02-29', 1, 'MONTHS', 'END_OF_MONTH', '2028-01-31'],
    ['2027-12-31', 3, 'MONTHS', 'END_OF_YEAR', '2027-09-30'],
    ['2027-12-30', 1, 'YEARS', 'END_OF_YEAR', '2025-12-31'],
    ['0001-01-15', 1, 'YEARS', 'END_OF_YEAR', '0001-01-01'],
    ['0050-05-31', 1, 'MONTHS', 'EXPIRATION', '0050-04-30'],
  ] as const)('of %s, %i %s before %s, is %s', (expires, count, unit, before, expected) => {
    expect(notice(expires, { count, unit, before })).toBe(expected);
  });

  test('never comes after the expiration date, and before the end of a month is such an end', () => {
    const rule = fc.record({
      unit: fc.constantFrom(...noticeUnits),
      count: fc.integer({ min: 1, max: 60 }),
      before: fc.constantFrom(...noticeEnds),
    });
    const expires = fc.integer({ min: -20_000, max: 80_000 }).map((days) => addDays(new Date(0), days));
    fc.assert(
      fc.property(expires, rule, (date, given) => {
        const found = noticeDateOf(date, given);
        expect(found < date).toBe(true);
        const isMonthly = given.unit === 'MONTHS' || given.unit === 'YEARS';
        if (isMonthly && given.before !== 'EXPIRATION') expect(day(found)).toBe(day(endOfMonth(found, 0)));
        // A later date never leads to an earlier day.
        expect(noticeDateOf(addDays(date, 1), given) >= found).toBe(true);
      }),
    );
  });
});

test.each([
  ['2026-12-31', '2027-03-31', '2028-03-31', '2027-12-31'],
  ['2026-11-30', '2027-02-28', '2027-03-31', '2026-12-31'],
  ['2027-01-15', '2027-02-28', '2027-03-31', '2027-02-15'],
  ['2027-01-31', '2027-02-15', '2027-03-15', '2027-02-28'],
  ['2027-01-01', '2027-02-01', '2027-02-11', '2027-01-11'],
  // There is no day before the first one.
  ['0001-01-01', '2027-02-01', '2026-02-01', '0001-01-01'],
  ['0001-01-31', '2027-01-31', '2026-01-31', '0001-01-01'],
  ['0001-01-05', '2027-02-01', '2027-01-11', '0001-01-01'],
])('a typed day %s of %s moves with a renewal to %s to %s', (typed, from, to, expected) => {
  expect(day(movedNotice(new Date(typed), new Date(from), new Date(to)))).toBe(expected);
});

describe('words of a rule', () => {
  test.each([
    ['3 months before', { unit: 'MONTHS', count: 3, before: 'EXPIRATION' }],
    ['1 year before', { unit: 'YEARS', count: 1, before: 'EXPIRATION' }],
    ['6 weeks before the end of a quarter', { unit: 'WEEKS', count: 6, before: 'END_OF_QUARTER' }],
  ] as const)('%s', (words, rule) => {
    expect(parseNoticeRule(words)).toEqual(rule);
    expect(formatNoticeRule(rule)).toBe(words);
  });

  test.each([
    ['  2  Weeks ', { unit: 'WEEKS', count: 2, before: 'EXPIRATION' }],
    ['90 days before end of month', { unit: 'DAYS', count: 90, before: 'END_OF_MONTH' }],
  ])('are read leniently: %s', (words, rule) => expect(parseNoticeRule(words)).toEqual(rule));

  test.each(['', 'soon', '0 days', '101 years', '3 months after', '-1 day', '1e3 days', '3 decades before'])(
    '%j is no rule',
    (words) => expect(parseNoticeRule(words)).toBeUndefined(),
  );
});

test('a rule has a unit, a number of at most a hundred years, and an end', () => {
  expect(noticeRuleRule.safeParse({ unit: 'MONTHS', count: 1_201 }).success).toBe(false);
  expect(noticeRuleRule.parse({ unit: 'MONTHS', count: 1_200 })).toMatchObject({ before: 'EXPIRATION' });
});
