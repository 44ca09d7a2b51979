import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { Session } from '../../src/db/connection/session.js';
import { prepared } from '../../src/db/connection/statement.js';
import { gatewayCaller } from '../../src/domain/caller.js';
import { newId } from '../../src/domain/rules.js';
import { renewItem } from '../../src/items/renewals.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { createTenant } from '../support/gateway.js';
import { makeWorld, type World } from './support.js';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  await world.at('2027-01-01T12:00:00Z');
});
afterEach(() => world.drop());

const events = async () => {
  const rows = await world.database.prisma.eventLog.findMany({
    where: { organizationId: world.organizationId, typeId: { in: [3, 15, 16, 17] } },
    orderBy: [{ created: 'asc' }, { typeId: 'asc' }, { description: 'asc' }],
    include: { entities: true },
  });
  return rows.map(({ typeId, description, created, userId, entities }) => {
    expect([userId, entities.length]).toEqual([null, 1]);
    return `${created.toISOString().slice(0, 16)} ${typeId} ${description.replace(/^Expiration item /, '')}`;
  });
};
const dateOf = async (id: string) => {
  const { expirationDate } = await world.database.prisma.expirationItem.findUniqueOrThrow({ where: { id } });
  return expirationDate?.toISOString().slice(0, 10);
};
const autoRenew = (rule: object | undefined, id = world.categoryId) =>
  world.database.prisma.category.update({ where: { id }, data: { autoRenew: rule ?? undefined } });
const acknowledge = (itemId: string, date: string, created: string) =>
  world.database.prisma.acknowledgement.create({
    data: {
      ...{ organizationId: world.organizationId, teamId: world.teamId, itemId, via: 'API' },
      ...{ expirationDate: new Date(date), created: new Date(created) },
    },
  });

describe('by time alone', () => {
  test('an item becomes due and expires at midnight of its workspace, once', async () => {
    await world.item('2027-03-31');
    await world.at('2027-02-28T22:59:59Z');
    expect(await events()).toEqual([]);
    for (const time of ['2027-02-28T23:00:00Z', '2027-02-28T23:30:00Z', '2027-03-15T10:00:00Z'])
      await world.at(time);
    expect(await events()).toEqual([
      '2027-02-28T23:00 16 "Trade licence" became due: it expires on 2027-03-31',
    ]);
    await world.at('2027-03-31T21:59:59Z');
    expect(await events()).toHaveLength(1);
    for (const time of ['2027-03-31T22:00:00Z', '2027-04-02T10:00:00Z']) await world.at(time);
    expect((await events()).slice(1)).toEqual(['2027-03-31T22:00 15 "Trade licence" expired on 2027-03-31']);
  });

  test('it is noted without mail, and after the gateway was down', async () => {
    const id = await world.item('2027-03-31');
    const now = new Date('2027-04-20T10:00:00Z');
    await evaluateReminders({ database: world.database, clock: () => now, isMailSetUp: () => false });
    expect(await events()).toEqual([
      '2027-04-20T10:00 15 "Trade licence" expired on 2027-03-31',
      '2027-04-20T10:00 16 "Trade licence" became due: it expires on 2027-03-31',
    ]);
    expect(await world.database.prisma.reminder.count({ where: { itemId: id } })).toBe(2);
    expect(await world.ledger(id)).toEqual([]);
  });

  test('archived, missing, muted and other items do not', async () => {
    await world.item('2027-03-31', { isActive: false });
    await world.item('2027-03-31', { isMissing: true });
    await world.item('2027-03-31', { name: 'Muted', reminderMode: 'OFF' });
    const moved = await world.item('2027-03-31');
    await world.change(moved, { expirationDate: new Date('2028-03-31') });
    await world.at('2027-03-10T10:00:00Z');
    expect(await events()).toEqual([]);
    await world.at('2027-04-01T10:00:00Z');
    expect(await events()).toEqual(['2027-04-01T10:00 15 "Muted" expired on 2027-03-31']);
  });

  test('a date that is set back is not recorded again; a new one is', async () => {
    const id = await world.item('2027-02-10');
    await world.at('2027-02-11T10:00:00Z');
    const noted = await events();
    await world.change(id, { expirationDate: new Date('2027-02-12') });
    await world.change(id, { expirationDate: new Date('2027-02-10') });
    await world.at('2027-02-12T10:00:00Z');
    expect(await events()).toEqual(noted);
    await world.change(id, { expirationDate: new Date('2027-02-12') });
    await world.at('2027-02-13T10:00:00Z');
    expect((await events()).slice(noted.length)).toEqual([
      '2027-02-13T10:00 15 "Trade licence" expired on 2027-02-12',
    ]);
  });

  test('a change of the time zone around midnight neither doubles nor loses a day', async () => {
    const { prisma } = world.database;
    const move = (timezone: string) =>
      prisma.team.update({ where: { id: world.teamId }, data: { timezone } });
    await world.item('2027-03-31');
    await world.at('2027-03-31T12:00:00Z');
    await move('Pacific/Kiritimati');
    await world.at('2027-03-31T12:00:30Z');
    await move('Etc/GMT+12');
    await world.at('2027-03-31T12:01:00Z');
    await world.at('2027-04-03T12:01:00Z');
    expect((await events()).filter((event) => / 15 /.test(event))).toEqual([
      '2027-03-31T12:00 15 "Trade licence" expired on 2027-03-31',
    ]);
  });

  test('thousands in one day are noted each once, by several processes', async () => {
    const { organizationId, teamId, categoryId } = world;
    const data = Array.from({ length: 2_500 }, (_, n) => ({
      ...{ id: newId(), organizationId, teamId, categoryId, name: `Item ${n}` },
      ...{
        expirationDate: new Date('2027-03-31'),
        reminderMode: 'OFF' as const,
        modified: new Date('2027-01-01'),
      },
    }));
    await world.database.prisma.expirationItem.createMany({ data });
    await Promise.all([1, 2, 3].map(() => world.at('2027-04-01T10:00:00Z')));
    await world.at('2027-04-01T10:00:01Z');
    const ids = await world.database.prisma.eventLogEntity.findMany({ select: { entityId: true } });
    expect(ids).toHaveLength(2_500);
    expect(new Set(ids.map(({ entityId }) => entityId)).size).toBe(2_500);
  });
});

