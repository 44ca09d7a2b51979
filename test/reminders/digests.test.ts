import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evaluateWorkspaces } from '../../src/reminders/evaluate/turns.js';
import { storeDigestSetting } from '../../src/reminders/queries/digest-settings.js';
import { composeMail } from '../../src/reminders/send/compose.js';
import { type ClaimedDelivery, claimDeliveries } from '../../src/reminders/send/queue.js';
import { smtpError } from '../mail/smtp.support.js';
import { linkKey, openPost, type Post, secrets } from './sender.support.js';
import { begin, makeWorld, type World } from './support.js';

let world: World;
let posts: Post[];
beforeEach(async () => {
  world = await makeWorld();
  posts = [];
});
afterEach(async () => {
  for (const post of posts) await post.close();
  await world.drop();
});

const open: typeof openPost = async (...args) => {
  const post = await openPost(...args);
  posts.push(post);
  return post;
};

const due = '2027-03-01T07:00:00Z';
const date = '2027-03-31';
const anna = 'anna@example.org';

/** Returns a step that writes to addresses. */
const to = (...addresses: string[]) => ({ offsetDays: -30, recipients: ['ADDRESSES'], addresses });

/** Creates items that are due, with numbered names. */
async function items(count: number, values: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 1; n <= count; n++) ids.push(await world.item(date, { name: `Item ${n}.`, ...values }));
  return ids;
}

/** Sets how an address wants its mails. */
const wants = (mode: 'SINGLE' | 'DAILY' | 'WEEKLY', values: object = {}, address = anna) =>
  world.database.prisma.recipientSetting.create({
    data: { organizationId: world.organizationId, recipientKey: `mail:${address}`, mode, ...values },
  });

/** Returns when the deliveries are due; those that are settled come first. */
const dueOf = async () => (await world.deliveries()).map(({ dueAt }) => dueAt?.toISOString() ?? '').sort();
const listed = (deliveryId: string) =>
  world.database.prisma.reminderTarget.count({ where: { deliveryId, reason: null } });
const states = async () => (await world.decided()).map(({ state, reason }) => `${state} ${reason}`);

describe('items that are due together', () => {
  test('are a mail each while they are few', async () => {
    await world.steps(to(anna));
    await items(5);
    await world.at(due);
    const { sink, send } = await open(world);
    await send(due, 5);
    expect(sink.taken).toHaveLength(5);
  });

  test('are one mail for one address if they are more, whatever the others get', async () => {
    await world.steps({ ...to(anna), recipients: ['ADDRESSES', 'MAIN_CONTACT'] });
    const contactId = randomUUID();
    const { organizationId, teamId } = world;
    const contact = { id: contactId, organizationId, teamId, name: 'Bert', email: 'bert@example.org' };
    await world.database.prisma.contact.create({ data: contact });
    await items(5);
    await world.item(date, { name: 'Item 6.', contactId });
    await world.at(due);
    const { sink, send } = await open(world);
    await send(due, 2);
    const [many, one] = [anna, 'bert@example.org'].map((address) =>
      sink.taken.filter((taken) => taken.to.includes(address)),
    );
    expect(many).toHaveLength(1);
    expect(many?.[0]?.mail.subject).toBe('6 documents need attention');
    for (let n = 1; n <= 6; n++) expect(many?.[0]?.mail.text).toContain(`Item ${n}. expires in 30 days`);
    expect(one?.map(({ mail }) => mail.subject)).toEqual([`Item 6. expires in 30 days (${date})`]);
    expect(await states()).toEqual(Array(6).fill('TOLD null'));
  });

  test('are one mail for a person who is user, contact and watcher in different cases', async () => {
    const { organizationId, teamId } = world;
    const { prisma } = world.database;
    const recipients = ['MAIN_CONTACT', 'ASSIGNEE', 'WATCHERS', 'ADDRESSES'];
    await world.steps({ offsetDays: -30, recipients, addresses: ['Anna@EXAMPLE.ORG'] });
    const [userId, contactId] = [randomUUID(), randomUUID()];
    const person = { organizationId, teamId, name: 'Anna' };
    await prisma.user.create({ data: { ...person, id: userId, email: anna } });
    await prisma.membership.create({ data: { userId, teamId } });
    await prisma.contact.create({ data: { ...person, id: contactId, email: 'ANNA@Example.org' } });
    await prisma.watch.create({ data: { id: randomUUID(), organizationId, teamId, userId, filter: {} } });
    await items(2, { contactId, assignedToId: userId });
    await items(2, { contactId });
    await items(2);
    await world.at(due);
    const { sink, send } = await open(world);
    await send(due);
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual(['6 documents need attention']);
  });

  test('are listed up to 500, with the number of the others, and the log knows all', async () => {
    await world.steps(to(anna));
    await items(501);
    await world.at(due);
    const { sink, send } = await open(world);
    await send(due);
    const [taken] = sink.taken;
    expect(taken?.mail.subject).toBe('501 documents need attention');
    expect(taken?.mail.text?.match(/Item \d+\. expires/g)).toHaveLength(500);
    expect(taken?.mail.text).toContain('And 1 more.');
    expect(new Set(await states())).toEqual(new Set(['TOLD null']));
    const [event] = await world.database.prisma.eventLog.findMany({ where: { typeId: 7 } });
    expect(event?.description).toBe(`Reminder of 501 expiration items was sent to ${anna}`);
  }, 60_000);

  test('go to the fallback as one mail if the mailbox is dead', async () => {
    await world.steps(to(anna));
    const data = { reminderFallbackAddress: 'boss@example.org' };
    await world.database.prisma.team.update({ where: { id: world.teamId }, data });
    await items(7);
    await world.at(due);
    const { sink, send, outcomes } = await open(world, {
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === anna ? smtpError(550, '5.1.1 no such user') : null),
    });
    await send(due, 2);
    expect(outcomes).toEqual(['refused', 'sent']);
    expect(sink.taken.map(({ to, mail }) => [...to, mail.subject])).toEqual([
      ['boss@example.org', '7 documents need attention'],
    ]);
    expect(new Set(await states())).toEqual(new Set(['TOLD without recipient']));
  });
});

