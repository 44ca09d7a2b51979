import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { composeMail } from '../../src/reminders/send/compose.js';
import { type ClaimedDelivery, claimDeliveries } from '../../src/reminders/send/queue.js';
import { openPost, type Post } from './sender.support.js';
import { makeWorld, type World } from './support.js';

let world: World;
let post: Post;
beforeEach(async () => {
  world = await makeWorld();
  post = await openPost(world);
  await world.steps({ offsetDays: -30, recipients: ['ASSIGNEE', 'MAIN_CONTACT'] });
  await world.at('2027-01-01T06:00:00Z');
});
afterEach(async () => {
  await post.close();
  await world.drop();
});

const anna = 'anna@example.org';
/** The Monday on which the mails come, and the day before. */
const [monday, sunday] = ['2027-03-01T07:00:00Z', '2027-02-28T06:00:00Z'];

async function makeUser(values: object = {}): Promise<string> {
  const { organizationId, teamId } = world;
  const id = randomUUID();
  const person = { id, organizationId, teamId, name: 'Anna', email: anna, role: 'MEMBER' as const };
  await world.database.prisma.user.create({ data: { ...person, ...values } });
  await world.database.prisma.membership.create({ data: { userId: id, teamId } });
  return id;
}

async function makeContact(values: object = {}): Promise<string> {
  const { organizationId, teamId } = world;
  const id = randomUUID();
  const contact = { id, organizationId, teamId, name: 'Bert', email: 'bert@example.org' };
  await world.database.prisma.contact.create({ data: { ...contact, ...values } });
  return id;
}

/** Says that an address, or those of a default, want the weekly mail. */
const wants = (key = `mail:${anna}`, values: object = {}) =>
  world.database.prisma.recipientSetting.create({
    data: { organizationId: world.organizationId, recipientKey: key, allIsWell: true, ...values },
  });

const kinds = async () =>
  (await world.deliveries()).map(({ subjectKind, state }) => `${subjectKind} ${state}`).sort();

test('whoever wants it hears each week that nothing was due', async () => {
  await makeUser();
  await wants();
  await world.item('2027-05-31', { name: 'Trade licence' });
  await world.item('2027-08-31');
  await world.item('2027-02-01', { isActive: false });
  await world.at(sunday);
  await world.at(sunday);
  expect(await world.deliveries()).toMatchObject([{ dueAt: new Date(monday), subjectKind: 'allIsWell' }]);
  await world.at(monday);
  await post.send(monday);
  const [{ mail, to } = { mail: undefined, to: [] }] = post.sink.taken;
  expect(to).toEqual([anna]);
  expect(mail?.subject).toBe('All is well: no reminders this week');
  expect(mail?.text).toContain('Documents watched  2\n');
  expect(mail?.text).toContain('Trade licence, 31 May 2027 (2027-05-31)');
  expect(mail?.text).toContain('Last mail to you   This is the first one');
  expect(mail?.text).toContain('https://expiry.example.com/items');
  expect(mail?.text).toContain('https://expiry.example.com/r/');
  await world.at('2027-03-07T23:30:00Z');
  await world.at('2027-03-08T07:00:00Z');
  await post.send('2027-03-08T07:00:00Z');
  expect(post.sink.taken).toHaveLength(2);
  expect(post.sink.taken[1]?.mail.text).toContain('Last mail to you   1 March 2027 (2027-03-01)');
});

/** Takes up what is due, as a sender does, and writes the mail that says that all is well before any other. */
async function composeWell(at: string): Promise<ClaimedDelivery | undefined> {
  const now = new Date(at);
  const claim = { count: 9, now, leaseUntil: new Date(now.getTime() + 60_000), host: 'example.com' };
  const claimed = await claimDeliveries(world.database, claim);
  const well = claimed.find(({ subjectKind }) => subjectKind === 'allIsWell');
  if (well) await world.database.inTransaction((tx) => composeMail(tx, well, undefined, now));
  return claimed.find(({ subjectKind }) => subjectKind === 'digest');
}

test('nobody hears it to whom a reminder was sent, also in that moment', async () => {
  const assignedToId = await makeUser();
  await wants(undefined, { mode: 'WEEKLY' });
  await world.item('2027-03-31', { assignedToId });
  await world.at(sunday);
  expect(await composeWell(monday)).toBe(undefined);
  await world.at(monday);
  expect(await composeWell(monday)).toMatchObject({ subjectKind: 'digest' });
  expect(await kinds()).toEqual(['allIsWell QUEUED', 'digest QUEUED']);
  await post.send('2027-03-01T07:01:01Z');
  await post.send('2027-03-01T07:06:00Z');
  expect(await kinds()).toEqual(['allIsWell CANCELLED', 'digest SENT']);
  expect(post.sink.taken).toHaveLength(1);
});

