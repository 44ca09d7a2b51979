import { formatDate, parseDate } from '../dates.js';
import { limits } from '../rules.js';
import { isVisible } from '../text/names.js';
import { isDeviceName } from './device-names.js';

/** Place of a label in a folded text, such as "valid until". The date after it is the last valid day. */
interface ExpiryLabel {
  readonly start: number;
  readonly end: number;
  /** True if the label's language puts the day before the month. English does not determine it. */
  readonly dayFirst: boolean;
}

/** Builds a pattern of words in folded text. A space matches white space, and ` ?` also none. */
function wordPattern(...alternatives: string[]): RegExp {
  const pattern = alternatives
    .join('|')
    .replaceAll(' ?', String.raw`\s{0,8}`)
    .replaceAll(' ', String.raw`\s{1,8}`)
    .replaceAll('~', String.raw`\p{L}*`);
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?!\p{L})`, 'gu');
}

const english = wordPattern(
  'date of expir(?:y|ation)',
  '(?:expiry|expiration|exp[.]?) date',
  'policy exp',
  // Also short for experience, unless a date is next to it.
  String.raw`exp(?=[^\p{L}\d]{0,6}(?:\d|[a-z]{3,9}[^\p{L}\d]{1,3}\d))`,
  'expir(?:y|ation|ing|es?)',
  '(?:valid|good) ?(?:until|till|to|thru|through|up to)',
  'not (?:valid )?after',
);

const dayFirst = wordPattern(
  ...['gue?ltig(?:keit)? ?bis', 'ablaufdatum', 'ablauf am', 'verfalls?datum', 'befristet bis'],
  ...["date d[' ]{0,2}expiration", 'expire le', "(?:valable|valide|validite) jusqu[' ]{0,2}(?:au|a)"],
  ...['fin de validite', 'date limite de validite', "date d[' ]{0,2}echeance", 'echeance'],
  ...[
    'fecha de (?:caducidad|vencimiento|expiracion)',
    'caducidad',
    'caduca',
    'vencimiento',
    'vence',
    'expira',
  ],
  ...['valid[oa]s? ?hasta', 'vigente hasta', 'data di scadenza', 'scadenza', 'scade', 'valid[oaie] ?fino'],
  ...['geldig ?(?:tot|t/?m)', 'vervaldatum', 'verloopdatum', 'verloopt', 'vervalt'],
);

/** `Not valid until 2031-07-15`, `nicht gültig bis`: the date is a first day, or there is none. */
const negation = /(?<!\p{L})(?:not|never|no|nicht|keine?|non|pas|niet) +(?:[a-z]+ +)?$/u;

/** Finds the labels of expiry dates in a folded text. They are in order within each language. */
function expiryLabels(folded: string): ExpiryLabel[] {
  const places = (pattern: RegExp, dayFirst: boolean) =>
    [...folded.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      dayFirst,
    }));
  return [...places(english, false), ...places(dayFirst, true)].filter(
    ({ start }) => !negation.test(folded.slice(Math.max(0, start - 24), start)),
  );
}

/** Words that introduce another date, or a condition; `~` stands for any ending. */
const turning = wordPattern(
  ...['issu~', 'birth~', 'born', 'effecti~', 'start~', 'begin~', 'commenc~', 'sign~', 'print~', 'inspect~'],
  ...['from', 'since', 'after', 'before', 'following', 'revo~', 'notice', 'renew~', 'cancel~', 'replac~'],
  'unless',
  ...['geb', 'geboren', 'geburt~', 'ausgest~', 'ausstell~', 'erteil~', 'erstell~', 'gedruckt', 'widerruf~'],
  ...['ab', 'seit', 'nach', 'vor', 'nee?', 'naiss~', 'delivr~', 'emis~', 'etabli~', 'debut', 'imprim~'],
  ...['depuis', 'apres', 'avant', 'nacim~', 'expedi~', 'inicio', 'desde', 'antes', 'despues', 'impres~'],
  ...['nasci~', 'nato', 'nata', 'rilasci~', 'inizio', 'dal?', 'dopo', 'prima', 'stampa~'],
  ...['geboor~', 'geboren', 'afg~', 'verstrek~', 'vanaf', 'sinds', 'na', 'voor', 'ondertekend'],
);
const endOrNumber = /[!?;\d]|\p{L}{5}[.](?:\s|$)/u;

/** Checks that words between a label and a date do not refer to another date. */
function leadsOn(folded: string): boolean {
  return folded.search(turning) < 0 && !endOrNumber.test(folded);
}

/**
 * Filler words between a label and its date. They are articles, prepositions, and how or on what it is
 * written.
 */
const leading = wordPattern(
  ...['this', 'certificate', 'licen[cs]e', 'permit', 'card', 'policy', 'passport', 'document', 'end'],
  ...['of', 'on', 'the', 'at', 'by', 'date', 'and', 'including', 'day', 'month', 'year', 'dd', 'mm', 'yyyy'],
  ...['am', 'zum', 'bis', 'der', 'datum', 'und', 'tag', 'monat', 'jahr', 'tt', 'jjjj'],
  ...['le', 'la', 'les', 'du', 'de', 'des', 'd', 'l', 'au', 'et', 'jour', 'mois', 'annee', 'jj', 'aaaa'],
  ...['el', 'fecha', 'dia', 'mes', 'ano', 'y', 'il', 'al', 'data', 'di', 'e', 'giorno', 'mese', 'anno', 'gg'],
  ...['op', 'en', 'met', 'tot', 'dag', 'maand', 'jaar'],
);

/** Checks that a text contains only filler words, labels of expiry dates, and signs. */
function leadsStraightOn(folded: string): boolean {
  const rest = [english, dayFirst, leading].reduce((text, known) => text.replace(known, ''), folded);
  return !/[\p{L}\d]/u.test(rest);
}

/** A part of a text, from one position to another. */
interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Cell of a text table: words of a line up to the next column. A column begins after a tab, or after two or
 * more spaces.
 */
interface Cell extends TextSpan {
  readonly row: number;
  readonly column: number;
}

/** Splits a text into its non-empty lines, and each line into cells. */
function splitRows(text: string): Cell[][] {
  const lines = [...text.matchAll(/[^\n\v\f\r\u0085\u2028\u2029]+/g)];
  return lines
    .filter(([line]) => line.trim() !== '')
    .map((line, row) =>
      [...line[0].matchAll(/\S+(?: \S+)*/g)].map((words, column) => {
        const start = line.index + words.index;
        return { start, end: start + words[0].length, row, column };
      }),
    );
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

/** A date as it is written in a text. */
interface WrittenDate {
  readonly start: number;
  readonly end: number;
  /**
   * Possible days, as `YYYY-MM-DD`. There are two if the order is ambiguous, with the day-first reading
   * first.
   */
  readonly readings: readonly string[];
  /** True if dots separate its numbers. */
  readonly dotted: boolean;
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

function readings(groups: Record<string, string | undefined>): string[] {
  const year = Number(groups.year);
  if (groups.one !== undefined) {
    const [one, two] = [Number(groups.one), Number(groups.two)];
    return [...new Set([...day(year, two, one), ...day(year, one, two)])];
  }
  const month = groups.name === undefined ? Number(groups.month) : (months.get(groups.name) ?? 0);
  const agrees = groups.alias === undefined || months.get(groups.alias) === month;
  return agrees ? day(year, month, Number(groups.day)) : [];
}

/**
 * Finds the dates in a folded text, in the order of their positions. Numbers are separated by `-`, `.`, `/`,
 * `_` or a space; or there are eight digits with the year first, or a month's name in six languages. Years
 * have four digits, 1900 to 2199, and digits next to further digits are not a date. It takes linear time.
 */
export function writtenDates(folded: string): WrittenDate[] {
  const found = forms.flatMap((form) =>
    [...folded.matchAll(form)].map(({ index, groups = {} }) => ({
      start: index,
      end: index + (groups.date ?? '').length,
      readings: readings(groups),
      dotted: groups.by?.trim() === '.',
    })),
  );
  return found.filter((date) => date.readings.length > 0).sort((one, two) => one.start - two.start);
}

/** Returns the one day that all dates can mean. Null unless there is exactly one. */
function agreedDate(dates: ReadonlyArray<Pick<WrittenDate, 'readings'>>): string | null {
  const [first, ...others] = dates;
  const common =
    first?.readings.filter((day) => others.every(({ readings }) => readings.includes(day))) ?? [];
  return common.length === 1 ? (common[0] ?? null) : null;
}

/**
 * Limits of the search, in characters. They limit the text, the distance of a date from its label, and the
 * excerpt. `days` are the most different dates that are returned.
 */
const searchLimits = { text: 200_000, distance: 40, between: 12, context: 16, excerpt: 120, days: 100 };

/** A label, and the cell that it ends in. */
interface PlacedLabel {
  readonly label: ExpiryLabel;
  readonly cell: Cell;
}

interface Document {
  readonly folded: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly dates: readonly WrittenDate[];
  /** Cells with a label. */
  readonly labelled: ReadonlySet<Cell>;
}

interface Finding {
  readonly label: ExpiryLabel;
  readonly date: WrittenDate;
}

/** Signs, and at most one word, that add another date to one. */
const addition = /^[^\p{L}\d\n\r]*(?:(?:and|to|und|bis|et|au|y|al?|e|en|tot)[^\p{L}\d\n\r]+)?$/u;

/** Collects a date and those right after it. Unless they are the same, a label may refer to any of them. */
function run({ folded, dates }: Document, from: number): WrittenDate[] {
  const run: WrittenDate[] = [];
  for (const date of dates.slice(from, from + 4)) {
    const end = run.at(-1)?.end ?? date.start;
    if (date.start - end > searchLimits.between || !addition.test(folded.slice(end, date.start))) break;
    run.push(date);
  }
  return run;
}

/** Finds the dates of a label in its own line. */
function beside(document: Document, { label, cell }: PlacedLabel): WrittenDate[] {
  const index = indexFrom(document.dates, label.end);
  const start = document.dates[index]?.start ?? Number.POSITIVE_INFINITY;
  const lineEnd = document.rows[cell.row]?.at(-1)?.end ?? 0;
  if (start > lineEnd || start - label.end > searchLimits.distance) return [];
  const words = document.folded.slice(label.end, start);
  return (start < cell.end ? leadsOn(words) : leadsStraightOn(words)) ? run(document, index) : [];
}

/**
 * Finds the dates below a label: in the next line, or its table column. The column ends where the next label
 * is, so that each date belongs to one label, and the search takes linear time.
 */
function below(document: Document, { label, cell }: PlacedLabel): WrittenDate[] {
  const { folded, rows, dates, labelled } = document;
  const leads = (start: number, end: number) =>
    end - start <= searchLimits.distance && leadsStraightOn(folded.slice(start, end));
  if (!leads(label.end, cell.end)) return [];
  const found: WrittenDate[] = [];
  for (let row = cell.row + 1; rows[row]?.length === rows[cell.row]?.length; row += 1) {
    const below = rows[row]?.[cell.column];
    const { start, end } = below ?? cell;
    const index = indexFrom(dates, start);
    const date = dates[index];
    if (!date || date.start >= end || !leads(start, date.start)) break;
    found.push(...run(document, index));
    if (below && labelled.has(below)) break;
  }
  return found;
}

/** Picks the reading of an ambiguous date. Dots, the label's language or a note, `(MM/DD/YYYY)`, decide. */
function settle(date: WrittenDate, label: ExpiryLabel, folded: string): WrittenDate {
  const note = folded.slice(label.end, Math.min(date.start, label.end + searchLimits.distance));
  if (/mm[ ./-]?dd/.test(note)) return { ...date, readings: date.readings.slice(-1) };
  const dayFirst = date.dotted || label.dayFirst || /(?:dd|tt|jj|gg)[ ./-]?mm/.test(note);
  return dayFirst ? { ...date, readings: date.readings.slice(0, 1) } : date;
}

/** Pairs the labels of a folded text with their dates. */
function findings(folded: string): Finding[] {
  const rows = splitRows(folded);
  const cells = rows.flat();
  const labels = expiryLabels(folded).flatMap((label): PlacedLabel[] => {
    const cell = cells[indexFrom(cells, label.end) - 1];
    return cell ? [{ label, cell }] : [];
  });
  const labelled = new Set(labels.map(({ cell }) => cell));
  const document = { folded, rows, labelled, dates: writtenDates(folded) };
  return labels.flatMap((placed) => {
    const dates = beside(document, placed);
    return (dates.length > 0 ? dates : below(document, placed)).map((date) => ({
      label: placed.label,
      date: settle(date, placed.label, folded),
    }));
  });
}

/** Returns the words around a finding in one line. If label and date are far apart, it is only these two. */
function excerpt(text: string, { label, date }: Finding): string {
  const from = Math.max(0, label.start - searchLimits.context);
  const to = date.end + searchLimits.context;
  const before = text.slice(from, label.start).replace(from > 0 ? /^\S*/ : '', '');
  const after = text.slice(date.end, to).replace(to < text.length ? /\S*$/ : '', '');
  const whole = before + text.slice(label.start, date.end) + after;
  const parts = `${text.slice(label.start, label.end)} … ${text.slice(date.start, date.end)}`;
  return (whole.length <= searchLimits.excerpt ? whole : parts)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
}

/** An expiry date that a text states. */
interface FoundDate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The words that it was read from, in one line of at most 120 characters. */
  readonly from: string;
  /** Place of the date in the composed text. */
  readonly start: number;
  readonly end: number;
}

/** Reads the labelled dates of a text, and the one day that all can mean. */
function readDates(text: string) {
  const composed = compose(text.slice(0, searchLimits.text));
  const found = findings(fold(composed));
  return { composed, found, agreed: agreedDate(found.map((finding) => finding.date)) };
}

const told = (composed: string, finding: Finding, date: string): FoundDate => {
  const { start, end } = finding.date;
  return { date, from: excerpt(composed, finding), start, end };
};

/**
 * Finds the expiry date that a document's text states. It is a date beside or below a label such as
 * `Expires`, `Valid until`, `Gültig bis`, `Date d'expiration`, in English, German, French, Spanish, Italian
 * or Dutch. The result is null if labelled dates differ, because only one of them can be the document's, or
 * if the day could be the month: `05/07/2031` is read as its label's language does, but never in English;
 * `05.07.2031` has the day first. It searches the first 200,000 characters, in linear time.
 */
