import { createSecretKey, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeMail } from '../../src/reminders/send/compose.js';
import { claimDeliveries, settleDelivery } from '../../src/reminders/send/queue.js';
import { patience, settings } from '../fuzz/runs.js';
import { secrets } from './sender.support.js';
import { makeWorld, type World } from './support.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld('UTC');
});
afterAll(() => world.drop());

const addDays = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000);
const formatDate = (date: Date) => date.toISOString().slice(0, 10);

const begin = new Date('2027-03-01T03:00:00Z');
const mails = ['a', 'b', 'c', 'd', 'e', 'office'].map((name) => `${name}@example.org`);
const admin = 'ada@example.com';
const [which, who, address] = [fc.nat({ max: 1 }), fc.nat({ max: 2 }), fc.nat({ max: 5 })];
const on = fc.boolean();

const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.integer({ min: 1, max: 60 }) }) },
  // The mails to some addresses do not arrive yet.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send'), held: fc.subarray(mails) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('contacts'), which, contacts: fc.subarray([0, 1, 2]) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('assign'), which, user: fc.constantFrom(null, 0, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('contact active'), who, on }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('contact address'), who, address }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('user active'), which, on }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('user address'), which, address }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('member'), which, on }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), which, to: fc.nat({ max: 1 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('date'), which, days: fc.integer({ min: -2, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive'), which, on }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('suppress'), address, on }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fallback'), on }) },
);
type Operation = (typeof operation extends fc.Arbitrary<infer T> ? T : never) & Record<string, unknown>;

interface Person {
  readonly id: string;
  address: string;
  isActive: boolean;
}
interface User extends Person {
  isMember: boolean;
}
interface Item {
  readonly id: string;
  team: number;
  date: Date;
  isActive: boolean;
  contacts: number[];
  assignee: number | null;
}
interface Step {
  readonly id: string;
  readonly team: number;
  readonly offset: number;
  readonly recipients: string[];
  readonly addresses: string[];
}
/** A decided reminder: who has got it, waits for it, or does not get it. */
interface Reminder {
  readonly item: Item;
  readonly team: number;
  readonly date: Date;
  readonly step: Step;
  isOver: boolean;
  readonly people: Map<string, 'waits' | 'told' | 'gone' | 'held'>;
  /** The days on which they got it. */
  readonly toldOn: Map<string, string>;
}

/** Who is to be told: everything is looked up anew, as it is now. */
class Model {
  now = begin;
  hasFallback = false;
  readonly suppressed = new Set<string>();
  readonly contacts: Person[] = [];
  readonly users: User[] = [];
  readonly items: Item[] = [];
  readonly reminders = new Map<string, Reminder>();