describe('a document type that renews', () => {
  test('moves the date at midnight after it, with an event and the history', async () => {
    await autoRenew({ every: 1, unit: 'MONTHS', requireAcknowledgement: false });
    const id = await world.item('2027-01-31');
    await world.at('2027-01-31T22:59:00Z');
    expect(await dateOf(id)).toBe('2027-01-31');
    for (const time of ['2027-01-31T23:00:00Z', '2027-02-01T08:00:00Z']) await world.at(time);
    expect(await dateOf(id)).toBe('2027-02-28');
    await world.at('2027-03-01T08:00:00Z');
    expect(await dateOf(id)).toBe('2027-03-31');
    const renewals = await world.database.prisma.renewal.findMany({ orderBy: { created: 'asc' } });
    expect(
      renewals.map(({ previousDate, expirationDate, userId }) => [
        previousDate?.toISOString().slice(0, 10),
        expirationDate.toISOString().slice(0, 10),
        userId,
      ]),
    ).toEqual([
      ['2027-01-31', '2027-02-28', null],
      ['2027-02-28', '2027-03-31', null],
    ]);
    const told = (await events()).map((event) => event.split(' ')[1]);
    expect(told.filter((type) => type === '17')).toHaveLength(2);
    expect(told).not.toContain('15');
  });

  test('keeps the day of renewals by people, and renews nothing that only people renew', async () => {
    const id = await world.item('2027-01-31');
    const caller = gatewayCaller(world.organizationId, world.teamId);
    const session = new Session(world.database, { caller, now: new Date('2027-01-20T12:00:00Z') });
    await renewItem(session, id, { expirationDate: new Date('2027-02-28') });
    await autoRenew({ every: 1, unit: 'MONTHS', requireAcknowledgement: false, byPeople: true });
    await world.at('2027-02-28T22:59:00Z');
    const waiting = await world.item('2027-02-28', { name: 'Waiting' });
    await world.at('2027-02-28T23:00:00Z');
    expect(await Promise.all([id, waiting].map(dateOf))).toEqual(['2027-02-28', '2027-02-28']);
    await autoRenew({ every: 1, unit: 'MONTHS', requireAcknowledgement: true });
    await acknowledge(id, '2027-02-28', '2027-03-01T10:00:00Z');
    await world.at('2027-03-01T23:00:00Z');
    expect(await Promise.all([id, waiting].map(dateOf))).toEqual(['2027-03-31', '2027-02-28']);
  });

  test('does not make up for missed renewals', async () => {
    await autoRenew({ every: 1, unit: 'MONTHS', requireAcknowledgement: false });
    const id = await world.item('2027-01-31');
    await world.at('2027-07-15T12:00:00Z');
    expect(await dateOf(id)).toBe('2027-07-31');
    expect((await events()).filter((event) => / 17 /.test(event))).toHaveLength(1);
  });

  test('waits for an acknowledgement if required; without one the item expires', async () => {
    await autoRenew({ every: 1, unit: 'YEARS', requireAcknowledgement: true });
    const [early, late, never] = [
      await world.item('2027-02-10', { name: 'Early' }),
      await world.item('2027-02-10', { name: 'Late' }),
      await world.item('2027-02-10', { name: 'Never' }),
    ];
    await acknowledge(early, '2027-02-10', '2027-02-01T10:00:00Z');
    await world.at('2027-02-11T10:00:00Z');
    expect(await Promise.all([early, late, never].map(dateOf))).toEqual([
      '2028-02-10',
      '2027-02-10',
      '2027-02-10',
    ]);
    await acknowledge(late, '2027-02-10', '2027-02-14T10:00:00Z');
    for (const day of [14, 15, 16]) await world.at(`2027-02-${day}T23:30:00Z`);
    expect(await dateOf(late)).toBe('2028-02-10');
    expect(await dateOf(never)).toBe('2027-02-10');
    const told = (await events())
      .filter((event) => / (?:15|17) /.test(event))
      .map((event) => event.slice(11));
    expect(told.map((event) => event.replace(/^.{6}/, ''))).toEqual([
      '15 "Late" expired on 2027-02-10',
      '15 "Never" expired on 2027-02-10',
      '17 "Early" was auto renewed: expiration_date',
      '17 "Late" was auto renewed: expiration_date',
    ]);
  });

  test('renews nothing that had expired before, is archived, or that the rules no longer let', async () => {
    const old = await world.item('2026-12-01');
    await autoRenew({ every: 1, unit: 'MONTHS', requireAcknowledgement: false });
    const archived = await world.item('2027-02-10', { isActive: false });
    const wrong = await world.item('2027-02-10', { name: '' });
    await world.at('2027-02-11T10:00:00Z');
    expect(await Promise.all([old, archived, wrong].map(dateOf))).toEqual([
      '2026-12-01',
      '2027-02-10',
      '2027-02-10',
    ]);
    expect(
      (await world.database.prisma.reminder.findMany({ where: { itemId: wrong, state: 'SKIPPED' } }))
        .map(({ reason }) => reason)
        .join(),
    ).toMatch(/must not be empty/);
    expect((await events()).filter((event) => / 15 /.test(event))).toHaveLength(1);
  });

  test('renews each once, by several processes', async () => {
    await autoRenew({ every: 1, unit: 'DAYS', requireAcknowledgement: false });
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, n) => world.item('2027-02-10', { name: `Item ${n}` })),
    );
    await Promise.all([1, 2, 3].map(() => world.at('2027-02-11T10:00:00Z')));
    await world.at('2027-02-11T10:00:01Z');
    expect(new Set(await Promise.all(ids.map(dateOf)))).toEqual(new Set(['2027-02-11']));
    expect(await world.database.prisma.renewal.count()).toBe(30);
  });
});

