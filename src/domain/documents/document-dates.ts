import { type ExpiryLabel, expiryLabels, leadsOn, leadsStraightOn } from './expiry-labels.js';
import { type Cell, indexFrom, splitRows } from './text-layout.js';
import { agreedDate, compose, fold, type WrittenDate, writtenDates } from './written-dates.js';

/**
 * Limits of the search, in characters. They limit the text, the distance of a date from its label, and the
 * excerpt. `days` are the most different dates that are returned.
 */
const limits = { text: 200_000, distance: 40, between: 12, context: 16, excerpt: 120, days: 100 };

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
    if (date.start - end > limits.between || !addition.test(folded.slice(end, date.start))) break;
    run.push(date);
  }
  return run;
}

/** Finds the dates of a label in its own line. */
function beside(document: Document, { label, cell }: PlacedLabel): WrittenDate[] {
  const index = indexFrom(document.dates, label.end);
  const start = document.dates[index]?.start ?? Number.POSITIVE_INFINITY;
  const lineEnd = document.rows[cell.row]?.at(-1)?.end ?? 0;
  if (start > lineEnd || start - label.end > limits.distance) return [];
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
    end - start <= limits.distance && leadsStraightOn(folded.slice(start, end));
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
  const note = folded.slice(label.end, Math.min(date.start, label.end + limits.distance));
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
  const from = Math.max(0, label.start - limits.context);
  const to = date.end + limits.context;
  const before = text.slice(from, label.start).replace(from > 0 ? /^\S*/ : '', '');
  const after = text.slice(date.end, to).replace(to < text.length ? /\S*$/ : '', '');
  const whole = before + text.slice(label.start, date.end) + after;
  const parts = `${text.slice(label.start, label.end)} … ${text.slice(date.start, date.end)}`;
  return (whole.length <= limits.excerpt ? whole : parts)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
}

/** An expiry date that a text states. */
export interface FoundDate {
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
  const composed = compose(text.slice(0, limits.text));
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
    if (days.size >= limits.days) break;
    const [day, other] = finding.date.readings;
    if (day !== undefined && other === undefined && !days.has(day) && isWanted(day))
      days.set(day, told(composed, finding, day));
  }
  return [...days.values()];
}
