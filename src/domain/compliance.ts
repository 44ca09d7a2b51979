import { addDays, isMoment, todayIn } from './dates.js';

/** States of a requirement for a holder. */
export const requirementStates = ['EXEMPT', 'DUE', 'MET', 'PENDING', 'EXPIRED', 'MISSING'] as const;

export type RequirementState = (typeof requirementStates)[number];

/** States of a holder, worst first. */
export const complianceStates = ['NON_COMPLIANT', 'DUE', 'COMPLIANT', 'NOT_REQUIRED'] as const;

export type ComplianceState = (typeof complianceStates)[number];

/** An item of a holder, with what decides whether it is valid. */
export interface Paper {
  readonly id: string;
  readonly categoryId: string;
  readonly isActive: boolean;
  readonly isMissing: boolean;
  readonly hasFile: boolean;
  /** The last day on which it is valid, or null for none. */
  readonly expirationDate: Date | null;
  /** The day from which it is due for renewal, or null for none. */
  readonly notifyOn: Date | null;
}

/** A requirement, as far as it decides about a holder. */
export interface Rule {
  readonly id: string;
  /** Document types, one of which is enough. */
  readonly anyOf: readonly string[];
  readonly validDays: number;
  readonly graceDays: number;
  readonly needsFile: boolean;
  readonly allowNoDate: boolean;
}

/** A time for which a requirement does not apply to a holder. */
export interface Exempted {
  readonly requirementId: string;
  readonly from: Date;
  /** The last day, or null for none. */
  readonly until: Date | null;
  /** The day on which it was ended, from which it no longer holds. */
  readonly endedOn: Date | null;
}

/** All that a holder's compliance follows from. */
export interface Held {
  readonly created: Date;
  /** Time zone in which its days begin. */
  readonly timezone: string;
  readonly items: readonly Paper[];
  /** The requirements that apply to it. */
  readonly rules: readonly Rule[];
  readonly exemptions: readonly Exempted[];
}

/** State of one requirement on a day. */
export interface RequirementCheck {
  readonly requirementId: string;
  readonly state: RequirementState;
  /** The first day of the state, if nothing had changed before. Null if it has no beginning. */
  readonly since: Date | null;
  /** The last day of the state, if nothing changes. Null if it has no end. */
  readonly until: Date | null;
  /** The item that decides it: the best one. */
  readonly itemId: string | null;
  /** True if that item is valid on the day, but not for long enough. */
  readonly isTooShort: boolean;
}

/** A holder's compliance on a day. */
export interface Compliance {
  readonly state: ComplianceState;
  /** The last day before it becomes non-compliant. Null if it never does, or is already. */
  readonly until: Date | null;
  /** The requirements that are not met on the day after that. */
  readonly lapsing: readonly string[];
  /** The next day on which the state of any requirement differs. Null if none does. */
  readonly changesOn: Date | null;
  readonly checks: readonly RequirementCheck[];
}

const last = Number.POSITIVE_INFINITY;

/** Compares when two items end, then from when they are due. An item without a date lasts for ever. */
function isBetter(one: Paper, other: Paper): boolean {
  const ends = (one.expirationDate?.getTime() ?? last) - (other.expirationDate?.getTime() ?? last);
  if (ends > 0 || ends < 0) return ends > 0;
  const dues = (one.notifyOn?.getTime() ?? last) - (other.notifyOn?.getTime() ?? last);
  return dues > 0 || dues < 0 ? dues > 0 : one.id < other.id;
}

/** Finds the item that lasts longest among those that are valid but for their date. */
function bestItem(items: readonly Paper[], rule: Rule): Paper | undefined {
  const types = new Set(rule.anyOf);
  let best: Paper | undefined;
  for (const item of items) {
    if (!types.has(item.categoryId) || !item.isActive || item.isMissing) continue;
    if ((rule.needsFile && !item.hasFile) || (!item.expirationDate && !rule.allowNoDate)) continue;
    if (!best || isBetter(item, best)) best = item;
  }
  return best;
}

/** The state of a requirement over time. It is constant from each of `days`, in order, to the next. */
interface Timeline {
  readonly rule: Rule;
  readonly best: Paper | undefined;
  readonly days: readonly Date[];
  stateOn(day: Date): RequirementState;
}

const holdsOn = ({ from, until, endedOn }: Exempted, day: Date) =>
  from <= day && (!until || day <= until) && (!endedOn || day < endedOn);

