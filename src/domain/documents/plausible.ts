import { formatDate } from '../dates.js';

/** Years ahead for which a document may be valid. */
const mostYears = 30;

/** Checks that a day is today or later, and not too far ahead. */
export function isPlausible(date: string, today: Date): boolean {
  const first = formatDate(today);
  const year = Number(first.slice(0, 4)) + mostYears;
  return date >= first && date <= `${year}${first.slice(4)}`;
}
