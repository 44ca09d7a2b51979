import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { expectBadRequest, expectError, sendRaw } from './support.js';

const gateway = useGateway();
let foreign: Tenant;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
});
beforeEach(async () => {
  const { prisma } = gateway.database;
  await prisma.uploadNotification.deleteMany();
  await prisma.eventLog.deleteMany();
});

const path = '/v1/bulkscan/receive';
const receive = (body: unknown, request = {}) => gateway.send('POST', path, { body, ...request });
const receiveText = (raw: string, request = {}) =>
  gateway.send('POST', path, { raw, headers: { 'Content-Type': 'application/json' }, ...request });
const stored = () => gateway.database.prisma.uploadNotification.findMany({ orderBy: { id: 'asc' } });
const events = () => gateway.database.prisma.eventLog.findMany({ include: { entities: true } });

const text = {
  container: 'scans',
  url: 'https://cdn.example.com/abc',
  filename: 'licence 2031-07-15.pdf',
  client: 'Computer',
  key: 'inbox/abc.pdf',
  type: 'application/pdf',
  status: 'Stored',
  size: 158_584,
  upload_Tags: { expiration_item_id: 'x', nested: { list: [1, null, 'ü'] } },
};
const notification = { id: 101_443_253, action: 'fp.upload', timestamp: 1_443_444_905, text };

async function only() {
  const rows = await stored();
  expect(rows).toHaveLength(1);
  return rows[0] as (typeof rows)[number];
}

test('204 without a body, and the notification is stored as sent, with its event', async () => {
  const response = await receive(notification, { token: gateway.uploader });
  expect([response.status, response.text]).toEqual([204, '']);
  const { upload_Tags, size, ...rest } = text;
  const row = await only();
  expect(row).toMatchObject({
    ...rest,
    organizationId: gateway.organizationId,
    teamId: gateway.teamId,
    notificationId: 101_443_253n,
    action: 'fp.upload',
    timestamp: 1_443_444_905n,
    size: 158_584n,
    uploadTags: upload_Tags,
    state: 'RECEIVED',
    attempts: 0,
    receivedAt: gateway.clock.now,
  });
  expect(row.accessTokenId).not.toBeNull();
  expect(await events()).toMatchObject([
    {
      typeId: 10,
      userName: 'Max Member',
      description: 'Upload notification "licence 2031-07-15.pdf" was received',
      entities: [{ entityId: row.id, typeId: 12 }],
    },
  ]);
});

test('nothing in the answer describes a body', async () => {
  const headers = { Authorization: `Bearer ${gateway.uploader}`, 'Content-Type': 'application/json' };
  const answer = await sendRaw(gateway.url + path, { method: 'POST', headers }, ['{}']);
  expect(answer.status).toBe(204);
  const described = Object.keys(answer.headers).filter((name) => /^(content|transfer)-/.test(name));
  expect(described).toEqual([]);
});