describe('an item whose renewals end', () => {
  const monthly = { every: 1, unit: 'MONTHS', requireAcknowledgement: false };
  const stateOf = async (id: string) => {
    const item = await world.database.prisma.expirationItem.findUniqueOrThrow({ where: { id } });
    return [item.expirationDate?.toISOString().slice(0, 10), item.isActive, item.renewalsLeft];
  };
  const archived = async (id: string) => {
    const rows = await world.database.prisma.eventLog.findMany({
      where: { typeId: 5, entities: { some: { entityId: id } } },
    });
    return rows.map(({ description }) => description);
  };

  test('on a day is renewed up to that day, and then archived, once and with the reason', async () => {
    await autoRenew(monthly);
    const id = await world.item('2027-01-31', { renewUntil: new Date('2027-03-31') });
    const before = await world.item('2027-01-31', { renewUntil: new Date('2027-03-30') });
    await world.at('2027-02-01T08:00:00Z');
    await world.at('2027-03-01T08:00:00Z');
    expect(await Promise.all([id, before].map(stateOf))).toEqual([
      ['2027-03-31', true, null],
      ['2027-02-28', false, null],
    ]);
    await world.at('2027-03-31T21:59:00Z');
    expect(await stateOf(id)).toEqual(['2027-03-31', true, null]);
    for (const time of ['2027-03-31T22:00:00Z', '2027-04-01T08:00:00Z', '2027-05-01T08:00:00Z'])
      await world.at(time);
    expect(await stateOf(id)).toEqual(['2027-03-31', false, null]);
    expect(await archived(id)).toEqual([
      'Expiration item "Trade licence" was archived: is_active, because its renewals end on 2027-03-31',
    ]);
    // It has not expired: nothing was due any more.
    expect((await events()).filter((event) => / 15 /.test(event))).toEqual([]);
  });

  test('after a number of times counts down, also by people, and stays restored for its date', async () => {
    await autoRenew(monthly);
    const id = await world.item('2027-01-31', { renewalsLeft: 2 });
    const caller = gatewayCaller(world.organizationId, world.teamId);
    const session = new Session(world.database, { caller, now: new Date('2027-01-20T12:00:00Z') });
    await renewItem(session, id, { expirationDate: new Date('2027-02-28') });
    expect(await stateOf(id)).toEqual(['2027-02-28', true, 1]);
    await world.at('2027-03-01T08:00:00Z');
    expect(await stateOf(id)).toEqual(['2027-03-31', true, 0]);
    await world.at('2027-04-01T08:00:00Z');
    expect(await stateOf(id)).toEqual(['2027-03-31', false, 0]);
    expect((await archived(id))[0]).toMatch(/, because no renewals are left$/);
    await world.change(id, { isActive: true });
    await world.at('2027-04-02T08:00:00Z');
    expect(await stateOf(id)).toEqual(['2027-03-31', true, 0]);
    // Somebody renews it beyond the end.
    await renewItem(session, id, { expirationDate: new Date('2027-04-20') });
    await world.at('2027-04-20T21:00:00Z');
    expect(await stateOf(id)).toEqual(['2027-04-20', true, 0]);
    await world.at('2027-04-21T08:00:00Z');
    expect(await stateOf(id)).toEqual(['2027-04-20', false, 0]);
  });

  test.each([
    { requireAcknowledgement: true },
    { requireAcknowledgement: false, byPeople: true },
    { requireAcknowledgement: true, byPeople: true },
  ])('waits for somebody where people decide: %j', async (who) => {
    await autoRenew({ ...monthly, ...who });
    const ended = await world.item('2027-02-10', { renewalsLeft: 0 });
    const onDay = await world.item('2027-02-10', { renewUntil: new Date('2027-03-09') });
    const open = await world.item('2027-02-10', { renewUntil: new Date('2027-03-10'), renewalsLeft: 1 });
    const never = await world.item('2027-02-10', { renewalsLeft: 0 });
    await world.at('2027-02-11T08:00:00Z');
    for (const id of [ended, onDay, open]) {
      expect(await stateOf(id)).toContain(true);
      await acknowledge(id, '2027-02-10', '2027-02-12T10:00:00Z');
    }
    for (const day of [12, 13]) await world.at(`2027-02-${day}T23:30:00Z`);
    const renewed = who.byPeople ? ['2027-02-10', true, 1] : ['2027-03-10', true, 0];
    expect(await Promise.all([ended, onDay, open, never].map(stateOf))).toEqual([
      ['2027-02-10', false, 0],
      ['2027-02-10', false, null],
      renewed,
      ['2027-02-10', true, 0],
    ]);
  });

  test('is archived once by several processes', async () => {
    await autoRenew({ every: 1, unit: 'DAYS', requireAcknowledgement: false });
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => world.item('2027-02-10', { renewalsLeft: 0 })),
    );
    await Promise.all([1, 2, 3].map(() => world.at('2027-02-11T10:00:00Z')));
    await world.at('2027-02-11T10:00:01Z');
    expect(await world.database.prisma.expirationItem.count({ where: { isActive: true } })).toBe(0);
    expect((await Promise.all(ids.map(archived))).map(({ length }) => length)).toEqual(Array(20).fill(1));
    expect(await world.database.prisma.renewal.count()).toBe(0);
  });
});

