import { addDays } from '../dates.js';
import { type NoticeRule, noticeAfterRenewal } from '../notice.js';
import {
  type Ahead,
  type Candidate,
  type DueItem,
  type DueStep,
  decide,
  type Known,
  mutedReasons,
  nextUpcoming,
  undecided,
  upcoming,
} from './decide.js';
import type { ItemDate } from './policy.js';
import { type AutoRenew, addPeriods, endOfRenewals, type RenewalEnd, renewedDate } from './renewal.js';
import { dayAt, instantOf, type SlotCalendar } from './slots.js';

/** State of an item on which its renewal by itself depends. */
export interface Renewing extends RenewalEnd {
  readonly rule: AutoRenew;
  readonly expirationDate: Date;
  readonly noticeDate: Date | null;
  readonly noticeRule: NoticeRule | null;
  /** The dates that renewals led from, the latest first. */
  readonly before: readonly Date[];
  /** Time of the acknowledgement of the expiration date; null without one, or with a snooze. */
  readonly acknowledgedAt: Date | null;
}

/** A date of an item, which may move by itself when it has passed. */
interface Dated extends DueItem {
  readonly about: ItemDate;
}

/** A reminder that is to come, with the item as it will be then. */
export interface Foretold<Item> {
  readonly item: Item;
  readonly candidate: Candidate;
  /** Steps that fall due later that day, whose recipients are told then. */
  readonly yieldsTo: readonly DueStep[];
  /** Time at which the item is renewed or archived by itself. Messages that still wait then are not sent. */
  readonly endsAt: Date | undefined;
}

/** A time in which an item's dates stay as they are. */
interface Term<Item> {
  /** Null if the item has no such date in it. */
  readonly item: Item | null;
  readonly since: Date;
  readonly endsAt: Date | undefined;
  readonly known: (stepKey: string) => Known;
  /** Reminders that are sent as it begins, because their time had passed. */
  readonly missed: readonly Pick<Foretold<Item>, 'candidate' | 'yieldsTo'>[];
}

/** The most terms that are looked at. Thousands of daily renewals lead no further than these. */
const maxTerms = 400;

/**
 * Returns when an item is renewed or archived by itself. It is the midnight after its date or, if that has passed, after
 * its acknowledgement.
 */
function endOfTerm(renewing: Renewing, { timezone }: SlotCalendar, since: Date): Date | undefined {
  const { rule, expirationDate, acknowledgedAt, renewalsLeft, renewUntil } = renewing;
  const hasEnded = renewalsLeft === 0 || (renewUntil && renewUntil < addPeriods(expirationDate, 1, rule));
  if (rule.byPeople ? !acknowledgedAt || !hasEnded : rule.requireAcknowledgement && !acknowledgedAt)
    return undefined;
  const midnight = instantOf(addDays(expirationDate, 1), '00:00', timezone);
  if (midnight > since) return midnight;
  const today = dayAt(since, timezone);
  return acknowledgedAt && acknowledgedAt >= addDays(today, -1)
    ? instantOf(addDays(today, 1), '00:00', timezone)
    : undefined;
}

/** Returns an item's state after it was renewed by itself. Undefined if it is archived instead. */
function renewed(renewing: Renewing, today: Date): Renewing | undefined {
  const { expirationDate: date, before, rule, renewalsLeft } = renewing;
  const expirationDate = renewedDate(date, before, today, rule);
  if (endOfRenewals(renewing, expirationDate) !== undefined) return undefined;
  return {
    ...{ ...renewing, expirationDate, before: [date, ...before], acknowledgedAt: null },
    noticeDate: noticeAfterRenewal(renewing, expirationDate),
    renewalsLeft: renewalsLeft && renewalsLeft - 1,
  };
}

/** Lists the terms of an item, from now on. Most items have one, which does not end. */
function* termsOf<Item extends Dated>(
  item: Item,
  renewing: Renewing | undefined,
  { now, timezone, workingDays }: SlotCalendar & { readonly now: Date },
  known: (stepKey: string) => Known,
): Generator<Term<Item>> {
  const endsAt = renewing && endOfTerm(renewing, { timezone, workingDays }, now);
  yield { item, since: now, endsAt, known, missed: [] };
  for (let [state, since, count] = [renewing, endsAt, 1]; state && since && count < maxTerms; count++) {
    const today = dayAt(since, timezone);
    state = renewed(state, today);
    if (!state) return;
    const date = item.about === 'NOTICE' ? state.noticeDate : state.expirationDate;
    const next = date && { ...item, date, acknowledged: null, postponed: [] };
    const span = { timezone, workingDays, from: null, now: since, today, quiet: false };
    const decided = next ? decide(next, span, () => undecided) : [];
    const after = new Map(
      decided.map(({ stepKey, occurrence: last, reason }) => [
        ...([stepKey, { last, isMuted: mutedReasons.some((muted) => muted === reason) }] as const),
      ]),
    );
    const missed = decided
      .filter((one) => one.state === 'PENDING')
      .map(({ yieldsTo, state: _, reason: __, ...one }) => ({
        ...{ candidate: { ...one, slot: span.now }, yieldsTo },
      }));
    const ends = endOfTerm(state, { timezone, workingDays }, since);
    yield {
      ...{ item: next, since, endsAt: ends, missed },
      known: (stepKey) => after.get(stepKey) ?? undecided,
    };
    since = ends;
  }
}

/**
 * Lists the reminders of an item's date in a future time span. If the item is renewed by itself, those of its next dates
 * follow.
 */
export function foretell<Item extends Dated>(
  item: Item,
  renewing: Renewing | undefined,
  ahead: Ahead,
  known: (stepKey: string) => Known,
): Foretold<Item>[] {
  const found: Foretold<Item>[] = [];
  for (const term of termsOf(item, renewing, ahead, known)) {
    const { item: own, since, endsAt } = term;
    if (since > ahead.until) break;
    const from = since > ahead.from ? since : ahead.from;
    // At its end, the item is renewed before anything is decided.
    const until = endsAt && endsAt <= ahead.until ? new Date(endsAt.getTime() - 1) : ahead.until;
    if (!own) continue;
    if (since > ahead.from) found.push(...term.missed.map((one) => ({ ...one, item: own, endsAt })));
    if (from >= until) continue;
    const coming = upcoming(own, { ...ahead, now: since, from, until }, term.known);
    found.push(...coming.map((candidate) => ({ item: own, candidate, yieldsTo: [], endsAt })));
  }
  return found;
}

/** Finds the next reminder of an item's date. If several have the same time, it is one of them. */
export function foretellNext<Item extends Dated>(
  item: Item,
  renewing: Renewing | undefined,
  calendar: SlotCalendar & { readonly now: Date },
  known: (stepKey: string) => Known,
): Foretold<Item> | undefined {
  for (const { item: own, since, endsAt, missed, known: knows } of termsOf(item, renewing, calendar, known)) {
    if (!own) continue;
    const [first] = missed;
    if (first) return { ...first, item: own, endsAt };
    const candidate = nextUpcoming(own, { ...calendar, now: since }, knows);
    if (candidate && (!endsAt || candidate.slot < endsAt))
      return { item: own, candidate, yieldsTo: [], endsAt };
  }
  return undefined;
}
