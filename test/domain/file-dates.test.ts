import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateInFileName, nameOfFile } from '../../src/domain/documents/file-dates.js';
import { compose, fold } from '../../src/domain/documents/written-dates.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { anyDay, bound, hostile, locales, partsOf, repeated, spoken } from './written-dates.support.js';

describe('dateInFileName', () => {
  test.each([
    ['licence 2031-07-15.pdf', '2031-07-15'],
    ['permit_15-07-2031.pdf', '2031-07-15'],
    ['07-15-2031 permit.pdf', '2031-07-15'],
    ['20310715-card.pdf', '2031-07-15'],
    ['IMG_20310715_235959.jpg', '2031-07-15'],
    ['2031_07_15', '2031-07-15'],
    ['2031.7.15.pdf', '2031-07-15'],
    ['15.7.2031.pdf', '2031-07-15'],
    ['15 07 2031.pdf', '2031-07-15'],
    ['card 15 - 07 - 2031.pdf', '2031-07-15'],
    ['licence2031-07-15final.pdf', '2031-07-15'],
    ['15 Jul 2031.pdf', '2031-07-15'],
    ['15JUL2031.pdf', '2031-07-15'],
    ['2031-Jul-15.pdf', '2031-07-15'],
    ['July 15, 2031.pdf', '2031-07-15'],
    ['July-15th-2031.pdf', '2031-07-15'],
    ['15_Juli_2031.pdf', '2031-07-15'],
    ['15. März 2031.pdf', '2031-03-15'],
    ['1er août 2031.pdf', '2031-08-01'],
    // As macOS writes it: a letter, then its accent.
    ['1er aou\u0302t 2031.pdf', '2031-08-01'],
    ['15 de julio de 2031.pdf', '2031-07-15'],
    ['2032-02-29.pdf', '2032-02-29'],
    // Both orders mean the same day.
    ['05-05-2031.pdf', '2031-05-05'],
    // The same day twice, or a day that only one reading of the other has.
    ['2031-07-15 (15 Jul 2031).pdf', '2031-07-15'],
    ['2031-07-05 05-07-2031.pdf', '2031-07-05'],
    // Folders are no part of the name.
    ['2020-01-01/licence 2031-07-15.pdf', '2031-07-15'],
    ['C:\\scans\\2020-01-01\\licence 2031-07-15.pdf', '2031-07-15'],
  ])('%s: %s', (name, date) => {
    expect(dateInFileName(name)).toBe(date);
  });

  test.each([
    '',
    'licence.pdf',
    // Day and month, or month and day?
    '05-07-2031.pdf',
    '05.07.2031.pdf',
    '5 7 2031.pdf',
    // Several days, among them those that share digits.
    '2021-07-15 - 2031-07-15.pdf',
    '2031-07-15-2032.pdf',
    '15-07-2031-08-16.pdf',
    // No day of the calendar.
    '2031-02-30.pdf',
    '2031-02-29.pdf',
    '29-02-2031.pdf',
    '20310230.pdf',
    '31 June 2031.pdf',
    '2031-13-13.pdf',
    '13-13-2031.pdf',
    '00-07-2031.pdf',
    '2031-07-00.pdf',
    // Digits of something longer.
    '1203107150.pdf',
    '120310715.pdf',
    '203107155.pdf',
    '12031-07-15.pdf',
    '2031-07-155.pdf',
    '115 Jul 2031.pdf',
    '15 Jul 20311.pdf',
    // Years that no document of today bears, or that are not all there.
    '1899-12-31.pdf',
    '2200-01-01.pdf',
    '15-07-31.pdf',
    '15 Jul 31.pdf',
    // Other forms.
    '2031-07.pdf',
    'July 2031.pdf',
    '15072031.pdf',
    '2031-07_15.pdf',
    '15 Julian 2031.pdf',
    '15 Jul / Aug 2031.pdf',
    // Digits of other scripts.
    '２０３１-０７-１５.pdf',
    '٢٠٣١-٠٧-١٥.pdf',
    // The folder's date is not the file's.
    '2031-07-15/licence.pdf',
  ])('%j: none', (name) => {
    expect(dateInFileName(name)).toBeNull();
  });

  test('finds a day in every form that can mean no other', () => {
    const around = fc.constantFrom('', 'a', ' ', '_', 'scan-', 'licence ', '.pdf', ' (2)');
    fc.assert(
      fc.property(
        anyDay,
        around,
        around,
        fc.constantFrom('-', '.', '/', '_', ' '),
        (day, before, after, by) => {
          const { year, month, date, d, m } = partsOf(day);
          const numeric = Number(d) > 12 || d === m ? [date, month, year].join(by) : day;
          for (const form of [
            day,
            [year, month, date].join(by),
            [year, m, d].join(by),
            year + month + date,
            numeric,
          ]) {
            // In a path, `/` parts folders.
            if (!form.includes('/')) expect(dateInFileName(before + form + after)).toBe(day);
          }
        },
      ),
    );
  });

  test('finds a day with the name of its month, as six languages write it', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...locales), (day, locale) => {
        expect(dateInFileName(`permit ${spoken(day, locale, 'long')}.pdf`)).toBe(day);
      }),
    );
  });

  test('never guesses which number is the day', () => {
    const number = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        number,
        number,
        fc.constantFrom('-', '.', '_', ' '),
        fc.boolean(),
        (one, two, by, padded) => {
          const digits = [one, two].map((part) => String(part).padStart(padded ? 2 : 1, '0'));
          const date = dateInFileName(`permit ${[...digits, '2031'].join(by)}.pdf`);
          expect(date === null).toBe(one !== two);
        },
      ),
    );
  });

  test('answers any name with a day of the calendar or none', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '2031',
        '15',
        '07',
        '7',
        '-',
        '.',
        '_',
        ' ',
        'Jul',
        'août',
        '/',
        '20310715',
        '31',
        '02',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const date = dateInFileName(parts.join(''));
        if (date !== null) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(hostile)('takes no longer than it should for many times %j', async (pattern) => {
    expect(await cpuTimeOf(() => dateInFileName(repeated(pattern)))).toBeLessThan(bound);
  });
});

