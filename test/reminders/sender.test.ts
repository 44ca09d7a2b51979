import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { claimDeliveries, remindersState, settleSent } from '../../src/reminders/send/queue.js';
import { smtpError } from '../mail/smtp.support.js';
import { eventually } from '../support/eventually.js';
import { openPost, type Post } from './sender.support.js';
import { makeWorld, type World } from './support.js';

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

/** Returns a step that writes to addresses. */
const to = (...addresses: string[]) => ({ offsetDays: -30, recipients: ['ADDRESSES'], addresses });

const due = '2027-03-01T07:00:00Z';
const anna = 'anna@example.org';

const events = () =>
  world.database.prisma.eventLog.findMany({
    where: { organizationId: world.organizationId, typeId: { in: [7, 8] } },
    orderBy: [{ created: 'asc' }, { typeId: 'desc' }],
  });

describe('a reminder that is due', () => {
  test('leads to one mail with current data, and to an event', async () => {
    await world.steps(to(anna));
    const id = await world.item('2027-03-31', { details: 'Renew at the town hall.' });
    await world.at(due);
    const { sink, send, outcomes } = await open(world);
    await send('2027-03-01T07:00:20Z');
    expect(outcomes).toEqual(['sent']);
    expect(sink.taken).toMatchObject([
      { to: [anna], mail: { subject: 'Trade licence expires in 30 days (2027-03-31)' } },
    ]);
    const [{ mail }] = sink.taken as [(typeof sink.taken)[number]];
    expect(mail.date).toBe('2027-03-01T07:00:20.000Z');
    expect(mail.text).toContain('Renew at the town hall.');
    expect(mail.text).toContain('https://expiry.example.com/r/');
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 TOLD']);
    const [delivery] = await world.deliveries();
    expect(delivery).toMatchObject({ state: 'SENT', dueAt: null });
    expect(mail.messageId).toBe(`<${delivery?.id}@example.com>`);
    expect(mail.headers.find(({ key }) => key === 'references')?.value).toBe(
      `<${id}.2027-03-31@example.com>`,
    );
    expect(await events()).toMatchObject([{ typeId: 7 }]);
  });

  test('that waited says the days that are left now', async () => {
    await world.steps(to(anna));
    await world.item('2027-03-31');
    await world.at(due);
    const { sink, send } = await open(world);
    await send('2027-03-05T12:00:00Z');
    expect(sink.taken[0]?.mail.subject).toBe('Trade licence expires in 26 days (2027-03-31)');
  });

  test('is not sent once the item is renewed', async () => {
    await world.steps(to(anna));
    const id = await world.item('2027-03-31');
    await world.at(due);
    await world.change(id, { expirationDate: new Date('2028-03-31') });
    const { sink, send, outcomes } = await open(world);
    await send('2027-03-01T07:00:01Z');
    expect(outcomes).toEqual(['cancelled']);
    expect(sink.taken).toEqual([]);
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 CANCELLED renewed']);
    expect(await world.deliveries()).toMatchObject([{ state: 'CANCELLED', dueAt: null }]);
  });

  test('writes once to an address that is contact, assignee and watcher', async () => {
    const { prisma } = world.database;
    const { organizationId, teamId } = world;
    await world.steps({ offsetDays: -30 });
    const userId = newId();
    const person = { organizationId, teamId, email: anna, name: 'Anna' };
    await prisma.user.create({ data: { ...person, id: userId } });
    await prisma.membership.create({ data: { userId, teamId } });
    const contactId = newId();
    const contact = { id: contactId, organizationId, teamId, name: 'Anna', email: 'ANNA@example.org' };
    await prisma.contact.create({ data: contact });
    await prisma.watch.create({ data: { id: newId(), organizationId, teamId, userId, filter: {} } });
    await world.item('2027-03-31', { contactId, assignedToId: userId });
    await world.at(due);
    const { sink, send } = await open(world);
    await send(due);
    expect(sink.taken.map(({ to }) => to.map((address) => address.toLowerCase()))).toEqual([[anna]]);
  });

  test('of several is one digest, for those who want that', async () => {
    const { organizationId } = world;
    await world.database.prisma.recipientSetting.create({
      data: { organizationId, recipientKey: `mail:${anna}`, mode: 'DAILY', digestTime: '18:00' },
    });
    await world.steps(to(anna));
    for (const name of ['Passport', 'Visa', 'Permit']) await world.item('2027-03-31', { name });
    await world.at(due);
    const { sink, send, outcomes } = await open(world);
    await send('2027-03-01T17:00:00Z');
    expect(outcomes).toEqual(['sent']);
    for (const name of ['Passport', 'Visa', 'Permit']) expect(sink.taken[0]?.mail.text).toContain(name);
    expect((await events()).map(({ typeId }) => typeId)).toEqual([7]);
  });

  test('without anybody goes to the admins', async () => {
    await world.steps({ offsetDays: -30 });
    await world.item('2027-03-31');
    await world.at(due);
    const { sink, send } = await open(world);
    await send(due, (await world.deliveries()).length);
    const tokens = await world.database.prisma.accessToken.findMany({
      where: { organizationId: world.organizationId, role: 'ADMIN' },
      include: { user: true },
    });
    const admins = [...new Set(tokens.map(({ user }) => user.email))];
    expect(sink.taken.length).toBeGreaterThan(0);
    expect(sink.taken.flatMap(({ to }) => to).sort()).toEqual(admins.sort());
  });
});

