import { parseDate } from '../../domain/dates.js';
import type { ImportOptions } from '../../imports/options.js';
import { foldHeader } from './headers.js';

/** An order of day, month and year. */
export type DateOrder = NonNullable<ImportOptions['dateFormat']>;

/** Places of year, month and day in each order. */
const places = { YMD: [0, 1, 2], DMY: [2, 1, 0], MDY: [2, 0, 1] } as const satisfies Record<
  DateOrder,
  readonly number[]
>;

export const dateOrders = Object.keys(places) as readonly DateOrder[];

/** The dates that a text can mean by order. Undated texts, and those that are no dates, have none. */
export type DateReadings = Readonly<Partial<Record<DateOrder, string>>>;

/** The first year that two digits can mean. The last one is 99 years later. */
export const firstShortYear = 1980;

/** Names and abbreviations of months in six languages, folded. */
const months: readonly (readonly string[])[] = [
  ['january', 'januar', 'jaenner', 'janner', 'janvier', 'enero', 'gennaio', 'januari'],
  ['february', 'februar', 'feber', 'fevrier', 'febrero', 'febbraio', 'februari'],
  ['march', 'marz', 'maerz', 'mars', 'marzo', 'maart', 'mrz', 'mrt'],
  ['april', 'avril', 'abril', 'aprile'],
  ['may', 'mai', 'mayo', 'maggio', 'mei'],
  ['june', 'juni', 'juin', 'junio', 'giugno'],
  ['july', 'juli', 'juillet', 'julio', 'luglio'],
  ['august', 'aout', 'agosto', 'augustus'],
  ['september', 'septembre', 'septiembre', 'settembre'],
  ['october', 'oktober', 'octobre', 'octubre', 'ottobre'],
  ['november', 'novembre', 'noviembre'],
  ['december', 'dezember', 'decembre', 'diciembre', 'dicembre'],
];

/** Words that say that something has no end. */
const undatedWords = new Set(
  [
    ...[
      'n/a',
      'na',
      'n.a.',
      'none',
      'never',
      'unlimited',
      'permanent',
      'lifetime',
      'no expiry',
      'indefinite',
    ],
    ...[
      'unbefristet',
      'unbegrenzt',
      'dauerhaft',
      'keine',
      'kein',
      'entfällt',
      'k.a.',
      'nie',
      'ohne',
      'offen',
    ],
    ...['illimité', 'illimitée', 'sans limite', 'indéterminé', 'permanente', 'aucun', 'aucune', 'sans'],
    ...['ilimitado', 'indefinido', 'sin límite', 'sin vencimiento', 'ninguno', 'ninguna', 'nunca'],
    ...['illimitato', 'indeterminato', 'senza scadenza', 'nessuno', 'nessuna', 'mai'],
    ...['onbeperkt', 'onbepaald', 'onbepaalde tijd', 'geen', 'nooit', 'nvt', 'n.v.t.', 'doorlopend'],
  ].map(foldHeader),
);

/** Returns whether a text says that there is no date. */
export const isUndated = (text: string): boolean => {
  const word = foldHeader(text);
  return word === '' ? /^[\s\-–—/?.]*$/.test(text) : undatedWords.has(word);
};

const two = (part: number): string => String(part).padStart(2, '0');

/** Writes a date, if there is such a day. */
function written(year: number, month: number, day: number): string | undefined {
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseDate(text) ? text : undefined;
}

/** Returns the last day of a month. */
const endOf = (year: number, month: number): string | undefined =>
  month >= 1 && month <= 12
    ? written(year, month, new Date(Date.UTC(year, month, 0)).getUTCDate())
    : undefined;

/** Returns the year of four digits, or of two by the window. */
function yearOf(text: string): number | undefined {
  if (text.length === 4) return Number(text);
  if (text.length !== 2) return undefined;
  const year = Math.floor(firstShortYear / 100) * 100 + Number(text);
  return year < firstShortYear ? year + 100 : year;
}