export function findExpiryDate(text: string): FoundDate | null {
  const { composed, found, agreed } = readDates(text);
  const [first] = found;
  return agreed !== null && first ? told(composed, first, agreed) : null;
}

/**
 * Finds all expiry dates that a text states. It is one, as of `findExpiryDate`, or they differ.
 * @param isWanted leaves out other days; of the rest, the first hundred are returned
 */
export function findExpiryDates(text: string, isWanted: (day: string) => boolean): FoundDate[] {
  const { composed, found, agreed } = readDates(text);
  const [first] = found;
  if (agreed !== null && first) return isWanted(agreed) ? [told(composed, first, agreed)] : [];
  const days = new Map<string, FoundDate>();
  for (const finding of found) {
    if (days.size >= searchLimits.days) break;
    const [day, other] = finding.date.readings;
    if (day !== undefined && other === undefined && !days.has(day) && isWanted(day))
      days.set(day, told(composed, finding, day));
  }
  return [...days.values()];
}

/** Years ahead for which a document may be valid. */
const maxYears = 30;

/** Checks that a day is today or later, and not too far ahead. */
export function isPlausible(date: string, today: Date): boolean {
  const first = formatDate(today);
  const year = Number(first.slice(0, 4)) + maxYears;
  return date >= first && date <= `${year}${first.slice(4)}`;
}