describe('a mail server that', () => {
  test('is busy twice gets the same message a third time', async () => {
    await world.steps(to(anna));
    const id = await world.item('2027-03-31');
    await world.at(due);
    let tries = 0;
    const ids = new Set<string | null>();
    const { sink, send, outcomes } = await open(world, {
      onRcptTo: (_address, _session, callback) => {
        tries += 1;
        callback(tries <= 2 ? smtpError(451, 'try later') : null);
      },
    });
    for (const hour of ['07', '09', '11']) {
      await send(`2027-03-01T${hour}:00:00Z`);
      const [row] = await world.database.prisma.delivery.findMany();
      ids.add(row?.messageId ?? null);
    }
    expect(outcomes).toEqual(['retried', 'retried', 'sent']);
    expect(ids.size).toBe(1);
    expect(sink.taken.map(({ mail }) => mail.messageId)).toEqual([...ids]);
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 TOLD']);
  });

  test('is busy for a day is given up, and the fallback gets it', async () => {
    await world.database.prisma.team.update({
      where: { id: world.teamId },
      data: { reminderFallbackAddress: 'office@example.org' },
    });
    await world.steps(to(anna));
    await world.item('2027-03-31');
    await world.at(due);
    const { sink, send, outcomes } = await open(world, {
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === anna ? smtpError(451, 'try later') : null),
    });
    await send(due);
    await send('2027-03-02T08:00:00Z', 2);
    expect(outcomes).toEqual(['retried', 'failed', 'sent']);
    expect(sink.taken.map(({ to }) => to)).toEqual([['office@example.org']]);
    expect(await world.database.prisma.suppression.count()).toBe(0);
  });

  test('refuses an address permanently is not asked again, and the fallback gets it', async () => {
    await world.database.prisma.team.update({
      where: { id: world.teamId },
      data: { reminderFallbackAddress: 'office@example.org' },
    });
    await world.steps(to(anna));
    const id = await world.item('2027-03-31');
    await world.at(due);
    const { sink, send, outcomes } = await open(world, {
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === anna ? smtpError(550, 'no such user') : null),
    });
    await send(due, 2);
    expect(outcomes).toEqual(['refused', 'sent']);
    expect(sink.taken.map(({ to }) => to)).toEqual([['office@example.org']]);
    expect(await world.deliveries()).toMatchObject([
      { address: anna, state: 'FAILED' },
      { address: 'office@example.org', state: 'SENT' },
    ]);
    expect((await events()).map(({ typeId }) => typeId)).toEqual([8, 7]);
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 TOLD']);
    expect(await world.database.prisma.suppression.findMany()).toMatchObject([
      { addressKey: anna, scope: 'ALL', reason: 'REFUSED', until: new Date('2027-03-31T07:00:00Z') },
    ]);
  });

  test.each([
    ['onData', 550, '5.4.5 Daily user sending limit exceeded', 'MAIL_LIMIT_REACHED'],
    ['onRcptTo', 552, '5.2.2 Mailbox full', 'MAIL_MAILBOX_FULL'],
    ['onRcptTo', 550, '5.7.1 Not for you', 'MAIL_BLOCKED'],
    ['onRcptTo', 550, 'No', 'MAIL_ADDRESS_REFUSED'],
  ] as const)(
    'refuses a mail (%s %i %s) is asked for a day, and silences nobody',
    async (phase, code, words, cause) => {
      await world.database.prisma.team.update({
        where: { id: world.teamId },
        data: { reminderFallbackAddress: 'office@example.org' },
      });
      await world.steps(to(anna));
      await world.item('2027-03-31');
      await world.at(due);
      let isOpen = false;
      const error = () => (isOpen ? null : smtpError(code, words));
      const { sink, send, outcomes } = await open(world, {
        ...(phase === 'onRcptTo' && { onRcptTo: (_address, _session, callback) => callback(error()) }),
        ...(phase === 'onData' && { refuseData: error }),
      });
      await send(due);
      const [row] = await world.database.prisma.delivery.findMany();
      expect(row).toMatchObject({ state: 'QUEUED', errorCode: cause, statusCode: code });
      expect(row?.lastError).toContain(words);
      const at = new Date(due);
      expect(await remindersState(world.database, at)).toMatchObject({ refused: 1 });
      await send('2027-03-02T08:00:00Z', 2);
      expect(outcomes).toEqual(['retried', 'failed', 'retried']);
      isOpen = true;
      await send('2027-03-02T10:00:00Z');
      expect(sink.taken.map((mail) => mail.to)).toEqual([['office@example.org']]);
      const failed = await world.database.prisma.delivery.findFirstOrThrow({ where: { state: 'FAILED' } });
      expect(failed).toMatchObject({ address: anna, errorCode: cause });
      expect(await world.database.prisma.suppression.count()).toBe(0);
      expect(await remindersState(world.database, at)).toMatchObject({ refused: 0 });
    },
  );

  test('refuses the fallback as well is not asked for ever', async () => {
    await world.steps(to(anna));
    const id = await world.item('2027-03-31');
    await world.at(due);
    const { send, outcomes } = await open(world, {
      onRcptTo: (_address, _session, callback) => callback(smtpError(550, 'no such user')),
    });
    await send(due, 2);
    expect(new Set(outcomes)).toEqual(new Set(['refused']));
    expect(await world.database.prisma.delivery.count({ where: { dueAt: { not: null } } })).toBe(0);
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 SKIPPED']);
  });
});

