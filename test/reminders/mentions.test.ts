import { randomUUID as newId } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inviteOne } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { openPost, type Post, testKey } from './sender.support.js';

const mail = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Expiry <expiry@example.com>',
  PUBLIC_URL: 'https://expiry.example.com',
  SECRET_KEY: testKey,
};
const create = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id body bodyText } }';
const update =
  'mutation ($id: ID!, $input: UpdateNoteInput!) { updateNote(id: $id, input: $input) { id bodyText } }';
const addItem =
  'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';

let gateway: TestGateway;
let post: Post;
let itemId: string;
/** A member of the first workspace only, whose mails are in German. */
let bo: string;
beforeEach(async () => {
  gateway = await startGateway(mail);
  post = await openPost(gateway);
  itemId = await item(gateway.teamId);
  bo = (await inviteOne(gateway, 'bo@example.org', { name: 'Bo', teamIds: [gateway.teamId], language: 'de' }))
    .user.id;
  await gateway.database.prisma.delivery.deleteMany({});
});
afterEach(async () => {
  await post.close();
  await gateway.close();
});

const item = async (teamId: string) => {
  const input = { name: 'Crane licence', expirationDate: '2030-01-31', teamId };
  return (await ask(gateway, addItem, { input })).createExpirationItem.id as string;
};
const about = (id: string) => [{ entityId: id, kind: 'EXPIRATION_ITEM' }];
const mentioned = (id: string, name = 'Bo') => `Please ask @[${name}](${id}).`;
const write = async (bodyText: string, more = {}) =>
  (await ask(gateway, create, { input: { bodyText, relations: about(itemId), ...more } })).createNote;
const queued = () =>
  gateway.database.prisma.delivery.findMany({
    where: { subjectKind: 'mention' },
    orderBy: { created: 'asc' },
  });
const time = testTime.toISOString();

test('whoever a note mentions gets one mail, in their language and with a link to the item', async () => {
  const { id, bodyText } = await write(mentioned(bo));
  expect(bodyText).toBe(mentioned(bo));
  await gateway.database.prisma.user.update({ where: { id: bo }, data: { name: 'Bo <b>Berg</b>' } });
  await post.send(time);
  expect(post.outcomes).toEqual(['sent']);
  const [taken] = post.sink.taken;
  expect(taken).toMatchObject({
    to: ['bo@example.org'],
    mail: { subject: 'Ada Admin hat Sie erwähnt: Crane licence' },
  });
  expect(taken?.mail.text).toContain('Please ask @Bo <b>Berg</b>.');
  expect(taken?.mail.text).toContain(`https://expiry.example.com/items/${itemId}`);
  expect(taken?.mail.html).toContain('&lt;b&gt;Berg');
  expect(taken?.mail.text).not.toContain(bo);
  // Nobody's name stays in the queue.
  expect(await queued()).toMatchObject([{ state: 'SENT', payload: { userId: bo } }]);
  expect(JSON.stringify((await queued())[0]?.payload)).not.toContain('Ada');
  await ask(gateway, update, { id, input: { bodyText: `${mentioned(bo)} Again.` } });
  await ask(gateway, update, { id, input: { bodyText: 'Nobody.' } });
  await ask(gateway, update, { id, input: { bodyText: mentioned(bo) } });
  expect(await queued()).toHaveLength(1);
});

test('whoever is mentioned again after nothing was sent gets one mail', async () => {
  const { id } = await write(mentioned(bo));
  const edit = (bodyText: string) => ask(gateway, update, { id, input: { bodyText } });
  await edit('Nobody.');
  await post.send(time);
  expect(await queued()).toMatchObject([{ state: 'CANCELLED' }]);
  // Later than a mail that nobody could send is kept.
  gateway.clock.now = new Date(testTime.getTime() + 8 * 86_400_000);
  await edit(mentioned(bo));
  await post.send(gateway.clock.now.toISOString());
  expect(post.sink.taken).toMatchObject([{ to: ['bo@example.org'] }]);
  expect(post.sink.taken[0]?.mail.text).toContain('Ada Admin');
  await edit('Nobody.');
  await edit(mentioned(bo));
  expect(await queued()).toMatchObject([{ state: 'SENT', lastError: null }]);
});

