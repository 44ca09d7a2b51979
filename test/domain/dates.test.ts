import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDate, nextModified, parseDate } from '../../src/domain/dates.js';

describe('parseDate', () => {
  test.each([
    ['2026-11-20', '2026-11-20'],
    ['2024-02-29', '2024-02-29'],
    ['2000-02-29', '2000-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['0099-12-31', '0099-12-31'],
    ['9999-12-31', '9999-12-31'],
    // A date-time is taken by its date part as written, whatever its offset.
    ['2026-11-20T00:00:00Z', '2026-11-20'],
    ['2026-11-20T23:59:59.999Z', '2026-11-20'],
    ['2026-12-31T23:30:00-11:00', '2026-12-31'],
    ['2026-01-01T00:30:00+14:00', '2026-01-01'],
    ['2026-11-20T09:30', '2026-11-20'],
    ['2026-11-20T09:30:00', '2026-11-20'],
    ['2026-11-20T09:30:00.1234567+01:00', '2026-11-20'],
    ['2026-11-20T09:30:00,5+0100', '2026-11-20'],
    ['2026-11-20t09:30:00z', '2026-11-20'],
    ['2026-11-20 09:30:00', '2026-11-20'],
  ])('%s is %s', (text, date) => {
    expect(parseDate(text)).toEqual(new Date(`${date}T00:00:00.000Z`));
  });

  test.each([
    // Days that there are not.
    '2027-02-30',
    '2027-02-29',
    '1900-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-01-32',
    '0000-01-01',
    '0000-02-29',
    // Other forms.
    '',
    'today',
    '2027',
    '2027-1-1',
    '27-01-01',
    '20270101',
    '2027/01/01',
    '01.01.2027',
    '2027-01-01 ',
    ' 2027-01-01',
    '2027-01-01\n',
    '-2027-01-01',
    '+002027-01-01',
    '12027-01-01',
    '2027-W01-1',
    '2027-001',
    '２０２７-01-01',
    // What follows the date is no time.
    '2027-01-01T',
    '2027-01-01T10',
    '2027-01-01T10:00:',
    '2027-01-01T10:00:00.',
    '2027-01-01T10:00:00 Z',
    '2027-01-01T10:00:00+1',
    '2027-01-01T10:00:00Z or so',
    '2027-01-01T1:00',
    '2027-01-01TZ',
    '2027-02-30T10:00:00Z',
  ])('%j is invalid', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  test.each(['T25:00', 'T10:60', 'T10:00:61', 'T10:00:00+99:00', 'T10:00:00+01:60'])(
    'a time that there is not makes no date-time: %s',
    (time) => {
      expect(parseDate(`2027-01-01${time}`)).toBeUndefined();
    },
  );

  const day = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });

  test('reads what formatDate writes', () => {
    fc.assert(
      fc.property(day, (moment) => {
        const text = formatDate(moment);
        expect(parseDate(text)?.getTime()).toBe(
          moment.getTime() - (((moment.getTime() % 86_400_000) + 86_400_000) % 86_400_000),
        );
        expect(formatDate(parseDate(text) as Date)).toBe(text);
      }),
    );
  });

  test('takes the date part of any date-time as written', () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    const offset = fc.oneof(
      fc.constantFrom('', 'Z'),
      fc.tuple(fc.constantFrom('+', '-'), two(14), two(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
    );
    fc.assert(
      fc.property(day, two(23), two(59), two(59), offset, (moment, hour, minute, second, offset) => {
        const date = formatDate(moment);
        expect(parseDate(`${date}T${hour}:${minute}:${second}${offset}`)).toEqual(parseDate(date));
      }),
    );
  });

  test('takes no day that the calendar does not have, and every one that it has', () => {
    const part = fc.integer({ min: 0, max: 99 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part, part, (year, month, day) => {
        const text = [String(year).padStart(4, '0'), ...[month, day].map((n) => String(n).padStart(2, '0'))];
        const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
        const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
        expect(parseDate(text.join('-')) !== undefined).toBe(day >= 1 && day <= days);
      }),
      { numRuns: 1000 },
    );
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseDate(text)));
  });
});

describe('nextModified', () => {
  test('is now, or a millisecond after the last change if that is later', () => {
    const past = new Date('2026-11-20T09:30:00.000Z');
    const now = new Date('2026-11-20T09:30:00.001Z');
    expect(nextModified(now, past)).toEqual(now);
    expect(nextModified(now, now)).toEqual(new Date('2026-11-20T09:30:00.002Z'));
    expect(nextModified(past, now)).toEqual(new Date('2026-11-20T09:30:00.002Z'));
  });

  test('always moves on, and changes neither date', () => {
    const date = fc.date({ noInvalidDate: true, max: new Date('9999-12-31') });
    fc.assert(
      fc.property(date, date, (now, previous) => {
        const [a, b] = [now.getTime(), previous.getTime()];
        const next = nextModified(now, previous).getTime();
        expect(next).toBeGreaterThan(b);
        expect(next).toBeGreaterThanOrEqual(a);
        expect(next === a || next === b + 1).toBe(true);
        expect([now.getTime(), previous.getTime()]).toEqual([a, b]);
      }),
    );
  });
});
