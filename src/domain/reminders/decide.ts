import { addDays } from '../dates.js';
import { maxRepeats } from './policy.js';
import type { Ending } from './reasons.js';
import { dayAt, instantOf, type Shift, type SlotCalendar, shiftDay } from './slots.js';

const dayMilliseconds = 86_400_000;

/** Days after its date for which a late item still gets reminders. */
const lateDays = 7;

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
interface Acknowledged {
  readonly silence: boolean;
  readonly snoozeUntil: Date | null;
}

/** A recipient who is reminded again on a day, and left in peace until then. */
interface Postponed {
  /** Key in the ledger of the reminder on that day. */
  readonly id: string;
  readonly recipientKey: string;
  readonly until: Date;
}

/** A date of an item in its current state, with what is known about it. */
export interface DueItem {
  readonly id: string;
  readonly date: Date;
  readonly timeOfDay: string | null;
  /** The steps that count from the date. */
  readonly steps: readonly DueStep[];
  readonly acknowledged: Acknowledged | null;
  readonly postponed: readonly Postponed[];
}

/** State of a step in the ledger of reminders, for an item's date. */
export interface Known {
  /** The last decided occurrence; null if there is none. */
  readonly last: number | null;
  /** True if its repetitions are never sent. */
  readonly isMuted: boolean;
}

/** State of a step about which nothing was decided. */
export const undecided: Known = { last: null, isMuted: false };

/** Returns whether a step has told somebody, so that it may be repeated. */
const hasTold = ({ last, isMuted }: Known): boolean => last !== null && !isMuted;

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
  readonly stepKey: string;
  readonly occurrence: number;
  readonly slot: Date;
  readonly state: 'PENDING' | 'SKIPPED';
  readonly reason: Ending | null;
  /** The step whose recipients get the reminder. */
  readonly step: DueStep;
  /** The only recipient, who has postponed an earlier one. */
  readonly recipientKey: string | null;
  /** Steps that fall due later the same day. Their recipients are told then, and not twice of the same. */
  readonly yieldsTo: readonly DueStep[];
}

/** Returns the maximum number of a step's repetitions. */
export const maxRepeatsOf = ({
  repeatEveryDays,
  repeatCount,
}: Pick<DueStep, 'repeatEveryDays' | 'repeatCount'>): number =>
  repeatEveryDays === null ? 0 : Math.min(repeatCount ?? maxRepeats, maxRepeats);

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
export type Candidate = Omit<Decision, 'state' | 'reason' | 'yieldsTo'>;

/**
 * Returns how a step's slot is shifted on a day off.
 * @param days number of days after the item's date
 */
export const shiftOf = ({ workingDaysOnly }: Pick<DueStep, 'workingDaysOnly'>, days: number): Shift =>
  workingDaysOnly ? (days <= 0 ? 'before' : 'after') : 'none';

/** Returns the time of an occurrence of a step for an item's date. */
function slotOf(item: DueItem, step: DueStep, occurrence: number, span: SlotCalendar): Date {
  const days = step.offsetDays + occurrence * (step.repeatEveryDays ?? 0);
  const day = shiftDay(addDays(item.date, days), shiftOf(step, days), span.workingDays);
  return instantOf(day, item.timeOfDay ?? step.timeOfDay, span.timezone);
}

/**
 * Finds the last occurrence of a step whose slot has passed. Undefined if there is none. Days off may move several to one
 * slot; a repetition that is held back then takes no place.
 */
function lastPassed(item: DueItem, step: DueStep, span: Span): Candidate | undefined {
  const every = step.repeatEveryDays;
  const first = addDays(item.date, step.offsetDays);
  // A slot may have been shifted by up to six days, and the time zone may have changed.
  const ahead = Math.floor((span.today.getTime() - first.getTime()) / dayMilliseconds) + 8;
  const most = every === null ? 0 : Math.min(maxRepeatsOf(step), Math.floor(ahead / every));
  let last: Candidate | undefined;
  for (let occurrence = most; occurrence >= 0; occurrence--) {
    const slot = slotOf(item, step, occurrence, span);
    if (slot > span.now) continue;
    if (last && slot < last.slot) break;
    last = { stepKey: step.id, occurrence, slot, step, recipientKey: null };
    if (!isHeldBack(item, last, span)) break;
  }
  return last;
}

