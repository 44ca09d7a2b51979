import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Compliance,
  type ComplianceState,
  complianceOn,
  type Exempted,
  type Held,
  type Paper,
  type RequirementState,
  type Rule,
} from '../../src/domain/compliance.js';
import { addDays, formatDate, parseDate } from '../../src/domain/dates.js';
import { seed } from '../fuzz/runs.js';

const day = (text: string) => parseDate(text) as Date;

/** Worlds of the property: some hundreds for each change, and all of them each night. */
const worlds = process.env.FUZZ_RUNS ? 10_000 : 400;

/** Days that all dates of a world lie within, counted from its first. */
const span = 60;

/** Days after which nothing of a world changes any more, and before which nothing has begun. */
const beyond = 2 * span;

const zones = ['Pacific/Kiritimati', 'Pacific/Niue', 'UTC', 'Europe/Berlin', 'America/New_York'];
const formats = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
);

/** Says on which day an instant is in a time zone, independently of the code. */
const dayOf = (instant: Date, timezone: string) => day(formats.get(timezone)?.format(instant) ?? '');

/** Says the state of a requirement on one day, line by line as people would. */
function naiveState({ items, exemptions, created, timezone }: Held, rule: Rule, on: Date): RequirementState {
  const isExempt = exemptions.some(({ requirementId, from, until, endedOn }) => {
    if (requirementId !== rule.id) return false;
    for (let other = from; other <= on; other = addDays(other, 1))
      if ((until && other > until) || (endedOn && other >= endedOn)) return false;
    return from <= on;
  });
  if (isExempt) return 'EXEMPT';
  const usable = items.filter(
    ({ categoryId, isActive, isMissing, hasFile }) =>
      rule.anyOf.includes(categoryId) && isActive && !isMissing && (hasFile || !rule.needsFile),
  );
  const valid = usable.filter(({ expirationDate }) =>
    expirationDate ? expirationDate >= addDays(on, rule.validDays) : rule.allowNoDate,
  );
  if (valid.length > 0) {
    const isLongest = ({ expirationDate }: Paper) =>
      valid.every(
        (other) => !expirationDate || (other.expirationDate && other.expirationDate <= expirationDate),
      );
    const longest = valid.filter(isLongest);
    // Of those that last equally long, the one that is due latest is the best.
    return longest.every(({ expirationDate, notifyOn }) => expirationDate && notifyOn && notifyOn <= on)
      ? 'DUE'
      : 'MET';
  }
  const first = dayOf(created, timezone);
  if (rule.graceDays > 0 && on <= addDays(first, rule.graceDays - 1)) return 'PENDING';
  return usable.some(({ expirationDate }) => expirationDate) ? 'EXPIRED' : 'MISSING';
}

/** Says the state of a holder on one day. */
function naiveHolder(held: Held, on: Date): ComplianceState {
  const states = held.rules.map((rule) => naiveState(held, rule, on));
  if (states.length === 0) return 'NOT_REQUIRED';
  if (states.includes('MISSING') || states.includes('EXPIRED')) return 'NON_COMPLIANT';
  return states.includes('DUE') || states.includes('PENDING') ? 'DUE' : 'COMPLIANT';
}

/** Walks from day to day until something is so, at most as far as anything changes. */
function walk(from: Date, step: 1 | -1, isThere: (on: Date) => boolean): Date | null {
  for (let on = from, steps = 0; steps <= 2 * beyond; on = addDays(on, step), steps++)
    if (isThere(on)) return on;
  return null;
}

const ids = ['a', 'b', 'c'] as const;
const offset = fc.integer({ min: 0, max: span });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 });

