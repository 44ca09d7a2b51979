import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findExpiryDate, findExpiryDates } from '../../src/domain/documents/expiry-dates.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { anyDay, bound, hostile, locales, partsOf, repeated, spoken } from './written-dates.support.js';

const dateOf = (text: string) => findExpiryDate(text)?.date ?? null;

describe('labels', async () => {
  test.each([
    ...[
      'Expires',
      'expires on',
      'EXPIRES:',
      'Expiry',
      'Expiry date',
      'Expiration',
      'Expiration date',
      'Will expire on',
    ],
    ...['Exp.', 'EXP', 'Exp date', 'Exp. Date:', 'Date of expiry', 'Date of Expiration', 'Policy EXP'],
    ...['Valid until', 'Valid to', 'Valid through', 'Valid thru', 'Valid till', 'Good through', 'Good until'],
    ...['Not After :', 'Not valid after', 'Expiry date of this certificate', 'Expires at the end of'],
    ...[
      'Gültig bis',
      'GÜLTIG BIS',
      'gültig bis zum',
      'gueltig bis',
      'Gültigkeit bis',
      'Ablaufdatum',
      'Verfallsdatum',
    ],
    ...[
      "Date d'expiration",
      'Date d’expiration :',
      'DATE D EXPIRATION',
      "Valable jusqu'au",
      'Valable jusqu’au',
    ],
    ...['Expire le', 'Fin de validité :', 'Date limite de validité', "Date d'échéance"],
    ...[
      'Fecha de caducidad',
      'Fecha de vencimiento',
      'Válido hasta',
      'Válida hasta el',
      'VALIDO HASTA',
      'Caduca el',
      'Expira el',
    ],
    ...['Data di scadenza', 'Scadenza:', 'Scade il', 'Valido fino al', 'Valida fino al'],
    ...['Geldig tot', 'Geldig tot en met', 'Vervaldatum', 'Verloopt op'],
    'Date of expiry / Date d’expiration / Fecha de caducidad (dd/mm/yyyy)',
  ])('%s', (label) => {
    for (const gap of [' ', ': ', '\n', '\t', '   ', '\r\n\r\n']) {
      expect(findExpiryDate(`Permit\n${label}${gap}2031-07-15\nHolder: Bo`)).toMatchObject({
        date: '2031-07-15',
      });
    }
  });

  test.each([
    'Date of issue: 2031-07-15',
    'Issued 2031-07-15',
    'Date of birth 15.07.2031',
    'Valid from 15.07.2031',
    '2031-07-15',
    'Berlin, 15 July 2031',
    'Not valid until 2031-07-15',
    'nicht gültig bis 15.07.2031',
    'This licence never expires. 2031-07-15',
    'Expired 2031-07-15',
    'Validity 2031-07-15',
    'Unexpires 2031-07-15',
    // Without a date, or with one that belongs to something else.
    'Expiry date: n/a Next review: 12 May 2029',
    'Gültig bis auf Weiteres, nächste Prüfung 15.05.2029',
    'Expires never Next medical 01 June 2029',
    'Valid within one year of 15 May 2029',
    'Your password for the portal\nexpires on 15 May 2029.',
    'The first password must be changed. It expires on 15 May 2029.',
    'Spouse’s passport expires: 15 May 2029',
    'OMB No. 1615-0047; Expires 10/31/2027',
    'Facture\nDate d’échéance 15/02/2027',
    'Issued in place of certificate 7 valid until 15 May 2029',
    'Inspection report\nWarranty valid until 15 May 2029',
    'Not valid until renewed',
    'Not valid until renewed. Issued 15 July 2031',
    'Valid until revoked. 15 July 2031',
    'Valid until further notice, Berlin, 15.07.2031',
    'Gültig bis auf Widerruf, Berlin, den 15.07.2031',
    'Expires: see reverse. Issued 15 July 2031',
    'Expires five years after 15 July 2031',
    'Expiry date must be later than that of issue, 15 July 2031',
    'Expires / Issued: 2031-07-15',
    'Ten years exp. at the port of Bremen, 15 July 2031',
    'Expires in 5 years: 2031-07-15',
    `Expires ${'.'.repeat(60)} 2031-07-15`,
    'Expires\n\nHolder: Bo\n2031-07-15',
    'Expires\nBorn 2031-07-15',
  ])('none: %j', (text) => {
    expect(findExpiryDate(text)).toBeNull();
  });
});

