import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { listUpcoming } from '../../src/reminders/queries/upcoming.js';
import { revalidateDelivery } from '../../src/reminders/send/fence.js';
import { makeWorld, type World } from './support.js';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.drop());

const slot = '2027-03-24T07:00:00Z';
const date = '2027-03-31';

/** Creates a contact of the workspace. */
async function contact(email: string, isActive = true): Promise<string> {
  const { organizationId, teamId } = world;
  const id = newId();
  await world.database.prisma.contact.create({ data: { id, organizationId, teamId, email, isActive } });
  return id;
}

const addresses = async () => (await world.deliveries()).map(({ address }) => address);

/** Asks for all deliveries whether they may be sent; answers how many reminders stand. */
async function fence(now: string): Promise<number> {
  let standing = 0;
  for (const { id } of await world.deliveries()) {
    standing += (await world.database.inTransaction((tx) => revalidateDelivery(tx, id, new Date(now))))
      .standing.length;
  }
  return standing;
}

test('one address as contact, main contact, assignee and watcher gets one mail', async () => {
  await world.steps({ offsetDays: -7 });
  const id = await contact('Ada@Example.com ');
  const { organizationId, teamId, userId } = world;
  await world.item(date, {
    contactId: id,
    assignedToId: userId,
    contacts: { create: { contactId: id, position: 0 } },
  });
  await world.database.prisma.watch.create({ data: { id: newId(), organizationId, teamId, userId } });
  await world.at(slot);
  expect(await world.deliveries()).toMatchObject([
    { state: 'QUEUED', subjectKind: 'item', dueAt: new Date(slot) },
  ]);
});

test('a user who does not see the workspace, and a contact out of use, get nothing', async () => {
  await world.steps({
    offsetDays: -7,
    recipients: ['ASSIGNEE', 'CONTACTS', 'ADDRESSES'],
    addresses: ['a@b.example'],
  });
  const { organizationId, otherTeamId } = world;
  const outsider = {
    id: newId(),
    organizationId,
    teamId: otherTeamId,
    name: 'Out',
    email: 'out@example.com',
  };
  await world.database.prisma.user.create({ data: outsider });
  const gone = await contact('gone@example.com', false);
  await world.item(date, {
    assignedToId: outsider.id,
    contacts: { create: { contactId: gone, position: 0 } },
  });
  await world.at(slot);
  expect(await addresses()).toEqual(['a@b.example']);
  const targets = await world.database.prisma.reminderTarget.findMany({ orderBy: { address: 'asc' } });
  expect(targets.map(({ address, reason }) => [address, reason])).toEqual([
    ['a@b.example', null],
    ['gone@example.com', 'inactive'],
    ['out@example.com', 'inactive'],
  ]);
});

test('if nobody is left, the fallback gets it, else the admins', async () => {
  await world.steps({ offsetDays: -7 }, { offsetDays: -6 });
  const id = await contact('gone@example.com', false);
  const itemId = await world.item(date, { contactId: id });
  await world.at(slot);
  expect(await addresses()).toEqual(['ada@example.com']);
  await world.database.prisma.team.update({
    where: { id: world.teamId },
    data: { reminderFallbackAddress: 'office@example.com' },
  });
  await world.at('2027-03-25T07:00:00Z');
  expect(await addresses()).toEqual(['ada@example.com', 'office@example.com']);
  const { prisma } = world.database;
  expect(await prisma.reminder.count({ where: { itemId, reason: 'without recipient' } })).toBe(2);
});

test('watchers get reminders of what they watch', async () => {
  await world.steps({ offsetDays: -7, recipients: ['WATCHERS'] });
  const { organizationId, teamId, categoryId } = world;
  const [one, other] = [await contact('one@example.com'), await contact('other@example.com')];
  await world.database.prisma.watch.createMany({
    data: [
      { id: newId(), organizationId, teamId, contactId: one, filter: { categoryIds: [categoryId] } },
      { id: newId(), organizationId, teamId, contactId: other, filter: { categoryIds: [newId()] } },
    ],
  });
  await world.item(date);
  await world.at(slot);
  expect(await addresses()).toEqual(['one@example.com']);
});

test('a digest is one delivery, at its time', async () => {
  await world.steps({
    offsetDays: -7,
    recipients: ['ADDRESSES'],
    addresses: ['boss@example.com', 'clerk@example.com'],
  });
  const { organizationId } = world;
  await world.database.prisma.recipientSetting.createMany({
    data: [
      { organizationId, recipientKey: 'mail:boss@example.com', mode: 'DAILY', digestTime: '17:00' },
      { organizationId, recipientKey: 'mail:clerk@example.com', mode: 'WEEKLY', weekday: 1 },
    ],
  });
  for (let items = 0; items < 60; items++) await world.item(date);
  expect(await world.at(slot)).toBe(60);
  expect(await world.deliveries()).toMatchObject([
    { address: 'boss@example.com', subjectKind: 'digest', dueAt: new Date('2027-03-24T16:00:00Z') },
    { address: 'clerk@example.com', subjectKind: 'digest', dueAt: new Date('2027-03-29T06:00:00Z') },
  ]);
  const [first] = await world.deliveries();
  const listed = await world.database.prisma.reminderTarget.count({ where: { deliveryId: first?.id ?? '' } });
  expect(listed).toBe(60);
});