/** Most characters between a label and the date after it, and after a date. */
const near = { label: 40, after: 3 };

/** Milliseconds after which a day is later than today in every time zone. */
const clearly = 2 * 86_400_000;

/** A date in a file's name. */
export interface NamedDate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** True if a label beside it says that it is the last valid day. Otherwise only a person may take it. */
  readonly isLabelled: boolean;
}

/** Returns the base name of a path: the part after the last `/` or `\`. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Drops the extension of a file's name. */
const withoutExtension = (name: string) => name.trim().replace(/\.(?=\d*[A-Za-z])[A-Za-z\d]{1,5}$/, '');

/** Finds the label of a date, just before or after it. */
function labelOf(
  date: WrittenDate,
  spaced: string,
  labels: readonly ExpiryLabel[],
  dates: readonly WrittenDate[],
): ExpiryLabel | undefined {
  const at = indexFrom(labels, date.start);
  // Languages share words, so that two labels may overlap.
  const before = labels.slice(Math.max(0, at - 2), at).reverse();
  const leading = before.find(
    ({ end }) =>
      end <= date.start && date.start - end <= near.label && leadsStraightOn(spaced.slice(end, date.start)),
  );
  if (leading) return leading;
  const after = labels[indexFrom(labels, date.end)];
  const isBeside = after && after.start - date.end <= near.after;
  if (!isBeside || /[\p{L}\d]/u.test(spaced.slice(date.end, after.start))) return undefined;
  const next = dates[indexFrom(dates, after.end)];
  return next && leadsStraightOn(spaced.slice(after.end, next.start)) ? undefined : after;
}

