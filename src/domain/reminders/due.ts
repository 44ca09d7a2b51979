import { addDays } from '../status.js';
import { instantOf } from './instants.js';
import { mostRepeats } from './policy.js';
import { type Shift, type SlotCalendar, shiftDay } from './slots.js';

const dayMilliseconds = 86_400_000;

/** Days after its date for which an item that comes late is still told of. */
export const lateDays = 7;

/** A step of a policy, with what of its policy decides when it is due. */
export interface DueStep {
  readonly id: string;
  readonly offsetDays: number;
  readonly repeatEveryDays: number | null;
  readonly repeatCount: number | null;
  readonly onlyUnacknowledged: boolean;
  readonly timeOfDay: string;
  readonly workingDaysOnly: boolean;
}

/** An acknowledgement of a date, as it stands now. */
export interface Acknowledged {
  readonly silence: boolean;
  readonly snoozeUntil: Date | null;
}

/** An item as it is now, with what is known of its date. */
export interface DueItem {
  readonly id: string;
  readonly expirationDate: Date;
  readonly timeOfDay: string | null;
  readonly steps: readonly DueStep[];
  readonly acknowledged: Acknowledged | null;
}

/** State of a step's repetitions in the ledger. Those of a muted one are not told at all. */
export type Known = 'none' | 'told' | 'muted';

/** A time span of decisions: what was due after `from` and up to `now`. */
export interface Span extends SlotCalendar {
  /** The beginning, which is excluded; null for a check of all that has passed. */
  readonly from: Date | null;
  readonly now: Date;
  /** The day that it is now in the workspace. */
  readonly today: Date;
  /** True if what has passed is only noted. The item was imported then. */
  readonly quiet: boolean;
}

/** One decision about a step of an item's date. */
export interface Decision {
  readonly itemId: string;
  readonly stepKey: string;
  readonly occurrence: number;
  readonly slot: Date;
  readonly state: 'PENDING' | 'SKIPPED';
  readonly reason: string | null;
  /** The step whose recipients are told. */
  readonly step: DueStep;
}

/** Returns how often a step is repeated at most. */
export const mostRepeatsOf = ({
  repeatEveryDays,
  repeatCount,
}: Pick<DueStep, 'repeatEveryDays' | 'repeatCount'>): number =>
  repeatEveryDays === null ? 0 : Math.min(repeatCount ?? mostRepeats, mostRepeats);

/** Reasons by which a step is not told of again, however often it repeats. */
export const mutedReasons = ['long past', 'imported'] as const;

/** Key in the ledger of a reminder at the end of a snooze. No step has it. */
export const snoozeKey = '00000000-0000-4000-8000-000000000001';

/** Keys in the ledger of what the calendar does to items. They are no reminders, and no step has them. */
export const dayKeys = {
  becameDue: '00000000-0000-4000-8000-000000000002',
  expired: '00000000-0000-4000-8000-000000000003',
  autoRenewed: '00000000-0000-4000-8000-000000000004',
} as const;

/** A decision that may be made. */
export type Candidate = Omit<Decision, 'state' | 'reason' | 'itemId'>;

/** Returns the moment at which an occurrence of a step of an item's date comes. */
export function slotOf(item: DueItem, step: DueStep, occurrence: number, span: SlotCalendar): Date {
  const days = step.offsetDays + occurrence * (step.repeatEveryDays ?? 0);
  const shift: Shift = step.workingDaysOnly ? (days <= 0 ? 'before' : 'after') : 'none';
  const day = shiftDay(addDays(item.expirationDate, days), shift, span.workingDays);
  return instantOf(day, item.timeOfDay ?? step.timeOfDay, span.timezone);
}

/** Finds the last occurrence of a step whose slot has passed; undefined when none has. */
function lastPassed(item: DueItem, step: DueStep, span: Span): Candidate | undefined {
  const every = step.repeatEveryDays;
  const first = addDays(item.expirationDate, step.offsetDays);
  // A slot may have been moved by up to six days, and the zone may have changed.
  const ahead = Math.floor((span.today.getTime() - first.getTime()) / dayMilliseconds) + 8;
  const most = every === null ? 0 : Math.min(mostRepeatsOf(step), Math.floor(ahead / every));
  for (let occurrence = most; occurrence >= 0; occurrence--) {
    const slot = slotOf(item, step, occurrence, span);
    if (slot <= span.now) return { stepKey: step.id, occurrence, slot, step };
  }
  return undefined;
}

/** Finds the reminder at the end of a snooze. It has the last step's recipients. */
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

/** Tells whether an acknowledgement stands against a step now. */
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
 * Decides what is told of an item's date. It is the last one of all steps that came due. The ledger drops what was
 * decided before.
 * @param known what the ledger has of a step's repetitions
 */
export function decide(item: DueItem, span: Span, known: (stepKey: string) => Known): Decision[] {
  const { from, now, today, quiet } = span;
  const repeats = ({ step, stepKey, occurrence }: Candidate): boolean => {
    if (occurrence === 0 || stepKey === snoozeKey) return true;
    const before = known(stepKey);
    // It repeats what was told, or what is told in the same span.
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
