import type { DataOf } from '../../data/operation';
import type { CalendarItems } from '../../generated/operations/calendar';
import { addDays, type Day, today } from '../../i18n/dates';
import { locale } from '../../i18n/i18n';

/** An item of the current month. */
export type MonthItem = DataOf<typeof CalendarItems>['expirationItems']['nodes'][number];

/** Reads the month from the address: its first day, or that of this month. */
export function firstDayOf(text: string | null): Day {
  const isMonth = text && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text >= '1900-01' && text < '9999-01';
  return `${isMonth ? text : today().slice(0, 7)}-01`;
}

/** Browsers expose the first day of the week under one of two names. */
interface WeekLocale extends Intl.Locale {
  getWeekInfo?(): { readonly firstDay: number };
  readonly weekInfo?: { readonly firstDay: number };
}

/** Returns the first day of the week: 1 for Monday, 7 for Sunday. */
function weekBegins(): number {
  const known: WeekLocale = new Intl.Locale(locale());
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

/** Returns the weeks of a month, each of seven days. */
export function weeksOf(first: Day, last: Day): readonly (readonly Day[])[] {
  const weekday = new Date(`${first}T12:00:00Z`).getUTCDay();
  const begin = addDays(first, -((weekday - weekBegins() + 7) % 7));
  const weeks: Day[][] = [];
  for (let day = begin; day <= last; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(day, at)));
  }
  return weeks;
}

/** Formats a day of the week. */
export const weekdayName = (day: Day, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