/** Finds the dates with a label beside them. A label's language may tell which number is the day. */
function labelledIn(folded: string, dates: readonly WrittenDate[]): WrittenDate[] {
  const spaced = folded.replace(/[-_.,+]/g, ' ');
  const found = [...expiryLabels(spaced), ...shortLabels(spaced)];
  const labels = found.sort((one, other) => one.start - other.start);
  let end = Number.NEGATIVE_INFINITY;
  return dates.flatMap((date) => {
    const label = labelOf(date, spaced, labels, dates);
    // The label may mean the date right after another one as well.
    const isNext = date.start - end <= near.after;
    if (!label && !isNext) return [];
    end = date.end;
    return [label?.dayFirst ? { ...date, readings: date.readings.slice(0, 1) } : date];
  });
}

/** Finds `exp` after a date. In texts it may be short for experience, in names it hardly is. */
const shortLabels = (spaced: string): ExpiryLabel[] =>
  [...spaced.matchAll(/(?<=\d[ ]{0,3})exp(?=[^\p{L}\d]|$)/gu)].map(({ index }) => ({
    ...{ start: index, end: index + 3, dayFirst: false },
  }));

/**
 * Finds the expiration date in a file's name. It reads `licence exp 2031-07-15.pdf`, `gültig bis 15.07.2031`,
 * `20310715-valid-until`, and ignores folders. A date without a label is returned only if it is the name's only one,
 * clearly in the future, and if no device or program gave the name, because they name files by the day on which they
 * made them. The result is null for several different dates, and for one whose day could be the month (`05-07-2031`).
 */
export function dateInFileName(name: string, today: Date): NamedDate | null {
  const own = lastPart(name).trim();
  const folded = fold(compose(own));
  const dates = writtenDates(folded);
  const [first] = dates;
  if (!first) return null;
  const labelled = labelledIn(folded, dates);
  if (labelled.length > 0) {
    const date = agreedDate(labelled);
    return date === null ? null : { date, isLabelled: true };
  }
  const date = agreedDate(dates);
  const isLater = date !== null && date >= formatDate(new Date(today.getTime() + clearly));
  if (!isLater || !isPlausible(date, today)) return null;
  return isDeviceName(fold(compose(withoutExtension(own))), first) ? null : { date, isLabelled: false };
}

/**
 * Creates a record's title from a file's name. It drops folder and extension, keeps dates, and cuts the title
 * to the 255 characters of a line. If nothing remains, as for `.pdf`, the title is the whole name. It is
 * empty only if the name is.
 */
export function nameOfFile(name: string): string {
  const stem = withoutExtension(lastPart(name)).trim();
  return [...(isVisible(stem) ? stem : name.trim())].slice(0, limits.line).join('').trimEnd();
}
