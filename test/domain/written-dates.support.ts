import fc from 'fast-check';
import { formatDate } from '../../src/domain/dates.js';

/** A day written in a document. */
export const anyDay = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(formatDate);

/** Its parts with two digits, and without leading zeros. */
export function partsOf(day: string) {
  const [year = '', month = '', date = ''] = day.split('-');
  return { year, month, date, m: String(Number(month)), d: String(Number(date)) };
}

/** Returns a day as people of a language write it, by Unicode's locale data. */
export function spoken(day: string, locale: string, dateStyle: 'long' | 'medium'): string {
  return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(new Date(day));
}

export const locales = [
  ...['en-US', 'en-GB', 'en-CA', 'en-AU', 'de', 'de-AT', 'de-CH', 'fr', 'fr-CA', 'fr-CH'],
  ...['es', 'es-MX', 'it', 'it-CH', 'nl', 'nl-BE'],
];

/** Texts that make a search slow: each is repeated up to this many characters. */
export const hostile = [
  ...[
    '1',
    '1.',
    '15-',
    '15 jul ',
    'jan',
    '2031-07-15 ',
    '15/07/2031 ',
    '20310715',
    'ä',
    'A\u0315\u0300',
    '\u0300',
  ],
  ...[' ', '\t', '\n', ' \n', '(', 'expires ', 'exp ', 'valid        ', "date d' ", 'not ', 'expires ((((('],
  ...['expires\n2031-07-15\n', 'expires\t2031-07-15\n', 'expires 2031-07-15\t', 'expires of the date '],
  ...['2031-07-15 expires\n', '2031-07-15\texpires\n', 'expires 2031-07-15\n\n'],
];
export const repeated = (pattern: string, length = 200_000) =>
  pattern.repeat(Math.ceil(length / pattern.length));

/** Processor milliseconds that a search of hostile text may take, about fifty times what it takes. */
export const bound = 8_000;