describe('senders', () => {
  test('of one queue send each mail once', async () => {
    await world.steps(to(...Array.from({ length: 40 }, (_, count) => `anna${count}@example.org`)));
    await world.item('2027-03-31');
    await world.at(due);
    const { sink, send, start } = await open(world);
    start();
    start();
    await send(due, 40);
    expect(sink.taken).toHaveLength(40);
    expect(new Set(sink.taken.map(({ mail }) => mail.messageId)).size).toBe(40);
  });

  test('settle mails that are accepted at once together, and none twice', async () => {
    await world.steps(to(...Array.from({ length: 20 }, (_, count) => `anna${count}@example.org`)));
    const id = await world.item('2027-03-31');
    await world.at(due);
    const at = new Date(due);
    const claim = { count: 20, now: at, leaseUntil: new Date('2027-03-01T08:00:00Z'), host: 'example.com' };
    const claimed = await claimDeliveries(world.database, claim);
    const settle = () =>
      world.database.inTransaction((tx) =>
        settleSent(
          tx,
          claimed.map((delivery) => ({ delivery, at })),
        ),
      );
    const before = world.sent.length;
    await settle();
    const sent = world.sent.slice(before).filter((name) => name !== 'event_logs.insert');
    // One statement each: the mails, what they asked for, their items, and their reminders; and the commit.
    expect(sent).toHaveLength(5);
    expect(new Set((await world.deliveries()).map(({ state }) => state))).toEqual(new Set(['SENT']));
    expect(await world.ledger(id)).toEqual(['2027-03-01T07:00 -30 TOLD']);
    const told = (await events()).map(({ description }) => description).sort();
    expect(told).toEqual(
      claimed.map(({ address }) => `Reminder of "Trade licence" was sent to ${address}`).sort(),
    );
    await settle();
    expect(await events()).toHaveLength(20);
  });

  test('that stop settle what the server has accepted, and send no more', async () => {
    await world.steps(to(...Array.from({ length: 30 }, (_, count) => `anna${count}@example.org`)));
    await world.item('2027-03-31');
    await world.at(due);
    const { sink, send, start } = await open(world);
    const sender = start();
    await send(due, 3);
    await sender.stop();
    const states = (await world.deliveries()).map(({ state }) => state);
    const sent = states.filter((state) => state === 'SENT');
    expect(sent).toHaveLength(sink.taken.length);
    expect(sent.length).toBeLessThan(30);
  });

  test('keep a mail that the server takes long to accept', async () => {
    await world.steps(to(anna));
    await world.item('2027-03-31');
    await world.at(due);
    let accept = () => {};
    const asked = new Promise<void>((resolve) => {
      accept = resolve;
    });
    const { sink, send, start, outcomes } = await open(world, {
      onRcptTo: (_address, _session, callback) => void asked.then(() => callback(null)),
    });
    const leaseMs = 60;
    start({ leaseMs });
    const ends: Promise<void>[] = [];
    for (const passed of [0, 40, 80]) {
      const now = new Date(new Date(due).getTime() + passed);
      ends.push(send(now.toISOString()));
      const leaseUntil = new Date(now.getTime() + leaseMs);
      await eventually(async () => expect(await world.deliveries()).toMatchObject([{ dueAt: leaseUntil }]));
    }
    accept();
    await ends.at(-1);
    expect(outcomes).toEqual(['sent']);
    expect(sink.taken).toHaveLength(1);
    expect(await world.database.prisma.delivery.findMany()).toMatchObject([{ attempts: 1 }]);
  });

  test('claim what a dead process left, as the same message', async () => {
    await world.steps(to(anna));
    await world.item('2027-03-31');
    await world.at(due);
    const id = (await world.deliveries())[0]?.id ?? '';
    await world.database.prisma.delivery.update({
      where: { id },
      data: { attempts: 1, messageId: '<left@example.com>', dueAt: new Date('2027-03-01T07:02:00Z') },
    });
    const { sink, send } = await open(world);
    await send('2027-03-01T07:02:00Z');
    expect(sink.taken.map(({ mail }) => mail.messageId)).toEqual(['<left@example.com>']);
  });
});

