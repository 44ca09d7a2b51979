import { limits } from '../rules.js';
import { agreedDate, compose, fold, writtenDates } from './written-dates.js';

/** Returns the base name of a path: the part after the last `/` or `\`. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * Finds the date in a file's name, as `YYYY-MM-DD`. It reads `licence 2031-07-15.pdf`, `15.07.2031`,
 * `20310715-card`, `15 Jul 2031`; folders do not count. A name of several dates has none, unless they are the
 * same, nor has one where the day could be the month and the other way round (`05-07-2031`).
 */
export function dateInFileName(name: string): string | null {
  return agreedDate(writtenDates(fold(compose(lastPart(name)))));
}

/**
 * Makes a record's title from a file's name. It has no folder and no extension, but dates, and is cut to the
 * 255 characters of a line. Where nothing is left of it, as of `.pdf`, it is the name as it is. It is empty
 * only if that is.
 */
export function nameOfFile(name: string): string {
  const stem = lastPart(name)
    .trim()
    .replace(/\.(?=\d*[A-Za-z])[A-Za-z\d]{1,5}$/, '')
    .trim();
  return [...(stem || name.trim())].slice(0, limits.line).join('').trimEnd();
}
