import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { demoWorkspaces, isDemoWorkspace } from '../../src/domain/text/demo.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { loadDemo } from '../../src/setup/demo/demo.js';
import { smtpError } from '../mail/smtp.support.js';
import { openPost } from './sender.support.js';
import { makeWorld, type World } from './support.js';

let world: World;
let teamId: string;
const now = new Date('2026-11-20T15:00:00Z');
beforeEach(async () => {
  world = await makeWorld();
  teamId = (await loadDemo(world.database, world.organizationId, now)).teamId;
});
afterEach(() => world.drop());

const evaluate = (demoMailTo?: string, at = now) =>
  evaluateReminders({ database: world.database, clock: () => at, isMailSetUp: () => true, demoMailTo });
/** Deliveries that the demo begins with. */
const begunWith = { dedupeKey: { startsWith: 'demo: ' } };
const toldOf = async () => {
  const deliveries = await world.database.prisma.delivery.findMany({ where: { teamId, NOT: begunWith } });
  return [deliveries.length, [...new Set(deliveries.map(({ address }) => address))]];
};

test('the demo is known by its ids, in the first organization and in others', async () => {
  const data = JSON.parse(readFileSync(new URL('../../prisma/demo.json', import.meta.url), 'utf8'));
  expect([data.workspace.name, data.branch.name]).toEqual(demoWorkspaces);
  expect(isDemoWorkspace(teamId, world.organizationId)).toBe(true);
  expect(isDemoWorkspace(world.teamId, world.organizationId)).toBe(false);
  const other = await world.database.prisma.organization.create({ data: { id: newId(), name: 'Later' } });
  await world.database.prisma.user.create({
    data: {
      ...{ id: newId(), organizationId: other.id, teamId: world.teamId },
      ...{ name: 'Eve', email: 'eve@example.com' },
    },
  });
  const later = await loadDemo(world.database, other.id, now);
  expect(later.teamId).not.toBe(teamId);
  expect(isDemoWorkspace(later.teamId, other.id)).toBe(true);
  expect(isDemoWorkspace(later.teamId, world.organizationId)).toBe(false);
});

test('its reminders go to one address, whoever they are for', async () => {
  expect(await evaluate('try@example.org')).toBe(9);
  expect(await toldOf()).toEqual([1, ['try@example.org']]);
});

test('without that address they go nowhere, and are made up for when it is set', async () => {
  expect(await evaluate()).toBe(0);
  expect(await evaluate(undefined, new Date('2026-11-20T15:02:00Z'))).toBe(0);
  expect(await toldOf()).toEqual([0, []]);
  expect(await evaluate('try@example.org', new Date('2026-11-26T15:00:00Z'))).toBeGreaterThan(0);
  expect((await toldOf())[1]).toEqual(['try@example.org']);
});

test('a refused one goes to nobody else', async () => {
  await evaluate('try@example.org');
  const onRcptTo = (_a: unknown, _s: unknown, callback: (error: Error) => void) =>
    callback(smtpError(550, 'no such user'));
  const post = await openPost(world, { onRcptTo });
  try {
    await post.send(now.toISOString());
    expect(post.outcomes).toEqual(['refused']);
    expect((await toldOf())[1]).toEqual(['try@example.org']);
  } finally {
    await post.close();
  }
});

test('a mail that it begins with is sent to nobody, also when it is tried again', async () => {
  const { prisma } = world.database;
  const queued = { state: 'QUEUED' as const, dueAt: now, settledAt: null };
  const { count } = await prisma.delivery.updateMany({ where: begunWith, data: queued });
  expect(count).toBe(4);
  const post = await openPost(world, {});
  try {
    await post.send(now.toISOString(), count);
    expect([post.outcomes, post.sink.taken]).toEqual([Array(count).fill('cancelled'), []]);
  } finally {
    await post.close();
  }
});

test('other workspaces notify their own people', async () => {
  await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: ['anna@example.org'] });
  await world.item('2026-12-20');
  await evaluate('try@example.org');
  const own = await world.database.prisma.delivery.findMany({ where: { teamId: world.teamId } });
  expect(own.map(({ address }) => address)).toEqual(['anna@example.org']);
});