/** Finds the reminder at the end of a snooze. It goes to the last step's recipients. */
function snoozed(item: DueItem, span: Pick<Span, 'now' | 'today' | 'timezone'>): Candidate | undefined {
  const until = item.acknowledged?.snoozeUntil;
  if (!until || item.acknowledged?.silence || until > span.today) return undefined;
  const step = plainStepAt(item, until);
  if (!step) return undefined;
  const slot = instantOf(until, item.timeOfDay ?? step.timeOfDay, span.timezone);
  const occurrence = Math.floor(until.getTime() / dayMilliseconds);
  return slot <= span.now ? { stepKey: snoozeKey, occurrence, slot, step, recipientKey: null } : undefined;
}

/** Finds the last plain step up to a day, or else the first. */
function plainStepAt({ steps, date }: DueItem, day: Date): DueStep | undefined {
  const plain = steps.filter(({ onlyUnacknowledged }) => !onlyUnacknowledged);
  const before = plain.filter(({ offsetDays }) => addDays(date, offsetDays) <= day);
  return before.at(-1) ?? plain[0];
}

/** Lists the reminders of those who have postponed earlier ones, on their days. */
function ofPostponed(item: DueItem, { timezone }: SlotCalendar): Candidate[] {
  if (item.acknowledged?.silence) return [];
  return item.postponed.flatMap(({ id: stepKey, recipientKey, until }) => {
    const step = plainStepAt(item, until) ?? item.steps[0];
    if (!step) return [];
    const slot = instantOf(until, item.timeOfDay ?? step.timeOfDay, timezone);
    return [{ stepKey, occurrence: 0, slot, step, recipientKey }];
  });
}

/** Returns whether an acknowledgement currently holds a step back. */
function isHeldBack(
  { acknowledged }: DueItem,
  { step, occurrence }: Pick<Candidate, 'step' | 'occurrence'>,
  { today }: Pick<Span, 'today'>,
): boolean {
  if (!acknowledged) return false;
  if (acknowledged.snoozeUntil && acknowledged.snoozeUntil <= today) return false;
  return acknowledged.silence || step.onlyUnacknowledged || occurrence > 0;
}

/** Returns whether a snooze held back the first reminder of a step. Its repetitions go on afterwards all the same. */
const replacesFirst = (item: DueItem, step: DueStep, calendar: SlotCalendar, known: Known): boolean =>
  known.last === null &&
  item.acknowledged?.snoozeUntil != null &&
  isHeldBack(
    item,
    { step, occurrence: 0 },
    { today: dayAt(slotOf(item, step, 0, calendar), calendar.timezone) },
  );

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
    if (from === null) return !before.isMuted;
    // A repetition repeats an earlier reminder, or one of the same span.
    return hasTold(before) || slotOf(item, step, 0, span) > from || replacesFirst(item, step, span, before);
  };
  const candidates = [...item.steps.map((step) => lastPassed(item, step, span)), snoozed(item, span)].filter(
    (one): one is Candidate =>
      one !== undefined && (from === null || one.slot > from) && !isHeldBack(item, one, span) && repeats(one),
  );
  const latest = Math.max(...candidates.map(({ slot }) => slot.getTime()));
  const isOld = item.date < addDays(today, -lateDays);
  const isLongPast = isOld && (from === null || latest < now.getTime() - lateDays * dayMilliseconds);
  const muted = quiet ? 'imported' : isLongPast ? 'long past' : null;
  // Those who have postponed a reminder are told besides all others, and take nobody's place.
  const asked = ofPostponed(item, span).filter(({ slot }) => slot <= now && (from === null || slot > from));
  // What is decided now may be repeated later today.
  const next = (stepKey: string): Known => {
    const decided = candidates.find((one) => one.stepKey === stepKey);
    return decided ? { last: decided.occurrence, isMuted: false } : known(stepKey);
  };
  const yieldsTo = candidates.length + asked.length > 0 ? restOfDay(item, span, next) : [];
  const toDecision = (candidate: Candidate, reason: Ending | null): Decision => ({
    ...{ ...candidate, state: reason ? 'SKIPPED' : 'PENDING', reason, yieldsTo },
  });
  const isPast = ({ slot }: Candidate) => slot.getTime() < now.getTime() - lateDays * dayMilliseconds;
  return [
    ...candidates.map((candidate) =>
      toDecision(candidate, muted ?? (candidate.slot.getTime() < latest ? 'superseded' : null)),
    ),
    ...asked.map((candidate) => toDecision(candidate, isPast(candidate) ? 'long past' : null)),
  ];
}

