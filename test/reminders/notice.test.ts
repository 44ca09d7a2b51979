import { afterEach, beforeEach, expect, test } from 'vitest';
import { evaluateWorkspaces } from '../../src/reminders/evaluate/turns.js';
import { actOnLink } from '../../src/reminders/mail-links.js';
import { openPost, type Post } from './sender.support.js';
import { makeWorld, type World } from './support.js';

let world: World;
let posts: Post[];
beforeEach(async () => {
  world = await makeWorld('UTC');
  posts = [];
});
afterEach(async () => {
  for (const post of posts) await post.close();
  await world.drop();
});

const anna = 'anna@example.org';
const toAnna = { recipients: ['ADDRESSES'], addresses: [anna] };

/** An item that expires at the end of a year, with a last day to give notice. */
const contract = (noticeDate: string | null, values: object = {}) =>
  world.item('2027-12-31', {
    ...{ name: 'Lease', noticeDate: noticeDate && new Date(noticeDate), ...values },
  });

const line = ({ about, slot, state, reason }: Awaited<ReturnType<World['decided']>>[number]) =>
  [about, slot.toISOString().slice(0, 10), state, reason].filter((part) => part !== null).join(' ');

const decided = async () => (await world.decided()).map(line);

/** Lets the evaluator look at the end of each day. */
async function pass(from: string, until: string) {
  for (let day = new Date(from); day <= new Date(until); day = new Date(day.getTime() + 86_400_000))
    await world.at(`${day.toISOString().slice(0, 10)}T12:00:00Z`);
}

async function sent(time: string, tries = 1) {
  const post = await openPost(world);
  posts.push(post);
  await post.send(time, tries);
  return post.sink.taken.map(({ mail }) => mail);
}

const press = (
  purpose: Omit<Parameters<typeof actOnLink>[1], 'organizationId' | 'recipientKey'>,
  now: string,
) =>
  actOnLink(
    world.database,
    { ...purpose, organizationId: world.organizationId, recipientKey: `mail:${anna}` },
    { days: 3, mode: 'DAILY', isItemOnly: false, isUndone: false },
    new Date(now),
  );

test('each date of an item has its reminders, also if both are on the same day', async () => {
  await world.steps({ offsetDays: -7, ...toAnna }, { offsetDays: -1, ...toAnna });
  await contract('2027-06-30');
  await contract('2027-12-31');
  await pass('2027-06-22', '2027-07-02');
  expect(await decided()).toEqual(['NOTICE 2027-06-23 PENDING', 'NOTICE 2027-06-29 PENDING']);
  await pass('2027-12-24', '2028-01-02');
  expect((await decided()).slice(2).sort()).toEqual([
    ...['EXPIRATION 2027-12-24 PENDING', 'EXPIRATION 2027-12-24 PENDING'],
    ...['EXPIRATION 2027-12-30 PENDING', 'EXPIRATION 2027-12-30 PENDING'],
    ...['NOTICE 2027-12-24 PENDING', 'NOTICE 2027-12-30 PENDING'],
  ]);
});

test('a step may count from one date alone', async () => {
  await world.steps(
    { offsetDays: -30, about: 'NOTICE', ...toAnna },
    { offsetDays: -7, ...toAnna },
    { offsetDays: -3, about: 'EXPIRATION', ...toAnna },
  );
  const id = await contract('2027-06-30');
  await pass('2027-05-30', '2027-07-02');
  await pass('2027-12-01', '2028-01-02');
  expect(await decided()).toEqual([
    ...['NOTICE 2027-05-31 PENDING', 'NOTICE 2027-06-23 PENDING'],
    ...['EXPIRATION 2027-12-24 PENDING', 'EXPIRATION 2027-12-28 PENDING'],
  ]);
  const item = await world.database.prisma.expirationItem.findUniqueOrThrow({ where: { id } });
  expect(item.notifyOn).toEqual(new Date('2027-12-24'));
});

test('a mail names it, and what it leads to', async () => {
  await world.steps({ offsetDays: -7, ...toAnna });
  const id = await contract('2027-06-30');
  await world.at('2027-06-23T08:00:00Z');
  const [mail] = await sent('2027-06-23T08:00:00Z');
  expect(mail?.subject).toBe('Lease: the last day to give notice is in 7 days (2027-06-30)');
  expect(mail?.text).toMatch(/Last day to give notice +30 June 2027 \(2027-06-30\)/);
  expect(mail?.text).toMatch(/Expires +31 December 2027 \(2027-12-31\)/);
  expect(mail?.headers.find(({ key }) => key === 'references')?.value).toBe(
    `<${id}.2027-06-30.notice@example.com>`,
  );
});

