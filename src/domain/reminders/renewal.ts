import * as z from 'zod';
import { addDays, addMonths, formatDate, isMoment } from '../dates.js';
import { rules } from '../rules.js';

/** Units of the interval at which items are renewed. */
export const renewalUnits = ['DAYS', 'MONTHS', 'YEARS'] as const;

/** Days from which renewals by people are counted. */
export const renewalBases = ['OLD_DATE', 'TODAY'] as const;

/** The most units of one renewal, at least a hundred years. */
const maxUnits = { DAYS: 36_525, MONTHS: 1_200, YEARS: 100 } as const;

/** The most renewals that an item can have left. They suffice for one a day in a century. */
export const maxRenewals = 40_000;

/** An end of an item's renewals. Null stands for none. */
export interface RenewalEnd {
  /** The last day to which it is renewed. */
  readonly renewUntil: Date | null;
  readonly renewalsLeft: number | null;
}

/** Says why an item is not renewed to a date any more. Undefined if it is. */
export function endOfRenewals({ renewUntil, renewalsLeft }: RenewalEnd, next: Date): string | undefined {
  if (renewalsLeft === 0) return 'no renewals are left';
  return renewUntil && next > renewUntil ? `its renewals end on ${formatDate(renewUntil)}` : undefined;
}

/** Rule of how items of a document type are renewed. Its members are in the order of JSONB. */
export const autoRenewRule = z
  .object({
    from: z
      .enum(renewalBases, 'must be OLD_DATE or TODAY')
      .nullish()
      .transform((base) => base ?? 'OLD_DATE'),
    unit: z.enum(renewalUnits, 'must be DAYS, MONTHS or YEARS'),
    every: z.int32('is required').min(1, 'must be at least 1'),
    byPeople: rules.flag(false),
    requireAcknowledgement: rules.flag(false),
  })
  .refine(({ every, unit }) => every <= maxUnits[unit], {
    path: ['every'],
    message: 'must be at most a hundred years',
  })
  .nullish()
  .transform((rule) => rule ?? null);

/** Settings by which items of a document type are renewed. Those of earlier versions have fewer members. */
export type AutoRenew = Pick<Renewing, 'every' | 'unit' | 'requireAcknowledgement'> &
  Partial<Pick<Renewing, 'from' | 'byPeople'>>;

type Renewing = NonNullable<z.output<typeof autoRenewRule>>;

type Period = Pick<AutoRenew, 'every' | 'unit'>;

/** Adds periods to a date. A day that a month does not have becomes its last day. */
export function addPeriods(date: Date, count: number, { every, unit }: Period): Date {
  const units = count * every;
  return unit === 'DAYS' ? addDays(date, units) : addMonths(date, unit === 'YEARS' ? 12 * units : units);
}

const dayMs = 86_400_000;

const daysBetween = (from: Date, until: Date) => (until.getTime() - from.getTime()) / dayMs;

const monthsBetween = (from: Date, until: Date) =>
  12 * (until.getUTCFullYear() - from.getUTCFullYear()) + until.getUTCMonth() - from.getUTCMonth();

/** Counts the periods needed to move a date to another date or beyond. */
function periodsUntil(date: Date, until: Date, period: Period): number {
  const longest = { DAYS: 1, MONTHS: 31, YEARS: 366 }[period.unit] * period.every;
  let count = Math.max(0, Math.floor(daysBetween(date, until) / longest));
  while (addPeriods(date, count, period) < until) count++;
  return count;
}

/** Returns whether periods lead from one date to another, forwards or backwards. */
function leadsTo(from: Date, to: Date, period: Period): boolean {
  const count =
    period.unit === 'DAYS'
      ? daysBetween(from, to) / period.every
      : monthsBetween(from, to) / period.every / (period.unit === 'YEARS' ? 12 : 1);
  return Number.isInteger(count) && addPeriods(from, count, period).getTime() === to.getTime();
}

/**
 * Finds the date from which periods lead to all dates of a series. The series ends at the first date that does not
 * belong to it.
 * @param before the dates before it, the latest first
 */
function anchorOf(date: Date, before: readonly Date[], period: Period): Date {
  let anchor = date;
  const series = [date];
  for (const earlier of before) {
    series.push(earlier);
    const leads = (from: Date) => series.every((one) => leadsTo(from, one, period));
    const found = [anchor, earlier].find(leads);
    if (!found) break;
    anchor = found;
  }
  return anchor;
}

/**
 * Computes the date that an item is renewed to. It is the first one that has not passed; missed renewals are
 * not made up for. The day of the month is that of the series, so the 31st returns after a 30th, and the 29th
 * of February in a leap year.
 * @param before the dates that renewals led from, the latest first
 */
export function renewedDate(date: Date, before: readonly Date[], today: Date, period: Period): Date {
  const anchor = anchorOf(date, before, period);
  const done = periodsUntil(anchor, date, period);
  return addPeriods(anchor, Math.max(done + 1, periodsUntil(anchor, today, period)), period);
}

const aYear = { every: 1, unit: 'YEARS' } as const;

/** Returns the interval that led to a date. It is in months unless these are no whole ones, and a year at first. */
function lastPeriod(date: Date, before: readonly Date[]): Period {
  const [last] = before;
  if (!last) return aYear;
  const every = monthsBetween(last, date);
  // A document that is valid for a year often ends on the day before.
  const isWhole = before.some(
    (one) => Math.abs(daysBetween(addMonths(one, monthsBetween(one, date)), date)) <= 1,
  );
  return every > 0 && isWhole
    ? { every, unit: 'MONTHS' }
    : { every: Math.max(1, daysBetween(last, date)), unit: 'DAYS' };
}

/**
 * Proposes the date of the next renewal. It is later than the present one and has not passed. Without a rule, the
 * interval is that of the last renewal.
 * @param before as of `renewedDate`
 * @returns undefined if it would be beyond the calendar, which ends with the year 9999
 */
export function proposedRenewal(
  date: Date | null,
  before: readonly Date[],
  today: Date,
  rule: AutoRenew | null,
): Date | undefined {
  const next = nextRenewal(date, before, today, rule);
  return isMoment(next) ? next : undefined;
}

function nextRenewal(date: Date | null, before: readonly Date[], today: Date, rule: AutoRenew | null): Date {
  if (!date) return addPeriods(today, 1, rule ?? aYear);
  if (rule?.from !== 'TODAY') return renewedDate(date, before, today, rule ?? lastPeriod(date, before));
  const count = Math.max(1, periodsUntil(today, addDays(date, 1), rule));
  return addPeriods(today, count, rule);
}