/** Makes workspaces in which a day begins. */
async function makeDepots(count: number): Promise<void> {
  const { organizationId, database } = world;
  await database.sql(
    `INSERT INTO teams (id, organization_id, name) SELECT gen_random_uuid(), $1, 'Depot ' || g FROM generate_series(1, $2) AS g`,
    [organizationId, count],
  );
  await database.sql(
    "UPDATE reminder_marks SET next_at = '2027-01-01', through = '2026-12-31', day_next_at = '2027-01-01', day_through = '2026-12-31'",
  );
}

const clock = () => new Date('2027-01-01T12:00:00Z');
const undecided = () =>
  world.database.sql<{ name: string }>(
    `SELECT team.name FROM reminder_marks AS mark JOIN teams AS team ON team.id = mark.team_id
     WHERE day_through < '2027-01-01' OR through < '2027-01-01'`,
  );

test('looks follow one another without a pause while more workspaces have a new day', async () => {
  await makeDepots(1_050);
  const before = world.sent.length;
  const isMore: boolean[] = [];
  do {
    isMore.push(false);
    const onMore = () => void isMore.splice(-1, 1, true);
    await evaluateReminders({ database: world.database, clock, isMailSetUp: () => true, onMore });
  } while (isMore.at(-1));
  expect(isMore).toEqual([true, false]);
  expect(await undecided()).toEqual([]);
  // Those in which nothing is due are looked at together, a hundred at a time.
  expect(world.sent.length - before).toBeLessThan(200);
});