test('a mail that waits is not sent once the day has changed, and others are', async () => {
  await world.steps({ offsetDays: -7, ...toAnna });
  const moved = await contract('2027-06-30');
  const other = await contract('2027-06-30', { name: 'Hosting' });
  await world.at('2027-06-23T08:00:00Z');
  await world.change(moved, { noticeDate: new Date('2027-06-29') });
  // Its other date is no reason.
  await world.change(other, { expirationDate: new Date('2028-12-31') });
  expect((await sent('2027-06-23T08:00:00Z', 2)).map(({ subject }) => subject)).toEqual([
    'Hosting: the last day to give notice is in 7 days (2027-06-30)',
  ]);
  expect((await decided()).sort()).toEqual([
    'NOTICE 2027-06-23 CANCELLED date changed',
    'NOTICE 2027-06-23 TOLD',
  ]);
});

test('whoever takes care of one date is still reminded of the other', async () => {
  await world.steps({ offsetDays: -2, repeatEveryDays: 1, repeatCount: 2, ...toAnna });
  const id = await contract('2027-12-31');
  await world.at('2027-12-29T08:00:00Z');
  expect(await decided()).toEqual(['EXPIRATION 2027-12-29 PENDING', 'NOTICE 2027-12-29 PENDING']);
  const link = { action: 'acknowledge', itemId: id, date: '2027-12-31' } as const;
  expect((await press({ ...link, about: 'NOTICE' }, '2027-12-29T09:00:00Z')).state).toBe('done');
  await world.at('2027-12-30T08:00:00Z');
  expect((await decided()).slice(2)).toEqual(['EXPIRATION 2027-12-30 PENDING']);
  expect((await press(link, '2027-12-30T09:00:00Z')).state).toBe('done');
  await world.at('2027-12-31T08:00:00Z');
  expect(await decided()).toHaveLength(3);
  const events = await world.database.prisma.eventLog.findMany({ where: { typeId: 9 } });
  expect(events.map(({ description }) => description)).toEqual([
    'The last day to give notice of expiration item "Lease" was acknowledged by a link in a mail',
    'Expiration item "Lease" was acknowledged by a link in a mail',
  ]);
});

test('whoever postpones one date is reminded of it again, and of the other as before', async () => {
  await world.steps({ offsetDays: -7, ...toAnna }, { offsetDays: -5, ...toAnna });
  const id = await contract('2027-12-31');
  await world.at('2027-12-24T08:00:00Z');
  const link = { action: 'snooze', itemId: id, date: '2027-12-31', about: 'NOTICE' } as const;
  expect((await press(link, '2027-12-24T09:00:00Z')).until).toBe('2027-12-27');
  await pass('2027-12-25', '2027-12-28');
  expect((await decided()).slice(2)).toEqual([
    'EXPIRATION 2027-12-26 PENDING',
    'NOTICE 2027-12-26 SKIPPED postponed',
    'NOTICE 2027-12-27 PENDING',
  ]);
});

test('a link about a day that has changed does nothing', async () => {
  await world.steps({ offsetDays: -7, ...toAnna });
  const id = await contract('2027-06-30');
  const link = { action: 'acknowledge', itemId: id, date: '2027-12-31', about: 'NOTICE' } as const;
  expect((await press(link, '2027-06-23T09:00:00Z')).state).toBe('changed');
  await world.change(id, { noticeDate: null });
  expect((await press(link, '2027-06-23T09:00:00Z')).state).toBe('unknown');
});

test('a day that is entered late is told, once', async () => {
  await world.steps({ offsetDays: -7, ...toAnna });
  const id = await contract(null);
  await world.at('2027-06-20T12:00:00Z');
  await world.change(id, { noticeDate: new Date('2027-06-22') });
  expect(await world.at('2027-06-20T12:01:00Z')).toBe(1);
  await contract('2027-06-23');
  expect(await world.at('2027-06-20T12:02:00Z')).toBe(1);
  await world.change(id, { noticeDate: new Date('2027-08-22') });
  await world.change(id, { noticeDate: new Date('2027-06-22') });
  expect(await world.at('2027-06-20T12:03:00Z')).toBe(0);
});

test('a workspace decides all dates of its items page by page', async () => {
  await world.steps({ offsetDays: -7, ...toAnna });
  for (const name of ['A', 'B', 'C']) await contract('2027-12-31', { name });
  await world.database.prisma.reminderCheck.deleteMany();
  let told = 0;
  for (let pages = 0; pages < 10; pages++) {
    const found = await evaluateWorkspaces(world.database, new Date('2027-12-24T08:00:00Z'), { size: 1 });
    told += found.told;
    if (!found.worked) break;
  }
  expect(told).toBe(6);
});

test('the number of days of a workspace moves its first step about the expiration date', async () => {
  const { prisma } = world.database;
  await world.steps({ offsetDays: -60, about: 'NOTICE', ...toAnna }, { offsetDays: -30, ...toAnna });
  await prisma.team.update({ where: { id: world.teamId }, data: { reminderDays: 10 } });
  const steps = await prisma.reminderStep.findMany({
    where: { addresses: { has: anna } },
    orderBy: { offsetDays: 'asc' },
  });
  expect(steps.map(({ about, offsetDays }) => [about, offsetDays])).toEqual([
    ['NOTICE', -60],
    [null, -10],
  ]);
});
