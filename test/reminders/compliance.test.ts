import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { openPost, type Post } from './sender.support.js';
import { makeWorld, type World } from './support.js';

let world: World;
let post: Post;
beforeEach(async () => {
  world = await makeWorld();
  post = await openPost(world);
  await world.steps();
  await world.at('2027-01-01T06:00:00Z');
  await makeUser();
});
afterEach(async () => {
  await post.close();
  await world.drop();
});

const anna = 'anna@example.org';
const annaId = randomUUID();
const bertId = randomUUID();

async function makeUser(values: object = {}): Promise<string> {
  const { organizationId, teamId } = world;
  const person = { id: annaId, organizationId, teamId, name: 'Anna', email: anna, role: 'MEMBER' as const };
  const { id } = await world.database.prisma.user.create({ data: { ...person, ...values } });
  await world.database.prisma.membership.create({ data: { userId: id, teamId } });
  return id;
}

/** Watches records that lack something. */
async function watch(holders: object = {}, values: object = { userId: annaId }): Promise<string> {
  const { organizationId, teamId } = world;
  const id = randomUUID();
  await world.database.prisma.watch.create({ data: { id, organizationId, teamId, holders, ...values } });
  return id;
}

async function vehicle(name: string, values: object = {}): Promise<string> {
  const { organizationId, teamId } = world;
  const id = randomUUID();
  await world.database.prisma.vehicle.create({ data: { id, organizationId, teamId, name, ...values } });
  return id;
}

async function paper(vehicleId: string, date: string): Promise<string> {
  const itemId = await world.item(date);
  const holder = { itemId, kind: 'VEHICLE' as const, holderId: vehicleId, vehicleId, position: 0 };
  await world.database.prisma.itemHolder.create({ data: holder });
  return itemId;
}

async function required(name = 'Insured', values: object = {}): Promise<string> {
  const { organizationId, teamId, categoryId } = world;
  const id = randomUUID();
  const about = { holderKind: 'vehicle', anyOf: [categoryId] };
  await world.database.prisma.requirement.create({
    data: { id, organizationId, teamId, name, ...about, ...values },
  });
  return id;
}

/** Evaluates records and decides what is due, as a worker does. */
async function at(time: string): Promise<void> {
  await evaluateTurns(world.database, () => new Date(time));
  await world.at(time);
}

/** The mails that wait or were sent: kind, address and time. */
const mails = async () =>
  (await world.deliveries()).map(({ address, dueAt, state, subjectKind }) =>
    [subjectKind, address, dueAt?.toISOString().slice(0, 16) ?? state].join(' '),
  );

test('one mail tells of everything that lacks something now, with the first ones and the number of all', async () => {
  await watch();
  for (let n = 1; n <= 60; n++) await vehicle(`Truck ${String(n).padStart(2, '0')}`);
  await at('2027-03-01T09:00:00Z');
  await required();
  await at('2027-03-01T09:01:00Z');
  await at('2027-03-01T09:02:00Z');
  expect(await mails()).toEqual([`compliance ${anna} 2027-03-01T09:05`]);
  await post.send('2027-03-01T09:05:00Z');
  const [{ mail, to } = { mail: undefined, to: [] }] = post.sink.taken;
  expect(to).toEqual([anna]);
  expect(mail?.subject).toBe('Not compliant: 60 vehicles');
  expect(mail?.text).toContain('Not compliant (60)\n');
  expect(mail?.text).toMatch(/Truck 01\n\n {4}Insured: missing since /);
  expect(mail?.text).not.toContain('Truck 51');
  expect(mail?.text).toContain('And 10 more.');
  const list = `https://expiry.example.com/compliance?kind=VEHICLE&state=NON_COMPLIANT&team=${world.teamId}`;
  expect(mail?.text).toContain(list);
  expect(mail?.text).toContain('https://expiry.example.com/r/');
  await at('2027-03-02T09:02:00Z');
  expect(await mails()).toEqual([`compliance ${anna} SENT`]);
});

test('a record is told of 30, 14 and 7 days before it lacks something, and when it does, in the morning', async () => {
  await required();
  const truck = await vehicle('Truck 8');
  await paper(truck, '2027-06-30');
  await watch();
  const days = [
    ['2027-05-30T22:00:00Z', '2027-05-31T06:00:00Z', 'Soon not compliant: Truck 8'],
    ['2027-06-15T22:00:00Z', '2027-06-16T06:00:00Z', 'Soon not compliant: Truck 8'],
    ['2027-06-22T22:00:00Z', '2027-06-23T06:00:00Z', 'Soon not compliant: Truck 8'],
    ['2027-06-30T22:00:00Z', '2027-07-01T06:00:00Z', 'Not compliant: Truck 8'],
  ] as const;
  for (const [index, [day, morning, subject]] of days.entries()) {
    await at(new Date(Date.parse(day) - 1).toISOString());
    expect(post.sink.taken).toHaveLength(index);
    expect((await mails()).filter((mail) => !/[A-Z]{4}/.test(mail))).toEqual([]);
    await at(day);
    await at(morning);
    await post.send(morning);
    expect(post.sink.taken[index]?.mail.subject).toBe(subject);
  }
  const texts = post.sink.taken.map(({ mail }) => mail.text);
  expect(texts[0]).toContain('Compliant until 30 June 2027 (2027-06-30): Insured');
  expect(texts[3]).toContain('Insured: expired since 1 July 2027');
});

