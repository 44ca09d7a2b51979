import { now } from '../data/client';
import { locale, t } from './i18n';

const day = 86_400_000;

/** A day without a time, such as `2027-02-28`. */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format of the current language. Creating one is slow, so it is cached. */
function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale() + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  formats.set(key, format);
  return format;
}

/** Creates a format in a time zone. An unknown one is replaced by the person's own. */
function zoned(tag: string, parts: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(tag, { ...parts, ...(timeZone && { timeZone }) });
  } catch {
    return new Intl.DateTimeFormat(tag, parts);
  }
}

/** Returns the day of a time in a time zone, or in the person's own. */
export function dayOf(moment: Date, timeZone = ''): Day {
  const key = `day ${timeZone}`;
  const format =
    formats.get(key) ?? zoned('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }, timeZone);
  formats.set(key, format);
  return format.format(moment);
}

/** Returns today's day in a time zone, or in the person's own. */
export const today = (timeZone = ''): Day => dayOf(now(), timeZone);

/** Returns the time of day in a time zone, such as `08:30`. */
export const timeOf = (moment: Date, timeZone = ''): string =>
  zoned('en-GB', { hour: '2-digit', minute: '2-digit' }, timeZone).format(moment);

const atNoon = (date: Day): Date => new Date(`${date}T12:00:00Z`);

/** Counts the days from one day to another. */
export const daysBetween = (from: Day, until: Day): number =>
  Math.round((Date.parse(until) - Date.parse(from)) / day);

/** Returns the day a number of days later. */
export const addDays = (date: Day, days: number): Day =>
  new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);

/** Returns the day a number of months later. In a shorter month it is the last day. */
export function addMonths(date: Day, months: number): Day {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(dayOfMonth, last));
  return first.toISOString().slice(0, 10);
}

/** Formats a day: `28 Feb 2027`. */
export const formatDay = (date: Day, month: 'short' | 'long' = 'short'): string =>
  formatOf({ day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }).format(atNoon(date));

/** Formats a day of the week. */
export const weekdayName = (day: Day, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));

/** Formats a month of a year: `February 2027`. */
export const formatMonth = (month: string, style: 'short' | 'long' = 'long'): string =>
  formatOf({ month: style, year: 'numeric', timeZone: 'UTC' }).format(atNoon(`${month.slice(0, 7)}-01`));

/** Formats a time in the person's own time zone. */
export const formatMoment = (moment: string): string =>
  formatOf({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));

/** Formats the distance of a day from today: `in 12 days`, `yesterday`. */
export function formatDistance(days: number): string {
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const size = Math.abs(days);
  if (size < 60) return words.format(days, 'day');
  return size < 730
    ? words.format(Math.round(days / 30.44), 'month')
    : words.format(Math.round(days / 365.25), 'year');
}

/** Formats how long ago a time was. */
export function formatAgo(moment: string): string {
  const minutes = Math.round((Date.parse(moment) - now().getTime()) / 60_000);
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  if (minutes > -1) return t('common.just_now');
  if (minutes > -60) return words.format(minutes, 'minute');
  if (minutes > -1440) return words.format(Math.round(minutes / 60), 'hour');
  return formatDistance(Math.round(minutes / 1440));
}

/** Formats a file size. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}
