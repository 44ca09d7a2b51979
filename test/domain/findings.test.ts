import { expect, test } from 'vitest';
import { trustedDate } from '../../src/domain/documents/finding.js';
import {
  findDetails,
  layOut,
  type PagePart,
  placeInText,
  type SourcedPage,
} from '../../src/domain/documents/findings.js';

const today = new Date('2026-11-25T00:00:00Z');

/** Makes a recognized page of lines; each word has the same confidence and a tenth of the page's width. */
function pageOf(lines: readonly string[], confidence = 96, page = 1): SourcedPage {
  const parts = lines.flatMap((line, row) =>
    line.split(' ').map((word, index): PagePart => {
      const before = index > 0 ? ' ' : row > 0 ? '\n' : '';
      return [word, before, confidence, index / 10, row / 10, 0.08, 0.05];
    }),
  );
  return { page, parts, codes: [], source: 'OCR' };
}

const datesIn = (...pages: SourcedPage[]) => findDetails(pages, today).map(({ value }) => value);

test('a date has the box of its words, and what is around it', () => {
  expect(findDetails([pageOf(['Licence', 'Valid until: 15 July 2031'])], today)).toEqual([
    {
      ...{ field: 'expiration_date', value: '2031-07-15', confidence: 95, source: 'OCR', page: 1 },
      box: { x: 0.2, y: 0.1, width: expect.closeTo(0.28), height: expect.closeTo(0.05) },
      words: 'Licence Valid until: 15 July 2031',
    },
  ]);
});

test.each([
  'Printed 15 July 2031',
  'Date of birth: 15 July 2031',
  'Valid until: 15 July 2021',
  'Valid until: 26 November 2056',
  'Valid until: 05/07/2031',
])('suggests no date: %s', (line) => {
  expect(datesIn(pageOf(['Certificate', line]))).toEqual([]);
});

test('a date is suggested up to 30 years ahead, from today on', () => {
  expect(datesIn(pageOf(['Valid until: 25 November 2056']))).toEqual(['2056-11-25']);
  expect(datesIn(pageOf(['Valid until: 25 November 2026']))).toEqual(['2026-11-25']);
});

test.each([
  [96, ['2031-07-15'], '2031-07-15'],
  [84, ['2031-07-15'], null],
  [49, [], null],
])('a confidence of %i suggests %j and trusts %s', (confidence, suggested, trusted) => {
  const found = findDetails([pageOf(['Valid until: 15 July 2031'], confidence)], today);
  expect(found.map(({ value }) => value)).toEqual(suggested);
  expect(trustedDate(found)).toBe(trusted);
});

test('of two dates both are suggested, and none is trusted', () => {
  const found = findDetails(
    [pageOf(['Valid until: 15 July 2031']), pageOf(['Expires: 16 August 2032'], 96, 2)],
    today,
  );
  expect(found.map(({ value, page }) => [value, page])).toEqual([
    ['2031-07-15', 1],
    ['2032-08-16', 2],
  ]);
  expect(trustedDate(found)).toBeNull();
});

test('a date beside which another one could be meant is not trusted', () => {
  const found = findDetails([pageOf(['Valid until: 15 July 2031', 'Next visit 1 March 2027'])], today);
  expect(found).toMatchObject([{ value: '2031-07-15', confidence: 80 }]);
  expect(trustedDate(found)).toBeNull();
});

test('a machine-readable zone is sure with its check digits, and comes before what is written', () => {
  const zone = [
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ];
  const before = new Date('2010-01-01');
  const page = pageOf(['Date of expiry 15 April 2013', ...zone], 40);
  expect(
    findDetails([page], before).map(({ field, value, confidence, source }) => [
      field,
      value,
      confidence,
      source,
    ]),
  ).toEqual([
    ['expiration_date', '2012-04-15', 100, 'MRZ'],
    ['document_number', 'L898902C3', 100, 'MRZ'],
    ['name', 'ANNA MARIA ERIKSSON', 70, 'MRZ'],
  ]);
  const wrong = pageOf([zone[0] ?? '', (zone[1] ?? '').replace('120415', '120515')]);
  expect(findDetails([wrong], before)).toEqual([]);
});

test('a name in a zone has no check digit: fillers are cut off, and the page may confirm it', () => {
  const zone = [
    'P<UTOERIKSSON<<ANNA<MARIAKKKKLKKKKKKCKKKKKKK',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ];
  const before = new Date('2010-01-01');
  const nameIn = (...lines: string[]) =>
    findDetails([pageOf([...lines, ...zone])], before).find(({ field }) => field === 'name');
  expect(nameIn()).toMatchObject({ value: 'ANNA MARIA ERIKSSON', confidence: 70 });
  expect(nameIn('Eriksson', 'Anna Maria')).toMatchObject({ confidence: 95 });
  expect(nameIn('Eriksson', 'Hanna Maria')).toMatchObject({ confidence: 70 });
});

test('a code on another page does not silence a written date, and neither is trusted', () => {
  const zone = [
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ];
  const found = findDetails(
    [pageOf(['Certificate', 'Valid until: 15 July 2011']), pageOf(zone, 96, 2)],
    new Date('2010-01-01'),
  );
  const dates = found.filter(({ field }) => field === 'expiration_date');
  expect(dates.map(({ value, page }) => [value, page]).sort()).toEqual([
    ['2011-07-15', 1],
    ['2012-04-15', 2],
  ]);
  expect(trustedDate(found)).toBeNull();
});

test('a part of a page has its place, however many pieces it consists of', () => {
  const parts = Array.from(
    { length: 200_000 },
    (_, at): PagePart => ['x', '', 90, at / 200_000, 0.5, 1 / 200_000, 0.1],
  );
  const laid = layOut(parts);
  const whole = {
    confidence: 90,
    box: { x: 0, y: 0.5, width: expect.closeTo(1), height: expect.closeTo(0.1) },
  };
  expect(placeInText(laid, 0, 200_000)).toEqual(whole);
  expect(placeInText(laid, 100_000, 100_002).box?.x).toBeCloseTo(0.5);
  expect(placeInText(laid, 200_000, 200_001)).toEqual({ confidence: 100, box: null });
});
