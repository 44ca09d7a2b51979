import { limits } from '../rules.js';
import { isVisible } from '../text/names.js';
import { agreedDate, compose, fold, writtenDates } from './written-dates.js';

/** Returns the base name of a path: the part after the last `/` or `\`. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * Finds the date in a file's name, as `YYYY-MM-DD`. It reads `licence 2031-07-15.pdf`, `15.07.2031`,
 * `20310715-card`, `15 Jul 2031`, and ignores folders. The result is null for a name with several different
 * dates, and for a date whose day could be the month (`05-07-2031`).
 */
export function dateInFileName(name: string): string | null {
  return agreedDate(writtenDates(fold(compose(lastPart(name)))));
}

/**
 * Creates a record's title from a file's name. It drops folder and extension, keeps dates, and cuts the title
 * to the 255 characters of a line. If nothing remains, as for `.pdf`, the title is the whole name. It is
 * empty only if the name is.
 */
export function nameOfFile(name: string): string {
  const stem = lastPart(name)
    .trim()
    .replace(/\.(?=\d*[A-Za-z])[A-Za-z\d]{1,5}$/, '')
    .trim();
  return [...(isVisible(stem) ? stem : name.trim())].slice(0, limits.line).join('').trimEnd();
}