/** Finds the steps that fall due later today. */
function restOfDay(item: DueItem, span: Span, known: (stepKey: string) => Known): DueStep[] {
  const { now, today, timezone, workingDays } = span;
  const until = new Date(instantOf(addDays(today, 1), '00:00', timezone).getTime() - 1);
  const ahead = { timezone, workingDays, from: now, now, until };
  const coming = upcoming(item, ahead, known).filter(({ recipientKey }) => recipientKey === null);
  return coming.map(({ step }) => step);
}

/** Days by which a slot may differ from the day that its step counts. */
const margin = 9;

/** A future time span: after `from`, up to `until`. */
export interface Ahead extends SlotCalendar {
  readonly from: Date;
  readonly until: Date;
  /** The present: everything before it has been decided. */
  readonly now: Date;
}

/** Returns the first and last number of a step's occurrences around a span. */
function occurrencesIn(item: DueItem, step: DueStep, { from, until }: Ahead): readonly [number, number] {
  const every = step.repeatEveryDays;
  const first = addDays(item.date, step.offsetDays).getTime();
  const daysTo = (moment: Date) => (moment.getTime() - first) / dayMilliseconds;
  const [least, most] = [daysTo(from) - margin, daysTo(until) + margin];
  if (every === null) return least <= 0 && most >= 0 ? [0, 0] : [1, 0];
  return [Math.max(0, Math.floor(least / every)), Math.min(maxRepeatsOf(step), Math.floor(most / every))];
}

/**
 * Returns whether a slot is still to be decided. It may have been, and moved since: the zone or the time of day was
 * changed.
 */
const isOpen = ({ occurrence }: Candidate, { last }: Known): boolean => last === null || occurrence > last;

/** Returns whether a repetition has a reminder to repeat. It was sent or is still to come. */
function repeats(item: DueItem, { step, occurrence }: Candidate, ahead: Ahead, known: Known): boolean {
  if (occurrence === 0 || hasTold(known)) return true;
  if (replacesFirst(item, step, ahead, known)) return true;
  return known.last === null && slotOf(item, step, 0, ahead) > ahead.now;
}

/** Finds the first slot of a step in a span, or all of them. */
function* slotsOfStep(item: DueItem, step: DueStep, ahead: Ahead, known: Known): Generator<Candidate> {
  const [least, most] = occurrencesIn(item, step, ahead);
  for (let occurrence = least; occurrence <= most; occurrence++) {
    const { acknowledged } = item;
    // The acknowledgement holds back all repetitions, however many there are.
    if (occurrence > 0 && acknowledged && !acknowledged.snoozeUntil) return;
    const slot = slotOf(item, step, occurrence, ahead);
    if (slot > ahead.until) return;
    const candidate = { stepKey: step.id, occurrence, slot, step, recipientKey: null };
    const day = { today: dayAt(slot, ahead.timezone) };
    if (slot <= ahead.from || isHeldBack(item, candidate, day)) continue;
    // Days off may move several to one slot, and the last one is sent.
    const next = { ...candidate, occurrence: occurrence + 1 };
    const isLast = occurrence === maxRepeatsOf(step) || slotOf(item, step, next.occurrence, ahead) > slot;
    if (!isLast && !isHeldBack(item, next, day)) continue;
    if (isOpen(candidate, known) && repeats(item, candidate, ahead, known)) yield candidate;
  }
}

