import { parseDate } from '../dates.js';

/** A part of a text, from one position to another. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the first span in a sorted list from `start` on (binary search). Returns the list's length if there
 * is none.
 */
export function indexFrom(places: readonly TextSpan[], start: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.start ?? start) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Folded names of months in English, German, French, Spanish, Italian and Dutch, including short forms. */
const names = [
  'january januar janner jaenner janvier enero gennaio januari jan janv ene gen',
  'february februar fevrier febrero febbraio februari feb febr fev fevr',
  'march marz maerz mars marzo maart mar mrz mrt',
  'april avril abril aprile apr avr abr',
  'may mai mayo maggio mei mag',
  'june juni juin junio giugno jun giu',
  'july juli juillet julio luglio jul juill juil lug',
  'august aout agosto augustus aug ago',
  'september septembre septiembre setiembre settembre sept sep sett set',
  'october oktober octobre octubre ottobre oct okt ott',
  'november novembre noviembre nov',
  'december dezember decembre diciembre dicembre dec dez dic',
];
const months = new Map(names.flatMap((line, index) => line.split(' ').map((name) => [name, index + 1])));

// Separators between a day, a month's name and a year, and between numbers.
const gap = String.raw`[\s.,/_-]{0,3}`;
const separator = '[-./_ ]| [-./_] ';
const name = `(?:${[...months.keys()].sort((one, two) => two.length - one.length).join('|')})`;

/**
 * The forms of a date in folded text. Each is a lookahead, so that dates that share digits are both found.
 * None has an unbounded repetition, so that the search takes linear time.
 */
const forms = [
  // 2031-07-15, 2031.7.15
  String.raw`(?<!\d)(?<year>\d{4})(?<by>${separator})(?<month>\d{1,2})\k<by>(?<day>\d{1,2})(?!\d)`,
  // 20310715
  String.raw`(?<!\d)(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?!\d)`,
  // 15/07/2031, 07/15/2031, 15. 7. 2031
  String.raw`(?<!\d)(?<one>\d{1,2})(?<by>${separator}|[.] )(?<two>\d{1,2})\k<by>(?<year>\d{4})(?!\d)`,
  // 15 July 2031, 15. Juli 2031, 1er août 2031, 15 de julio de 2031, 15JUL2031, 15 JUL / JUIL 2031
  String.raw`(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|e|[ºª°])?${gap}(?:of |de |d')?` +
    String.raw`(?<name>${name})(?: ?/ ?(?<alias>${name}))?(?!\p{L})${gap}(?:of |del? )?(?<year>\d{4})(?!\d)`,
  // July 15, 2031
  String.raw`(?<!\p{L})(?<name>${name})${gap}(?<day>\d{1,2})(?:st|nd|rd|th)?[\s.,/_-]{1,3}(?<year>\d{4})(?!\d)`,
  // 2031 July 15
  String.raw`(?<!\d)(?<year>\d{4})(?<by>[-./_ ]?)(?<name>${name})\k<by>(?<day>\d{1,2})(?!\d)`,
].map((form) => new RegExp(`(?=(?<date>${form}))`, 'gu'));

/** Forms that are dates only right after a label. The year has two digits, or the day is missing. */
const shortForms = [
  // 15.07.31, 15/07/31
  String.raw`(?<![\d./-])(?<one>\d{1,2})(?<by>[-./]|[.] )(?<two>\d{1,2})\k<by>(?<short>\d{2})(?![\d./-]?\d)`,
  // 15 Jul 31
  String.raw`(?<!\d)(?<day>\d{1,2})[. -]{1,2}(?<name>${name})[. -]{1,2}(?<short>\d{2})(?!\d)`,
  // 07/2031, 07.2031
  String.raw`(?<![\d./-])(?<month>\d{1,2}) ?[./-] ?(?<year>\d{4})(?![./-]?\d)`,
  // July 2031
  String.raw`(?<!\d[\s.,/_-]{0,3}|\p{L})(?<name>${name})[.,/ -]{1,2}(?<year>\d{4})(?!\d)`,
].map((form) => new RegExp(`(?=(?<date>${form}))`, 'gu'));

/** A date as it is written in a text. */
export interface WrittenDate {
  readonly start: number;
  readonly end: number;
  /**
   * Possible days, as `YYYY-MM-DD`. There are two if the order is ambiguous, with the day-first reading
   * first.
   */
  readonly readings: readonly string[];
  /** True if dots separate its numbers. */
  readonly dotted: boolean;
  /** True if its day is missing, so that the last of the month counts. */
  readonly isMonth: boolean;
}

