/** The states of an expiration item by the number that `status_id` carries (decisions on values). */
export const statusIds = {
  current: 1,
  notifying: 2,
  expired: 3,
  archived: 4,
  nodate: 5,
  missing: 6,
} as const;
export type Status = keyof typeof statusIds;

/** What an item's status depends on. */
export interface Expiring {
  readonly isActive: boolean;
  /** Whether a document that is required is absent. */
  readonly isMissing: boolean;
  /** At midnight UTC, or null for none. */
  readonly expirationDate: Date | null;
}

/** A workspace's way of counting days. */
export interface Calendar {
  /** IANA time zone in which its days begin. */
  readonly timezone: string;
  /** Days before its date from which an item is notifying. */
  readonly reminderDays: number;
}

const millisecondsADay = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A day of a time zone, as `YYYY-MM-DD`; making a format is slow, so each zone's is kept. */
function formatOf(timezone: string): Intl.DateTimeFormat {
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

/** The day that it is in a time zone, at midnight UTC, as `date` columns are read. */
export function todayIn(timezone: string, now: Date): Date {
  return new Date(`${formatOf(timezone).format(now)}T00:00:00.000Z`);
}

/** An item's status now, by the days of its workspace. */
export function statusOf(item: Expiring, { timezone, reminderDays }: Calendar, now: Date): Status {
  if (!item.isActive) return 'archived';
  if (item.isMissing) return 'missing';
  if (!item.expirationDate) return 'nodate';
  const today = todayIn(timezone, now).getTime();
  const last = item.expirationDate.getTime();
  if (last < today) return 'expired';
  return last - reminderDays * millisecondsADay <= today ? 'notifying' : 'current';
}
