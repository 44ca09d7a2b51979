import * as z from 'zod';
import { addDays, addMonths, clampDay, endOfMonth } from './dates.js';

/** Units of notice periods. */
export const noticeUnits = ['DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const;

/** Days that notice periods are counted back from. */
export const noticeEnds = ['EXPIRATION', 'END_OF_MONTH', 'END_OF_QUARTER', 'END_OF_YEAR'] as const;

/** Days of each unit at most, and months if it is a number of them. */
const units = {
  DAYS: { days: 1, most: 36_525 },
  WEEKS: { days: 7, most: 5_217 },
  MONTHS: { months: 1, most: 1_200 },
  YEARS: { months: 12, most: 100 },
} as const;

/** Rule of how the last day to give notice follows from the expiration date. Its members are in the order of JSONB. */
export const noticeRuleRule = z
  .object({
    unit: z.enum(noticeUnits, `must be one of ${noticeUnits.join(', ')}`),
    count: z.int32('is required').min(1, 'must be at least 1'),
    before: z
      .enum(noticeEnds, `must be one of ${noticeEnds.join(', ')}`)
      .nullish()
      .transform((end) => end ?? 'EXPIRATION'),
  })
  .refine(({ count, unit }) => count <= units[unit].most, {
    path: ['count'],
    message: 'must be at most a hundred years',
  })
  .nullish()
  .transform((rule) => rule ?? null);

/** Rule by which the last day to give notice follows from the expiration date. */
export type NoticeRule = NonNullable<z.output<typeof noticeRuleRule>>;

/** Months of the periods whose ends a notice period may be counted back from. */
const monthsOfPeriod = { END_OF_MONTH: 1, END_OF_QUARTER: 3, END_OF_YEAR: 12 } as const;

/** Returns the last end of a period that does not come after a day. */
function lastEnd(day: Date, months: number): Date {
  const left = months - 1 - (day.getUTCMonth() % months);
  const end = endOfMonth(day, left);
  return end > day ? endOfMonth(day, left - months) : end;
}

/**
 * Computes the last day to give notice. A day that a month does not have becomes its last day, and months before the
 * end of a period lead to the end of a month.
 */
export function noticeDateOf(expires: Date, { count, unit, before }: NoticeRule): Date {
  const end = before === 'EXPIRATION' ? expires : lastEnd(expires, monthsOfPeriod[before]);
  const length = units[unit];
  const day =
    'days' in length
      ? addDays(end, -count * length.days)
      : (before === 'EXPIRATION' ? addMonths : endOfMonth)(end, -count * length.months);
  return clampDay(day);
}

const isEndOfMonth = (day: Date) => endOfMonth(day, 0).getTime() === day.getTime();

/**
 * Moves a typed last day to give notice along with an expiration date. It moves by as many months, or by as many days
 * if these are no whole months.
 */
export function movedNotice(notice: Date, from: Date, to: Date): Date {
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  const months = 12 * years + to.getUTCMonth() - from.getUTCMonth();
  const isToEnd = isEndOfMonth(from) && isEndOfMonth(to);
  if (isToEnd && isEndOfMonth(notice)) return clampDay(endOfMonth(notice, months));
  if (isToEnd || addMonths(from, months).getTime() === to.getTime())
    return clampDay(addMonths(notice, months));
  return clampDay(new Date(notice.getTime() + to.getTime() - from.getTime()));
}

/**
 * Returns the last day to give notice that an item has with another expiration date. A typed one moves along: it would
 * stay in the term that ends, and nobody would be reminded again.
 */
export function noticeAfterRenewal(
  {
    noticeDate,
    noticeRule,
    expirationDate: before,
  }: {
    readonly noticeDate: Date | null;
    readonly noticeRule: unknown;
    readonly expirationDate: Date | null;
  },
  expires: Date,
): Date | null {
  if (noticeRule) return noticeDateOf(expires, noticeRule as NoticeRule);
  return noticeDate && before && noticeDate <= before ? movedNotice(noticeDate, before, expires) : noticeDate;
}

const endWords = {
  EXPIRATION: '',
  END_OF_MONTH: ' the end of a month',
  END_OF_QUARTER: ' the end of a quarter',
  END_OF_YEAR: ' the end of a year',
} as const;

/** Writes a rule in words, as files have it: `6 weeks before the end of a quarter`. */
export function formatNoticeRule({ count, unit, before }: NoticeRule): string {
  const noun = unit.toLowerCase().slice(0, count === 1 ? -1 : undefined);
  return `${count} ${noun} before${endWords[before]}`;
}

/** Examples of rules in words. */
export const noticeRuleExamples = '3 months before, or 6 weeks before the end of a quarter';

const ruleForm =
  /^(\d{1,6}) (day|week|month|year)s?(?: before(?: (?:the )?end of (?:(?:a|the) )?(month|quarter|year))?)?$/i;

/** Reads a rule in the words of `formatNoticeRule`. Undefined if it is none. */
export function parseNoticeRule(text: string): NoticeRule | undefined {
  const match = ruleForm.exec(text.trim().replaceAll(/\s+/g, ' '));
  if (!match) return undefined;
  const [, count, unit = '', period] = match;
  const before = period === undefined ? 'EXPIRATION' : `END_OF_${period.toUpperCase()}`;
  const read = noticeRuleRule.safeParse({ count: Number(count), unit: `${unit.toUpperCase()}S`, before });
  return read.data ?? undefined;
}