test('a date that is set back is told once, and an earlier one anew', async () => {
  await required();
  const item = await paper(await vehicle('Truck 8'), '2027-06-30');
  await watch();
  await at('2027-06-10T09:00:00Z');
  await post.send('2027-06-10T09:05:00Z');
  const change = (date: string) => world.change(item, { expirationDate: new Date(date) });
  await change('2027-12-31');
  await at('2027-06-10T10:00:00Z');
  await change('2027-06-30');
  await at('2027-06-10T11:00:00Z');
  expect(await mails()).toEqual([`compliance ${anna} SENT`]);
  await change('2027-06-29');
  await at('2027-06-10T12:00:00Z');
  expect(await mails()).toContain(`compliance ${anna} 2027-06-10T12:05`);
});

test('a watch covers what its filter says, and tells of a further requirement that is not met', async () => {
  const insured = await required();
  const licensed = await required('Licensed', { anyOf: [randomUUID()], graceDays: 400 });
  const { organizationId, teamId } = world;
  const locationId = randomUUID();
  await world.database.prisma.location.create({
    data: { id: locationId, organizationId, teamId, name: 'Yard' },
  });
  const bert = { id: bertId, email: 'bert@example.org', name: 'Bert' };
  await makeUser(bert);
  const carla = await makeUser({ id: randomUUID(), email: 'carla@example.org', name: 'Carla' });
  const dora = await makeUser({ id: randomUUID(), email: 'dora@example.org', name: 'Dora' });
  await watch({ kind: 'vehicle', requirementIds: [licensed] });
  await watch({ kind: 'contact' }, { userId: bertId });
  await watch({ locationId }, { userId: carla });
  await watch({ term: 'TRUCK 8', requirementIds: [insured] }, { userId: dora });
  await vehicle('Truck 8');
  await vehicle('Truck 9', { locationId });
  await at('2027-03-01T09:00:00Z');
  expect(await mails()).toEqual(
    ['carla', 'dora'].map((name) => `compliance ${name}@example.org 2027-03-01T09:05`),
  );
  await post.send('2027-03-01T09:05:00Z', 2);
  expect(post.sink.taken.map(({ mail }) => mail.subject).sort()).toEqual([
    'Not compliant: Truck 8',
    'Not compliant: Truck 9',
  ]);
  await at('2028-02-01T09:00:00Z');
  await post.send('2028-02-01T09:05:00Z', 2);
  expect(post.sink.taken.slice(2).map(({ to, mail }) => [...to, mail.subject])).toEqual(
    expect.arrayContaining([
      [anna, 'Not compliant: 2 vehicles'],
      ['carla@example.org', 'Not compliant: Truck 9'],
    ]),
  );
});

test('nobody hears of what they may not or need not know any more', async () => {
  await watch();
  await required();
  const { prisma } = world.database;
  const truck = await vehicle('Truck 8');
  await at('2027-03-01T09:00:00Z');
  const cancelled = async (time: string, change: () => Promise<unknown>) => {
    const before = (await world.deliveries()).length;
    await change();
    await post.send(time);
    const all = await world.deliveries();
    expect([all.length - before, post.outcomes.at(-1)]).toEqual([0, 'cancelled']);
    const [{ lastError } = { lastError: null }] = await prisma.delivery.findMany({
      orderBy: { settledAt: 'desc' },
      where: { settledAt: { not: null } },
    });
    return lastError;
  };
  const again = async (time: string) => {
    await paper(truck, '2028-12-31');
    await at(time);
    await prisma.itemHolder.deleteMany();
    await at(time);
  };
  expect(
    await cancelled('2027-03-01T09:05:00Z', () =>
      prisma.membership.deleteMany({ where: { userId: annaId } }),
    ),
  ).toBe('nothing to tell');
  // Nothing is planned for her any more, either.
  await again('2027-03-02T09:00:00Z');
  expect(await mails()).toEqual([`compliance ${anna} CANCELLED`]);
  await prisma.membership.create({ data: { userId: annaId, teamId: world.teamId } });
  await again('2027-03-03T09:00:00Z');
  const { organizationId } = world;
  expect(
    await cancelled('2027-03-03T09:05:00Z', () =>
      prisma.suppression.create({
        data: { id: randomUUID(), organizationId, addressKey: anna, scope: 'ALL', reason: 'UNSUBSCRIBED' },
      }),
    ),
  ).toBe('suppressed');
  await prisma.suppression.deleteMany();
  await again('2027-03-04T09:00:00Z');
  expect(
    await cancelled('2027-03-04T09:05:00Z', () =>
      paper(truck, '2028-12-31').then(() => at('2027-03-04T09:04:00Z')),
    ),
  ).toBe('nothing to tell');
  await prisma.itemHolder.deleteMany();
  await at('2027-03-05T09:00:00Z');
  expect(
    await cancelled('2027-03-05T09:05:00Z', () =>
      prisma.user.update({ where: { id: annaId }, data: { isActive: false } }),
    ),
  ).toBe('inactive');
  await prisma.user.update({ where: { id: annaId }, data: { isActive: true } });
  await again('2027-03-06T09:00:00Z');
  expect(await cancelled('2027-03-06T09:05:00Z', () => prisma.watch.deleteMany())).toBe('nothing to tell');
  expect(await prisma.complianceNotice.count()).toBe(0);
  expect(post.sink.taken).toEqual([]);
});

