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

/** The states of an expiration item by the number in `status_id` (docs/use/rest.md). */
export const statusIds = {
  current: 1,
  notifying: 2,
  expired: 3,
  archived: 4,
  nodate: 5,
  missing: 6,
} as const;
/** The most days ahead in a filter: a hundred years. */
export const furthestDays = 36_525;

export type Status = keyof typeof statusIds;

/** Another name for `nodate` in filters, which older clients send. */
export const noDateAlias = 'noDate';

/** Properties of an item that determine its status. */
export interface Expiring {
  readonly isActive: boolean;
  /** True if a required document is missing. */
  readonly isMissing: boolean;
  /** Midnight UTC, or null for none. */
  readonly expirationDate: Date | null;
  /** The first day of its reminder period, by its reminder policy. The database computes it. */
  readonly notifyOn: Date | null;
}

/** The calendar of a workspace. */
export interface Calendar {
  /** IANA time zone in which its days begin. */
  readonly timezone: string;
}

const millisecondsADay = 86_400_000;

/** A time zone's format of days, `YYYY-MM-DD`, and the last result. */
interface ZoneDays {
  readonly format: Intl.DateTimeFormat;
  /** Time of the last result, in milliseconds. */
  at: number;
  today: number;
}

const zones = new Map<string, ZoneDays>();

/** Returns the cached format of a time zone, because creating one is slow. */
function daysOf(timeZone: string): ZoneDays {
  const known = zones.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = { format: new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }), at: NaN, today: NaN };
  zones.set(timeZone, made);
  return made;
}

/** Returns the current day of a time zone. It is at midnight UTC, like `date` columns are read. */
export function todayIn(timezone: string, now: Date): Date {
  const days = daysOf(timezone);
  // All items of a list ask for the same time.
  if (days.at !== now.getTime()) {
    days.today = Date.parse(`${days.format.format(now)}T00:00:00.000Z`);
    days.at = now.getTime();
  }
  return new Date(days.today);
}

/** The first and the last day of the calendar (RFC 3339). */
const [firstDay, lastDay] = [new Date('0001-01-01'), new Date('9999-12-31')];

/** Moves a day beyond the calendar to its first or last day. */
export function clampDay(day: Date): Date {
  if (day < firstDay) return firstDay;
  return day > lastDay ? lastDay : day;
}

/** Adds days to a day. */
export function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * millisecondsADay);
}

/** Returns the last day of a month, counted in months from that of a day. */
export function endOfMonth(day: Date, months: number): Date {
  const end = new Date(day);
  // Unlike `Date.UTC`, this takes years before 100 as written.
  end.setUTCFullYear(day.getUTCFullYear(), day.getUTCMonth() + months + 1, 0);
  return end;
}

/** Adds months to a day. A day that a month does not have becomes its last day. */
export function addMonths(day: Date, months: number): Date {
  const end = endOfMonth(day, months);
  return addDays(end, Math.min(day.getUTCDate() - end.getUTCDate(), 0));
}

/** Lists a month and those after it, as `YYYY-MM`. @param first as `YYYY-MM`, like all of them */
export function monthsFrom(first: string, count: number): string[] {
  const [year = 0, month = 0] = first.split('-').map(Number);
  return Array.from({ length: count }, (_, ahead) =>
    new Date(Date.UTC(year, month - 1 + ahead)).toISOString().slice(0, 7),
  );
}

/** Returns the last day of a month, `YYYY-MM`. */
export function lastDayInMonth(month: string): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0));
}

/**
 * Computes an item's status by the current day in its workspace. `items/status.ts` expresses the same in SQL.
 */
export function computeStatus(item: Expiring, calendar: Calendar, now: Date): Status {
  if (!item.isActive) return 'archived';
  if (item.isMissing) return 'missing';
  if (!item.expirationDate) return 'nodate';
  const today = todayIn(calendar.timezone, now);
  if (item.expirationDate < today) return 'expired';
  return item.notifyOn && item.notifyOn <= today ? 'notifying' : 'current';
}