  /** Returns the recipients of a step, and whether they may be told. */
  #own({ item, team, step }: Reminder): Map<string, boolean> {
    const found: [string, boolean][] = [];
    if (step.recipients.includes('CONTACTS'))
      for (const contact of item.contacts.map((place) => this.contacts[place] as Person))
        found.push([contact.address, contact.isActive]);
    const seeing = (user: User) => found.push([user.address, user.isActive && user.isMember && team === 0]);
    if (step.recipients.includes('ASSIGNEE') && item.assignee !== null)
      seeing(this.users[item.assignee] as User);
    if (step.recipients.includes('WATCHERS') && team === 0) seeing(this.users[1] as User);
    for (const typed of step.addresses) found.push([typed, true]);
    const own = new Map<string, boolean>();
    for (const [key, may] of found) own.set(key, own.get(key) === true || may);
    for (const key of own.keys()) if (this.suppressed.has(key)) own.set(key, false);
    return own;
  }

  /** Returns who is to be told of a reminder now. */
  #present(reminder: Reminder): { own: string[]; fallback: string[] } {
    const isGone = (key: string) => reminder.people.get(key) === 'gone';
    const isHeld = (key: string) => reminder.people.get(key) === 'held';
    const all = [...this.#own(reminder)];
    const own = all.filter(([key, may]) => may && !isGone(key) && !isHeld(key)).map(([key]) => key);
    if (own.length > 0 || all.some(([key]) => isHeld(key))) return { own, fallback: [] };
    return { own, fallback: this.#instead(reminder).filter((key) => !isGone(key)) };
  }

  #instead({ team }: Reminder): string[] {
    const instead = this.hasFallback && team === 0 ? 'office@example.org' : admin;
    return this.suppressed.has(instead) ? [] : [instead];
  }

  /** Returns whether a recipient is told of the same by a later step of today. */
  #isToldLater(reminder: Reminder, key: string): boolean {
    const sinceMidnight = this.now.getTime() % 86_400_000;
    const days = (this.now.getTime() - sinceMidnight - reminder.date.getTime()) / 86_400_000;
    const later = [...stepsOf.values()].find((step) => step.team === reminder.team && step.offset === days);
    if (sinceMidnight >= 8 * 3_600_000 || !later || later.id === reminder.step.id) return false;
    const { own, fallback } = this.#present({
      ...reminder,
      step: later,
      people: new Map(),
      toldOn: new Map(),
    });
    return [...own, ...fallback].includes(key);
  }

  decide(id: string, reminder: Reminder): void {
    const { people } = reminder;
    for (const [key, may] of this.#own(reminder)) if (!may) people.set(key, 'gone');
    const { own, fallback } = this.#present(reminder);
    for (const key of [...own, ...fallback])
      people.set(key, this.#isToldLater(reminder, key) ? 'held' : 'waits');
    this.reminders.set(id, reminder);
  }

  /** Returns whether a recipient may be told now. */
  check(id: string, key: string): boolean {
    const reminder = this.reminders.get(id);
    if (reminder?.people.get(key) !== 'waits' || reminder.isOver) return false;
    const { people, item } = reminder;
    const has = (state: string) => [...people.values()].some((one) => one === state);
    const isFirst = !has('told');
    if (item.team !== reminder.team || !item.isActive || item.date.getTime() !== reminder.date.getTime()) {
      people.set(key, 'gone');
      reminder.isOver = isFirst;
      return false;
    }
    const { own, fallback } = this.#present(reminder);
    const may = own.includes(key) || fallback.includes(key);
    if (may && this.#wasToldToday(reminder, key)) {
      people.set(key, 'held');
      return false;
    }
    if (!may) people.set(key, 'gone');
    if (isFirst || !may) for (const one of own) if (!people.has(one)) people.set(one, 'waits');
    if (isFirst && !has('waits') && !has('held'))
      for (const one of this.#instead(reminder)) if (!people.has(one)) people.set(one, 'waits');
    return may;
  }

  #wasToldToday(reminder: Reminder, key: string): boolean {
    return [...this.reminders.values()].some(
      (other) =>
        other !== reminder &&
        other.item === reminder.item &&
        other.team === reminder.team &&
        other.date.getTime() === reminder.date.getTime() &&
        other.toldOn.get(key) === formatDate(this.now),
    );
  }

  tell(id: string, key: string): void {
    const reminder = this.reminders.get(id);
    reminder?.people.set(key, 'told');
    reminder?.toldOn.set(key, formatDate(this.now));
  }
}

const stepsOf = new Map<string, Step>();

/** Replaces the steps of a workspace. */
async function setSteps(
  teamId: string,
  steps: readonly (readonly [offset: number, kinds: readonly string[], typed?: string])[],
): Promise<void> {
  const { prisma } = world.database;
  const { reminderPolicyId: policyId } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } });
  if (policyId === null) throw new Error('The workspace has no policy.');
  await prisma.reminderStep.deleteMany({ where: { policyId } });
  for (const [position, [offset, kinds, typed]] of steps.entries()) {
    const addresses = typed === undefined ? [] : [typed];
    const step = { id: randomUUID(), recipients: [...kinds], addresses };
    stepsOf.set(step.id, { ...step, offset, team: teamId === world.teamId ? 0 : 1 });
    await prisma.reminderStep.create({ data: { ...step, policyId, position, offsetDays: offset } });
  }
  await prisma.reminderPolicy.update({ where: { id: policyId }, data: { leadDays: 10 } });
}

