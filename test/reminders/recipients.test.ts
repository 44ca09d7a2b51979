import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
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
