/** The states of an expiration item by the number that `status_id` carries (docs/rest.md). */
export const statusIds = {
  current: 1,
  notifying: 2,
  expired: 3,
  archived: 4,
  nodate: 5,
  missing: 6,
} as const;
/** Largest number of days ahead in a filter: a hundred years. */
export const furthestDays = 36_525;

export type Status = keyof typeof statusIds;

/** Another word for `nodate` in filters. Fields will answer it from version 1.0 on. */
export const noDateAlias = 'noDate';

/** Properties of an item that decide its status. */
export interface Expiring {
  readonly isActive: boolean;
  /** A required document is absent. */
  readonly isMissing: boolean;
  /** At midnight UTC, or null for none. */
  readonly expirationDate: Date | null;
  /** The first day on which it is notifying, by its reminder policy. The database keeps it. */
  readonly notifyOn: Date | null;
}

/** A workspace's way of counting days. */
export interface Calendar {
  /** IANA time zone in which its days begin. */
  readonly timezone: string;
}

const millisecondsADay = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of days in a time zone, `YYYY-MM-DD`. Making one is slow, so each zone's is kept. */
function dayFormat(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timezone, format);
  return format;
}

/** Returns the current day of a time zone, at midnight UTC. `date` columns are read like this. */
export function todayIn(timezone: string, now: Date): Date {
  return new Date(`${dayFormat(timezone).format(now)}T00:00:00.000Z`);
}

/** Adds days to a day. */
export function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * millisecondsADay);
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
 * Computes an item's status by the day that it is in its workspace. `items/status.ts` says the same to the database.
 */
export function computeStatus(item: Expiring, calendar: Calendar, now: Date): Status {
  if (!item.isActive) return 'archived';
  if (item.isMissing) return 'missing';
  if (!item.expirationDate) return 'nodate';
  const today = todayIn(calendar.timezone, now);
  if (item.expirationDate < today) return 'expired';
  return item.notifyOn && item.notifyOn <= today ? 'notifying' : 'current';
}