/** Finds the reminder at the end of a snooze, if it is in a span. */
function snoozedIn(item: DueItem, ahead: Ahead): Candidate | undefined {
  const until = item.acknowledged?.snoozeUntil;
  if (!until) return undefined;
  const { timezone } = ahead;
  // Evaluated as of then.
  const found = snoozed(item, { timezone, now: ahead.until, today: until });
  return found && found.slot > ahead.from ? found : undefined;
}

/** Lists the reminders of a span that somebody has asked for. They were snoozed, or postponed by one person. */
function askedFor(item: DueItem, ahead: Ahead, known: (stepKey: string) => Known): Candidate[] {
  const snooze = snoozedIn(item, ahead);
  const postponed = ofPostponed(item, ahead).filter(({ slot }) => slot > ahead.from && slot <= ahead.until);
  return [...(snooze ? [snooze] : []), ...postponed].filter((one) => isOpen(one, known(one.stepKey)));
}

/**
 * Lists the reminders of an item's date in a future time span. It applies the rules of `decide` to each
 * future slot.
 * @param known returns the state of a step's repetitions in the log
 */
export function upcoming(item: DueItem, ahead: Ahead, known: (stepKey: string) => Known): Candidate[] {
  const ofSteps = item.steps.flatMap((step) => [...slotsOfStep(item, step, ahead, known(step.id))]);
  return [...ofSteps, ...askedFor(item, ahead, known)];
}

/** Finds the next reminder of an item's date. If several have the same time, it is one of them. */
export function nextUpcoming(
  item: DueItem,
  { now, ...calendar }: SlotCalendar & { readonly now: Date },
  known: (stepKey: string) => Known,
): Candidate | undefined {
  const ahead = { ...calendar, now, from: now, until: new Date(now.getTime() + 100_000 * dayMilliseconds) };
  const firsts = item.steps.flatMap((step) => {
    const { value } = slotsOfStep(item, step, ahead, known(step.id)).next();
    return value ? [value as Candidate] : [];
  });
  return [...firsts, ...askedFor(item, ahead, known)].sort((a, b) => a.slot.getTime() - b.slot.getTime())[0];
}

/**
 * Finds the dates for which a step is due on one of some days. Repeated steps have thousands of
 * offsets, most of which lead to the same dates, so a map of the days is faster than a set.
 * @returns days since 1970
 */
export function datesDue(
  days: readonly Date[],
  steps: Iterable<Pick<DueStep, 'offsetDays' | 'repeatEveryDays' | 'repeatCount'>>,
): number[] {
  const offsets = new Set<number>();
  for (const step of steps) {
    for (let times = 0; times <= maxRepeatsOf(step); times++) {
      offsets.add(step.offsetDays + times * (step.repeatEveryDays ?? 0));
    }
  }
  const numbers = [...new Set(days.map((day) => day.getTime() / dayMilliseconds))].sort((a, b) => a - b);
  const ordered = Int32Array.from(offsets).sort();
  const [first, last, least, most] = [numbers[0], numbers.at(-1), ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined || least === undefined || most === undefined) return [];
  const earliest = first - most;
  const isDue = new Uint8Array(last - least - earliest + 1);
  for (const day of numbers) for (const offset of ordered) isDue[day - offset - earliest] = 1;
  const dates: number[] = [];
  isDue.forEach((due, place) => {
    if (due) dates.push(earliest + place);
  });
  return dates;
}