/** Makes an empty workspace with two items, two users and three contacts. */
async function start(): Promise<Model> {
  const { database } = world;
  const { prisma } = database;
  const { organizationId, teamId, otherTeamId } = world;
  const tables = ['deliveries', 'reminders', 'reminder_checks', 'watches', 'suppressions', 'contacts'];
  await prisma.expirationItem.deleteMany();
  for (const table of tables) await database.sql(`DELETE FROM ${table}`);
  await prisma.membership.deleteMany({ where: { user: { email: { endsWith: '@example.org' } } } });
  await prisma.user.deleteMany({ where: { email: { in: mails } } });
  await prisma.team.update({
    where: { id: teamId },
    data: { name: 'Alpha', reminderFallbackAddress: null },
  });
  await prisma.team.update({ where: { id: otherTeamId }, data: { name: 'Beta' } });
  await prisma.reminderMark.updateMany({ where: { teamId }, data: { through: begin, nextAt: begin } });
  stepsOf.clear();
  await setSteps(teamId, [
    [-10, ['CONTACTS', 'ASSIGNEE']],
    [-5, ['WATCHERS', 'CONTACTS']],
    [-4, ['CONTACTS', 'ASSIGNEE']],
    [0, ['ADDRESSES', 'ASSIGNEE'], 'e@example.org'],
  ]);
  await setSteps(otherTeamId, [[-7, ['CONTACTS', 'ASSIGNEE', 'WATCHERS']]]);
  const model = new Model();
  for (const [place, email] of mails.slice(0, 5).entries()) {
    const id = randomUUID();
    if (place < 2) {
      await prisma.user.create({ data: { id, organizationId, teamId, name: email, email } });
      await prisma.membership.create({ data: { userId: id, teamId } });
      model.users.push({ id, address: email, isActive: true, isMember: true });
    } else {
      await prisma.contact.create({ data: { id, organizationId, teamId, email } });
      model.contacts.push({ id, address: email, isActive: true });
    }
  }
  await prisma.watch.create({
    data: { id: randomUUID(), organizationId, teamId, userId: model.users[1]?.id ?? '' },
  });
  for (const days of [8, 12]) {
    const date = addDays(new Date(formatDate(begin)), days);
    const contactId = model.contacts[0]?.id ?? '';
    const id = await world.item(formatDate(date), {
      modified: begin,
      name: `Paper ${days}`,
      contacts: { create: { contactId, position: 0 } },
    });
    model.items.push({ id, team: 0, date, isActive: true, contacts: [0], assignee: null });
  }
  return model;
}

/** Does an operation in the database, and tells the model. */
async function perform(model: Model, { do: what, ...values }: Operation): Promise<void> {
  const { prisma } = world.database;
  const { organizationId, teamId, otherTeamId } = world;
  const at = Number(values.which ?? 0);
  const item = model.items[at] as Item;
  const user = model.users[at] as User;
  const contact = model.contacts[Number(values.who ?? 0)] as Person;
  const email = mails[Number(values.address ?? 0)] ?? '';
  const isOn = values.on === true;
  const change = (data: object) =>
    prisma.expirationItem.update({ where: { id: item.id }, data: { ...data, modified: model.now } });
  const changeUser = (data: object) => prisma.user.update({ where: { id: user.id }, data });
  const changeContact = (data: object) => prisma.contact.update({ where: { id: contact.id }, data });
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    wait: async () => {
      model.now = new Date(model.now.getTime() + Number(values.hours) * 3_600_000);
      await world.at(model.now.toISOString());
      await learn(model);
    },
    send: () => send(model, values.held as string[]),
    contacts: async () => {
      item.contacts = values.contacts as number[];
      await prisma.expirationItemContact.deleteMany({ where: { itemId: item.id } });
      const rows = item.contacts.map((place, position) => ({
        ...{ itemId: item.id, contactId: model.contacts[place]?.id ?? '', position },
      }));
      await prisma.expirationItemContact.createMany({ data: rows });
    },
    assign: () => {
      item.assignee = values.user as number | null;
      return change({ assignedToId: item.assignee === null ? null : (model.users[item.assignee]?.id ?? '') });
    },
    'contact active': () => {
      contact.isActive = isOn;
      return changeContact({ isActive: isOn });
    },
    'contact address': async () => {
      if (model.contacts.some(({ address: taken }) => taken === email)) return;
      contact.address = email;
      await changeContact({ email });
    },
    'user active': () => {
      user.isActive = isOn;
      return changeUser({ isActive: isOn });
    },
    'user address': async () => {
      // Two users never have one address, and two contacts of a workspace do not.
      if (model.users.some(({ address: taken }) => taken === email)) return;
      user.address = email;
      await changeUser({ email });
    },
    member: async () => {
      user.isMember = isOn;
      const place = { userId: user.id, teamId };
      if (isOn)
        await prisma.membership.upsert({ where: { userId_teamId: place }, create: place, update: {} });
      else await prisma.membership.deleteMany({ where: place });
    },
    move: () => {
      item.team = Number(values.to);
      return change({ teamId: item.team === 0 ? teamId : otherTeamId });
    },
    date: () => {
      item.date = addDays(new Date(formatDate(begin)), Number(values.days));
      return change({ expirationDate: item.date });
    },
    archive: () => {
      item.isActive = !isOn;
      return change({ isActive: item.isActive });
    },
    suppress: async () => {
      model.suppressed[isOn ? 'add' : 'delete'](email);
      await prisma.suppression.deleteMany({ where: { addressKey: email } });
      if (isOn)
        await prisma.suppression.create({
          data: { organizationId, addressKey: email, scope: 'ALL', reason: 'UNSUBSCRIBED' },
        });
    },
    fallback: () => {
      model.hasFallback = isOn;
      const reminderFallbackAddress = isOn ? 'office@example.org' : null;
      return prisma.team.update({ where: { id: teamId }, data: { reminderFallbackAddress } });
    },
  };
  await kinds[what]?.();
}

