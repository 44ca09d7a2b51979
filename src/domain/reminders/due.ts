import { addDays } from '../status.js';
import { instantOf } from './instants.js';
import { mostRepeats } from './policy.js';
import type { Ending } from './reasons.js';
import { type Shift, type SlotCalendar, shiftDay } from './slots.js';

const dayMilliseconds = 86_400_000;

/** Days after its date for which a late item still gets reminders. */
export const lateDays = 7;

/** A step of a policy, with the policy's settings that decide when it is due. */
export interface DueStep {
  readonly id: string;
  readonly offsetDays: number;
  readonly repeatEveryDays: number | null;
  readonly repeatCount: number | null;
  readonly onlyUnacknowledged: boolean;
  readonly timeOfDay: string;
  readonly workingDaysOnly: boolean;
}

/** The current acknowledgement of a date. */
export interface Acknowledged {
  readonly silence: boolean;
  readonly snoozeUntil: Date | null;
}

/** The current state of an item, with what is known about its date. */
export interface DueItem {
  readonly id: string;
  readonly expirationDate: Date;
  readonly timeOfDay: string | null;
  readonly steps: readonly DueStep[];
  readonly acknowledged: Acknowledged | null;
}

/** State of a step's repetitions in the ledger of reminders. Those of a muted step are never sent. */
export type Known = 'none' | 'told' | 'muted';

/** The time span of a decision: everything due after `from` and up to `now`. */
export interface Span extends SlotCalendar {
  /** The start, exclusive; null to check all that has passed. */
  readonly from: Date | null;
  readonly now: Date;
  /** The current day in the workspace. */
  readonly today: Date;
  /** True if past slots are only recorded, because the item was imported then. */
  readonly quiet: boolean;
}

/** One decision about a step of an item's date. */
export interface Decision {
  readonly itemId: string;
  readonly stepKey: string;
  readonly occurrence: number;
  readonly slot: Date;
  readonly state: 'PENDING' | 'SKIPPED';
  readonly reason: Ending | null;
  /** The step whose recipients get the reminder. */
  readonly step: DueStep;
}

/** Returns the maximum number of a step's repetitions. */
export const mostRepeatsOf = ({
  repeatEveryDays,
  repeatCount,
}: Pick<DueStep, 'repeatEveryDays' | 'repeatCount'>): number =>
  repeatEveryDays === null ? 0 : Math.min(repeatCount ?? mostRepeats, mostRepeats);

/** Reasons for which a step sends no further reminders, however often it repeats. */
export const mutedReasons = ['long past', 'imported'] as const;

/** Key in the ledger of reminders for the one at the end of a snooze. No step has it. */
export const snoozeKey = '00000000-0000-4000-8000-000000000001';

/** Keys in the ledger for what the calendar does to items. They are not reminders, and no step has them. */
export const dayKeys = {
  becameDue: '00000000-0000-4000-8000-000000000002',
  expired: '00000000-0000-4000-8000-000000000003',
  autoRenewed: '00000000-0000-4000-8000-000000000004',
} as const;

/** A decision that may be made. */
export type Candidate = Omit<Decision, 'state' | 'reason' | 'itemId'>;

/** Returns the time of an occurrence of a step for an item's date. */
export function slotOf(item: DueItem, step: DueStep, occurrence: number, span: SlotCalendar): Date {
  const days = step.offsetDays + occurrence * (step.repeatEveryDays ?? 0);
  const shift: Shift = step.workingDaysOnly ? (days <= 0 ? 'before' : 'after') : 'none';
  const day = shiftDay(addDays(item.expirationDate, days), shift, span.workingDays);
  return instantOf(day, item.timeOfDay ?? step.timeOfDay, span.timezone);
}

/** Finds the last occurrence of a step whose slot has passed. Undefined if there is none. */
function lastPassed(item: DueItem, step: DueStep, span: Span): Candidate | undefined {
  const every = step.repeatEveryDays;
  const first = addDays(item.expirationDate, step.offsetDays);
  // A slot may have been shifted by up to six days, and the time zone may have changed.
  const ahead = Math.floor((span.today.getTime() - first.getTime()) / dayMilliseconds) + 8;
  const most = every === null ? 0 : Math.min(mostRepeatsOf(step), Math.floor(ahead / every));
  for (let occurrence = most; occurrence >= 0; occurrence--) {
    const slot = slotOf(item, step, occurrence, span);
    if (slot <= span.now) return { stepKey: step.id, occurrence, slot, step };
  }
  return undefined;
}

/** Finds the reminder at the end of a snooze. It goes to the last step's recipients. */
export function snoozed(
  item: DueItem,
  span: Pick<Span, 'now' | 'today' | 'timezone'>,
): Candidate | undefined {
  const until = item.acknowledged?.snoozeUntil;
  if (!until || item.acknowledged?.silence || until > span.today) return undefined;
  const plain = item.steps.filter(({ onlyUnacknowledged }) => !onlyUnacknowledged);
  const before = plain.filter(({ offsetDays }) => addDays(item.expirationDate, offsetDays) <= until);
  const step = before.at(-1) ?? plain[0];
  if (!step) return undefined;
  const slot = instantOf(until, item.timeOfDay ?? step.timeOfDay, span.timezone);
  const occurrence = Math.floor(until.getTime() / dayMilliseconds);
  return slot <= span.now ? { stepKey: snoozeKey, occurrence, slot, step } : undefined;
}

/** Returns whether an acknowledgement currently holds a step back. */
export function isHeldBack(
  { acknowledged }: DueItem,
  { step, occurrence }: Candidate,
  { today }: Pick<Span, 'today'>,
): boolean {
  if (!acknowledged) return false;
  if (acknowledged.snoozeUntil && acknowledged.snoozeUntil <= today) return false;
  return acknowledged.silence || step.onlyUnacknowledged || occurrence > 0;
}

/**
 * Decides which reminder is sent for an item's date. It is the last of all steps that came due. The log
 * filters out those decided earlier.
 * @param known returns the state of a step's repetitions in the ledger
 */
export function decide(item: DueItem, span: Span, known: (stepKey: string) => Known): Decision[] {
  const { from, now, today, quiet } = span;
  const repeats = ({ step, stepKey, occurrence }: Candidate): boolean => {
    if (occurrence === 0 || stepKey === snoozeKey) return true;
    const before = known(stepKey);
    // A repetition repeats an earlier reminder, or one of the same span.
    return from === null ? before !== 'muted' : before === 'told' || slotOf(item, step, 0, span) > from;
  };
  const candidates = [...item.steps.map((step) => lastPassed(item, step, span)), snoozed(item, span)].filter(
    (one): one is Candidate =>
      one !== undefined && (from === null || one.slot > from) && !isHeldBack(item, one, span) && repeats(one),
  );
  const latest = Math.max(...candidates.map(({ slot }) => slot.getTime()));
  const isOld = item.expirationDate < addDays(today, -lateDays);
  const isLongPast = isOld && (from === null || latest < now.getTime() - lateDays * dayMilliseconds);
  const muted = quiet ? 'imported' : isLongPast ? 'long past' : null;
  return candidates.map((candidate) => {
    const reason = muted ?? (candidate.slot.getTime() < latest ? 'superseded' : null);
    return { itemId: item.id, ...candidate, state: reason ? 'SKIPPED' : 'PENDING', reason };
  });
}
