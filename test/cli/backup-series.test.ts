import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backupName, expendable, parseBackupRetention } from '../../src/db/backup/series.js';

const at = (text: string) => backupName(new Date(text));

test.each([
  ['7d,4w,12m', { d: 7, w: 4, m: 12 }],
  [' 1Y , 24h', { y: 1, h: 24 }],
])('%j is what to keep', (text, keep) => {
  expect(parseBackupRetention(text)).toEqual(keep);
});

test.each(['', '7', 'd', '0d', '7d,', '7d,3d', '-1d', '1.5d', '7days', '10000d'])(
  '%j is nothing to keep',
  (text) => {
    expect(parseBackupRetention(text)).toBeUndefined();
  },
);

test('of each period that has backups, the newest is kept', () => {
  const names = [
    at('2026-12-31T02:30:00Z'),
    at('2027-01-31T02:30:00Z'),
    at('2027-02-27T02:30:00Z'),
    at('2027-02-28T02:30:00Z'), // a Sunday
    at('2027-03-01T02:30:00Z'), // a Monday
    at('2027-03-02T02:30:00Z'),
    at('2027-03-02T14:00:00Z'),
  ];
  const left = (keep: string) => {
    const gone = expendable(names, parseBackupRetention(keep) ?? {});
    return names.filter((name) => !gone.includes(name)).map((name) => name.slice(8, 16));
  };
  expect(left('2d')).toEqual(['20270301', '20270302']);
  expect(left('2w')).toEqual(['20270228', '20270302']);
  expect(left('12m')).toEqual(['20261231', '20270131', '20270228', '20270302']);
  expect(left('1y')).toEqual(['20270302']);
  expect(left('1h')).toEqual(['20270302']);
});

test('other files stay', () => {
  const others = [
    'gateway.backup',
    'gateway-20270230T023000Z.backup',
    '.gateway-20270101T000000Z.backup.part',
    'x',
  ];
  expect(expendable([...others, at('2027-01-01'), at('2027-01-02')], { d: 1 })).toEqual([at('2027-01-01')]);
});

test('the newest backup stays, no more are kept than were asked for, and repeating changes nothing', () => {
  const times = fc.uniqueArray(
    fc.date({ min: new Date('2026-01-01'), max: new Date('2029-01-01'), noInvalidDate: true }),
  );
  const keeps = fc.dictionary(fc.constantFrom('h', 'd', 'w', 'm', 'y'), fc.integer({ min: 1, max: 5 }), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(times, keeps, (dates, keep) => {
      const names = [...new Set(dates.map(backupName))];
      const gone = expendable(names, keep);
      const left = names.filter((name) => !gone.includes(name));
      if (names.length > 0) expect(left).toContain([...names].sort().at(-1));
      expect(left.length).toBeLessThanOrEqual(Object.values(keep).reduce((sum, count) => sum + count, 0));
      expect(expendable(left, keep)).toEqual([]);
    }),
  );
});
