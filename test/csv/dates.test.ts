import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DateColumn, isUndated, readDates } from '../../src/csv/import/dates.js';
import { some } from '../fuzz/runs.js';

/** Returns the only date that a text can mean, or those of each order. */
function meaning(text: string, is1904 = false): unknown {
  const readings = readDates(text, is1904);
  const different = [...new Set(Object.values(readings))];
  return different.length > 1 ? readings : different[0];
}

test.each<[string, unknown]>([
  ['2026-12-31', '2026-12-31'],
  ['2026-12-31 10:30', '2026-12-31'],
  ['31.12.2026', '2026-12-31'],
  ['31/12/2026 00:00:00', '2026-12-31'],
  ['12/31/26 10:30 PM', '2026-12-31'],
  ['2026/12/31', '2026-12-31'],
  ['20261231', '2026-12-31'],
  ['05.05.2026', '2026-05-05'],
  ['01/02/2026', { DMY: '2026-02-01', MDY: '2026-01-02' }],
  ['1.2.03', { DMY: '2003-02-01', MDY: '2003-01-02' }],
  ['31.12.79', '2079-12-31'],
  ['31.12.80', '1980-12-31'],
  ['12/2026', '2026-12-31'],
  ['02.2028', '2028-02-29'],
  ['2026-02', '2026-02-28'],
  ['13/2026', undefined],
  ['30.02.2026', undefined],
  ['46387', '2026-12-31'],
  ['46387.4375', '2026-12-31'],
  ['123', undefined],
  ['999999', undefined],
  ['31. Dezember 2026', '2026-12-31'],
  ['Thu, Dec 31, 2026', '2026-12-31'],
  ['31-Dec-26', '2026-12-31'],
  ['1er août 2027', '2027-08-01'],
  ['15 de enero de 2027', '2027-01-15'],
  ['3 marzo 2027', '2027-03-03'],
  ['15 mrt 2027', '2027-03-15'],
  ['März 2027', '2027-03-31'],
  ['mar. 31 décembre 2026', undefined],
  ['mar. 3 mars 2026', '2026-03-03'],
  ['31-Dec', undefined],
  ['15 Mar', undefined],
  ['Dec-26', undefined],
  ["Dec '26", '2026-12-31'],
  ['31 Dec 12h', undefined],
  ['jui 2027', undefined],
  ['Fahrzeug 2027', undefined],
  ['', undefined],
])('%s is %j', (text, expected) => {
  expect(meaning(text)).toEqual(expected);
});

test('numbers of days count from 1904 in such workbooks', () => {
  expect(meaning('44925', true)).toBe('2026-12-31');
});

test('words say in six languages that there is no date', () => {
  const words = [
    'unbefristet',
    'N/A',
    ' - ',
    '',
    'illimité',
    'Indefinido',
    'senza scadenza',
    'onbeperkt',
    'n.v.t.',
  ];
  expect(words.filter((word) => !isUndated(word))).toEqual([]);
  expect(['2026-12-31', 'May', 'x'].filter(isUndated)).toEqual([]);
});

/** Adds the cells of a column. */
function columnOf(...texts: string[]): DateColumn {
  const column = new DateColumn();
  for (const [at, text] of texts.entries()) column.add(at + 2, text, false);
  return column;
}

test.each<[string[], string | undefined]>([
  [['01/02/2026', '31/12/2026'], 'DMY'],
  [['01/02/2026', '12/31/2026'], 'MDY'],
  [['01/02/2026', '2026-12-31', 'Dec 2026', '46387'], undefined],
  [['31/12/2026', '12/31/2026'], undefined],
  [['01/02/2026', 'soon', ''], undefined],
])('the dates %j prove the order %s', (texts, order) => {
  expect(columnOf(...texts).proved).toBe(order);
});

test('a column keeps the first date that orders read differently', () => {
  const column = columnOf('05.05.26', '01.02.2026', '03.04.2026', 'unbefristet', '');
  expect(column).toMatchObject({ count: 3, undated: 2, hasShortYears: true, proved: undefined });
  expect(column.example).toEqual({
    ...{ row: 3, value: '01.02.2026' },
    readings: { DMY: '2026-02-01', MDY: '2026-01-02' },
  });
});

test('any text is read without an error, and any day in its order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => void readDates(text)),
    { numRuns: some(1_000) },
  );
  const days = fc.date({ min: new Date('1980-01-01'), max: new Date('2079-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.constantFrom('.', '/', '-'), (day, sign) => {
      const [year = '', month = '', date = ''] = day.toISOString().slice(0, 10).split('-');
      expect(readDates([date, month, year.slice(2)].join(sign)).DMY).toBe(`${year}-${month}-${date}`);
      expect(readDates([month, date, year].join(sign)).MDY).toBe(`${year}-${month}-${date}`);
    }),
    { numRuns: some(1_000) },
  );
});

test('a month in words is read in six languages with a whole year, and never without one', () => {
  const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-12-31'), noInvalidDate: true });
  const languages = fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'nl');
  const nameOf = (day: Date, language: string) =>
    new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(day);
  fc.assert(
    fc.property(days, languages, days, (day, language, other) => {
      const date = day.toISOString().slice(0, 10);
      const [year = '', month, number] = date.split('-');
      const name = nameOf(day, language);
      expect(meaning(`${Number(number)}. ${name} ${year}`)).toBe(date);
      expect(meaning(`${name} ${number}, ${year}`)).toBe(date);
      expect(meaning(`${number} ${name}`)).toBeUndefined();
      expect(meaning(`${name} ${Number(number)}`)).toBeUndefined();
      const both = meaning(`${nameOf(other, language)} ${number} ${name} ${year}`);
      expect(both).toBe(other.getUTCMonth() + 1 === Number(month) ? date : undefined);
    }),
    { numRuns: some(1_000) },
  );
});
