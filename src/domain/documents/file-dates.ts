import { limits } from '../rules.js';
import { agreedDate, compose, fold, writtenDates } from './written-dates.js';

/** What follows the last `/` or `\`. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * The date in a file's name as `YYYY-MM-DD`: `licence 2031-07-15.pdf`, `15.07.2031`, `20310715-card`, `15 Jul 2031`;
 * folders do not count. A name of several dates has none, unless they are the same, nor has one where the day could
 * be the month and the other way round (`05-07-2031`).
 */
export function dateInFileName(name: string): string | null {
  return agreedDate(writtenDates(fold(compose(lastPart(name)))));
}

/**
 * What to call a record of this file: its name without folder and extension, dates included, cut to the 255
 * characters of a line. Where nothing is left of it, as of `.pdf`, the name as it is. It is empty only if that is.
 */
export function nameOfFile(name: string): string {
  const stem = lastPart(name)
    .trim()
    .replace(/\.(?=\d*[A-Za-z])[A-Za-z\d]{1,5}$/, '')
    .trim();
  return [...(stem || name.trim())].slice(0, limits.line).join('').trimEnd();
}
