import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createTenant } from '../support/gateway.js';
import { begin, makeWorld, type World } from './support.js';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.drop());

describe('a slot', () => {
  test('is decided at its local time, once', async () => {
    await world.steps({ offsetDays: -30 });
    const id = await world.item('2027-03-31');
    expect(await world.at('2027-03-01T06:59:59Z')).toBe(0);
    expect(await world.at('2027-03-01T07:00:00Z')).toBe(1);
    expect(await world.at('2027-03-01T07:00:01Z')).toBe(0);
    expect(await world.at('2027-03-31T12:00:00Z')).toBe(0);
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 PENDING']);
  });

  test("is at the item's own time, if it has one", async () => {
    await world.steps({ offsetDays: 0 });
    const id = await world.item('2027-03-31', { timeOfDay: '17:30' });
    await world.at('2027-03-31T15:29:59Z');
    expect(await world.ledger(id)).toEqual([]);
    await world.at('2027-03-31T15:30:00Z');
    expect(await world.ledger(id)).toEqual(['2027-03-31T15:30 0 PENDING']);
  });

  test('moves away from the date on days off', async () => {
    await world.steps({ offsetDays: -3 }, { offsetDays: 4 });
    await world.database.prisma.reminderPolicy.updateMany({ data: { deliverOn: 'WORKING_DAYS' } });
    // Three days before is a Sunday, four days after a Sunday as well.
    const id = await world.item('2027-03-31');
    const late = await world.item('2027-03-31');
    for (const day of ['25', '26', '27', '28', '29']) await world.at(`2027-03-${day}T12:00:00Z`);
    expect(await world.ledger(id)).toEqual(['2027-03-26T07:00 -5 PENDING']);
    for (const day of ['03', '04', '05', '06']) await world.at(`2027-04-${day}T12:00:00Z`);
    expect(await world.ledger(late)).toEqual(['2027-03-26T07:00 -5 PENDING', '2027-04-05T06:00 5 PENDING']);
  });

  test('is not lost if days off move a repetition to it that an acknowledgement holds back', async () => {
    await world.steps({ offsetDays: 1, repeatEveryDays: 1 });
    await world.database.prisma.reminderPolicy.updateMany({ data: { deliverOn: 'WORKING_DAYS' } });
    const { organizationId, teamId } = world;
    // A Friday. On Monday there are the reminder itself, and the repetitions of Sunday and of Monday.
    const [itemId, other] = [await world.item('2027-04-02'), await world.item('2027-04-02')];
    await world.database.prisma.acknowledgement.create({
      data: { organizationId, teamId, itemId, expirationDate: new Date('2027-04-02'), via: 'API' },
    });
    for (const day of ['04', '05', '06']) await world.at(`2027-04-${day}T06:00:00Z`);
    expect(await world.ledger(itemId)).toEqual(['2027-04-05T06:00 3 PENDING']);
    expect(await world.ledger(other)).toEqual([
      '2027-04-05T06:00 3 #2 PENDING',
      '2027-04-06T06:00 4 #3 PENDING',
    ]);
  });

  test('yields to its repetition later the same day', async () => {
    await world.steps({ offsetDays: -2, repeatEveryDays: 1, recipients: ['ADMINS'] });
    await world.at('2027-03-30T05:00:00Z');
    const id = await world.item('2027-03-31');
    await world.at('2027-03-30T05:00:00Z');
    expect(await world.ledger(id)).toEqual(['2027-03-29T06:00 -2 SKIPPED superseded']);
    await world.at('2027-03-30T06:00:00Z');
    expect(await world.ledger(id)).toEqual([
      '2027-03-29T06:00 -2 SKIPPED superseded',
      '2027-03-30T06:00 -1 #1 PENDING',
    ]);
  });

  test('of several processes is decided once', async () => {
    await world.steps({ offsetDays: -1 });
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.item('2027-03-31')));
    const told = await Promise.all(Array.from({ length: 5 }, () => world.at('2027-03-30T07:00:00Z')));
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(20);
    for (const id of ids) expect(await world.ledger(id)).toHaveLength(1);
  });

  test('of a workspace that nothing can be decided in keeps no other one waiting', async () => {
    const { prisma } = world.database;
    const { organizationId, teamId } = await createTenant(world.database, 'Globex');
    const start = new Date(begin);
    await prisma.reminderMark.updateMany({
      where: { teamId },
      data: { through: start, nextAt: start, dayNextAt: start },
    });
    const zone = (timezone: string) =>
      prisma.team.update({ where: { id: world.teamId }, data: { timezone } });
    const first = await world.item('2027-03-31');
    await zone('Nowhere/Here');
    const second = await world.item('2027-03-31', { organizationId, teamId });
    for (const hour of ['12', '13']) await world.at(`2027-03-30T${hour}:00:00Z`);
    const failing = async () => (await prisma.reminderMark.findMany()).map((mark) => mark.failingSince);
    expect(new Set(await failing())).toEqual(new Set([null, new Date('2027-03-30T12:00:00Z')]));
    expect(await world.ledger(first)).toEqual([]);
    expect((await world.ledger(second)).at(-1)).toMatch(/PENDING$/);
    await zone('Europe/Berlin');
    await world.at('2027-03-30T14:02:00Z');
    expect((await world.ledger(first)).at(-1)).toMatch(/PENDING$/);
    expect(new Set(await failing())).toEqual(new Set([null]));
  });

  test('is decided, and jobs of others are done, although a job of a workspace fails', async () => {
    const { database, organizationId, teamId } = world;
    const { prisma } = database;
    const { reminderPolicyId: policyId } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } });
    await world.steps({ offsetDays: -1 });
    const id = await world.item('2027-03-31');
    await world.at('2027-03-29T12:00:00Z');
    await database.sql(`ALTER TABLE reminder_checks ADD CHECK (team_id <> '${teamId}') NOT VALID`);
    const failing = { organizationId, teamId, policyId, kind: 'CHECK' as const, created: new Date(begin) };
    await prisma.reminderJob.create({ data: failing });
    await prisma.reminderJob.create({ data: { organizationId, teamId: newId(), kind: 'RECOUNT' } });
    expect(await world.at('2027-03-30T12:00:00Z')).toBe(1);
    expect(await world.ledger(id)).toEqual(['2027-03-30T06:00 -1 PENDING']);
    await world.at('2027-03-30T12:00:01Z');
    expect((await prisma.reminderJob.findMany()).map((job) => job.teamId)).toEqual([teamId]);
  });

  test('that was missed is made up for by the last step', async () => {
    const id = await world.item('2027-03-31');
    await world.at('2027-02-28T12:00:00Z');
    // Down from before -30 until after -7.
    expect(await world.at('2027-03-26T12:00:00Z')).toBe(1);
    expect(await world.ledger(id)).toEqual([
      '2027-03-01T07:00 -30 SKIPPED superseded',
      '2027-03-17T07:00 -14 SKIPPED superseded',
      '2027-03-24T07:00 -7 PENDING',
    ]);
  });

  test('is the same when the zone changes around it', async () => {
    const { prisma } = world.database;
    const zone = (timezone: string) =>
      prisma.team.update({ where: { id: world.teamId }, data: { timezone, modified: new Date() } });
    await zone('Pacific/Kiritimati');
    await world.steps({ offsetDays: 0 });
    const before = await world.item('2027-03-31');
    // 08:00 of +14 is 18:00 of the day before in UTC.
    await world.at('2027-03-30T17:59:00Z');
    await zone('Etc/GMT+12');
    await world.at('2027-03-30T18:01:00Z');
    expect(await world.ledger(before)).toEqual([]);
    await world.at('2027-03-31T20:00:00Z');
    expect(await world.ledger(before)).toHaveLength(1);
    await zone('Pacific/Kiritimati');
    for (const day of ['01', '02', '03']) await world.at(`2027-04-${day}T20:00:00Z`);
    expect(await world.ledger(before)).toHaveLength(1);
  });
});

