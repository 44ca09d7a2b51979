import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  computeStatus,
  type Expiring,
  parseDate,
  statusIds,
  todayIn,
} from '../../src/domain/dates.js';

const calendar = { timezone: 'UTC' };
const now = new Date('2026-11-20T09:30:00.000Z');
const item = (date: string | null, rest: Partial<Expiring> = {}, lead = 30): Expiring => {
  const expirationDate = date === null ? null : (parseDate(date) ?? null);
  const notifyOn = expirationDate && addDays(expirationDate, -lead);
  return { isActive: true, isMissing: false, expirationDate, notifyOn, ...rest };
};

describe('statusOf', () => {
  test.each([
    ['the day before yesterday', item('2026-11-18'), 'expired'],
    ['yesterday', item('2026-11-19'), 'expired'],
    ['today', item('2026-11-20'), 'notifying'],
    ['the last reminder day', item('2026-12-20'), 'notifying'],
    ['the day after', item('2026-12-21'), 'current'],
    ['no date', item(null), 'nodate'],
    ['a document that is absent', item('2026-11-18', { isMissing: true }), 'missing'],
    ['out of use', item('2026-11-18', { isActive: false, isMissing: true }), 'archived'],
  ])('%s', (_, expiring, status) => {
    expect(computeStatus(expiring, calendar, now)).toBe(status);
  });

  test.each([
    ['UTC', '2026-11-20T23:59:59.999Z', 'notifying'],
    ['UTC', '2026-11-21T00:00:00.000Z', 'expired'],
    ['Pacific/Kiritimati', '2026-11-20T09:59:59.999Z', 'notifying'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00.000Z', 'expired'],
    ['America/Los_Angeles', '2026-11-21T07:59:59.999Z', 'notifying'],
    ['America/Los_Angeles', '2026-11-21T08:00:00.000Z', 'expired'],
  ])('the day ends in the time zone of the workspace: %s at %s', (timezone, moment, status) => {
    expect(computeStatus(item('2026-11-20', {}, 0), { timezone }, new Date(moment))).toBe(status);
  });

  test('there is a number for every word, each its own', () => {
    expect(new Set(Object.values(statusIds)).size).toBe(Object.keys(statusIds).length);
  });
});

test('today is the day that the clock on the wall shows', () => {
  const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (timezone, moment) => {
      const wall = new Intl.DateTimeFormat('en-US', { timeZone: timezone, dateStyle: 'short' }).format(
        moment,
      );
      const [month, day] = wall.split('/').map(Number);
      const today = todayIn(timezone, moment);
      expect([today.getUTCMonth() + 1, today.getUTCDate(), today.getUTCHours()]).toEqual([month, day, 0]);
    }),
  );
});