test.each([
  ['a tag', '<script>alert(1)</script>'],
  ['right to left', 'רישיון \u202Eabc'],
  ['line breaks', 'Trade\r\nBcc: eve@example.com'],
  ['255 characters', '🛂'.repeat(255)],
])('a name with %s is one header line, and text', async (_what, name) => {
  await world.steps(to(anna));
  await world.item('2027-03-31', { name });
  await world.at(due);
  const { sink, send } = await open(world);
  await send(due);
  const [taken] = sink.taken;
  expect(taken?.to).toEqual([anna]);
  expect(taken?.raw).not.toMatch(/^bcc:/im);
  expect(taken?.mail.html).not.toMatch(/<script/i);
  expect(taken?.mail.headers.filter(({ key }) => key === 'subject')).toHaveLength(1);
});

describe('whoever may not be told any more', () => {
  /** Creates a user of the workspace who watches it, and decides. */
  async function makeWatcher(): Promise<string> {
    const { organizationId, teamId } = world;
    const { prisma } = world.database;
    await world.steps({ offsetDays: -30 });
    const userId = newId();
    await prisma.user.create({ data: { id: userId, organizationId, teamId, email: anna, name: 'Anna' } });
    await prisma.membership.create({ data: { userId, teamId } });
    await prisma.watch.create({ data: { id: newId(), organizationId, teamId, userId } });
    itemId = await world.item('2027-03-31');
    await world.at(due);
    expect((await world.deliveries()).map(({ address }) => address)).toEqual([anna]);
    return userId;
  }
  let itemId: string;

  test.each([
    [
      'has left the workspace',
      (userId: string) => world.database.prisma.membership.deleteMany({ where: { userId } }),
    ],
    [
      'is deactivated',
      (id: string) => world.database.prisma.user.update({ where: { id }, data: { isActive: false } }),
    ],
  ])('and %s gets nothing; the admins do', async (_, change) => {
    await change(await makeWatcher());
    const { sink, send, outcomes } = await open(world);
    await send(due, 2);
    expect(outcomes).toEqual(['cancelled', 'sent']);
    expect(sink.taken.map(({ to }) => to)).toEqual([['ada@example.com']]);
    const targets = await world.database.prisma.reminderTarget.findMany({ orderBy: { address: 'asc' } });
    expect(targets.map(({ address, reason }) => [address, reason])).toEqual([
      ['ada@example.com', null],
      [anna, 'inactive'],
    ]);
  });

  test.each([true, false])('gets it if the address is also that of a contact of the item: %s', async (is) => {
    const id = await makeWatcher();
    const { organizationId, teamId } = world;
    const contactId = newId();
    await world.database.prisma.contact.create({
      data: { id: contactId, organizationId, teamId, name: 'Anna', email: anna },
    });
    if (is) await world.change(itemId, { contactId });
    await world.database.prisma.user.update({ where: { id }, data: { isActive: false } });
    const { sink, send } = await open(world);
    await send(due, is ? 1 : 2);
    expect(sink.taken.map(({ to }) => to)).toEqual([[is ? anna : 'ada@example.com']]);
  });

  test('learns neither the new name nor the workspace of an item that was moved', async () => {
    await makeWatcher();
    const { otherTeamId } = world;
    await world.database.prisma.team.update({
      where: { id: otherTeamId },
      data: { name: 'Secret workspace' },
    });
    await world.change(itemId, { teamId: otherTeamId, name: 'Secret name' });
    const { sink, send, outcomes } = await open(world);
    await send(due);
    expect(outcomes).toEqual(['cancelled']);
    expect(sink.taken).toEqual([]);
    expect(await world.ledger(itemId)).toEqual(['2027-03-01T07:00 -30 CANCELLED moved']);
    expect(await world.deliveries()).toMatchObject([{ state: 'CANCELLED', dueAt: null, lastError: 'moved' }]);
    expect(JSON.stringify([await world.deliveries(), await events()])).not.toContain('Secret');
  });
});