test('an edit tells only whom it newly mentions, and nobody what they wrote themselves', async () => {
  const { id } = await write(mentioned(gateway.userId, 'Ada Admin'));
  expect(await queued()).toEqual([]);
  await ask(gateway, update, { id, input: { bodyText: `${mentioned(gateway.userId)} ${mentioned(bo)}` } });
  expect(await queued()).toMatchObject([
    { address: 'bo@example.org', subjectId: id, teamId: gateway.teamId },
  ]);
});

test('REST mentions in the same words, also in HTML', async () => {
  const body = {
    body: `<p>Ask <b>@[Bo](${bo})</b></p><script>1</script>`,
    relations: [{ entity_id: itemId, entity_type: 1 }],
  };
  const { status, json } = await gateway.send('POST', '/v1/notes', { body });
  expect([status, json.body, json.body_text]).toEqual([
    201,
    `<p>Ask <b>@[Bo](${bo})</b></p>`,
    `Ask @[Bo](${bo})`,
  ]);
  expect(await queued()).toHaveLength(1);
  const refused = await gateway.send('PUT', `/v1/notes/${json.id}`, { body: { body: mentioned(newId()) } });
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('does not exist')]);
});

test('nobody is mentioned who does not exist here, or cannot see what the note is about', async () => {
  const foreign = await createTenant(gateway.database, 'Globex');
  const other = await item(gateway.otherTeamId);
  const refuse = async (bodyText: string, more = {}) => {
    const input = { bodyText, relations: about(itemId), ...more };
    const { errors } = await gateway.graphql(create, { input });
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
    return errors[0].extensions;
  };
  for (const id of [foreign.userId, newId()]) {
    expect(await refuse(mentioned(id))).toMatchObject({
      violations: [
        {
          path: ['input', 'bodyText'],
          rule: 'reference',
          message: `mentions a user who does not exist: ${id}`,
        },
      ],
    });
  }
  const unseen = { violations: [{ message: 'mentions Bo, who cannot see what the note is about' }] };
  expect(await refuse(mentioned(bo), { teamId: gateway.otherTeamId })).toMatchObject(unseen);
  expect(await refuse(mentioned(bo), { relations: about(other) })).toMatchObject(unseen);
  expect(await refuse(mentioned(bo), { relations: [] })).toMatchObject({
    violations: [{ message: 'mentions a user, but the note is about no record' }],
  });
  const many = Array.from({ length: 51 }, () => mentioned(newId())).join(' ');
  expect(await refuse(many)).toMatchObject({ violations: [{ message: 'mentions more than 50 users' }] });
  expect(await queued()).toEqual([]);
});

test.each<[string, (noteId: string) => Promise<unknown>, string]>([
  [
    'the note is deleted',
    (id) => ask(gateway, 'mutation ($id: ID!) { deleteNote(id: $id) { id } }', { id }),
    'inactive',
  ],
  [
    'the note mentions them no more',
    (id) => ask(gateway, update, { id, input: { bodyText: 'x' } }),
    'nothing to tell',
  ],
  [
    'they left the workspace',
    () => gateway.database.prisma.membership.deleteMany({ where: { userId: bo } }),
    'inactive',
  ],
  [
    'they want no mails',
    () =>
      gateway.database.prisma.suppression.create({
        data: {
          ...{ organizationId: gateway.organizationId, addressKey: 'bo@example.org', scope: 'ALL' },
          reason: 'UNSUBSCRIBED',
        },
      }),
    'suppressed',
  ],
])('nothing is sent if %s', async (_what, change, reason) => {
  const { id } = await write(mentioned(bo));
  await change(id);
  await post.send(time);
  expect(post.sink.taken).toEqual([]);
  expect(await queued()).toMatchObject([{ state: 'CANCELLED', lastError: reason }]);
});