test('a mail follows its reader to another address, and waits for the digest of whoever wants one', async () => {
  await watch();
  await required();
  const { prisma } = world.database;
  await vehicle('Truck 8');
  await at('2027-03-01T09:00:00Z');
  await prisma.user.update({ where: { id: annaId }, data: { email: 'anna@example.net' } });
  await post.send('2027-03-01T09:05:00Z');
  await at('2027-03-01T09:06:00Z');
  await post.send('2027-03-01T09:10:00Z');
  expect(post.sink.taken.map(({ to }) => to)).toEqual([['anna@example.net']]);
  const { organizationId } = world;
  const setting = { mode: 'DAILY' as const, digestTime: '18:00' };
  await prisma.recipientSetting.create({
    data: { organizationId, recipientKey: 'mail:anna@example.net', ...setting },
  });
  await vehicle('Truck 9');
  await at('2027-03-02T09:06:00Z');
  await vehicle('Truck 10');
  await at('2027-03-02T10:06:00Z');
  expect((await mails()).filter((mail) => mail.includes('T'))).toContain(
    'compliance anna@example.net 2027-03-02T17:00',
  );
  await post.send('2027-03-02T17:00:00Z');
  expect(post.sink.taken.at(-1)?.mail.subject).toBe('Not compliant: 2 vehicles');
});

test('a look costs a few statements, whatever there is, while nothing changes', async () => {
  await watch();
  await required();
  const { organizationId, teamId } = world;
  const vehicles = Array.from({ length: 600 }, (_, n) => ({
    id: randomUUID(),
    organizationId,
    teamId,
    name: `Truck ${n}`,
  }));
  await world.database.prisma.vehicle.createMany({ data: vehicles });
  await at('2027-03-01T09:00:00Z');
  await post.send('2027-03-01T09:05:00Z');
  await at('2027-03-01T09:06:00Z');
  const before = world.sent.length;
  await at('2027-03-01T09:07:00Z');
  expect(
    world.sent
      .slice(before)
      .filter((name) => /compliance/.test(name))
      .sort(),
  ).toEqual([
    'compliance_notices.claim',
    'compliance_turns.claim',
    'compliance_turns.claim_all',
    'holder_compliances.claim',
  ]);
});

test('whoever wants it hears each week what is missing, and nothing while nothing is', async () => {
  const { organizationId } = world;
  const wish = { weekday: 1, whatIsMissing: true };
  await world.database.prisma.recipientSetting.create({
    data: { organizationId, recipientKey: `mail:${anna}`, ...wish },
  });
  await world.database.prisma.user.update({
    where: { id: annaId },
    data: { language: 'de', timezone: 'America/New_York' },
  });
  await required();
  const truck = await vehicle('Truck 8');
  const item = await paper(truck, '2028-12-31');
  await at('2027-02-28T06:00:00Z');
  expect(await mails()).toEqual([`whatIsMissing ${anna} 2027-03-01T13:00`]);
  await at('2027-03-01T13:00:00Z');
  await post.send('2027-03-01T13:00:00Z');
  expect([post.outcomes, await mails()]).toEqual([['cancelled'], [`whatIsMissing ${anna} CANCELLED`]]);
  await world.change(item, { isMissing: true });
  await at('2027-03-07T23:30:00Z');
  await at('2027-03-08T13:00:00Z');
  await post.send('2027-03-08T13:00:00Z');
  const [{ mail } = { mail: undefined }] = post.sink.taken;
  expect(mail?.subject).toBe('Nicht vollständig: Truck 8');
  expect(mail?.text).toContain('Insured: fehlt');
  expect(mail?.text).toContain('jede Woche');
});