describe('while a mail waits,', () => {
  /** Creates a contact of the item that a mail waits for. */
  async function waitFor(email: string): Promise<{ itemId: string; contactId: string }> {
    const { organizationId, teamId } = world;
    const contactId = newId();
    await world.database.prisma.contact.create({ data: { id: contactId, organizationId, teamId, email } });
    await world.steps({ offsetDays: -30 });
    const itemId = await world.item('2027-03-31', { contactId });
    await world.at(due);
    return { itemId, contactId };
  }
  const outcomeOf = async () => (await world.deliveries()).map(({ address, state }) => `${address} ${state}`);

  test('a corrected address gets it, and the old one does not', async () => {
    const { itemId, contactId } = await waitFor('ana@example.org');
    await world.database.prisma.contact.update({ where: { id: contactId }, data: { email: anna } });
    const { sink, send } = await open(world);
    await send(due, 2);
    expect(sink.taken.map(({ to }) => to)).toEqual([[anna]]);
    expect(await outcomeOf()).toEqual(['ana@example.org CANCELLED', `${anna} SENT`]);
    const targets = await world.database.prisma.reminderTarget.findMany({ orderBy: { address: 'asc' } });
    expect(targets.map(({ address, reason }) => [address, reason])).toEqual([
      ['ana@example.org', 'no recipient'],
      [anna, null],
    ]);
    expect(await world.ledger(itemId)).toEqual(['2027-03-01T07:00 -30 TOLD']);
  });

  test('the successor of a contact gets it, also after an attempt that failed', async () => {
    const { itemId } = await waitFor('bob@example.org');
    const { sink, send } = await open(world, {
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === 'bob@example.org' ? smtpError(451, 'try later') : null),
    });
    await send(due);
    const { organizationId, teamId } = world;
    const contactId = newId();
    await world.database.prisma.contact.create({
      data: { id: contactId, organizationId, teamId, email: anna },
    });
    await world.change(itemId, { contactId });
    await send('2027-03-01T09:00:00Z', 2);
    expect(sink.taken.map(({ to }) => to)).toEqual([[anna]]);
    expect(await outcomeOf()).toEqual([`${anna} SENT`, 'bob@example.org CANCELLED']);
  });

  test('a contact that is added gets it, but not once it was sent', async () => {
    const { itemId } = await waitFor(anna);
    const add = async (email: string) => {
      const { organizationId, teamId } = world;
      const contactId = newId();
      await world.database.prisma.contact.create({ data: { id: contactId, organizationId, teamId, email } });
      await world.database.prisma.expirationItemContact.create({ data: { itemId, contactId, position: 0 } });
    };
    await add('early@example.org');
    const { sink, send } = await open(world);
    await send(due, 2);
    await add('late@example.org');
    await world.at('2027-03-01T09:00:00Z');
    expect(sink.taken.map(({ to }) => to[0]).sort()).toEqual([anna, 'early@example.org']);
    expect(await outcomeOf()).toEqual([`${anna} SENT`, 'early@example.org SENT']);
  });
});

