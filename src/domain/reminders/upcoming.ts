import { addDays } from '../status.js';
import {
  type Candidate,
  type DueItem,
  type DueStep,
  isHeldBack,
  type Known,
  mostRepeatsOf,
  slotOf,
  snoozed,
} from './due.js';
import { dayAt, type SlotCalendar } from './slots.js';

const dayMilliseconds = 86_400_000;

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
  const first = addDays(item.expirationDate, step.offsetDays).getTime();
  const daysTo = (moment: Date) => (moment.getTime() - first) / dayMilliseconds;
  const [least, most] = [daysTo(from) - margin, daysTo(until) + margin];
  if (every === null) return least <= 0 && most >= 0 ? [0, 0] : [1, 0];
  return [Math.max(0, Math.floor(least / every)), Math.min(mostRepeatsOf(step), Math.floor(most / every))];
}

/** Returns whether a repetition has a reminder to repeat. It was sent or is still to come. */
function repeats(item: DueItem, { step, occurrence }: Candidate, ahead: Ahead, known: Known): boolean {
  if (occurrence === 0 || known === 'told') return true;
  return known === 'none' && slotOf(item, step, 0, ahead) > ahead.now;
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
    const candidate = { stepKey: step.id, occurrence, slot, step };
    const today = dayAt(slot, ahead.timezone);
    if (slot <= ahead.from || isHeldBack(item, candidate, { today })) continue;
    if (repeats(item, candidate, ahead, known)) yield candidate;
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

/**
 * Lists the reminders of an item's date in a future time span. It applies the rules of `decide` to each
 * future slot.
 * @param known returns the state of a step's repetitions in the log
 */
export function upcoming(item: DueItem, ahead: Ahead, known: (stepKey: string) => Known): Candidate[] {
  const ofSteps = item.steps.flatMap((step) => [...slotsOfStep(item, step, ahead, known(step.id))]);
  const snooze = snoozedIn(item, ahead);
  return snooze ? [...ofSteps, snooze] : ofSteps;
}

/** Finds the next reminder of an item's date. If several have the same time, it is one of them. */
export function nextUpcoming(
  item: DueItem,
  { now, ...calendar }: SlotCalendar & { readonly now: Date },
  known: (stepKey: string) => Known,
): Candidate | undefined {
  const ahead = { ...calendar, now, from: now, until: new Date(now.getTime() + 100_000 * dayMilliseconds) };
  const snooze = snoozedIn(item, ahead);
  const firsts = item.steps.flatMap((step) => {
    const { value } = slotsOfStep(item, step, ahead, known(step.id)).next();
    return value ? [value as Candidate] : [];
  });
  return [...firsts, ...(snooze ? [snooze] : [])].sort((a, b) => a.slot.getTime() - b.slot.getTime())[0];
}