describe('dates', () => {
  test.each([
    ['Expires 2031-07-15T23:59:59Z', '2031-07-15'],
    ['Expires 2031/07/15', '2031-07-15'],
    ['Expires 20310715', '2031-07-15'],
    ['Expires 15/07/2031', '2031-07-15'],
    ['Expires 07/15/2031', '2031-07-15'],
    ['Expires 15 / 07 / 2031', '2031-07-15'],
    ['Expires 15‑07‑2031', '2031-07-15'],
    ['Expires 05.07.2031', '2031-07-05'],
    ['Gültig bis 5. 7. 2031', '2031-07-05'],
    ['Expires 15 JUL 2031', '2031-07-15'],
    ['Expires JUL 15, 2031', '2031-07-15'],
    ['Expires 15JUL2031', '2031-07-15'],
    ['Expires 15-Jul-2031', '2031-07-15'],
    ['Expires Tuesday, 15th of July, 2031', '2031-07-15'],
    ['Expires Tues. July 15th 2031', '2031-07-15'],
    ['Valid until 15\u00a0July\n2031', '2031-07-15'],
    ['The licence is valid\nuntil 15\nJuly 2031.', '2031-07-15'],
    ['Date of expiry / Date d’expiration\n15 JUL / JUIL 2031', '2031-07-15'],
    ['Gültig bis 15. Juli 2031', '2031-07-15'],
    ["Valable jusqu'au 15 juillet 2031", '2031-07-15'],
    ["Valable jusqu'au 1er août 2031", '2031-08-01'],
    ['Válido hasta el 15 de julio de 2031', '2031-07-15'],
    ['Scade il 1º luglio 2031', '2031-07-01'],
    ['Geldig tot 15 mrt 2031', '2031-03-15'],
    // Which number is the day: the label's language or a note says it.
    ['Gültig bis 05/07/2031', '2031-07-05'],
    ['Expire le 05/07/2031', '2031-07-05'],
    ['Vence 05-07-2031', '2031-07-05'],
    ['Scadenza 05/07/2031', '2031-07-05'],
    ['Geldig tot 05-07-2031', '2031-07-05'],
    ['Fecha de caducidad / Date d’expiration 05/07/2031', '2031-07-05'],
    ['Expires 05/07/2031 (DD/MM/YYYY)', '2031-07-05'],
    ["Date d'expiration 05/07/2031 (MM/JJ/AAAA)", '2031-05-07'],
    ['Expires (DD/MM/YYYY): 05/07/2031', '2031-07-05'],
    ['Expires (MM/DD/YYYY): 05/07/2031', '2031-05-07'],
    ['Expires 05/05/2031', '2031-05-05'],
    // Of a month, the last day counts.
    ['Expires July 2031', '2031-07-31'],
    ['VALID THRU 02/2032', '2032-02-29'],
    // A year of two digits, where the label puts the day first.
    ['Gültig bis 15.07.31', '2031-07-15'],
    ["Date d'expiration 07/11/32", '2032-11-07'],
    ['Expires 05/07/2031 (5 July 2031)', '2031-07-05'],
  ])('%j: %s', (text, date) => {
    expect(dateOf(text)).toBe(date);
  });

  test.each([
    'Expires 05/07/2031',
    'Expires 05-07-2031',
    'Expiry date / Date d’expiration 05/07/2031',
    'Expires 15/07/31',
    'Exp. 07/31',
    'Expires 2031-02-30',
    'Expires 2031-02-30 or 2031-07-15',
    'Expires 9999-12-31',
    'Expires 12031-07-15',
    'Expires ２０３１-０７-１５',
  ])('none: %j', (text) => {
    expect(findExpiryDate(text)).toBeNull();
  });
});