test('a workspace whose day fails holds up none of those that are looked at together with it', async () => {
  await makeDepots(30);
  await world.database.sql(`UPDATE teams SET timezone = 'Nowhere/At all' WHERE name = 'Depot 7'`);
  const faults: string[] = [];
  const onFault = (_fault: Error, teamId: string) => void faults.push(teamId);
  await evaluateReminders({ database: world.database, clock, isMailSetUp: () => true, onFault });
  expect(await undecided()).toEqual([{ name: 'Depot 7' }]);
  const [failed] = await world.database.sql<{ id: string }>(`SELECT id FROM teams WHERE name = 'Depot 7'`);
  // Once in its day, and once in its reminders.
  expect(faults).toEqual([failed?.id, failed?.id]);
});

test('an item that somebody holds up keeps no other workspace from its day', async () => {
  const { prisma } = world.database;
  const { organizationId, teamId } = await createTenant(world.database, 'Globex');
  await prisma.reminderMark.deleteMany({ where: { teamId: { notIn: [teamId, world.teamId] } } });
  await prisma.reminderMark.updateMany({ where: { teamId }, data: { dayThrough: new Date('2027-01-01') } });
  const categoryId = newId();
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  const rule = { every: 1, unit: 'MONTHS', requireAcknowledgement: false };
  for (const id of [categoryId, world.categoryId]) await autoRenew(rule, id);
  const held = await world.item('2027-01-31');
  const free = await world.item('2027-01-31', { organizationId, teamId, categoryId });
  // The workspace of the item that is held comes first.
  const order = (id: string, dayNextAt: string) =>
    prisma.reminderMark.updateMany({ where: { teamId: id }, data: { dayNextAt: new Date(dayNextAt) } });
  await order(world.teamId, '2027-01-02');
  await order(teamId, '2027-01-03');
  const patience = { lock: 50 };
  const database = openDatabase({ url: world.databaseUrl, poolSize: 2, onError: () => {}, patience });
  let now = new Date('2027-02-01T12:00:00Z');
  const faults: string[] = [];
  const onFault = (_fault: Error, id: string) => void faults.push(id);
  const look = () => evaluateReminders({ database, clock: () => now, isMailSetUp: () => true, onFault });
  await world.database.inTransaction(async (tx) => {
    const text = 'SELECT FROM expiration_items WHERE id = $1 FOR UPDATE';
    await tx.run(prepared('items.hold', { text, values: [held] }));
    await expect(look()).rejects.toThrow('lock timeout');
    await look();
    expect([await dateOf(held), await dateOf(free)]).toEqual(['2027-01-31', '2027-02-28']);
  });
  expect(faults).toEqual([world.teamId]);
  now = new Date('2027-02-01T12:01:00Z');
  await look();
  expect(await dateOf(held)).toBe('2027-02-28');
  await database.close();
});