/**
 * Composes each letter and its following accent into one character. File names of macOS have them separately.
 * Normalizing the whole text would take time proportional to the square of its longest run of accents.
 */
export function compose(text: string): string {
  return text.replace(/[A-Za-z][\u0300-\u036f]/g, (pair) => pair.normalize('NFC'));
}

/**
 * Folds a text to lower case without accents. Spaces, hyphens and apostrophes become plain; positions stay
 * the same.
 */
export function fold(text: string): string {
  return (
    text
      .replace(/[A-Z\u00c0-\u024f]/g, (letter) => (letter.normalize('NFD')[0] ?? letter).toLowerCase())
      .replace(/\p{Zs}/gu, ' ')
      .replace(/[‐‑‒–—−]/g, '-')
      // The last two are Windows' apostrophes in text that is otherwise Latin-1.
      .replace(/[‘’ʼ´`\u0091\u0092]/g, "'")
  );
}

/**
 * Returns a day as `YYYY-MM-DD` if it exists between 1900 and 2199. Today's documents have no other years.
 */
function day(year: number, month: number, day: number): string[] {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return year >= 1900 && year < 2200 && parseDate(text) ? [text] : [];
}

/** Returns the last day of a month. */
const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

function readings(groups: Record<string, string | undefined>): string[] {
  const year = groups.short === undefined ? Number(groups.year) : 2000 + Number(groups.short);
  if (groups.one !== undefined && groups.short !== undefined) {
    const [one, two, three] = [Number(groups.one), Number(groups.two), Number(groups.short)];
    return [...new Set([...day(year, two, one), ...day(year, one, two), ...day(2000 + one, two, three)])];
  }
  if (groups.one !== undefined) {
    const [one, two] = [Number(groups.one), Number(groups.two)];
    return [...new Set([...day(year, two, one), ...day(year, one, two)])];
  }
  const month = groups.name === undefined ? Number(groups.month) : (months.get(groups.name) ?? 0);
  const agrees = groups.alias === undefined || months.get(groups.alias) === month;
  if (groups.day === undefined) return day(year, month, lastOf(year, month));
  return agrees ? day(year, month, Number(groups.day)) : [];
}

/** Finds the dates of one form. */
function datesOf(form: RegExp, folded: string): WrittenDate[] {
  return [...folded.matchAll(form)]
    .map(({ index, groups = {} }) => ({
      start: index,
      end: index + (groups.date ?? '').length,
      readings: readings(groups),
      dotted: groups.by?.trim() === '.',
      isMonth: groups.day === undefined && groups.one === undefined,
    }))
    .filter((date) => date.readings.length > 0);
}

/**
 * Finds the dates in a folded text, in the order of their positions. Numbers are separated by `-`, `.`, `/`,
 * `_` or a space; or there are eight digits with the year first, or a month's name in six languages. Years
 * have four digits, 1900 to 2199, and digits next to further digits are not a date. It takes linear time.
 */
export function writtenDates(folded: string): WrittenDate[] {
  return forms.flatMap((form) => datesOf(form, folded)).sort((one, two) => one.start - two.start);
}

/**
 * Finds what is a date only right after a label. It is `15.07.31`, or a month, whose last day counts (`07/2031`). They overlap none of the other dates.
 * @param dates those that `writtenDates` finds
 */
export function shortDates(folded: string, dates: readonly WrittenDate[]): WrittenDate[] {
  return shortForms
    .flatMap((form) => datesOf(form, folded))
    .sort((one, two) => one.start - two.start)
    .filter(({ start, end }) => {
      const next = dates[indexFrom(dates, start)];
      const previous = dates[indexFrom(dates, start) - 1];
      return (!next || next.start >= end) && (!previous || previous.end <= start);
    });
}

/** Returns the one day that all dates can mean. Null unless there is exactly one. */
export function agreedDate(dates: ReadonlyArray<Pick<WrittenDate, 'readings'>>): string | null {
  const [first, ...others] = dates;
  const common =
    first?.readings.filter((day) => others.every(({ readings }) => readings.includes(day))) ?? [];
  return common.length === 1 ? (common[0] ?? null) : null;
}