describe('several dates', () => {
  test.each([
    ['Issued 2021-07-15\nExpires 2031-07-15', '2031-07-15'],
    ['Expires 2031-07-15    Issued 2021-07-15', '2031-07-15'],
    ['Valid until: 31.12.2031 (issued 01.01.2021)', '2031-12-31'],
    ['Expires 2031-07-15\n2026-11-20 Page 1', '2031-07-15'],
    ['Expires 2031-07-15. Page 2. Valid until 15 July 2031.', '2031-07-15'],
    ['Valid until 31 December 2026, extended to 31 December 2028.', '2028-12-31'],
    ['Expires on 31 December 2028 or 15 March 2027, whichever is earlier.', '2027-03-15'],
    ['Gültig bis 31.12.2028 oder 15.03.2027, je nachdem, was später eintritt', '2028-12-31'],
    ['Policy period: 01.01.2027 to 31.12.2027', '2027-12-31'],
    ['Valable du 1er janvier 2027 au 31 décembre 2027', '2027-12-31'],
    ['WARRANTY CERTIFICATE\nWarranty valid until 15 May 2029', '2029-05-15'],
    // Captions below and above their dates.
    ['12345\nNummer\n15.07.2031\nGültig bis\n01.08.2027\nAusgestellt am', '2031-07-15'],
    ['Nummer\n12345\nGültig bis\n15.07.2031\nAusgestellt am\n01.08.2027', '2031-07-15'],
    ['15.07.2031\nGültig bis', '2031-07-15'],
    // CSV.
    ['Name;Dokument;Gültig bis\nBo;Pass;15.07.2031', '2031-07-15'],
    ['Name,Document,Expires,Next audit\nBo,"Passport, new",2031-07-15,2029-01-01\n', '2031-07-15'],
    // A table, its columns apart.
    ['Issued\tExpires\tHolder\n2021-07-15\t2031-07-15\tBo', '2031-07-15'],
    ['Document    Expires\nPassport    2031-07-15\nVisa    2031-07-15', '2031-07-15'],
  ])('%j: %s', (text, date) => {
    expect(dateOf(text)).toBe(date);
  });

  test.each([
    'Expires 2031-07-15\nExpires 2032-07-15',
    'Expires 05/07/2031\nExpires 2031-08-15',
    'Issued / Expires: 2021-07-15 / 2031-07-15',
    'Issued and expires: 2021-07-15 and 2031-07-15',
    'Issued Expires 2021-07-15 2031-07-15',
    'Issued Expires\n2021-07-15 2031-07-15',
    'Issued\nExpires\n2021-07-15\n2031-07-15',
    'Issued\tExpires\t2021-07-15\t2031-07-15',
    'Expires 2031-07-15-2032',
    'Start\tExpires\n2021-07-15',
    'Expires\tHolder\nBo\t2021-07-15',
    'Document\tExpires\nPassport\t2031-07-15\nVisa\t2027-07-15',
  ])('none: %j', (text) => {
    expect(findExpiryDate(text)).toBeNull();
  });
});

describe('the words around', () => {
  test.each([
    ['Expires 2031-07-15', 'Expires 2031-07-15'],
    [
      'Licence no. 7 of the port.\nIt EXPIRES on:\n 15 July\n2031, at noon sharp.',
      'the port. It EXPIRES on: 15 July 2031, at noon sharp.',
    ],
    ['Gu\u0308ltig bis\u0000:\u00a02031-07-15', 'Gültig bis : 2031-07-15'],
  ])('%j: %j', (text, from) => {
    expect(findExpiryDate(text)?.from).toBe(from);
  });

  test('are the label and the date alone when those are far apart', () => {
    const columns = Array.from({ length: 20 }, (_, index) => `Column ${index}`).join('\t');
    const cells = columns.replaceAll('Column', 'Cell');
    expect(findExpiryDate(`Expires\t${columns}\n2031-07-15\t${cells}`)?.from).toBe('Expires … 2031-07-15');
  });

  test('fit one line of text', () => {
    const words = fc.array(
      fc.oneof(fc.constantFrom(' ', '\n', '\0', '🚗', '\ud83d'), fc.string({ unit: 'binary' })),
    );
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = `${before.join('')} Expires 2031-07-15 ${after.join('')}`;
        const { from = '' } = findExpiryDate(text) ?? {};
        expect(from.length).toBeLessThanOrEqual(120);
        expect(from).toMatch(/^([^\p{Cc}]*Expires 2031-07-15[^\p{Cc}]*)?$/u);
        expect(from.isWellFormed()).toBe(true);
      }),
    );
  });
});

