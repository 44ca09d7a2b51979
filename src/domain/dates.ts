const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?|24:00(?::00(?:[.,]0+)?)?`;
const offset = String.raw`[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d`;
const dateForm = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})(?:[Tt ](?:${time})(?:${offset})?)?$`);

/**
 * Parses a calendar date, `YYYY-MM-DD`, or the date part of an ISO 8601 date-time. The date part is taken as
 * written, whatever the offset.
 * @returns midnight UTC, like `date` columns are read, or undefined if there is no such date
 */
export function parseDate(text: string): Date | undefined {
  const match = dateForm.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year > 0 ? date : undefined;
}

/** Checks that a date is valid and in the years 1 to 9999 UTC. RFC 3339 has no others. */
export function isMoment(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

const momentForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Message about what `parseMoment` expects. */
export const momentExpected = 'must be a date and time with an offset, such as 2026-11-20T09:30:00Z';

/** Parses an RFC 3339 timestamp; undefined if it is invalid. Fractions of a millisecond are cut off. */
export function parseMoment(text: string): Date | undefined {
  const moment = new Date(text);
  // With its offset, the last day of the calendar may lie outside the range.
  return momentForm.test(text) && parseDate(text) && isMoment(moment) ? moment : undefined;
}

/** Formats a date as `YYYY-MM-DD`. */
export function formatDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Returns a modification time at least a millisecond after the previous one. It distinguishes versions. */
export function nextModified(now: Date, previous: Date): Date {
  return now > previous ? now : new Date(previous.getTime() + 1);
}