/** Returns the month of a word, if it can be no other. */
function monthOf(word: string): number | undefined {
  const folded = foldHeader(word);
  if (folded.length < 3) return undefined;
  const found = months.flatMap((names, at) =>
    names.some((name) => name.startsWith(folded)) ? [at + 1] : [],
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the same date for any order. */
const inAnyOrder = (date: string | undefined): DateReadings =>
  date === undefined ? {} : Object.fromEntries(dateOrders.map((order) => [order, date]));

/** Reads a date whose month is a word: `31. Dezember 2026`, `Dec 31, 2026`, `décembre 2026`. */
function readWords(text: string): DateReadings {
  const found = new Set((text.match(/\p{L}+/gu) ?? []).flatMap((word) => monthOf(word) ?? []));
  const [month] = found;
  const numbers = text.match(/\d+/g) ?? [];
  // In French, mar. is Tuesday, too.
  if (month === undefined || found.size > 1 || numbers.length === 0 || numbers.length > 2) return {};
  const isFirst = numbers.length === 2 && numbers[0]?.length === 4;
  const [day, year = ''] = isFirst ? [numbers[1], numbers[0]] : [numbers.at(-2), numbers.at(-1)];
  // Two digits after a month may be its day, and any may be a time.
  const isYear = year.length === 4 || (day === undefined ? /['’]\d{2}$/ : /\d{2}$/).test(text);
  const full = isYear ? yearOf(year) : undefined;
  if (full === undefined) return {};
  return inAnyOrder(day === undefined ? endOf(full, month) : written(full, month, Number(day)));
}

/** Days between the origins of the two systems of spreadsheets. */
const daysTo1904 = 1462;

/** Numbers of days that are dates from 1955 to 2201. */
const serials = { first: 20_000, last: 110_000 } as const;

function readSerial(serial: number, is1904: boolean): string | undefined {
  const days = Math.floor(serial) + (is1904 ? daysTo1904 : 0);
  if (days < serials.first || days > serials.last) return undefined;
  return new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Reads a date as people write it. A text that can be read in one way only means the same in any order that can read
 * it; one without the day is the last of its month.
 * @param is1904 true for a workbook that counts days from 1904
 */
export function readDates(text: string, is1904 = false): DateReadings {
  const bare = text
    .trim()
    .slice(0, 60)
    .replace(/(?<=\d)[ T]+\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]\.?m\.?)?Z?$/i, '')
    .replace(/[.,]$/, '');
  if (/^\d{4}-\d{2}-\d{2}$/.test(bare)) return inAnyOrder(parseDate(bare) ? bare : undefined);
  if (/^\d{5}$|^\d{5,6}[.,]\d+$/.test(bare))
    return inAnyOrder(readSerial(Number(bare.replace(',', '.')), is1904));
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(bare);
  if (compact) return inAnyOrder(written(Number(compact[1]), Number(compact[2]), Number(compact[3])));
  const month = /^(\d{1,2})\s*[-./]\s*(\d{4})$/.exec(bare);
  if (month) return inAnyOrder(endOf(Number(month[2]), Number(month[1])));
  const ofYear = /^(\d{4})\s*[-./]\s*(\d{1,2})$/.exec(bare);
  if (ofYear) return inAnyOrder(endOf(Number(ofYear[1]), Number(ofYear[2])));
  const parts = /^(\d{1,4})[-./ ]+(\d{1,2})[-./ ]+(\d{1,4})$/.exec(bare)?.slice(1);
  if (!parts) return /\p{L}/u.test(bare) ? readWords(bare) : {};
  const readings = dateOrders.flatMap((order): [DateOrder, string][] => {
    const [y, m, d] = places[order].map((place) => parts[place] ?? '') as [string, string, string];
    // Hardly anybody writes the year first with two digits.
    const year = order === 'YMD' && y.length < 4 ? undefined : yearOf(y);
    const date =
      year === undefined || m.length > 2 || d.length > 2 ? undefined : written(year, Number(m), Number(d));
    return date === undefined ? [] : [[order, date]];
  });
  return Object.fromEntries(readings);
}

/** The dates of a column, and the orders in which they can be read. */
export class DateColumn {
  /** Orders that read all dates so far. */
  #orders: ReadonlySet<DateOrder> = new Set(dateOrders);
  /** The first date that different orders read differently. */
  #example: { readonly row: number; readonly value: string; readonly readings: DateReadings } | undefined;
  #count = 0;
  #undated = 0;
  #hasShortYears = false;

  /** Adds a cell. What is no date in any order is left to the errors of its row. */
  add(row: number, text: string, is1904: boolean): void {
    if (isUndated(text)) {
      this.#undated++;
      return;
    }
    const readings = readDates(text, is1904);
    const orders = Object.keys(readings) as DateOrder[];
    if (orders.length === 0) return;
    this.#count++;
    this.#orders = new Set(orders.filter((order) => this.#orders.has(order)));
    if (!/\d{4,}/.test(text)) this.#hasShortYears = true;
    if (new Set(Object.values(readings)).size > 1) this.#example ??= { row, value: text.trim(), readings };
  }

  /** The number of dates. */
  get count(): number {
    return this.#count;
  }

  /** The number of cells that are empty, or say that there is no date. */
  get undated(): number {
    return this.#undated;
  }

  get hasShortYears(): boolean {
    return this.#hasShortYears;
  }

  get example() {
    return this.#example;
  }

  /** True if orders read the dates differently, or if only one reads them. */
  get needsOrder(): boolean {
    return this.#example !== undefined || this.#orders.size === 1;
  }

  /** The order that the column proves. Any will do if all of them read its dates alike. */
  get proved(): DateOrder | undefined {
    const [first, ...others] = this.#orders;
    if (first === undefined) return undefined;
    return others.length === 0 || !this.#example ? first : undefined;
  }
}