describe('what is stored', () => {
  test.each<[body: string, row: object]>([
    ['', { notificationId: null, action: null, url: null, uploadTags: null, state: 'IGNORED' }],
    ['{}', { notificationId: null, action: null, state: 'IGNORED' }],
    ['{"id":null,"action":null,"timestamp":null,"text":null}', { notificationId: null }],
    ['{"action":"fp.delete","text":{}}', { action: 'fp.delete', state: 'IGNORED' }],
    ['{"action":"FP.UPLOAD"}', { state: 'IGNORED' }],
    ['{"id":9007199254740993}', { notificationId: 9_007_199_254_740_993n }],
    ['{"id":9223372036854775807}', { notificationId: 9_223_372_036_854_775_807n }],
    ['{"timestamp":-9223372036854775808}', { timestamp: -9_223_372_036_854_775_808n }],
    ['{"text":{"size":9007199254740993}}', { size: 9_007_199_254_740_993n }],
    ['{"id":9007199254740992}', { notificationId: 9_007_199_254_740_992n }],
    ['{"timestamp":9007199254740994}', { timestamp: 9_007_199_254_740_994n }],
    ['{"text":{"size":9007199254740996}}', { size: 9_007_199_254_740_996n }],
    ['{"id":1000000000000000000}', { notificationId: 10n ** 18n }],
    // Doubles are written with these digits, but the nearest one is another number.
    ['{"id":4611686018427388000}', { notificationId: 4_611_686_018_427_388_000n }],
    ['{"id":1e3}', { notificationId: 1_000n }],
    [
      '{"id":1E18,"timestamp":-9.223372036854775808e18}',
      { notificationId: 10n ** 18n, timestamp: -(2n ** 63n) },
    ],
    ['{"text":{"size":9007199254740993.0}}', { size: 9_007_199_254_740_993n }],
    ['{"id":0}', { notificationId: 0n }],
    ['{"text":{"upload_tags":{"a":1}}}', { uploadTags: { a: 1 } }],
    ['{"TEXT":{"UPLOAD_TAGS":{"a":1}}}', { uploadTags: { a: 1 } }],
    ['{"text":{"upload_tags":{"a":1},"upload_Tags":{"b":2}}}', { uploadTags: { b: 2 } }],
    ['{"text":{"upload_Tags":{}}}', { uploadTags: {} }],
    ['{"text":{"upload_Tags":{"n":1.5,"__proto__":1}}}', { uploadTags: { n: 1.5 } }],
    ['{"text":{"upload_Tags":{"n":9007199254740993}}}', { uploadTags: { n: Number('9007199254740993') } }],
    [
      '{"text":{"upload_Tags":{"b":1.10,"a":[12345678901234567890.123,1e3,-0,0.0000001]}}}',
      {
        uploadTags: { b: 1.1, a: [Number('12345678901234567890.123'), 1_000, 0, 1e-7] },
        uploadTagsText: '{"b":1.10,"a":[12345678901234567890.123,1e3,-0,0.0000001]}',
      },
    ],
    ['{"text":{}}', { uploadTags: null, uploadTagsText: null }],
    ['{"id":1,"id":2}', { notificationId: 2n }],
    ['{"unknown":{"id":1.5}}', { notificationId: null }],
  ])('%s', async (body, row) => {
    expect((await receiveText(body)).status).toBe(204);
    expect(await only()).toMatchObject(row);
    expect(await events()).toHaveLength(1);
  });
});

describe('400 naming the member, and nothing is stored', () => {
  test.each([
    ['{"id":9223372036854775808}', /^id: /],
    ['{"id":-9223372036854775809}', /^id: /],
    ['{"id":1.5}', /^id: /],
    ['{"id":99999999999999999999}', /^id: /],
    ['{"id":true}', /^id: /],
    ['{"id":"x"}', /^id: /],
    ['{"id":"5"}', /^id: must be a 64-bit integer/],
    ['{"timestamp":"5"}', /^timestamp: must be a 64-bit integer/],
    ['{"text":{"size":"5"}}', /^text\.size: must be a 64-bit integer/],
    ['{"id":9007199254740993.5}', /^id: /],
    ['{"id":1e19}', /^id: /],
    ['{"timestamp":1.5}', /^timestamp: /],
    ['{"text":{"size":1e400}}', /^text\.size: /],
    ['{"action":5}', /^action: /],
    [`{"action":"${'x'.repeat(256)}"}`, /^action: .*255/],
    ['{"text":[]}', /^text: must be an object/],
    ['{"text":"x"}', /^text: must be an object/],
    [`{"text":{"filename":"${'x'.repeat(256)}"}}`, /^text\.filename: .*255/],
    [`{"text":{"url":"${'x'.repeat(2_049)}"}}`, /^text\.url: .*2048/],
    ['{"text":{"key":"\\u0000"}}', /^text\.key: .*NUL/],
    ['{"text":{"upload_Tags":{"n":1e400}}}', /^text\.upload_Tags: must not contain numbers .*1e400/],
    ['{"text":{"upload_Tags":{"list":[{"n":-1e-400}]}}}', /^text\.upload_Tags: must not contain numbers/],
    ['{"text":{"upload_Tags":{"n":NaN}}}', /not JSON/],
    ['{"text":{"upload_Tags":[]}}', /^text\.upload_Tags: must be a JSON object/],
    ['{"text":{"upload_Tags":"x"}}', /^text\.upload_Tags: must be a JSON object/],
    ['{"text":{"upload_Tags":{"a":"\\u0000"}}}', /^text\.upload_Tags: .*NUL/],
    ['{"text":{"upload_Tags":{"\\ud800":1}}}', /^text\.upload_Tags: .*malformed/],
    [`{"text":{"upload_Tags":{"a":${'['.repeat(40)}${']'.repeat(40)}}}}`, /^text\.upload_Tags: .*nested/],
    ['[]', /object/],
    ['null', /object/],
    ['{', /not JSON/],
    ['['.repeat(500_000), /100 levels of nested brackets/],
  ])('%.80s', async (body, message) => {
    expectBadRequest(await receiveText(body), message);
    expect(await stored()).toEqual([]);
    expect(await events()).toEqual([]);
  });
});