/** Decides the state of a requirement on any day, and when it may change. */
function timelineOf(held: Held, rule: Rule): Timeline {
  const best = bestItem(held.items, rule);
  const exemptions = held.exemptions.filter(({ requirementId }) => requirementId === rule.id);
  const graceEnd =
    rule.graceDays > 0 ? addDays(todayIn(held.timezone, held.created), rule.graceDays) : undefined;
  const lapse = best?.expirationDate ? addDays(best.expirationDate, 1 - rule.validDays) : undefined;
  const due = best?.expirationDate ? best.notifyOn : null;
  const changes = [
    ...exemptions.flatMap(({ from, until, endedOn }) => [from, until && addDays(until, 1), endedOn]),
    graceEnd,
    lapse,
    due,
  ];
  return {
    rule,
    best,
    days: changes.filter((day): day is Date => !!day).sort((one, other) => one.getTime() - other.getTime()),
    stateOn(day) {
      if (exemptions.some((exemption) => holdsOn(exemption, day))) return 'EXEMPT';
      if (best && (!lapse || day < lapse)) return due && due <= day ? 'DUE' : 'MET';
      if (graceEnd && day < graceEnd) return 'PENDING';
      return best ? 'EXPIRED' : 'MISSING';
    },
  };
}

/** Tells whether a state makes a holder non-compliant. */
export const isLacking = (state: RequirementState) => state === 'EXPIRED' || state === 'MISSING';

/** Tells whether a state is a gap: no valid item, and no exemption. */
export const isGap = (state: RequirementState): boolean => isLacking(state) || state === 'PENDING';

/** Finds the first day of the state that a requirement has on a day. */
function sinceOf({ days, stateOn }: Timeline, day: Date, created: Date): Date | null {
  const state = stateOn(day);
  let since: Date | undefined;
  for (const change of days.filter((other) => other <= day).reverse()) {
    if (stateOn(change) !== state) return since ?? null;
    since = change;
  }
  if (since && stateOn(addDays(since, -1)) !== state) return since;
  // A paper cannot be missing before there is somebody who needs it.
  return state === 'MISSING' && created <= day ? created : null;
}

/** Says the state of one requirement on a day. */
function checkOn(timeline: Timeline, day: Date, created: Date): RequirementCheck {
  const { rule, best, days, stateOn } = timeline;
  const state = stateOn(day);
  const end = days.find((change) => change > day && stateOn(change) !== state);
  return {
    requirementId: rule.id,
    state,
    since: sinceOf(timeline, day, created),
    until: end ? addDays(end, -1) : null,
    itemId: best?.id ?? null,
    isTooShort: state === 'EXPIRED' && !!best?.expirationDate && best.expirationDate >= day,
  };
}

/** Says the state of a holder by those of its requirements. */
function stateOf(states: readonly RequirementState[]): ComplianceState {
  if (states.length === 0) return 'NOT_REQUIRED';
  if (states.some(isLacking)) return 'NON_COMPLIANT';
  return states.some((state) => state === 'DUE' || state === 'PENDING') ? 'DUE' : 'COMPLIANT';
}

/**
 * Decides whether a holder has what it must have on a day. The day is one of its workspace's time zone, and the answer
 * is about what is held now, whatever the day.
 */
export function complianceOn(held: Held, day: Date): Compliance {
  const created = todayIn(held.timezone, held.created);
  const timelines = held.rules.map((rule) => timelineOf(held, rule));
  const checks = timelines.map((timeline) => checkOn(timeline, day, created));
  const state = stateOf(checks.map((check) => check.state));
  const falls = timelines.flatMap(({ days, stateOn }) =>
    days.filter((change) => change > day && isLacking(stateOn(change))).slice(0, 1),
  );
  const isLasting = state === 'NON_COMPLIANT' || falls.length === 0;
  const fall = isLasting ? undefined : new Date(Math.min(...falls.map(Number)));
  const ends = checks.flatMap(({ until }) => (until ? [addDays(until, 1)] : [])).filter(isMoment);
  return {
    state,
    until: fall ? addDays(fall, -1) : null,
    lapsing: timelines.flatMap(({ rule, stateOn }) => (fall && isLacking(stateOn(fall)) ? rule.id : [])),
    changesOn: ends.length === 0 ? null : new Date(Math.min(...ends.map(Number))),
    checks,
  };
}

/** Days before a holder becomes non-compliant on which those who watch it are told. */
const warningDays = [30, 14, 7] as const;

/** The warning that holds on a day, and when the next one does. */
interface Warning {
  /** In how many days, at most, the holder becomes non-compliant. Null if that is far. */
  readonly days: number | null;
  readonly nextOn: Date | null;
}

/** Finds the warning of a day. @param until the last day before the holder becomes non-compliant, if it does */
export function warningOn(until: Date | null, day: Date): Warning {
  if (!until) return { days: null, nextOn: null };
  const left = Math.round((until.getTime() - day.getTime()) / 86_400_000);
  const next = warningDays.find((days) => days < left);
  return {
    days: warningDays.findLast((days) => left <= days) ?? null,
    nextOn: next === undefined ? null : addDays(until, -next),
  };
}