test('finds a day as sixteen countries write it', () => {
  fc.assert(
    fc.property(
      anyDay,
      fc.constantFrom(...locales),
      fc.constantFrom('long', 'medium'),
      (day, locale, style) => {
        expect(dateOf(`Valid until: ${spoken(day, locale, style)}.`)).toBe(day);
      },
    ),
  );
});

test('reads numbers parted by slashes by the language of the label, and no English ones', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const { year, month, date } = partsOf(day);
      const text = `${date}/${month}/${year}`;
      expect(dateOf(`Gültig bis ${text}`)).toBe(day);
      expect(dateOf(`Valid until ${text}`)).toBe(Number(date) > 12 || date === month ? day : null);
    }),
  );
});

test('answers any text with a day of the calendar or none', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'Expires',
      'Valid until ',
      'gültig bis ',
      'Issued ',
      '2031-07-15',
      '15/07/2031',
      '5.7.2031',
    ),
    fc.constantFrom('15 Jul 2031', '31', '2031', '-', '/', ' ', '\n', '\t', '  ', ': ', ' / ', 'Bo', 'not '),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
      const date = dateOf(parts.join(''));
      if (date !== null) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    }),
    { numRuns: 2_000 },
  );
});

test('a column of dates below a label ends with the next label', () => {
  const wanted = (text: string) => findExpiryDates(text, () => true)?.map(({ date }) => date);
  expect(wanted('Expires\n2031-07-15\n2032-07-15\n')).toEqual(['2031-07-15', '2032-07-15']);
  expect(wanted('2030-07-15 Expires\n2031-07-15 Expires\n2032-07-15\n')).toEqual([
    '2031-07-15',
    '2032-07-15',
  ]);
  expect(wanted('Expires\n2031-07-15 will expire some day\n2032-07-15\n')).toEqual(['2031-07-15']);
});

test('more than a hundred days mean nothing', () => {
  const days = Array.from({ length: 101 }, (_, at) =>
    new Date(1.8e12 + 864e5 * at).toISOString().slice(0, 10),
  );
  const text = days.map((day) => `Expires ${day}\n`).join('');
  expect(findExpiryDates(text, () => true)).toBeNull();
  expect(findExpiryDates(text, (day) => day > (days[0] ?? ''))?.map(({ date }) => date)).toEqual(
    days.slice(1),
  );
});

describe('limits', () => {
  test('searches the first 200,000 characters', () => {
    const label = 'Expires 2031-07-15';
    expect(dateOf(`${'x '.repeat(100_000 - label.length / 2)}${label}`)).toBe('2031-07-15');
    expect(dateOf(`${'x '.repeat(100_000)}${label}`)).toBeNull();
  });

  test.each(hostile)('takes no longer than it should for many times %j', async (pattern) => {
    expect(await cpuTimeOf(() => findExpiryDate(repeated(pattern)))).toBeLessThan(bound);
  });

  test('takes no longer than it should for tables full of labels', async () => {
    const heads = `${'exp '.repeat(10)}\t`.repeat(2_000);
    const rows = `${'2031-07-15\t'.repeat(2_000)}\n`.repeat(5);
    expect(await cpuTimeOf(() => findExpiryDate(`${heads}\n${rows}`))).toBeLessThan(bound);
    const days = Array.from({ length: 9_000 }, (_, at) =>
      new Date(1.8e12 + 864e5 * at).toISOString().slice(0, 10),
    );
    expect(await cpuTimeOf(() => findExpiryDates(days.join(' Expires\n'), () => true))).toBeLessThan(bound);
    expect(
      await cpuTimeOf(() => findExpiryDate(`${'exp\n'.repeat(9)}${repeated('2031-07-15\n')}`)),
    ).toBeLessThan(bound);
  });
});
