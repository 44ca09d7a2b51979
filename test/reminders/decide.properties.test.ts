import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { addDays, todayIn } from '../../src/domain/dates.js';
import { type DueItem, type DueStep, decide, type Known } from '../../src/domain/reminders/decide.js';

const zones = [
  ...['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca', 'Antarctica/Troll'],
  ...[
    'America/Santiago',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'Asia/Tehran',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
  ],
];

const step = fc.record({
  offsetDays: fc.integer({ min: -40, max: 5 }),
  repeatEveryDays: fc.option(fc.integer({ min: 1, max: 9 })),
  repeatCount: fc.integer({ min: 1, max: 3 }),
});

/** A policy, a zone, and the hours at which it was asked: between them it was down. */
const histories = fc.record({
  zone: fc.constantFrom(...zones),
  time: fc.constantFrom('00:00', '02:30', '08:00', '23:59'),
  steps: fc.uniqueArray(step, { selector: ({ offsetDays }) => offsetDays, minLength: 1, maxLength: 5 }),
  date: fc.integer({ min: 45, max: 400 }),
  gaps: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 30, maxLength: 120 }),
});

const origin = Date.UTC(2027, 0, 1);

test('reminders follow the calendar: after each outage the last of those that came due, and nothing twice', () => {
  fc.assert(
    fc.property(histories, ({ zone, time, steps, date, gaps }) => {
      const expirationDate = new Date(origin + date * 86_400_000);
      const all: DueStep[] = steps.map((one, place) => ({
        ...{
          ...one,
          id: `step ${place}`,
          onlyUnacknowledged: false,
          timeOfDay: time,
          workingDaysOnly: false,
        },
      }));
      const item: DueItem = {
        id: 'item',
        date: expirationDate,
        timeOfDay: null,
        steps: all,
        acknowledged: null,
        postponed: [],
      };
      const day = Temporal.PlainDate.from(expirationDate.toISOString().slice(0, 10));
      const slots = all.flatMap(({ id, offsetDays, repeatEveryDays, repeatCount }) =>
        Array.from({ length: repeatEveryDays === null ? 1 : (repeatCount ?? 0) + 1 }, (_, times) => ({
          key: `${id} ${times}`,
          at: day
            .add({ days: offsetDays + times * (repeatEveryDays ?? 0) })
            .toPlainDateTime(Temporal.PlainTime.from(time))
            .toZonedDateTime(zone).epochMilliseconds,
        })),
      );
      const ledger = new Map<string, string>();
      const expected: string[] = [];
      let from = new Date(origin);
      for (const gap of gaps) {
        const now = new Date(from.getTime() + gap * 3_600_000);
        const span = { timezone: zone, workingDays: [1, 2, 3, 4, 5], from, now, quiet: false };
        const known = (key: string): Known => {
          const told = [...ledger.keys()].filter((one) => one.startsWith(`${key} `));
          const occurrences = told.map((one) => Number(one.split(' ').at(-1)));
          return { last: told.length === 0 ? null : Math.max(...occurrences), isMuted: false };
        };
        for (const { stepKey, occurrence, state } of decide(
          item,
          { ...span, today: todayIn(zone, now) },
          known,
        )) {
          const key = `${stepKey} ${occurrence}`;
          expect(ledger.has(key), key).toBe(false);
          ledger.set(key, state);
        }
        const passed = slots.filter(({ at }) => at > from.getTime() && at <= now.getTime());
        const last = Math.max(...passed.map(({ at }) => at));
        const isOld =
          expirationDate < addDays(todayIn(zone, now), -7) && last < now.getTime() - 7 * 86_400_000;
        if (!isOld) expected.push(...passed.filter(({ at }) => at === last).map(({ key }) => key));
        from = now;
      }
      const told = [...ledger].filter(([, state]) => state === 'PENDING').map(([key]) => key);
      expect(told.sort()).toEqual(expected.sort());
    }),
    { numRuns: 60 },
  );
});