/** Draws a world: its first day, and a holder with all that decides about it. */
const world = fc
  .record({
    base: fc.constantFrom('2028-02-10', '2027-02-10', '2100-02-01', '2000-02-15', '2026-12-20', '2026-03-15'),
    timezone: fc.constantFrom(...zones),
    createdHours: fc.integer({ min: 0, max: 24 * span }),
    items: fc.array(
      fc.record({
        categoryId: fc.constantFrom(...ids),
        isActive: fc.boolean(),
        isMissing: fc.boolean(),
        hasFile: fc.boolean(),
        expiration: maybe(offset),
        notify: maybe(fc.integer({ min: 0, max: 20 })),
      }),
      { maxLength: 6 },
    ),
    rules: fc.array(
      fc.record({
        anyOf: fc.subarray([...ids], { minLength: 1 }),
        validDays: fc.constantFrom(0, 0, 1, 10),
        graceDays: fc.constantFrom(0, 0, 1, 14),
        needsFile: fc.boolean(),
        allowNoDate: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    exemptions: fc.array(
      fc.record({
        rule: fc.nat(2),
        from: offset,
        until: maybe(fc.nat(20)),
        ended: maybe(fc.integer({ min: -3, max: 25 })),
      }),
      { maxLength: 3 },
    ),
    on: fc.integer({ min: -5, max: span + 5 }),
  })
  .map(({ base, timezone, createdHours, items, rules, exemptions, on }) => {
    const at = (days: number) => addDays(day(base), days);
    const held: Held = {
      created: new Date(day(base).getTime() + createdHours * 3_600_000),
      timezone,
      items: items.map(({ expiration, notify, ...item }, index): Paper => {
        const expirationDate = expiration === null ? null : at(expiration);
        const notifyOn = expirationDate && notify !== null ? addDays(expirationDate, -notify) : null;
        return { id: `item ${index}`, ...item, expirationDate, notifyOn };
      }),
      rules: rules.map((rule, index) => ({ id: String(index), ...rule })),
      exemptions: exemptions.map(({ rule, from, until, ended }): Exempted => {
        const start = at(from);
        return {
          requirementId: String(rule),
          from: start,
          until: until === null ? null : addDays(start, until),
          endedOn: ended === null ? null : addDays(start, ended),
        };
      }),
    };
    return { held, on: at(on) };
  });

/** Says what the naive model expects of a holder on a day. */
function naive(held: Held, on: Date): Compliance {
  const state = naiveHolder(held, on);
  const fall = walk(on, 1, (other) => naiveHolder(held, other) === 'NON_COMPLIANT');
  const created = dayOf(held.created, held.timezone);
  const checks = held.rules.map((rule, index) => {
    const stateOn = (other: Date) => naiveState(held, rule, other);
    const now = stateOn(on);
    const before = walk(on, -1, (other) => stateOn(other) !== now);
    const after = walk(on, 1, (other) => stateOn(other) !== now);
    const alwaysMissing = now === 'MISSING' && created <= on ? created : null;
    return {
      requirementId: String(index),
      state: now,
      since: before ? addDays(before, 1) : alwaysMissing,
      until: after ? addDays(after, -1) : null,
      itemId: expect.toSatisfy(() => true),
      isTooShort:
        now === 'EXPIRED' && naiveState(held, { ...rule, validDays: 0, graceDays: 0 }, on) !== 'EXPIRED',
    };
  });
  const ends = checks.flatMap(({ until }) => (until ? [until.getTime()] : []));
  return {
    state,
    until: state !== 'NON_COMPLIANT' && fall ? addDays(fall, -1) : null,
    lapsing: held.rules.flatMap((rule, index) => {
      const later = state !== 'NON_COMPLIANT' && fall ? naiveState(held, rule, fall) : 'MET';
      return later === 'EXPIRED' || later === 'MISSING' ? [String(index)] : [];
    }),
    changesOn: ends.length > 0 ? addDays(new Date(Math.min(...ends)), 1) : null,
    checks,
  };
}

test(`equals a model that looks at each day (seed ${seed})`, { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(world, ({ held, on }) => {
      expect(complianceOn(held, on)).toEqual(naive(held, on));
    }),
    { seed, numRuns: worlds },
  );
});

const rule: Rule = {
  id: 'insured',
  anyOf: ['insurance', 'cover note'],
  validDays: 0,
  graceDays: 0,
  needsFile: false,
  allowNoDate: false,
};

const item: Paper = {
  id: 'policy',
  categoryId: 'insurance',
  isActive: true,
  isMissing: false,
  hasFile: true,
  expirationDate: day('2028-02-29'),
  notifyOn: day('2028-02-01'),
};

const held: Held = {
  created: new Date('2026-11-20T10:30:00Z'),
  timezone: 'UTC',
  items: [item],
  rules: [rule],
  exemptions: [],
};

/** Says the state of the only requirement, since when and until when. */
function said(given: Partial<Held>, on: string): string {
  const { checks, state, until } = complianceOn({ ...held, ...given }, day(on));
  const [check] = checks;
  const shown = (date?: Date | null) => (date ? formatDate(date) : '-');
  return [check?.state, shown(check?.since), shown(check?.until), state, shown(until)].join(' ');
}

describe('complianceOn', () => {
  test('an item is valid through its date, which may be a leap day', () => {
    expect(said({}, '2028-01-31')).toBe('MET - 2028-01-31 COMPLIANT 2028-02-29');
    expect(said({}, '2028-02-29')).toBe('DUE 2028-02-01 2028-02-29 DUE 2028-02-29');
    expect(said({}, '2028-03-01')).toBe('EXPIRED 2028-03-01 - NON_COMPLIANT -');
  });

  test('without an item, it is missing since the holder exists', () => {
    expect(said({ items: [] }, '2028-01-31')).toBe('MISSING 2026-11-20 - NON_COMPLIANT -');
    expect(said({ items: [{ ...item, isMissing: true }] }, '2028-01-31')).toContain('MISSING');
    expect(said({ items: [{ ...item, expirationDate: null }] }, '2028-01-31')).toContain('MISSING');
  });

  test('a day begins in the time zone of the workspace', () => {
    const rules = [{ ...rule, graceDays: 1 }];
    const given = (timezone: string) => ({ items: [], rules, timezone });
    // Then it is the 21st in Kiritimati, and still the 19th in Niue.
    expect(said(given('Pacific/Kiritimati'), '2026-11-21')).toContain('PENDING');
    expect(said(given('Pacific/Kiritimati'), '2026-11-22')).toContain('MISSING 2026-11-22');
    expect(said(given('Pacific/Niue'), '2026-11-20')).toContain('MISSING 2026-11-20');
  });

  test('an item that does not last long enough is too short', () => {
    const rules = [{ ...rule, validDays: 30 }];
    expect(said({ rules }, '2028-01-30')).toBe('MET - 2028-01-30 COMPLIANT 2028-01-30');
    expect(complianceOn({ ...held, rules }, day('2028-01-31')).checks).toMatchObject([
      { state: 'EXPIRED', since: day('2028-01-31'), itemId: 'policy', isTooShort: true },
    ]);
    expect(complianceOn({ ...held, rules }, day('2028-03-01')).checks[0]?.isTooShort).toBe(false);
  });

  test('the item that lasts longest decides', () => {
    const cover = { ...item, id: 'cover', categoryId: 'cover note', expirationDate: day('2029-01-01') };
    const items = [item, cover, { ...item, id: 'other', categoryId: 'none of them', expirationDate: null }];
    expect(complianceOn({ ...held, items }, day('2028-03-01'))).toMatchObject({
      state: 'DUE',
      until: day('2029-01-01'),
      checks: [{ itemId: 'cover' }],
    });
  });

  test('an exemption holds until it ends, or is ended', () => {
    const exempted: Exempted = {
      requirementId: rule.id,
      from: day('2028-03-01'),
      until: day('2028-03-31'),
      endedOn: null,
    };
    expect(said({ exemptions: [exempted] }, '2028-02-01')).toBe('DUE 2028-02-01 2028-02-29 DUE 2028-03-31');
    expect(said({ exemptions: [exempted] }, '2028-03-31')).toBe(
      'EXEMPT 2028-03-01 2028-03-31 COMPLIANT 2028-03-31',
    );
    const ended = { ...exempted, endedOn: day('2028-03-10') };
    expect(said({ exemptions: [ended] }, '2028-03-10')).toBe('EXPIRED 2028-03-10 - NON_COMPLIANT -');
  });

  test('no requirement makes a holder not required, for ever', () => {
    expect(complianceOn({ ...held, rules: [] }, day('2026-11-21'))).toEqual({
      state: 'NOT_REQUIRED',
      until: null,
      lapsing: [],
      changesOn: null,
      checks: [],
    });
  });

  test('nothing changes after the last day of the calendar', () => {
    const items = [{ ...item, expirationDate: day('9999-12-31'), notifyOn: null }];
    expect(complianceOn({ ...held, items }, day('9999-12-31'))).toMatchObject({
      state: 'COMPLIANT',
      until: day('9999-12-31'),
      changesOn: null,
    });
  });
});
