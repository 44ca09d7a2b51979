import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, todayIn } from '../../src/domain/dates.js';
import {
  type Decision,
  type DueStep,
  dayKeys,
  decide,
  type Known,
  mutedReasons,
} from '../../src/domain/reminders/decide.js';
import { instantOf, shiftDay } from '../../src/domain/reminders/slots.js';
import { newId } from '../../src/domain/rules.js';
import { patience, settings } from '../fuzz/runs.js';
import { makeWorld, type World } from './support.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.drop());

const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu'];
/** Around it clocks are put forward, in Berlin and New York. */
const begin = new Date('2027-03-01T03:17:00Z');
const hour = 3_600_000;

const steps = fc.uniqueArray(
  fc.record({
    offsetDays: fc.integer({ min: -20, max: 6 }),
    repeatEveryDays: fc.constantFrom(null, null, 1, 3, 7),
    repeatCount: fc.constantFrom(null, 2),
    onlyUnacknowledged: fc.boolean(),
  }),
  { selector: ({ offsetDays }) => offsetDays, minLength: 1, maxLength: 4 },
);
const which = fc.nat({ max: 5 });
const days = fc.integer({ min: -12, max: 30 });
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('make'), days, time: fc.constantFrom(null, null, '06:30') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), which, days }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('active'), which, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mode'), which, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('policy'), which, on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('acknowledge'),
      which,
      silence: fc.boolean(),
      snooze: fc.constantFrom(null, 1, 4),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('zone'), zone: fc.constantFrom(...zones) }) },
  // Longer ones are outages.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.integer({ min: 1, max: 240 }) }) },
);
type Operation = (typeof operation extends fc.Arbitrary<infer T> ? T : never) & Record<string, unknown>;

interface Item {
  readonly id: string;
  date: Date;
  time: string | null;
  isActive: boolean;
  isOff: boolean;
  hasOwnPolicy: boolean;
  isChanged: boolean;
  readonly acknowledged: Map<number, { silence: boolean; snoozeUntil: Date | null }>;
}

/** What the gateway is to decide: a pure function of what has happened, which looks at every item each time. */
class Model {
  now = begin;
  zone = 'UTC';
  readonly items: Item[] = [];
  /** What was decided, by item, step, date and occurrence. */
  readonly ledger = new Map<string, string>();

  constructor(
    readonly shared: readonly DueStep[],
    readonly own: readonly DueStep[],
  ) {}

  get today() {
    return todayIn(this.zone, this.now);
  }

  #decide(item: Item, from: Date | null): void {
    if (!item.isActive || item.isOff) return;
    const { id, date, time } = item;
    const due = {
      ...{ id, date, timeOfDay: time, steps: item.hasOwnPolicy ? this.own : this.shared },
      acknowledged: item.acknowledged.get(date.getTime()) ?? null,
      postponed: [],
    };
    const span = { timezone: this.zone, workingDays, from, now: this.now, today: this.today, quiet: false };
    const known = (stepKey: string): Known => {
      const rows = [...this.ledger].filter(([key]) => key.startsWith(`${id} ${stepKey} ${date.getTime()} `));
      const isMuted = rows.some(([, told]) => mutedReasons.some((reason) => told.endsWith(reason)));
      const occurrences = rows.map(([key]) => Number(key.split(' ').at(-1)));
      return { last: rows.length === 0 ? null : Math.max(...occurrences), isMuted };
    };
    const decided: [string, Decision][] = decide(due, span, known).map((one) => [
      `${id} ${one.stepKey} ${date.getTime()} ${one.occurrence}`,
      one,
    ]);
    for (const [key, { state, reason, yieldsTo }] of decided) {
      // All steps tell the same person, who is told only once a day of the same.
      const isLate = state === 'PENDING' && yieldsTo.length > 0;
      const told = isLate ? 'SKIPPED superseded' : `${state} ${reason ?? ''}`.trim();
      if (!this.ledger.has(key)) this.ledger.set(key, told);
    }
  }

  /** @param from up to when slots were decided, if any have come since */
  evaluate(from: Date | undefined): void {
    for (const item of this.items.filter(({ isChanged }) => isChanged)) this.#decide(item, null);
    for (const item of this.items) {
      item.isChanged = false;
      if (from) this.#decide(item, from);
    }
  }

  /** Returns the first slot after a moment, of whatever item. */
  firstAfter(moment: Date): number {
    const slots = this.items.flatMap((item) => {
      if (!item.isActive || item.isOff) return [];
      return (item.hasOwnPolicy ? this.own : this.shared).flatMap((step) =>
        Array.from(
          { length: step.repeatEveryDays === null ? 1 : Math.min(40, (step.repeatCount ?? 40) + 1) },
          (_, n) => {
            const count = step.offsetDays + n * (step.repeatEveryDays ?? 0);
            const shift = step.workingDaysOnly ? (count <= 0 ? 'before' : 'after') : 'none';
            const day = shiftDay(addDays(item.date, count), shift, workingDays);
            return instantOf(day, item.time ?? step.timeOfDay, this.zone).getTime();
          },
        ),
      );
    });
    return Math.min(...slots.filter((slot) => slot > moment.getTime()));
  }
}

const workingDays = [1, 2, 3, 4, 5];
type Steps = readonly Omit<DueStep, 'id' | 'timeOfDay' | 'workingDaysOnly'>[];

