import { formatDate, parseDate } from '../dates.js';

/** Content of a code on a document, checked by its check digits. */
export interface CodedDocument {
  /** Last valid day, as `YYYY-MM-DD`; null if the document never expires. */
  readonly expires: string | null;
  /** Number of the document. */
  readonly number: string | null;
  /** Name of its holder, given names first. */
  readonly holder: string | null;
}

/** Place of a value in a zone: line, first column, and one past the last. */
type Place = readonly [line: number, from: number, to: number];

/** Layout of a zone (ICAO 9303, parts 4 to 7). A value's check digit is in the column after it. */
interface Layout {
  readonly lines: number;
  readonly columns: number;
  readonly number: Place;
  readonly birth: Place;
  readonly expires: Place;
  readonly names: Place;
  /** The parts that the last check digit covers, and its place. */
  readonly composite: { readonly parts: readonly Place[]; readonly digit: Place };
}

const twoLines = (columns: number, digit: number): Layout => ({
  lines: 2,
  columns,
  number: [1, 0, 9],
  birth: [1, 13, 19],
  expires: [1, 21, 27],
  names: [0, 5, columns],
  composite: {
    parts: [
      [1, 0, 10],
      [1, 13, 20],
      [1, 21, digit],
    ],
    digit: [1, digit, digit + 1],
  },
});

const layouts: readonly Layout[] = [
  {
    lines: 3,
    columns: 30,
    number: [0, 5, 14],
    birth: [1, 0, 6],
    expires: [1, 8, 14],
    names: [2, 0, 30],
    composite: {
      parts: [
        [0, 5, 30],
        [1, 0, 7],
        [1, 8, 15],
        [1, 18, 29],
      ],
      digit: [1, 29, 30],
    },
  },
  twoLines(36, 35),
  twoLines(44, 43),
];

/** Computes the check digit of a text (ICAO 9303-3, section 4.9). */
export function checkDigit(text: string): string {
  const values = [...text].map((sign) => (sign === '<' ? 0 : Number.parseInt(sign, 36)));
  return String(values.reduce((sum, value, index) => sum + value * ([7, 3, 1][index % 3] ?? 1), 0) % 10);
}

/** Letters that text recognition takes for digits. Where only digits can be, the digit was meant. */
const lookalikes: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};
const toDigits = (text: string) => text.replace(/[OQDILZSGB]/g, (letter) => lookalikes[letter] ?? letter);

/**
 * Finds the century of a year of two digits: the nearest to today.
 * @returns null if there is no such day
 */