describe('a digest', () => {
  test('leaves out what no longer holds, with the reason of each', async () => {
    await world.steps(to(anna));
    const [renewed, archived, moved, acknowledged, postponed] = await items(7);
    await world.at(due);
    const { organizationId, teamId } = world;
    const { prisma } = world.database;
    await world.change(renewed ?? '', { expirationDate: new Date('2028-03-31') });
    await world.change(archived ?? '', { isActive: false });
    const other = await prisma.team.findFirstOrThrow({ where: { organizationId, id: { not: teamId } } });
    await world.change(moved ?? '', { teamId: other.id });
    const about = { organizationId, teamId, expirationDate: new Date(date) };
    await prisma.acknowledgement.create({
      data: { ...about, itemId: acknowledged ?? '', via: 'API', silence: true },
    });
    await prisma.postponement.create({
      data: {
        ...about,
        itemId: postponed ?? '',
        recipientKey: `mail:${anna}`,
        until: new Date('2027-03-08'),
      },
    });
    const { sink, send } = await open(world);
    await send(due);
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual(['2 documents need attention']);
    for (const name of ['Item 6.', 'Item 7.']) expect(sink.taken[0]?.mail.text).toContain(name);
    const noted = await prisma.reminderTarget.findMany({ where: { reason: { not: null } } });
    expect(noted.map(({ reason }) => reason).sort()).toEqual([
      ...['acknowledged', 'archived', 'moved', 'postponed', 'renewed'],
    ]);
  });

  test('of which one item is left is a mail about that', async () => {
    await world.steps(to(anna));
    const [kept, ...others] = await items(6);
    await world.at(due);
    for (const id of others) await world.change(id, { isActive: false });
    const { sink, send } = await open(world);
    await send(due);
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual([`Item 1. expires in 30 days (${date})`]);
    expect(await world.ledger(kept ?? '')).toEqual(['2027-03-01T07:00 -30 TOLD']);
  });

  test('of which nothing is left is no mail', async () => {
    await world.steps(to(anna));
    const ids = await items(6);
    await world.at(due);
    for (const id of ids) await world.change(id, { isMissing: true });
    const { sink, send, outcomes } = await open(world);
    await send(due);
    expect(outcomes).toEqual(['cancelled']);
    expect(sink.taken).toEqual([]);
    expect(await world.deliveries()).toMatchObject([{ state: 'CANCELLED', lastError: 'missing' }]);
  });

  test('is sent at once if its time is that of the reminders', async () => {
    await wants('DAILY', { digestTime: '08:00' });
    await world.steps(to(anna));
    await items(2);
    await world.at('2027-03-01T07:00:30Z');
    expect(await dueOf()).toEqual(['2027-03-01T07:00:00.000Z']);
  });

  test('that was missed is made up for by one, and what is entered late waits for the next', async () => {
    await wants('DAILY', { digestTime: '08:00' });
    await world.steps(to(anna));
    await items(1);
    await world.item('2027-04-01');
    await world.at('2027-03-04T12:00:00Z');
    expect(await dueOf()).toEqual(['2027-03-04T07:00:00.000Z']);
    const late = await world.item('2027-04-02');
    const { organizationId, teamId } = world;
    await world.database.prisma.reminderCheck.create({ data: { organizationId, teamId, itemId: late } });
    await world.at('2027-03-04T13:00:00Z');
    expect(await dueOf()).toEqual(['2027-03-04T07:00:00.000Z', '2027-03-05T07:00:00.000Z']);
  });

  test('takes further items until it is claimed, and none that its mail does not say', async () => {
    await wants('DAILY', { digestTime: '18:00' });
    await world.steps(to(anna));
    await items(2);
    await world.at(due);
    const check = async (itemId: string) => {
      const { organizationId, teamId } = world;
      await world.database.prisma.reminderCheck.create({ data: { organizationId, teamId, itemId } });
    };
    await check(await world.item(date, { name: 'Item 3.' }));
    await world.at('2027-03-01T16:59:00Z');
    const [waiting] = await world.deliveries();
    expect(await listed(waiting?.id ?? '')).toBe(3);
    const now = new Date('2027-03-01T17:00:00Z');
    const claim = { count: 9, now, leaseUntil: new Date('2027-03-01T17:02:00Z'), host: 'example.com' };
    expect(await claimDeliveries(world.database, claim)).toHaveLength(1);
    await check(await world.item(date, { name: 'Item 4.' }));
    // A process whose clock is a little behind still decides for the digest that is being sent.
    await world.at('2027-03-01T16:59:59Z');
    expect(await dueOf()).toEqual(['2027-03-01T17:02:00.000Z', '2027-03-02T17:00:00.000Z']);
    expect(await listed(waiting?.id ?? '')).toBe(3);
  });

  const claimAt = (time: string) => {
    const now = new Date(time);
    const leaseUntil = new Date(now.getTime() + 120_000);
    return claimDeliveries(world.database, { count: 9, now, leaseUntil, host: 'example.com' });
  };

  test.each(['DAILY', 'SINGLE'] as const)(
    'is not sent before all pages of its moment are decided (%s)',
    async (mode) => {
      await wants(mode, { digestTime: '08:00' });
      await world.steps(to(anna));
      await items(14);
      const decidePage = () => evaluateWorkspaces(world.database, new Date(due), { size: 7 });
      await decidePage();
      expect(await listed((await world.deliveries())[0]?.id ?? '')).toBe(7);
      expect(await claimAt(due)).toEqual([]);
      while ((await decidePage()).worked);
      const [claimed, ...others] = await claimAt(due);
      expect(others).toEqual([]);
      expect(await listed(claimed?.id ?? '')).toBe(14);
    },
  );

  test('that was begun before waits for what is decided at its time', async () => {
    await wants('DAILY', { digestTime: '08:00' });
    await world.steps(to(anna));
    await world.at('2027-02-28T08:00:00Z');
    const { organizationId, teamId } = world;
    const itemId = await world.item('2027-03-29');
    await world.database.prisma.reminderCheck.create({ data: { organizationId, teamId, itemId } });
    await items(1);
    await world.at('2027-02-28T09:00:00Z');
    expect(await dueOf()).toEqual(['2027-03-01T07:00:00.000Z']);
    expect(await claimAt(due)).toEqual([]);
    await world.at(due);
    const [claimed] = await claimAt(due);
    expect(await listed(claimed?.id ?? '')).toBe(2);
  });

  test('does not wait for a workspace in which deciding fails', async () => {
    await wants('DAILY', { digestTime: '08:00' });
    await world.steps(to(anna));
    await items(2);
    await world.at(due);
    const { prisma } = world.database;
    await prisma.reminderMark.updateMany({ data: { nextAt: new Date(due), failingSince: new Date(due) } });
    expect(await claimAt(due)).toHaveLength(1);
  });

  test('takes as many statements as a shorter one', async () => {
    const autoRenew = { every: 1, unit: 'YEARS', byPeople: true };
    await world.database.prisma.category.updateMany({ data: { autoRenew } });
    const { organizationId, teamId } = world;
    const person = { id: randomUUID(), organizationId, teamId, name: 'Anna', email: anna };
    await world.database.prisma.user.create({ data: { ...person, role: 'ADMIN' } });
    await world.steps(to(anna, 'bert@example.org'));
    await items(6);
    await world.at(due);
    await items(44);
    await world.database.prisma.reminderMark.updateMany({ data: { through: new Date(begin) } });
    await world.database.prisma.reminderMark.updateMany({ data: { nextAt: new Date(begin) } });
    await world.at('2027-03-01T07:00:01Z');
    const links = { origin: 'https://expiry.example.com', key: linkKey, open: secrets.open };
    const compose = async (delivery: ClaimedDelivery) => {
      const before = world.sent.length;
      const now = new Date(due);
      const mail = await world.database.inTransaction((tx) => composeMail(tx, delivery, links, now));
      return { renewals: mail?.text.match(/renewed until/g)?.length, sent: world.sent.slice(before) };
    };
    const claimed = await claimAt('2027-03-01T07:00:02Z');
    const toAnna = claimed.filter(({ address }) => address === anna);
    const composed: Awaited<ReturnType<typeof compose>>[] = [];
    for (const delivery of toAnna) composed.push(await compose(delivery));
    const [shorter, longer] = composed.sort((a, b) => (a.renewals ?? 0) - (b.renewals ?? 0));
    expect([shorter?.renewals, longer?.renewals]).toEqual([6, 44]);
    expect(longer?.sent).toEqual(shorter?.sent);
    expect(longer?.sent.length).toBeLessThanOrEqual(12);
  });

  test('is one for each day, also if the time zone changes between two', async () => {
    const { organizationId, teamId } = world;
    const { prisma } = world.database;
    const contactId = randomUUID();
    const person = { organizationId, teamId, name: 'Anna', email: anna, timezone: 'Europe/Berlin' };
    await prisma.contact.create({ data: { ...person, id: contactId } });
    await wants('DAILY', { digestTime: '18:00' });
    await world.steps({ offsetDays: -30 });
    await items(2, { contactId });
    await world.at(due);
    const move = (timezone: string) =>
      prisma.contact.update({ where: { id: contactId }, data: { timezone } });
    const late = async (at: string) => {
      const itemId = await world.item(date, { contactId });
      await prisma.reminderCheck.create({ data: { organizationId, teamId, itemId } });
      await world.at(at);
    };
    await move('America/New_York');
    await late('2027-03-01T12:00:00Z');
    // The same evening, by either clock.
    expect(await dueOf()).toEqual(['2027-03-01T17:00:00.000Z']);
    const { sink, send } = await open(world);
    await send('2027-03-01T17:00:00Z');
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual(['3 documents need attention']);
    await late('2027-03-01T19:00:00Z');
    expect(await dueOf()).toEqual(['', '2027-03-02T23:00:00.000Z']);
  });
});