describe('an item', () => {
  test('that is new and near gets one reminder, of the last step that has passed', async () => {
    await world.at('2027-03-20T12:00:00Z');
    const id = await world.item('2027-03-31');
    expect(await world.at('2027-03-20T12:00:01Z')).toBe(1);
    expect(await world.ledger(id)).toEqual([
      '2027-03-01T07:00 -30 SKIPPED superseded',
      '2027-03-17T07:00 -14 PENDING',
    ]);
  });

  test('that is long past gets none, and no repetition', async () => {
    await world.at('2027-03-20T12:00:00Z');
    const [old, recent] = [await world.item('2026-01-15'), await world.item('2027-03-15')];
    expect(await world.at('2027-03-20T12:00:01Z')).toBe(1);
    expect((await world.ledger(old)).every((line) => line.endsWith('SKIPPED long past'))).toBe(true);
    expect((await world.ledger(recent)).at(-1)).toBe('2027-03-16T07:00 1 PENDING');
    for (const day of ['22', '23', '24', '25', '26', '27', '28', '29', '30']) {
      await world.at(`2027-03-${day}T12:00:00Z`);
    }
    expect((await world.ledger(old)).filter((line) => line.includes('PENDING'))).toEqual([]);
    expect((await world.ledger(recent)).at(-1)).toBe('2027-03-30T06:00 15 #2 PENDING');
  });

  test('whose date is set back gets no second one', async () => {
    await world.steps({ offsetDays: -7 });
    const id = await world.item('2027-03-31');
    expect(await world.at('2027-03-24T12:00:00Z')).toBe(1);
    await world.change(id, { expirationDate: new Date('2027-06-30') });
    expect(await world.at('2027-03-24T12:01:00Z')).toBe(0);
    await world.change(id, { expirationDate: new Date('2027-03-31') });
    expect(await world.at('2027-03-24T12:02:00Z')).toBe(0);
    expect(await world.ledger(id)).toEqual(['2027-03-24T07:00 -7 PENDING']);
  });

  test.each([
    ['archived', { isActive: false }],
    ['missing', { isMissing: true }],
    ['off', { reminderMode: 'OFF' }],
  ])('that is %s gets one when it is back', async (_what, away) => {
    await world.steps({ offsetDays: -7 });
    const id = await world.item('2027-03-31', away);
    expect(await world.at('2027-03-24T12:00:00Z')).toBe(0);
    await world.change(id, { isActive: true, isMissing: false, reminderMode: 'INHERIT' });
    expect(await world.at('2027-03-25T12:00:00Z')).toBe(1);
  });

  test('that is acknowledged gets those of plain steps, without repetitions', async () => {
    await world.steps(
      { offsetDays: -7, repeatEveryDays: 1 },
      { offsetDays: -4, onlyUnacknowledged: true, recipients: ['ADMINS'] },
      { offsetDays: -2 },
    );
    const id = await world.item('2027-03-31');
    await world.at('2027-03-25T12:00:00Z');
    const { organizationId, teamId } = world;
    await world.database.prisma.acknowledgement.create({
      data: { organizationId, teamId, itemId: id, via: 'API', expirationDate: new Date('2027-03-31') },
    });
    for (const day of ['26', '27', '28', '29', '30']) await world.at(`2027-03-${day}T12:00:00Z`);
    expect(await world.ledger(id)).toEqual(['2027-03-25T07:00 -6 #1 PENDING', '2027-03-29T06:00 -2 PENDING']);
  });

  test('that is snoozed gets one on that day', async () => {
    await world.steps({ offsetDays: 1, repeatEveryDays: 7 });
    const id = await world.item('2027-03-01');
    await world.at('2027-03-02T12:00:00Z');
    const { organizationId, teamId } = world;
    const ack = { organizationId, teamId, itemId: id, via: 'API' as const };
    await world.database.prisma.acknowledgement.create({
      data: { ...ack, expirationDate: new Date('2027-03-01'), snoozeUntil: new Date('2027-03-11') },
    });
    for (const day of ['09', '10', '11', '12', '16']) await world.at(`2027-03-${day}T12:00:00Z`);
    expect(await world.ledger(id)).toEqual([
      '2027-03-02T07:00 1 PENDING',
      '2027-03-11T07:00 10 PENDING',
      '2027-03-16T07:00 15 #2 PENDING',
    ]);
  });

  test.each(['acknowledgement', 'postponement'] as const)(
    'whose %s ends while its reminders are off gets one afterwards, however far its first step is',
    async (kind) => {
      const { organizationId, teamId, database } = world;
      await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: ['anna@example.org'] });
      const id = await world.item('2027-12-31');
      await world.at('2027-01-02T12:00:00Z');
      const until = new Date('2027-01-05');
      const of = { organizationId, teamId, itemId: id, expirationDate: new Date('2027-12-31') };
      if (kind === 'acknowledgement')
        await database.prisma.acknowledgement.create({ data: { ...of, via: 'API', snoozeUntil: until } });
      else
        await database.prisma.postponement.create({
          data: { ...of, recipientKey: 'mail:anna@example.org', until },
        });
      await world.change(id, { reminderMode: 'OFF' });
      await world.at('2027-01-06T12:00:00Z');
      expect(await world.ledger(id)).toEqual([]);
      await world.change(id, { reminderMode: 'INHERIT' });
      expect(await world.at('2027-01-06T12:01:00Z')).toBe(1);
    },
  );
});
