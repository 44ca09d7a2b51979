import * as z from 'zod';
import { rules } from '../rules.js';
import { addDays } from '../status.js';

/** Units of automatic renewals. */
export const renewalUnits = ['DAYS', 'MONTHS', 'YEARS'] as const;

/** The most units of one renewal, at least a hundred years. */
const mostUnits = { DAYS: 36_525, MONTHS: 1_200, YEARS: 100 } as const;

/** Rule of how items of a document type are renewed automatically. */
export const autoRenewRule = z
  .object({
    every: z.int32('is required').min(1, 'must be at least 1'),
    unit: z.enum(renewalUnits, 'must be DAYS, MONTHS or YEARS'),
    requireAcknowledgement: rules.flag(false),
  })
  .refine(({ every, unit }) => every <= mostUnits[unit], {
    path: ['every'],
    message: 'must be at most a hundred years',
  })
  .nullish()
  .transform((rule) => rule ?? null);

/** Settings by which items of a document type are renewed automatically. */
export type AutoRenew = NonNullable<z.output<typeof autoRenewRule>>;

type Period = Pick<AutoRenew, 'every' | 'unit'>;

/** Adds periods to a date. A day that a month does not have becomes its last day. */
function addPeriods(date: Date, count: number, { every, unit }: Period): Date {
  const units = count * every;
  if (unit === 'DAYS') return addDays(date, units);
  const months = date.getUTCMonth() + (unit === 'YEARS' ? 12 * units : units);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0));
  return addDays(lastDay, Math.min(date.getUTCDate() - lastDay.getUTCDate(), 0));
}

/** Counts the periods needed to move a date to another date or beyond. */
function periodsUntil(date: Date, until: Date, period: Period): number {
  const days = (until.getTime() - date.getTime()) / 86_400_000;
  const longest = { DAYS: 1, MONTHS: 31, YEARS: 366 }[period.unit] * period.every;
  let count = Math.max(0, Math.floor(days / longest));
  while (addPeriods(date, count, period) < until) count++;
  return count;
}

/**
 * Computes the date that an item is renewed to. It is the first one that has not passed; missed renewals are
 * not made up for. The day of the month is that of the first date in the series of automatic renewals, so the
 * 31st returns after a 30th, and the 29th of February in a leap year.
 * @param before earlier dates of automatic renewals
 */
export function renewedDate(date: Date, before: readonly Date[], today: Date, period: Period): Date {
  const earlier = [...before].filter((one) => one < date).sort((a, b) => a.getTime() - b.getTime());
  const leadsHere = (anchor: Date) =>
    addPeriods(anchor, periodsUntil(anchor, date, period), period).getTime() === date.getTime();
  const anchor = earlier.find(leadsHere) ?? date;
  const done = periodsUntil(anchor, date, period);
  return addPeriods(anchor, Math.max(done + 1, periodsUntil(anchor, today, period)), period);
}