describe('a digest that waits', () => {
  const check = async (at: string, values: object = {}) => {
    const { organizationId, teamId } = world;
    const itemId = await world.item(date, values);
    await world.database.prisma.reminderCheck.create({ data: { organizationId, teamId, itemId } });
    await world.at(at);
  };
  /** Changes the setting of an address. */
  const change = (times: Parameters<typeof storeDigestSetting>[3], at: string, key = `mail:${anna}`) =>
    world.database.inTransaction((tx) =>
      storeDigestSetting(tx, world.organizationId, key, times, new Date(at)),
    );
  const states = async () =>
    (await world.deliveries()).map(({ state, dueAt }) => `${state} ${dueAt?.toISOString() ?? ''}`.trim());
  const daily = {
    mode: 'DAILY',
    weekday: 1,
    digestTime: '18:00',
    allIsWell: false,
    whatIsMissing: false,
  } as const;
  const weekly = { ...daily, mode: 'WEEKLY' } as const;
  const single = { ...daily, mode: 'SINGLE' } as const;

  beforeEach(async () => {
    await world.steps(to(anna));
    // A Monday.
    await world.at('2027-03-01T06:00:00Z');
  });

  test('for a day comes with that of the week, whose later items it takes', async () => {
    await change(daily, '2027-03-01T06:00:00Z');
    await items(2);
    await world.at(due);
    await change({ ...weekly, weekday: 3 }, '2027-03-01T08:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-03T17:00:00.000Z']);
    await check('2027-03-02T08:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-03T17:00:00.000Z']);
    await world.at('2027-03-03T16:00:00Z');
    const { sink, send } = await open(world);
    await send('2027-03-03T17:00:00Z');
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual(['3 documents need attention']);
  });

  test('for the week comes the same day, and is followed by one on each day', async () => {
    await change({ ...weekly, weekday: 3 }, '2027-03-01T06:00:00Z');
    await items(2);
    await world.at(due);
    await change(daily, '2027-03-01T08:00:00Z');
    const { sink, send } = await open(world);
    await send('2027-03-01T17:00:00Z');
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual(['2 documents need attention']);
    // The day on which the weekly one would have come.
    await check('2027-03-03T08:00:00Z');
    expect(await states()).toEqual(['SENT', 'QUEUED 2027-03-03T17:00:00.000Z'].sort());
  });

  test('comes at another hour, or the next day if that is over', async () => {
    await change(daily, '2027-03-01T06:00:00Z');
    await items(2);
    await world.at(due);
    await change({ ...daily, digestTime: '19:30' }, '2027-03-01T08:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-01T18:30:00.000Z']);
    await change({ ...daily, digestTime: '07:00' }, '2027-03-01T08:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-02T06:00:00.000Z']);
    await check('2027-03-01T09:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-02T06:00:00.000Z']);
    expect(await listed((await world.deliveries())[0]?.id ?? '')).toBe(3);
  });

  test('comes by the clock of a zone that has changed meanwhile', async () => {
    const { organizationId, teamId } = world;
    const id = randomUUID();
    const person = { id, organizationId, teamId, name: 'Anna', email: anna, timezone: 'Europe/Berlin' };
    await world.database.prisma.contact.create({ data: person });
    await world.steps({ offsetDays: -30 });
    await change(daily, '2027-03-01T06:00:00Z');
    await items(2, { contactId: id });
    await world.at(due);
    const data = { timezone: 'Pacific/Auckland' };
    await world.database.prisma.contact.update({ where: { id }, data });
    await change(daily, '2027-03-01T08:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-02T05:00:00.000Z']);
    await check('2027-03-01T09:00:00Z', { contactId: id });
    expect(await states()).toEqual(['QUEUED 2027-03-02T05:00:00.000Z']);
  });

  test('is sent at once to whoever wants single mails, and stays if its time has come', async () => {
    await change(daily, '2027-03-01T06:00:00Z');
    await items(2);
    await world.at(due);
    await change({ ...daily, digestTime: '19:00' }, '2027-03-01T17:00:00Z');
    expect(await states()).toEqual(['QUEUED 2027-03-01T17:00:00.000Z']);
    await world.database.prisma.delivery.updateMany({ data: { dueAt: new Date('2027-03-01T18:00:00Z') } });
    await change(single, '2027-03-01T17:00:30Z');
    expect(await states()).toEqual(['QUEUED 2027-03-01T17:00:30.000Z']);
    const { sink, send } = await open(world);
    await send('2027-03-01T17:01:00Z');
    expect(sink.taken.map(({ mail }) => mail.subject)).toEqual(['2 documents need attention']);
    await change(daily, '2027-03-01T17:02:00Z');
    await change({ ...daily, digestTime: '20:00' }, '2027-03-01T17:03:00Z');
    await check('2027-03-01T17:04:00Z');
    expect(await states()).toEqual(['SENT', 'QUEUED 2027-03-01T19:00:00.000Z'].sort());
  });

  test('moves with the default that it follows, and not with one that it does not', async () => {
    await change({ ...weekly, weekday: 3 }, '2027-03-01T06:00:00Z', 'default:organization');
    await change({ ...weekly, weekday: 4 }, '2027-03-01T06:00:00Z', 'mail:bert@example.org');
    await world.steps(to(anna, 'bert@example.org'));
    await items(2);
    await world.at(due);
    const own = 'QUEUED 2027-03-04T17:00:00.000Z';
    expect(await states()).toEqual(['QUEUED 2027-03-03T17:00:00.000Z', own]);
    await change(daily, '2027-03-01T08:00:00Z', 'default:organization');
    expect(await states()).toEqual(['QUEUED 2027-03-01T17:00:00.000Z', own]);
    await change({ ...daily, digestTime: '20:00' }, '2027-03-01T08:00:00Z', 'default:contacts');
    expect(await states()).toEqual(['QUEUED 2027-03-01T17:00:00.000Z', own]);
  });
});

