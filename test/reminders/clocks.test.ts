import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTimeCheck } from '../../src/db/queue/loop.js';
import { setBackTimes } from '../../src/db/queue/queue.js';
import { setBackMarks } from '../../src/reminders/set-back.js';
import { makeWorld, type World } from './support.js';

let world: World;
beforeEach(async () => {
  world = await makeWorld('UTC');
});
afterEach(() => world.drop());

const now = new Date('2027-02-01T12:00:00Z');

test('what a clock a year ahead has decided is decided again, and nobody is told twice', async () => {
  const { prisma } = world.database;
  await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: ['anna@example.org'] });
  const told = await world.item('2027-02-28');
  await world.at('2027-01-31T12:00:00Z');
  await prisma.reminder.updateMany({ where: { itemId: told }, data: { state: 'TOLD' } });
  const later = await world.item('2027-06-30');
  await world.at('2028-02-01T12:00:00Z');
  const decided = await world.ledger(later);
  expect(decided).not.toEqual([]);
  expect(await setBackMarks(world.database, now)).toBe(1);
  expect(await setBackMarks(world.database, now)).toBe(0);
  expect(await world.ledger(later)).toEqual([]);
  const [mark] = await prisma.reminderMark.findMany();
  expect(Number(mark?.through)).toBeLessThanOrEqual(now.getTime());
  expect(await prisma.eventLog.findMany({ where: { typeId: 24 } })).toMatchObject([
    { description: expect.stringContaining("The gateway's clock was wrong") },
  ]);
  expect(await world.at('2027-02-01T12:00:00Z')).toBe(0);
  expect(await world.at('2027-05-31T12:00:00Z')).toBe(1);
  expect(await world.ledger(told)).toHaveLength(1);
  expect((await world.deliveries()).map(({ dueAt }) => dueAt?.toISOString().slice(0, 10))).toEqual([
    '2027-01-31',
    '2027-05-31',
  ]);
});

test('due times far in the future are set back, and others are not', async () => {
  const { prisma } = world.database;
  await world.steps({
    offsetDays: -30,
    recipients: ['ADDRESSES'],
    addresses: ['a@example.org', 'b@example.org'],
  });
  await world.item('2027-03-03');
  await world.at(now.toISOString());
  const [first, second] = await world.deliveries();
  const [soon, far] = [new Date('2027-02-08T12:00:00Z'), new Date('2028-02-01T12:00:00Z')];
  await prisma.delivery.update({ where: { id: first?.id ?? '' }, data: { dueAt: soon } });
  await prisma.delivery.update({ where: { id: second?.id ?? '' }, data: { dueAt: far, firstTriedAt: far } });
  expect(await setBackTimes(world.database, now)).toEqual({
    'deliveries.due_at': 1,
    'deliveries.first_tried_at': 1,
  });
  expect((await world.deliveries()).map(({ dueAt }) => dueAt)).toEqual([soon, now]);
});

test('a check of the time notices a jump at once, and tells when it is over', async () => {
  const [clock, uptime] = [{ ms: now.getTime() }, { ms: 0 }];
  const problems: (string | undefined)[] = [];
  let sure = 0;
  const check = createTimeCheck({
    ...{ database: world.database, log: pino({ level: 'silent' }) },
    clock: () => new Date(clock.ms),
    uptime: () => uptime.ms,
    read: async () => ({ database: clock.ms, stored: undefined }),
    onProblem: (problem) => problems.push(problem?.from),
    onSure: async () => void sure++,
  });
  expect(await check.isSure()).toBe(true);
  clock.ms += 3_600_000;
  expect(await check.isSure()).toBe(false);
  expect(check.now()).toEqual(now);
  clock.ms -= 3_600_000;
  uptime.ms += 1_000;
  expect(await check.isSure()).toBe(true);
  expect([problems, sure]).toEqual([[undefined, 'UPTIME', undefined], 2]);
});