async function makePolicy(
  values: Steps,
  timeOfDay: string,
  isWorking: boolean,
  id = newId(),
): Promise<DueStep[]> {
  const { prisma } = world.database;
  const { organizationId, teamId } = world;
  const leadDays = Math.max(-1, ...values.map(({ offsetDays }) => -offsetDays));
  const policy = { timeOfDay, leadDays, deliverOn: isWorking ? ('WORKING_DAYS' as const) : ('ANY' as const) };
  await prisma.reminderStep.deleteMany({ where: { policyId: id } });
  await prisma.reminderPolicy.upsert({
    where: { id },
    create: { ...policy, id, organizationId, teamId, name: id },
    update: policy,
  });
  const ordered = [...values].sort((a, b) => a.offsetDays - b.offsetDays);
  const made = ordered.map((step) => ({ ...step, id: newId() }));
  await prisma.reminderStep.createMany({
    data: made.map((step, position) => ({
      ...{ ...step, policyId: id, position },
      ...{ recipients: ['ADDRESSES'], addresses: ['anna@example.org'] },
    })),
  });
  return made.map((step) => ({ ...step, timeOfDay, workingDaysOnly: isWorking }));
}

/** Does an operation in the database, and tells the model. */
async function perform(model: Model, policyId: string, { do: what, ...values }: Operation): Promise<void> {
  const { prisma } = world.database;
  const item = model.items[Number(values.which ?? 0) % Math.max(1, model.items.length)];
  const given = addDays(new Date(begin.toISOString().slice(0, 10)), Number(values.days ?? 0));
  const modified = model.now;
  if (what === 'wait') model.now = new Date(model.now.getTime() + Number(values.hours) * hour);
  if (what === 'zone' && values.zone !== model.zone) {
    model.zone = String(values.zone);
    await prisma.team.update({ where: { id: world.teamId }, data: { timezone: model.zone } });
  }
  if (what === 'make') {
    const time = values.time as string | null;
    const id = await world.item(given.toISOString().slice(0, 10), { timeOfDay: time, modified });
    const fresh = {
      isActive: true,
      isOff: false,
      hasOwnPolicy: false,
      isChanged: true,
      acknowledged: new Map(),
    };
    model.items.push({ id, date: given, time, ...fresh });
  }
  if (!item) return;
  const change = async (data: object, isOther: boolean) => {
    await prisma.expirationItem.update({ where: { id: item.id }, data: { ...data, modified } });
    if (isOther) item.isChanged = true;
  };
  if (what === 'move') {
    const isOther = item.date.getTime() !== given.getTime();
    item.date = given;
    await change({ expirationDate: given }, isOther);
  }
  if (what === 'active') {
    const isOther = item.isActive !== values.on;
    item.isActive = Boolean(values.on);
    await change({ isActive: item.isActive }, isOther);
  }
  if (what === 'mode') {
    const isOther = item.isOff === values.on;
    item.isOff = !values.on;
    await change({ reminderMode: item.isOff ? 'OFF' : 'INHERIT' }, isOther);
  }
  if (what === 'policy') {
    const isOther = item.hasOwnPolicy !== values.on;
    item.hasOwnPolicy = Boolean(values.on);
    await change({ reminderPolicyId: item.hasOwnPolicy ? policyId : null }, isOther);
  }
  if (what === 'acknowledge') {
    const { organizationId, teamId } = world;
    const snoozeUntil = values.snooze === null ? null : addDays(model.today, Number(values.snooze));
    const kept = { silence: Boolean(values.silence), snoozeUntil };
    item.acknowledged.set(item.date.getTime(), kept);
    const key = { itemId: item.id, expirationDate: item.date };
    await prisma.acknowledgement.upsert({
      where: { itemId_about_expirationDate: { ...key, about: 'EXPIRATION' } },
      create: { ...key, ...kept, organizationId, teamId, via: 'API', created: model.now },
      update: kept,
    });
  }
}

test(
  'reminders are what a pure function of the history says, and each key once',
  async () => {
    const { database, teamId } = world;
    const { prisma } = database;
    const { reminderPolicyId } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } });
    const history = fc.array(operation, { minLength: 8, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, steps, fc.boolean(), history, async (first, second, isWorking, operations) => {
        await prisma.expirationItem.deleteMany();
        for (const table of ['reminders', 'reminder_checks', 'deliveries', 'reminder_jobs'])
          await database.sql(`DELETE FROM ${table}`);
        await prisma.team.update({ where: { id: teamId }, data: { timezone: 'UTC' } });
        const shared = await makePolicy(first, '08:00', isWorking, reminderPolicyId ?? '');
        const own = await makePolicy(second, '19:45', false);
        const owner = await prisma.reminderStep.findFirstOrThrow({ where: { id: own[0]?.id ?? '' } });
        await prisma.reminderMark.updateMany({ where: { teamId }, data: { through: begin, nextAt: begin } });
        const model = new Model(shared, own);
        for (const one of operations) {
          await perform(model, owner.policyId, one as Operation);
          if (one.do !== 'wait') continue;
          const before = await prisma.reminderMark.findFirstOrThrow({ where: { teamId } });
          await world.at(model.now.toISOString());
          model.evaluate(before.nextAt <= model.now ? before.through : undefined);
          const mark = await prisma.reminderMark.findFirstOrThrow({ where: { teamId } });
          // Whatever comes next is asked for in time.
          expect(mark.nextAt.getTime()).toBeLessThanOrEqual(model.firstAfter(mark.through));
        }
        const rows = await prisma.reminder.findMany({
          where: { stepKey: { notIn: Object.values(dayKeys) } },
        });
        const ledger = rows.map(({ itemId, stepKey, expirationDate, occurrence, state, reason }) => [
          `${itemId} ${stepKey} ${expirationDate.getTime()} ${occurrence}`,
          `${state} ${reason ?? ''}`.trim(),
        ]);
        expect(Object.fromEntries(ledger)).toEqual(Object.fromEntries(model.ledger));
        expect(ledger).toHaveLength(model.ledger.size);
      }),
      settings(25),
    );
  },
  patience,
);