describe('of two steps of one day that say the same,', () => {
  const steps = () =>
    world.steps(
      { ...to(anna, 'bob@example.org'), offsetDays: -14 },
      { ...to(anna), offsetDays: -7 },
      { ...to(anna), offsetDays: -6 },
    );
  const told = async (post: Post, times: readonly [string, number][]) => {
    for (const [time, tries] of times) {
      await world.at(time);
      if (tries > 0) await post.send(time, tries);
    }
    return post.sink.taken.map(({ to: [whom], mail }) => `${whom} ${mail.subject}`);
  };

  test('the late one leaves out whom the other tells', async () => {
    await steps();
    await world.at('2027-03-24T06:59:00Z');
    const id = await world.item('2027-03-31', { modified: new Date('2027-03-24T06:59:30Z') });
    const mails = await told(await open(world), [
      ['2027-03-24T06:59:31Z', 1],
      ['2027-03-24T07:00:00Z', 1],
    ]);
    expect(mails).toEqual([
      'bob@example.org Trade licence expires in 7 days (2027-03-31)',
      `${anna} Trade licence expires in 7 days (2027-03-31)`,
    ]);
    expect(await world.ledger(id)).toEqual(['2027-03-17T07:00 -14 TOLD', '2027-03-24T07:00 -7 TOLD']);
  });

  test('the late one is not sent at the end of an outage', async () => {
    await world.steps({ ...to(anna), offsetDays: -7 }, { ...to(anna), offsetDays: -6 });
    await world.at('2027-03-20T07:00:00Z');
    const id = await world.item('2027-03-31');
    const mails = await told(await open(world), [
      ['2027-03-25T06:59:30Z', 0],
      ['2027-03-25T07:00:00Z', 1],
    ]);
    expect(mails).toEqual([`${anna} Trade licence expires in 6 days (2027-03-31)`]);
    expect(await world.ledger(id)).toEqual([
      '2027-03-24T07:00 -7 SKIPPED superseded',
      '2027-03-25T07:00 -6 TOLD',
    ]);
  });

  test('the one that the mail server has kept waiting is not sent after the other', async () => {
    await world.steps({ ...to(anna), offsetDays: -7 }, { ...to(anna), offsetDays: -6 });
    const id = await world.item('2027-03-31');
    await world.at('2027-03-24T07:00:00Z');
    await world.database.sql("UPDATE deliveries SET due_at = '2027-03-25T08:00:00Z'");
    const mails = await told(await open(world), [
      ['2027-03-25T07:00:00Z', 1],
      ['2027-03-25T08:00:00Z', 1],
    ]);
    expect(mails).toEqual([`${anna} Trade licence expires in 6 days (2027-03-31)`]);
    expect(await world.ledger(id)).toEqual([
      '2027-03-24T07:00 -7 SKIPPED superseded',
      '2027-03-25T07:00 -6 TOLD',
    ]);
  });
});