describe('the default', () => {
  const bert = 'bert@example.org';
  const setDefault = (word: string, mode: 'SINGLE' | 'DAILY' | 'WEEKLY') =>
    world.database.prisma.recipientSetting.create({
      data: { organizationId: world.organizationId, recipientKey: `default:${word}`, mode },
    });
  const kinds = async () =>
    (await world.deliveries()).map(({ address, subjectKind }) => `${address} ${subjectKind}`);

  test('of users, of contacts and of all applies to whom it says', async () => {
    const { organizationId, teamId } = world;
    const { prisma } = world.database;
    const person = { organizationId, teamId, name: 'Somebody' };
    await prisma.user.create({ data: { ...person, id: randomUUID(), email: anna } });
    await prisma.contact.create({ data: { ...person, id: randomUUID(), email: anna } });
    await prisma.contact.create({ data: { ...person, id: randomUUID(), email: bert } });
    await setDefault('contacts', 'WEEKLY');
    await world.steps(to(anna, bert, 'x@example.org'));
    await items(1);
    await world.at(due);
    expect(await kinds()).toEqual([`${anna} item`, `${bert} digest`, 'x@example.org item']);
    await setDefault('users', 'DAILY');
    await setDefault('organization', 'DAILY');
    await world.database.prisma.recipientSetting.create({
      data: { organizationId, recipientKey: 'mail:x@example.org', mode: 'SINGLE' },
    });
    await prisma.delivery.deleteMany();
    await world.item('2027-04-01');
    await world.at('2027-03-02T07:00:00Z');
    expect(await kinds()).toEqual([`${anna} digest`, `${bert} digest`, 'x@example.org item']);
  });

  test('moves all digests that wait, however many there are, a thousand at a time', async () => {
    const { organizationId, teamId, database } = world;
    const count = 2_100;
    await database.sql(
      `WITH person AS (
         INSERT INTO contacts (id, organization_id, team_id, name, email)
         SELECT gen_random_uuid(), $1, $2, 'Person ' || g, 'person' || g || '@example.org' FROM generate_series(1, $3::int) AS g
         RETURNING email
       )
       INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, address, due_at)
       SELECT gen_random_uuid(), $1, $2, 'MAIL', 'digest ' || email, 'digest', email, '2027-03-01T17:00:00Z' FROM person`,
      [organizationId, teamId, count],
    );
    const before = world.sent.length;
    const setting = {
      mode: 'WEEKLY',
      weekday: 3,
      digestTime: '18:00',
      allIsWell: false,
      whatIsMissing: false,
    } as const;
    await database.inTransaction((tx) =>
      storeDigestSetting(tx, organizationId, 'default:contacts', setting, new Date('2027-03-01T08:00:00Z')),
    );
    const pages = world.sent.slice(before).filter((name) => name === 'digests.waiting');
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(await dueOf()).toEqual(Array(count).fill('2027-03-03T17:00:00.000Z'));
  });
});
