import { formatDate } from '../dates.js';
import {
  choiceAfter,
  connects,
  type ExpiryLabel,
  expiryLabels,
  isInvoice,
  isOfAnother,
  isOtherCaption,
  isValidityRange,
  leadsStraightOn,
} from './expiry-words.js';
import {
  agreedDate,
  compose,
  fold,
  indexFrom,
  shortDates,
  type TextSpan,
  type WrittenDate,
  writtenDates,
} from './written-dates.js';

/**
 * Cell of a text table: words of a line up to the next column. A column begins after a tab, after two or more spaces, after
 * a vertical bar, or after the separator of a CSV file.
 */
interface Cell extends TextSpan {
  readonly row: number;
  readonly column: number;
}

/** Finds the separators of a line outside of quotes. */
function separators(line: string, separator: string): number[] {
  const found: number[] = [];
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === separator && !isQuoted) found.push(at);
  }
  return found;
}

/** Cuts the cells of a line of CSV without their quotes and outer spaces. */
function csvCells(line: string, at: readonly number[]): TextSpan[] {
  return [...at, line.length].map((end, index) => {
    const start = index === 0 ? 0 : (at[index - 1] ?? 0) + 1;
    const cell = line.slice(start, end);
    const leading = cell.length - cell.replace(/^[\s"]+/, '').length;
    const trailing = cell.length - cell.replace(/[\s"]+$/, '').length;
    return { start: start + leading, end: Math.max(start + leading, end - trailing) };
  });
}

/** A line that is not empty. */
interface Line {
  readonly start: number;
  readonly text: string;
}

/**
 * Splits a text into its non-empty lines, and each line into cells. Two or more lines with the same number of semicolons
 * or commas are rows of a CSV file.
 */
function splitRows(text: string): Cell[][] {
  const lines = [...text.matchAll(/[^\n\v\f\r\u0085\u2028\u2029]+/g)]
    .filter(([line]) => line.trim() !== '')
    .map((line): Line => ({ start: line.index, text: line[0] }));
  const counts = [';', ','].map((separator) => lines.map(({ text }) => separators(text, separator)));
  const isCsv = (index: number, all: readonly number[][], least: number) => {
    const own = all[index]?.length ?? 0;
    return own >= least && (all[index - 1]?.length === own || all[index + 1]?.length === own);
  };
  return lines.map(({ start, text }, row) => {
    const [semicolons = [], commas = []] = counts;
    // A comma may as well be one of a sentence, and a tab comes before both.
    const isComma = isCsv(row, commas, 2) && !/[.] |, /.test(text.replace(/"[^"]*"/g, ''));
    const at = text.includes('\t')
      ? null
      : isCsv(row, semicolons, 1)
        ? semicolons[row]
        : isComma
          ? commas[row]
          : null;
    const spans = at
      ? csvCells(text, at)
      : [...text.matchAll(/[^\s|]+(?: [^\s|]+)*/g)].map(({ index, 0: words }) => ({
          start: index,
          end: index + words.length,
        }));
    return spans.map((span, column) => ({
      start: start + span.start,
      end: start + span.end,
      row,
      column,
    }));
  });
}

/**
 * Limits of the search, in characters. They limit the text, the distance of a date from its label, the words before a
 * label, the heading, and the excerpt. `days` are the most different dates of a document.
 */
const searchLimits = {
  text: 200_000,
  distance: 60,
  before: 100,
  heading: 200,
  context: 16,
  excerpt: 120,
  days: 100,
};

/** A label, and the cell that it ends in. */
interface PlacedLabel {
  readonly label: ExpiryLabel;
  readonly cell: Cell;
}

interface Document {
  /** The text with accents and upper case. */
  readonly composed: string;
  readonly folded: string;
  readonly rows: readonly (readonly Cell[])[];
  /** Dates, with those that are dates only right after a label. */
  readonly dates: readonly WrittenDate[];
  /** Cells with a label. */
  readonly labelled: ReadonlySet<Cell>;
  /** True if captions stand below their dates, as on many cards; null if unknown. */
  readonly captionsBelow: boolean | null;
}

/** A date that a label refers to. */
interface Finding {
  readonly label: ExpiryLabel;
  readonly date: WrittenDate;
  /** False if only the words around decide, so that a person should look. */
  readonly isSure: boolean;
  /** The first day of the validity, if it is written as a period. */
  readonly since?: WrittenDate;
}

/**
 * Returns the dates right after one in the same sentence. Unless they are the same, a label may refer to any of them.
 * @param last the last position that they may begin at
 */
function run({ folded, dates }: Document, from: number, last = Number.POSITIVE_INFINITY): WrittenDate[] {
  const found: WrittenDate[] = [];
  for (const date of dates.slice(from, from + 4)) {
    if (date.start > last) break;
    const end = found.at(-1)?.end ?? date.start;
    const isOverlapping = date.start < end;
    if (found.length > 0 && !isOverlapping && !connects(folded.slice(end, date.start))) break;
    found.push(date);
  }
  return found;
}

/** Finds the dates of a label in its own line. */
function beside(document: Document, { label, cell }: PlacedLabel): WrittenDate[] {
  const index = indexFrom(document.dates, label.end);
  const start = document.dates[index]?.start ?? Number.POSITIVE_INFINITY;
  const lineEnd = document.rows[cell.row]?.at(-1)?.end ?? 0;
  if (start > lineEnd || start - label.end > searchLimits.distance) return [];
  return leadsStraightOn(document.folded.slice(label.end, start)) ? run(document, index) : [];
}

/** Finds the first date in a cell, before which only filler words may stand. */
function dateIn({ folded, dates }: Document, cell: TextSpan | undefined): number | null {
  if (!cell) return null;
  const index = indexFrom(dates, cell.start);
  const date = dates[index];
  if (!date || date.start >= cell.end || date.start - cell.start > searchLimits.distance) return null;
  return leadsStraightOn(folded.slice(cell.start, date.start)) ? index : null;
}

/** Returns the same column's cell in another row. The row must have as many columns. */
function sameColumn({ rows }: Pick<Document, 'rows'>, cell: Cell, row: number): Cell | undefined {
  return rows[row]?.length === rows[cell.row]?.length ? rows[row]?.[cell.column] : undefined;
}

/** Checks that a label is followed by nothing but filler words in its cell. */
const endsCell = ({ folded }: Document, { label, cell }: PlacedLabel) =>
  cell.end - label.end <= searchLimits.distance && leadsStraightOn(folded.slice(label.end, cell.end));

/**
 * Finds the dates below a label: in the next line, or its table column. The column ends where the next label
 * is, so that each date belongs to one label, and the search takes linear time.
 */
function below(document: Document, { cell }: PlacedLabel): WrittenDate[] {
  const found: WrittenDate[] = [];
  for (let row = cell.row + 1; ; row += 1) {
    const next = sameColumn(document, cell, row);
    const index = dateIn(document, next);
    if (!next || index === null) break;
    found.push(...run(document, index, next.end));
    if (document.labelled.has(next)) break;
  }
  return found;
}

/** Finds the dates right above a caption. The cell contains nothing else. */
function above(document: Document, { label, cell }: PlacedLabel): WrittenDate[] {
  if (!leadsStraightOn(document.folded.slice(cell.start, label.start))) return [];
  const previous = sameColumn(document, cell, cell.row - 1);
  const index = dateIn(document, previous);
  if (!previous || index === null || document.labelled.has(previous)) return [];
  const dates = run(document, index, previous.end);
  const end = dates.at(-1)?.end ?? previous.end;
  if (end < previous.end && !leadsStraightOn(document.folded.slice(end, previous.end))) return [];
  // If captions stand above, this date is that of the caption above it.
  const caption = sameColumn(document, cell, cell.row - 2);
  const isTaken = caption !== undefined && isOtherCaption(document.folded.slice(caption.start, caption.end));
  return isTaken && document.captionsBelow !== true ? [] : dates;
}

/**
 * Determines whether the captions of dates stand below them. Each caption has one date, so that the side on which more
 * captions have one is that of all.
 */
function captionsBelow(document: Document): boolean | null {
  let [upper, lower] = [0, 0];
  for (const cell of document.rows.flat()) {
    const isCaption =
      document.labelled.has(cell) || isOtherCaption(document.folded.slice(cell.start, cell.end));
    if (!isCaption || dateIn(document, cell) !== null) continue;
    if (dateIn(document, sameColumn(document, cell, cell.row - 1)) !== null) upper += 1;
    if (dateIn(document, sameColumn(document, cell, cell.row + 1)) !== null) lower += 1;
  }
  return upper === lower ? null : upper > lower;
}

/**
 * Returns where the words begin that a label's meaning depends on. It is the start of its sentence or cell, or the end of
 * the date before. A line that begins in
 * lower case continues the one before.
 */
function startOfSentence({ composed, folded, rows, dates }: Document, { label, cell }: PlacedLabel): number {
  const first = rows[cell.row]?.[0];
  const isContinued =
    first && cell.column === 0 && /^\p{Ll}/u.test(composed.slice(first.start, first.start + 1));
  const previous = isContinued ? rows[cell.row - 1] : undefined;
  const date = dates[indexFrom(dates, label.start) - 1];
  const start = Math.max(
    previous?.[0]?.start ?? cell.start,
    label.start - searchLimits.before,
    date && date.end <= label.start && !/[.!?]\s/.test(folded.slice(date.end, label.start)) ? date.end : 0,
  );
  // An abbreviation such as "No." ends no sentence.
  const before = folded.slice(start, label.start);
  const ends = [...before.matchAll(/(?:\p{L}{4}[.]|[!?])\s/gu)].map(
    ({ index, 0: { length } }) => index + length,
  );
  const last = ends.at(-1) ?? 0;
  // "It" refers to the sentence before.
  return /^\P{L}*(?:it|this|sie|er|es|il|elle|esta?|esto|quest[oa]|het|hij|dit)\P{L}*(?:will )?$/u.test(
    before.slice(last),
  )
    ? start + (ends.at(-2) ?? 0)
    : start + last;
}

/** Picks the reading of an ambiguous date. Dots, the label's language or a note, `(MM/DD/YYYY)`, decide. */
function settle(date: WrittenDate, label: ExpiryLabel, folded: string): WrittenDate {
  const before = folded.slice(label.end, Math.min(date.start, label.end + searchLimits.distance));
  const after = folded.slice(date.end, date.end + 24).match(/^\s{0,3}\([a-z ./-]{5,16}\)/)?.[0] ?? '';
  const note = before + after;
  if (/mm[ ./-]?(?:dd|tt|gg|jj(?!jj))/.test(note)) return { ...date, readings: date.readings.slice(-1) };
  const dayFirst = date.dotted || label.dayFirst || /(?:dd|tt|jj|gg)[ ./-]?mm/.test(note);
  return dayFirst ? { ...date, readings: date.readings.slice(0, 1) } : date;
}

/**
 * Joins the halves of bilingual labels. Only if both languages put the day first does the label say so: the English half
 * of `Expiry date / Date d'expiration` leaves it open, as in Canada.
 */
function joinHalves(folded: string, labels: readonly ExpiryLabel[]): ExpiryLabel[] {
  const groups: ExpiryLabel[][] = [];
  for (const label of labels) {
    const last = groups.at(-1)?.at(-1);
    const gap = last ? folded.slice(last.end, label.start) : null;
    const isHalf = gap !== null && gap.length <= 24 && /[/|\n(]/.test(gap) && leadsStraightOn(gap);
    if (isHalf) groups.at(-1)?.push(label);
    else groups.push([label]);
  }
  return groups.flatMap((group) => {
    const dayFirst = group.every((label) => label.dayFirst);
    return group.map((label) => ({ ...label, dayFirst }));
  });
}

/** Keeps the date that the words after several choose: "whichever is earlier". */
function choose(document: Document, dates: readonly WrittenDate[]): readonly WrittenDate[] {
  const last = dates.at(-1);
  const choice =
    last && dates.length > 1 ? choiceAfter(document.folded.slice(last.end, last.end + 80)) : null;
  if (choice === null || dates.some(({ readings }) => readings.length > 1)) return dates;
  const ordered = [...dates].sort((one, other) =>
    (one.readings[0] ?? '') < (other.readings[0] ?? '') ? -1 : 1,
  );
  const chosen = choice === 'EARLIEST' ? ordered[0] : ordered.at(-1);
  return chosen ? [chosen] : dates;
}

/** Finds the last days of validities that are written as a period: `valid from 1.1.2027 to 31.12.2027`. */
function periods({ folded, dates }: Document): Finding[] {
  return dates.flatMap((date, index): Finding[] => {
    const first = dates[index - 1];
    if (!first || date.start < first.end || date.start - first.end > 24) return [];
    const previous = dates[index - 2]?.end ?? 0;
    const before = folded.slice(Math.max(previous, first.start - searchLimits.before), first.start);
    const between = folded.slice(first.end, date.start);
    if (!isValidityRange(before, between)) return [];
    const dayFirst = !/^[^a-z]*(?:(?:to|until|up|till|through|thru|and|including)[^a-z]*)*$/.test(between);
    const label = {
      start: first.end,
      end: date.start,
      dayFirst,
      extends: false,
      isWeak: false,
      mayBePayment: false,
    };
    return [{ label, date: settle(date, label, folded), isSure: true, since: first }];
  });
}

/** Pairs the labels of a text with their dates. */
function findings(composed: string): { found: Finding[]; dates: readonly WrittenDate[] } {
  const folded = fold(composed);
  const rows = splitRows(folded);
  const cells = rows.flat();
  const labels = joinHalves(folded, expiryLabels(folded)).flatMap((label): PlacedLabel[] => {
    const cell = cells[indexFrom(cells, label.end) - 1];
    return cell ? [{ label, cell }] : [];
  });
  const labelled = new Set(labels.map(({ cell }) => cell));
  const long = writtenDates(folded);
  const short = shortDates(folded, long);
  const dates = [...long, ...short].sort((one, other) => one.start - other.start);
  const laidOut = { composed, folded, rows, labelled, dates, captionsBelow: null };
  const document: Document = { ...laidOut, captionsBelow: captionsBelow(laidOut) };
  const found = labels.flatMap((placed): Finding[] => {
    const { label } = placed;
    const start = startOfSentence(document, placed);
    const heading = folded.slice(0, Math.min(start, searchLimits.heading));
    if (label.mayBePayment && isInvoice(heading)) return [];
    const next = beside(document, placed);
    let dates: readonly WrittenDate[] = next;
    if (next.length === 0 && endsCell(document, placed)) {
      const lower = document.captionsBelow === true ? [] : below(document, placed);
      const upper = document.captionsBelow === false ? [] : above(document, placed);
      dates = [...upper, ...lower];
    }
    if (dates.length === 0 || isOfAnother(folded.slice(start, label.start), heading)) return [];
    const settled = dates.map((date) => settle(date, label, folded));
    const chosen = choose(document, settled);
    const isMonth = chosen.some(({ isMonth }) => isMonth);
    const isSure = chosen.length === settled.length && !label.extends && !label.isWeak && !isMonth;
    return chosen.map((date) => ({ label, date, isSure }));
  });
  const all = [...found, ...periods(document)];
  // An extension takes the place of the ends before it, and a weak label counts only alone.
  const best = [
    all.filter(({ label }) => label.extends),
    labels.some(({ label }) => !label.isWeak) ? all.filter(({ label }) => !label.isWeak) : [],
  ].find((some) => some.length > 0);
  const isOnlyWeak = labels.every(({ label }) => label.isWeak);
  return { found: best ?? (isOnlyWeak ? all : []), dates: long };
}

/** Returns the words around a finding in one line. If label and date are far apart, it is only these two. */
function excerpt(text: string, { label, date }: Finding): string {
  const [start, end] = [Math.min(label.start, date.start), Math.max(label.end, date.end)];
  const from = Math.max(0, start - searchLimits.context);
  const to = end + searchLimits.context;
  const before = text.slice(from, start).replace(from > 0 ? /^\S*/ : '', '');
  const after = text.slice(end, to).replace(to < text.length ? /\S*$/ : '', '');
  const whole = before + text.slice(start, end) + after;
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
  /** False if another date could be meant. A person should look at it then. */
  readonly isSure: boolean;
}

/** Reads the labelled dates of a text, and the one day that all can mean. */
function readDates(text: string) {
  const composed = compose(text.slice(0, searchLimits.text));
  const { found, dates } = findings(composed);
  return { composed, found, dates, agreed: agreedDate(found.map((finding) => finding.date)) };
}

const told = (composed: string, finding: Finding, date: string, isSure: boolean): FoundDate => {
  const { start, end } = finding.date;
  return { date, from: excerpt(composed, finding), start, end, isSure };
};

/**
 * Finds the expiry date that a document's text states. It is a date beside, below or above a label such as
 * `Expires`, `Valid until`, `Gültig bis`, `Date d'expiration`, in English, German, French, Spanish, Italian
 * or Dutch. The result is null if labelled dates differ, because only one of them can be the document's, or
 * if the day could be the month: `05/07/2031` is read as its label's language does, but never in English;
 * `05.07.2031` has the day first. It searches the first 200,000 characters, in linear time.
 */
export function findExpiryDate(text: string): FoundDate | null {
  const { composed, found, agreed } = readDates(text);
  const [first] = found;
  const isSure = found.every((finding) => finding.isSure);
  return agreed !== null && first ? told(composed, first, agreed, isSure) : null;
}

/**
 * Finds all expiry dates that a text states. It is one, as of `findExpiryDate`, or they differ. More than a hundred days, as
 * in lists of stock, mean nothing.
 * @param isWanted leaves out other days
 * @returns null if there are too many
 */
export function findExpiryDates(text: string, isWanted: (day: string) => boolean): FoundDate[] | null {
  const { composed, found, dates, agreed } = readDates(text);
  const [first] = found;
  if (agreed !== null && first) {
    if (!isWanted(agreed)) return [];
    const starts = new Set(found.map(({ since }) => since));
    const hasOther = dates.some(
      (date) => !starts.has(date) && date.readings.some(isWanted) && !date.readings.includes(agreed),
    );
    const isSure = !hasOther && found.every((finding) => finding.isSure);
    return [told(composed, first, agreed, isSure)];
  }
  const days = new Map<string, FoundDate>();
  for (const finding of found) {
    if (days.size > searchLimits.days) break;
    const [day, other] = finding.date.readings;
    if (day !== undefined && other === undefined && !days.has(day) && isWanted(day))
      days.set(day, told(composed, finding, day, false));
  }
  return days.size > searchLimits.days ? null : [...days.values()];
}

/** Years ahead for which a document may be valid. */
const maxYears = 30;

/** Checks that a day is today or later, and not too far ahead. */
export function isPlausible(date: string, today: Date): boolean {
  const first = formatDate(today);
  const year = Number(first.slice(0, 4)) + maxYears;
  return date >= first && date <= `${year}${first.slice(4)}`;
}