export function nearestDay(text: string, today: Date): string | null {
  const now = today.getUTCFullYear();
  const year = [0, 100, -100]
    .map((shift) => Math.floor(now / 100) * 100 + shift + Number(text.slice(0, 2)))
    .sort((one, other) => Math.abs(one - now) - Math.abs(other - now))[0];
  const day = `${year}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  return /^\d{6}$/.test(text) && parseDate(day) ? day : null;
}

/** Fillers at the end of a line that recognition takes for letters: `KKKKLKK`, `CCCC`. */
const filledEnd = /([KCLESG])\1\1[KCLESG<]*$/;

/** Writes names as people do: `BERG<<BO<LARS` is `BO LARS BERG`. */
function nameOf(zone: string): string | null {
  const text = zone.replace(filledEnd, '');
  const [last = '', first = ''] = text.split('<<').map((part) => part.replaceAll('<', ' ').trim());
  return `${first} ${last}`.trim() || null;
}

function readZone(layout: Layout, sent: readonly string[], today: Date): CodedDocument | null {
  const lines = [...sent];
  const at = ([line, from, to]: Place) => (lines[line] ?? '').slice(from, to);
  const mend = (line: number, from: number, to: number) => {
    const text = lines[line] ?? '';
    lines[line] = text.slice(0, from) + toDigits(text.slice(from, to)) + text.slice(to);
  };
  for (const [line, from, to] of [layout.birth, layout.expires]) mend(line, from, to + 1);
  for (const [line, , to] of [layout.number]) mend(line, to, to + 1);
  mend(...layout.composite.digit);
  const agrees = ([line, from, to]: Place) => checkDigit(at([line, from, to])) === at([line, to, to + 1]);
  const { parts, digit } = layout.composite;
  // Visas have no digit for all of it (ICAO 9303-7).
  const agreesWhole =
    (lines[0] ?? '').startsWith('V') || checkDigit(parts.map(at).join('')) === at(digit).replace('<', '0');
  const isLong = layout.lines === 3 && at([0, 14, 15]) === '<' && at([0, 15, 30]).replaceAll('<', '') !== '';
  const tail = isLong ? (at([0, 15, 30]).split('<')[0] ?? '') : '';
  const number = at(layout.number) + tail.slice(0, -1);
  const agreesNumber = isLong ? checkDigit(number) === tail.slice(-1) : agrees(layout.number);
  if (!agreesNumber || !agrees(layout.expires) || !agrees(layout.birth) || !agreesWhole) return null;
  const expires = nearestDay(at(layout.expires), today);
  // Some documents never expire; any other text is no date.
  if (expires === null && at(layout.expires) !== '<<<<<<') return null;
  return { expires, number: number.replaceAll('<', '') || null, holder: nameOf(at(layout.names)) };
}

/**
 * Fits a line to its layout. Recognition loses or adds some of many fillers at its end. In the line of the names,
 * which no digit checks, it also takes fillers for letters.
 */
function fitted(line: string, columns: number, isOfNames: boolean): string | undefined {
  if (line.length === columns) return line;
  if (isOfNames && line.includes('<<')) return line.padEnd(columns, '<').slice(0, columns);
  const filled = line.length < columns ? line.padEnd(columns, '<') : line.slice(0, columns);
  const isClose = Math.abs(line.length - columns) <= 4 && /<<$/.test(line);
  return isClose && (line.length < columns || /^<+$/.test(line.slice(columns))) ? filled : undefined;
}

/**
 * Finds the machine-readable zone of a passport, identity card or visa in a text. All check digits must
 * agree, so what it returns is certain even if the text was recognized in a picture.
 */
export function readMachineReadableZone(text: string, today: Date): CodedDocument | null {
  const lines = text
    .slice(0, 200_000)
    .toUpperCase()
    .split(/[\n\r]+/)
    .map((line) => line.replaceAll(/[«‹]/g, (sign) => (sign === '«' ? '<<' : '<')).replace(/[^A-Z0-9<]/g, ''))
    .filter((line) => line.length >= 20 && line.length <= 60);
  for (let index = 0; index < lines.length; index += 1) {
    for (const layout of layouts) {
      const zone = lines
        .slice(index, index + layout.lines)
        .map((line, at) => fitted(line, layout.columns, at === layout.names[0]));
      if (zone.length < layout.lines || !/^[ACIPV]/.test(zone[0] ?? '')) continue;
      const found = zone.every((line) => line !== undefined) && readZone(layout, zone as string[], today);
      if (found) return found;
    }
  }
  return null;
}

/** Reads a date of a licence. The month is first in the United States, the year in Canada. */
function licenceDay(text: string | undefined, country: string | undefined): string | null {
  const digits = /^\d{8}$/.test(text ?? '') ? (text ?? '') : '';
  const american = `${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`;
  const canadian = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  const ways = country === 'CAN' ? [canadian] : country === 'USA' ? [american] : [american, canadian];
  // Older licences do not name their country; the other order has no such month or century.
  const days = ways.filter((day) => parseDate(day) && day >= '1900' && day < '2200');
  return days.length === 1 ? (days[0] ?? null) : null;
}

/**
 * Reads the barcode of a North American driving licence or identity card (AAMVA DL/ID). Its error correction
 * makes what it says certain.
 */
export function readLicenceBarcode(text: string): CodedDocument | null {
  if (!/^@[\s\p{Cc}]*(?:ANSI |AAMVA)\d{6}/u.test(text)) return null;
  const elements = new Map(
    [...text.matchAll(/(?:^|\p{Cc}|DL|ID)(D[A-D][A-Z])(\P{Cc}*)/gu)].map(
      ([, name = '', value = '']) => [name, value.trim()] as const,
    ),
  );
  const value = (name: string) => {
    const found = elements.get(name)?.replace(/^(?:NONE|UNAVL?)$/i, '');
    return found === '' ? undefined : found;
  };
  const number = value('DAQ') ?? null;
  const expires = licenceDay(value('DBA'), value('DCG'));
  if (number === null && expires === null) return null;
  const [last, first] = value('DAA')?.split(/[,$]/) ?? [];
  const names = [value('DAC') ?? value('DCT')?.split(/[ ,]/)[0] ?? first, value('DCS') ?? last];
  const holder = names.filter((name) => name !== undefined).join(' ');
  return { expires, number, holder: holder.trim() || null };
}

/** Lengths of GS1 fields that need no separator, by their first digits (GS1, section 7.8). */
const fixedLengths: ReadonlyMap<string, number> = new Map([
  ['00', 18],
  ['01', 14],
  ['02', 14],
  ['03', 14],
  ['04', 16],
  ...['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((name) => [name, 6] as const),
  ['20', 2],
  // Of measures, the third digit belongs to the name and the fourth tells the decimals.
  ...['31', '32', '33', '34', '35', '36'].map((name) => [name, 8] as const),
  ['41', 14],
]);

/** Reads a date of a GS1 code. The day 00 is the last of the month. */
function gs1Day(text: string, today: Date): string | null {
  if (!/^\d{4}00/.test(text)) return nearestDay(text.slice(0, 6), today);
  const first = nearestDay(`${text.slice(0, 4)}01`, today);
  if (first === null) return null;
  const [year, month] = first.split('-').map(Number);
  return formatDate(new Date(Date.UTC(year ?? 0, month ?? 0, 0)));
}

/** Separator of fields (FNC1). */
const separator = '\u001d';
const withoutSeparator = (text: string) => (text.startsWith(separator) ? text.slice(1) : text);

/**
 * Finds the expiration date in the text of a GS1 code. It is the field 17, or 7003 with a time. Fields of variable length
 * end with a separator.
 */
export function readGs1Expiry(text: string, today: Date): string | null {
  let rest = withoutSeparator(text);
  while (rest.length > 2) {
    const name = rest.slice(0, 2);
    const length = fixedLengths.get(name);
    if (name === '17') return gs1Day(rest.slice(2), today);
    if (rest.startsWith('7003')) return gs1Day(rest.slice(4), today);
    const end = length === undefined ? rest.indexOf(separator) : 2 + length;
    if (end < 0) return null;
    rest = withoutSeparator(rest.slice(end));
  }
  return null;
}
