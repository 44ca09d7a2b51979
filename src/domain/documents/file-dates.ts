import { formatDate } from '../dates.js';
import { limits } from '../rules.js';
import { isVisible } from '../text/names.js';
import { isDeviceName } from './device-names.js';
import { type ExpiryLabel, expiryLabels, leadsStraightOn } from './expiry-labels.js';
import { isPlausible } from './plausible.js';
import { indexFrom } from './text-layout.js';
import { agreedDate, compose, fold, type WrittenDate, writtenDates } from './written-dates.js';

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