/** Tells the model what was decided. When that happens is the subject of another test. */
async function learn(model: Model): Promise<void> {
  for (const decided of await world.decided()) {
    const { id, itemId, teamId, expirationDate: date, stepKey, state, reason } = decided;
    const item = model.items.find((one) => one.id === itemId);
    const isDecided = state === 'PENDING' || (state === 'SKIPPED' && reason === 'without recipient');
    if (!item || !isDecided || model.reminders.has(id)) continue;
    const step = stepsOf.get(stepKey) as Step;
    const team = teamId === world.teamId ? 0 : 1;
    model.decide(id, { item, team, date, step, isOver: false, people: new Map(), toldOn: new Map() });
  }
}

const key = createSecretKey(Buffer.alloc(32, 7));
const links = { origin: 'https://expiry.example.com', key, open: secrets.open };
/** The mails that have been sent, with their days. */
const sent: string[] = [];

/** Sends everything that waits, except the mails to some addresses. Each is what the model says of it. */
async function send(model: Model, held: readonly string[]): Promise<void> {
  const { database } = world;
  const { now } = model;
  await database.sql('UPDATE deliveries SET due_at = $1 WHERE due_at IS NOT NULL', [now]);
  for (;;) {
    const claim = { count: 1, now, leaseUntil: addDays(now, 1), host: 'example.com' };
    const [delivery] = await claimDeliveries(database, claim);
    if (!delivery) return;
    const { id: deliveryId, address: key } = delivery;
    const targets = await database.prisma.reminderTarget.findMany({ where: { deliveryId } });
    const mail = await database.inTransaction((tx) => composeMail(tx, delivery, links, now));
    const told = targets.filter(({ reminderId }) => model.check(reminderId, key));
    expect([key, mail?.to]).toEqual([key, told.length > 0 ? key : undefined]);
    if (!mail || held.includes(key)) continue;
    const item = model.reminders.get(told[0]?.reminderId ?? '')?.item as Item;
    expect(mail.thread).toBe(`<${item.id}.${formatDate(item.date)}@example.com>`);
    expect(/Alpha|Beta/.exec(mail.text)?.[0]).toBe(item.team === 0 ? 'Alpha' : 'Beta');
    const said = `${key} ${mail.subject} ${item.team} ${formatDate(now)}`;
    expect(sent).not.toContain(said);
    sent.push(said);
    for (const { reminderId } of told) model.tell(reminderId, key);
    await database.inTransaction((tx) => settleDelivery(tx, delivery, { outcome: 'sent' }, now));
  }
}

test(
  'whoever is told is who is to be told at that moment, and once',
  async () => {
    const history = fc.array(operation, { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(history, async (operations) => {
        sent.length = 0;
        const model = await start();
        for (const one of operations) await perform(model, one as Operation);
        await send(model, []);
        const states = [...model.reminders.values()].map(({ isOver, people }) =>
          isOver ? [] : [...people.values()],
        );
        expect(states.flat()).not.toContain('waits');
        // Nothing stays under way.
        expect(await world.database.prisma.delivery.count({ where: { state: 'QUEUED' } })).toBe(0);
        expect(await world.database.prisma.reminder.count({ where: { state: 'PENDING' } })).toBe(0);
      }),
      settings(30),
    );
  },
  patience,
);
