import { now } from '../../data/client';
import type { DataOf } from '../../data/operation';
import type { StartedItems } from '../../generated/operations/reminders';
import { addDays, type Day, dayOf, daysBetween, timeOf } from '../../i18n/dates';
import type { Policy, Step } from './steps';

/** An item whose reminders have begun. */
export type StartedItem = DataOf<typeof StartedItems>['expirationItems']['nodes'][number];

/** A step of a policy that has passed for an item without a reminder. */
export interface Missed {
  readonly item: StartedItem;
  readonly step: Step;
  /** The day on which it would have been sent. */
  readonly on: Day;
}

/** Days after its date for which an item still gets reminders. */
export const lateDays = 7;

/** Returns the last day of a step up to today. Repetitions count; undefined if none has come. */
function lastDay(step: Step, date: Day, today: Day): Day | undefined {
  const first = addDays(date, step.offsetDays);
  const since = daysBetween(first, today);
  if (since < 0) return undefined;
  const { repeatEveryDays: every, repeatCount } = step;
  const turns =
    every === null ? 0 : Math.min(repeatCount ?? Number.POSITIVE_INFINITY, Math.floor(since / every));
  return addDays(first, turns * (every ?? 0));
}

/** Returns whether an acknowledgement ends a step for the item's current date. */
function isHeldBack({ acknowledgement, expirationDate }: StartedItem, step: Step, today: Day): boolean {
  if (!acknowledgement || acknowledgement.expirationDate !== expirationDate) return false;
  const { silence, snoozeUntil } = acknowledgement;
  if (snoozeUntil && snoozeUntil <= today) return false;
  return silence || step.onlyUnacknowledged || step.repeatEveryDays !== null;
}

/**
 * Finds the step that applying a policy would send for an item. It is the last that has passed, if nothing
 * was decided since. The gateway decides itself; this is an estimate.
 */
export function missedStep(policy: Policy, item: StartedItem): Missed | undefined {
  const { expirationDate: date, reminderMode, effectivePolicy, team } = item;
  if (!date || reminderMode === 'OFF' || effectivePolicy?.policy.id !== policy.id) return undefined;
  const today = dayOf(now(), team?.timezone);
  const isOver = timeOf(now(), team?.timezone) >= (item.timeOfDay ?? policy.timeOfDay).slice(0, 5);
  const passed = policy.steps
    .filter((step) => step.about !== 'NOTICE' && !isHeldBack(item, step, today))
    .map((step) => ({ item, step, on: lastDay(step, date, isOver ? today : addDays(today, -1)) }))
    .filter((one): one is Missed => one.on !== undefined)
    .sort((one, other) => one.on.localeCompare(other.on));
  const last = passed.at(-1);
  const [decided] = item.reminders.nodes;
  if (!last || decided?.expirationDate !== date) return last;
  // If only working days count, a step before the date may have come some days earlier.
  const sooner = policy.deliverOn === 'WORKING_DAYS' && last.on <= date ? 6 : 0;
  const decidedOn = dayOf(new Date(decided.slotAt), team?.timezone);
  return decidedOn >= addDays(last.on, -sooner) ? undefined : last;
}