test('it comes after all if what was due has been renewed meanwhile', async () => {
  const assignedToId = await makeUser();
  await wants(undefined, { mode: 'WEEKLY' });
  const id = await world.item('2027-03-31', { assignedToId });
  await world.at(sunday);
  await world.at(monday);
  await world.change(id, { expirationDate: new Date('2028-03-31') });
  await composeWell(monday);
  await post.send('2027-03-01T07:01:01Z');
  await post.send('2027-03-01T07:06:00Z');
  expect(await kinds()).toEqual(['allIsWell SENT', 'digest CANCELLED']);
  expect(post.sink.taken.map(({ mail }) => mail.subject)).toEqual(['All is well: no reminders this week']);
});

test('it does not say that all is well if something has expired', async () => {
  await makeUser();
  await wants();
  await world.item('2027-01-31');
  await world.item('2027-12-31');
  await world.at(sunday);
  await world.at(monday);
  await post.send(monday);
  expect(post.sink.taken[0]?.mail.subject).toBe('No new reminders this week');
  expect(post.sink.taken[0]?.mail.text).toContain('Documents watched  2; 1 has expired');
});

test('contacts hear it of their own items, and only if they have any', async () => {
  const contactId = await makeContact();
  await makeContact({ email: 'carl@example.org' });
  await makeContact({ email: anna.toUpperCase() });
  await makeUser();
  await wants('default:contacts');
  await world.item('2027-05-31', { contactId });
  await world.item('2027-06-30');
  await world.at(sunday);
  await world.at(monday);
  await post.send(monday, 2);
  expect(post.sink.taken.map(({ to }) => to)).toEqual([['bert@example.org']]);
  expect(post.sink.taken[0]?.mail.text).toContain('Documents watched  1\n');
  expect(post.sink.taken[0]?.mail.text).not.toContain('/items');
  expect(await kinds()).toEqual(['allIsWell CANCELLED', 'allIsWell SENT']);
});

test('users hear it of the workspaces that they see', async () => {
  const { organizationId, teamId } = world;
  const other = await world.database.prisma.team.findFirstOrThrow({
    where: { organizationId, id: { not: teamId } },
  });
  await makeUser();
  await wants();
  await world.item('2027-05-31');
  await world.item('2027-04-30', { teamId: other.id });
  await world.at(sunday);
  await world.at(monday);
  await post.send(monday);
  expect(post.sink.taken[0]?.mail.text).toContain('Documents watched  1\n');
});

test.each<[string, () => Promise<unknown>]>([
  ['does not want it any more', () => world.database.prisma.recipientSetting.deleteMany()],
  ['is inactive', () => world.database.prisma.user.updateMany({ data: { isActive: false } })],
  [
    'gets no mails',
    () =>
      world.database.prisma.suppression.create({
        data: {
          organizationId: world.organizationId,
          ...{ addressKey: anna, scope: 'ALL', reason: 'UNSUBSCRIBED' },
        },
      }),
  ],
])('nothing is sent to whoever %s', async (_name, change) => {
  await makeUser();
  await wants();
  await world.item('2027-05-31');
  await world.at(sunday);
  await change();
  await world.at(monday);
  await post.send(monday);
  expect(post.sink.taken).toEqual([]);
  expect(await kinds()).toEqual(['allIsWell CANCELLED']);
});

test('what could not be sent in time is not made up for', async () => {
  await makeUser();
  await wants();
  await world.item('2027-05-31');
  await world.at(sunday);
  await world.at('2027-03-05T07:00:00Z');
  await post.send('2027-03-05T07:00:00Z');
  expect(await kinds()).toEqual(['allIsWell CANCELLED']);
});

test('a workspace of thousands of people takes pages, each in a transaction of its own', async () => {
  const { organizationId, teamId } = world;
  const count = 4_100;
  await world.database.sql(
    `INSERT INTO contacts (id, organization_id, team_id, name, email)
     SELECT gen_random_uuid(), $1, $2, 'Person ' || g, 'person' || g || '@example.org' FROM generate_series(1, $3::int) AS g`,
    [organizationId, teamId, count],
  );
  await wants('default:contacts');
  const before = world.sent.length;
  await world.at(sunday);
  const finds = world.sent.slice(before).filter((name) => name === 'all_is_well.find');
  expect(finds).toHaveLength(3);
  expect(await world.deliveries()).toHaveLength(count);
  // The next day begins with the first page again.
  await world.database.sql("DELETE FROM deliveries WHERE subject_kind = 'allIsWell'");
  await world.at('2027-02-28T23:30:00Z');
  expect(await world.deliveries()).toHaveLength(count);
});