describe('nameOfFile', () => {
  test.each([
    ['licence.pdf', 'licence'],
    ['licence 2031-07-15.pdf', 'licence 2031-07-15'],
    ['scans/2031/licence.PDF', 'licence'],
    ['C:\\scans\\licence.jpeg', 'licence'],
    ['  Führerschein .pdf ', 'Führerschein'],
    ['archive.tar.gz', 'archive.tar'],
    ['clip.mp4', 'clip'],
    ['archive.7z', 'archive'],
    ['licence', 'licence'],
    // These endings tell no type.
    ['15.07.2031', '15.07.2031'],
    ['Lease of St. Mary', 'Lease of St. Mary'],
    ['letter to J.Doe-Smith', 'letter to J.Doe-Smith'],
    // Where nothing would be left.
    ['.pdf', '.pdf'],
    ['scans/', 'scans/'],
    [' ', ''],
    ['', ''],
  ])('%j: %j', (file, name) => {
    expect(nameOfFile(file)).toBe(name);
  });

  test('fits a line of 255 characters, none of them in half', () => {
    expect(nameOfFile(`${'x'.repeat(300)}.pdf`)).toBe('x'.repeat(255));
    expect(nameOfFile(`${'🚗'.repeat(300)}.pdf`)).toBe('🚗'.repeat(255));
    expect(nameOfFile(`${'x'.repeat(254)} yz.pdf`)).toBe('x'.repeat(254));
  });

  test('is empty only for an empty name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (file) => {
        expect(nameOfFile(file) === '').toBe(file.trim() === '');
      }),
    );
  });
});

describe('fold', () => {
  test('leaves each place where it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(text)).toHaveLength(text.length);
      }),
      { numRuns: 2_000 },
    );
    expect(fold('GÜLTIG jusqu’au\u00a0İ 1–2')).toBe("gultig jusqu'au i 1-2");
  });

  test('knows letters and accents apart from each other as one', () => {
    expect(fold(compose('A\u0308BE\u0301'))).toBe('abe');
  });
});