test.each([
  ['renewed', { expirationDate: new Date('2028-03-31') }],
  ['date changed', { expirationDate: new Date('2027-03-30') }],
  ['archived', { isActive: false }],
  ['missing', { isMissing: true }],
  ['off', { reminderMode: 'OFF' }],
])('an item that is %s before sending gets none', async (reason, change) => {
  await world.steps({ offsetDays: -7 });
  const id = await world.item(date);
  await world.at(slot);
  expect(await fence(slot)).toBe(1);
  await world.change(id, change);
  expect(await fence(slot)).toBe(0);
  expect(await world.ledger(id)).toEqual([`2027-03-24T07:00 -7 CANCELLED ${reason}`]);
  expect(await world.deliveries()).toMatchObject([{ state: 'CANCELLED', dueAt: null }]);
});

test('a suppressed address is left out, and the others are not', async () => {
  await world.steps({
    offsetDays: -7,
    recipients: ['ADDRESSES'],
    addresses: ['a@example.com', 'b@example.com'],
  });
  const id = await world.item(date);
  await world.at(slot);
  const { organizationId } = world;
  await world.database.prisma.suppression.create({
    data: { organizationId, addressKey: 'a@example.com', scope: 'ITEM', scopeId: id, reason: 'UNSUBSCRIBED' },
  });
  expect(await fence(slot)).toBe(1);
  expect(await world.ledger(id)).toEqual(['2027-03-24T07:00 -7 PENDING']);
  expect((await world.deliveries()).map(({ state }) => state)).toEqual(['CANCELLED', 'QUEUED']);
});

describe('whoever asks to be reminded later', () => {
  const [anna, bob] = ['anna@example.com', 'bob@example.com'];
  const step = { recipients: ['ADDRESSES'], addresses: [anna, bob] };
  const postpone = (itemId: string, address: string, until: string) =>
    world.database.prisma.postponement.create({
      data: {
        ...{ organizationId: world.organizationId, teamId: world.teamId, itemId },
        ...{ recipientKey: `mail:${address}`, expirationDate: new Date(date), until: new Date(until) },
      },
    });
  /** Lists what has been queued, by day and address. */
  const queued = async () =>
    (
      await world.database.prisma.delivery.findMany({ orderBy: [{ created: 'asc' }, { address: 'asc' }] })
    ).map(({ address, created }) => `${created.toISOString().slice(5, 10)} ${address}`);
  const days = ['24', '25', '26', '30', '31'].map((day) => `2027-03-${day}T07:00:00Z`);
  const upcoming = async (now: string) => {
    const query = { teamIds: [world.teamId], now: new Date(now), days: 20, after: undefined, limit: 100 };
    const found = await listUpcoming({ run: (statement) => world.database.query(statement) }, query);
    const ofEach = found.map(async ({ at, recipients }) =>
      (await recipients())
        .filter(({ reason }) => reason === null)
        .map(({ address }) => `${new Date(at.getTime() + 7_200_000).toISOString().slice(5, 10)} ${address}`)
        .sort(),
    );
    return (await Promise.all(ofEach)).flat();
  };

  test('is left in peace until then, and nobody else is', async () => {
    await world.steps(
      { offsetDays: -7, ...step, repeatEveryDays: 1, repeatCount: 2 },
      { offsetDays: -1, onlyUnacknowledged: true, ...step },
      { offsetDays: 0, ...step },
    );
    const itemId = await world.item(date);
    await world.at('2027-03-20T00:00:00Z');
    await postpone(itemId, anna, '2027-03-30');
    const planned = await upcoming('2027-03-20T00:00:00Z');
    for (const day of days) await world.at(day);
    const told = await queued();
    expect(told).toEqual([
      '03-24 bob@example.com',
      '03-25 bob@example.com',
      '03-26 bob@example.com',
      '03-30 anna@example.com',
      '03-30 bob@example.com',
      '03-31 anna@example.com',
      '03-31 bob@example.com',
    ]);
    expect([...new Set(planned)]).toEqual(told);
    expect(await world.database.prisma.acknowledgement.count()).toBe(0);
    expect(await fence('2027-03-31T07:00:00Z')).toBe(8);
  });

  test('is not replaced by the fallback, even if all do', async () => {
    await world.steps({ offsetDays: -7, ...step });
    const itemId = await world.item(date);
    await postpone(itemId, anna, '2027-03-26');
    await postpone(itemId, bob, '2027-04-02');
    for (const day of [...days, '2027-04-02T07:00:00Z']) await world.at(day);
    expect(await queued()).toEqual(['03-26 anna@example.com', '04-02 bob@example.com']);
    expect((await world.ledger(itemId))[0]).toBe('2027-03-24T07:00 -7 SKIPPED postponed');
  });

  test('gets no mail that waited, and none later if they are no recipient any more', async () => {
    await world.steps({ offsetDays: -7, recipients: ['CONTACTS'] });
    const contactId = await contact(anna);
    const itemId = await world.item(date, { contacts: { create: { contactId, position: 0 } } });
    await world.at(slot);
    await postpone(itemId, anna, '2027-03-26');
    expect(await fence(slot)).toBe(0);
    expect(await world.ledger(itemId)).toEqual(['2027-03-24T07:00 -7 PENDING']);
    await world.database.prisma.expirationItemContact.deleteMany();
    await world.at('2027-03-26T07:00:00Z');
    expect(await queued()).toEqual(['03-24 anna@example.com']);
    expect((await world.ledger(itemId))[1]).toBe('2027-03-26T07:00 -5 SKIPPED no recipient');
  });

  test('is told of a new date as if nothing had been', async () => {
    await world.steps({ offsetDays: -7, ...step });
    const itemId = await world.item(date);
    await postpone(itemId, anna, '2027-03-30');
    await world.change(itemId, { expirationDate: new Date('2027-04-01') });
    await world.at('2027-03-25T07:00:00Z');
    expect(await addresses()).toEqual([anna, bob]);
  });
});