describe('repeats', () => {
  test('of an id and action are stored once, whatever else they say', async () => {
    await receive(notification);
    expect((await receive({ ...notification, timestamp: 5, text: null })).status).toBe(204);
    expect((await only()).timestamp).toBe(1_443_444_905n);
    expect(await events()).toHaveLength(1);
    await receive({ ...notification, action: 'fp.delete' });
    await receive({ id: notification.id });
    expect(await stored()).toHaveLength(3);
  });

  test('without an id, of the same bytes', async () => {
    for (const body of ['{"action":"fp.upload"}', '{"action":"fp.upload"}', '', '']) await receiveText(body);
    expect(await stored()).toHaveLength(2);
    await receiveText('{ "action":"fp.upload"}');
    expect(await stored()).toHaveLength(3);
  });

  test('another organization’s are its own', async () => {
    await receive(notification);
    await receive(notification, { token: foreign.member });
    expect((await stored()).map(({ organizationId }) => organizationId)).toEqual([
      gateway.organizationId,
      foreign.organizationId,
    ]);
  });

  test('20 at once are stored once, with one event, and each is answered 204', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => receive(notification)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await stored()).toHaveLength(1);
    expect(await events()).toHaveLength(1);
  });

  test('one that another workspace’s token sent first', async () => {
    const { prisma } = gateway.database;
    await receive(notification, { token: gateway.member });
    await prisma.uploadNotification.updateMany({ data: { teamId: gateway.otherTeamId } });
    expect((await receive(notification, { token: gateway.member })).status).toBe(204);
    expect(await stored()).toHaveLength(1);
  });
});

test('401, 403, 405, 413, 415', async () => {
  expectError(await receive({}, { token: null }), 401, 'UNAUTHORIZED');
  expectError(await receive({}, { token: gateway.viewer }), 403, 'FORBIDDEN');
  expectError(await gateway.send('GET', path), 405, 'METHOD_NOT_ALLOWED');
  expectError(await receiveText(`"${'x'.repeat(2 ** 20)}"`), 413, 'PAYLOAD_TOO_LARGE');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expectError(await receiveText('id=1', { headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  for (const token of [gateway.admin, gateway.member]) {
    expect((await receive({}, { token })).status).toBe(204);
  }
  expect(await stored()).toHaveLength(1);
});

test('a token without a workspace has nowhere to put it', async () => {
  const lonely = await createTenant(gateway.database, 'Lonely');
  await gateway.database.prisma.membership.deleteMany({ where: { team: { name: 'Lonely Main' } } });
  expectError(await receive({}, { token: lonely.uploader }), 403, 'FORBIDDEN', /no workspace/);
});

test('a notification takes one statement, which is its transaction, and a duplicate no more', async () => {
  const send = () => receive(notification, { token: gateway.uploader });
  expect(await namesOf(gateway, send)).toEqual(['upload_notifications.receive']);
  expect(await namesOf(gateway, send)).toEqual(['upload_notifications.receive']);
});

test('every 64-bit integer is shown as it was sent, at both APIs', async () => {
  const large = [0n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n, 4_611_686_018_427_388_000n, 2n ** 63n - 1n];
  const sent = [...large, ...large.map((value) => -value - 1n)];
  for (const value of sent) {
    const raw = `{"id":${value},"timestamp":${value},"action":"a${value}","text":{"size":${value}}}`;
    expect((await receiveText(raw)).status).toBe(204);
  }
  const { text: page } = await gateway.send('GET', '/v1/uploads?paging=500');
  const query = '{ uploads: uploadNotifications(first: 100) { nodes { notificationId timestamp size } } }';
  const { data } = await gateway.graphql(query);
  for (const value of sent) {
    expect(page).toContain(`"size":${value},`);
    const shown = data.uploads.nodes.find(({ size }: { size: string }) => size === String(value));
    expect(shown).toMatchObject({ notificationId: String(value), timestamp: String(value) });
    const filter = `{ uploads: uploadNotifications(filter: {size: {gte: ${value}, lte: "${value}"}}) { totalCount } }`;
    expect((await gateway.graphql(filter)).data.uploads.totalCount).toBe(1);
  }
});
