import * as z from 'zod';
import { limits, newId, rules } from '../rules.js';

/** Default local time of reminders, unless a policy or an item sets another. */
export const standardTime = '08:00';

/** Dates of an item that reminders are about. */
export const itemDates = ['EXPIRATION', 'NOTICE'] as const;

/** A date of an item that reminders are about. */
export type ItemDate = (typeof itemDates)[number];

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
    about: z
      .enum(itemDates, `must be one of ${itemDates.join(', ')}`)
      .nullish()
      .transform((about) => about ?? null),
    offsetDays: z.int32('is required').min(-furthestOffset, offset).max(furthestOffset, offset),
    repeatEveryDays: rules.between(1, 365),
    repeatCount: rules.between(1, maxRepeats),
    onlyUnacknowledged: rules.flag(false),
    asksForDocument: rules.flag(false),
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
  .refine(({ about, asksForDocument }) => !asksForDocument || about !== 'NOTICE', {
    path: ['asksForDocument'],
    message: 'must be false for a step that counts from the last day to give notice',
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

/** Returns the steps that count from a date of an item. */
export const stepsAbout = <Step extends { readonly about?: ItemDate | null }>(
  steps: readonly Step[],
  date: ItemDate,
): Step[] => steps.filter(({ about = null }) => about === null || about === date);

/** Returns how many days before the expiration date the first step is. It is -1 if all steps come after it. */
export function leadDays(
  steps: readonly { readonly about?: ItemDate | null; readonly offsetDays: number }[],
): number {
  return Math.max(-1, ...stepsAbout(steps, 'EXPIRATION').map(({ offsetDays }) => -offsetDays));
}
