import * as z from 'zod';
import { addDays, addMonths } from '../dates.js';
import { limits, newId, rules } from '../rules.js';

/** Default local time of reminders, unless a policy or an item sets another. */
export const standardTime = '08:00';

/** Roles of people in an item. Steps use them to name recipients. */
export const recipientKinds = [
  'CONTACTS',
  'MAIN_CONTACT',
  'ASSIGNEE',
  'WATCHERS',
  'WORKSPACE_MEMBERS',
  'ADMINS',
  'ADDRESSES',
] as const;

/** A role in an item by which somebody gets its reminders. */
export type RecipientKind = (typeof recipientKinds)[number];

/** Default recipients of a step. */
export const standardRecipients: readonly RecipientKind[] = [
  'CONTACTS',
  'MAIN_CONTACT',
  'ASSIGNEE',
  'WATCHERS',
];

/** The most repetitions of a step. */
export const maxRepeats = 365;

/** The most steps of a policy. */
const maxSteps = 20;

/** The most reminder policies of a workspace. All of them are read for each decision. */
export const maxPolicies = 100;

/** The most addresses in all steps of a policy together. */
const maxAddresses = 500;

/** The largest offset of a step from the date, in days. */
const furthestOffset = 3_650;

const offset = `must be from -${furthestOffset} to ${furthestOffset}`;

/** Rule of one step of a policy. */
const stepRule = z
  .object({
    id: rules.uuid.transform((id) => id ?? newId()),
    offsetDays: z.int32('is required').min(-furthestOffset, offset).max(furthestOffset, offset),
    repeatEveryDays: rules.between(1, 365),
    repeatCount: rules.between(1, maxRepeats),
    onlyUnacknowledged: rules.flag(false),
    recipients: z
      .array(z.enum(recipientKinds))
      .max(limits.entries, `must have at most ${limits.entries} entries`)
      .nullish()
      .transform((kinds) => [...new Set(kinds ?? standardRecipients)]),
    addresses: z
      .array(rules.email)
      .max(limits.entries, `must have at most ${limits.entries} entries`)
      .nullish()
      .transform((addresses) => addresses ?? []),
    channelIds: rules.uuids,
  })
  .refine(({ recipients, addresses }) => !recipients.includes('ADDRESSES') || addresses.length > 0, {
    path: ['addresses'],
    message: 'must list the addresses, because the recipients include ADDRESSES',
  })
  // A step may tell only channels; without anybody, it has the usual recipients.
  .transform((step) =>
    step.recipients.length + step.addresses.length + step.channelIds.length > 0
      ? step
      : { ...step, recipients: [...standardRecipients] },
  )
  .transform((step) =>
    step.addresses.length > 0 && !step.recipients.includes('ADDRESSES')
      ? { ...step, recipients: [...step.recipients, 'ADDRESSES' as const] }
      : step,
  );

/** Rule of the steps of a policy. */
export const stepsRule = z
  .array(stepRule)
  .max(maxSteps, `must have at most ${maxSteps} entries`)
  .refine(
    (steps) => steps.reduce((sum, { addresses }) => sum + addresses.length, 0) <= maxAddresses,
    `must have at most ${maxAddresses} addresses in total`,
  )
  .nullish()
  .transform((steps) => steps ?? []);

/** Returns how many days before the date the first step is. It is -1 if all steps come after it. */
export function leadDays(steps: readonly { readonly offsetDays: number }[]): number {
  return Math.max(-1, ...steps.map(({ offsetDays }) => -offsetDays));
}

/** Units of automatic renewals. */
export const renewalUnits = ['DAYS', 'MONTHS', 'YEARS'] as const;

/** The most units of one renewal, at least a hundred years. */
const maxUnits = { DAYS: 36_525, MONTHS: 1_200, YEARS: 100 } as const;

/** Rule of how items of a document type are renewed automatically. */
export const autoRenewRule = z
  .object({
    every: z.int32('is required').min(1, 'must be at least 1'),
    unit: z.enum(renewalUnits, 'must be DAYS, MONTHS or YEARS'),
    requireAcknowledgement: rules.flag(false),
  })
  .refine(({ every, unit }) => every <= maxUnits[unit], {
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
  return unit === 'DAYS' ? addDays(date, units) : addMonths(date, unit === 'YEARS' ? 12 * units : units);
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
