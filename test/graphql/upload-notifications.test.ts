import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
let foreign: Tenant;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
});

const fields = `id notificationId action timestamp container url filename client key type status size uploadTags uploadTagsText
  state error attempts receivedAt filedAt expirationItem { id } attachment { id }`;
const receive = `mutation ($input: ReceiveUploadInput!) { upload: receiveUpload(input: $input) { ${fields} } }`;
const read = `query ($id: ID!) { uploadNotification(id: $id) { ${fields} } }`;
const list = `query ($filter: UploadNotificationFilter) {
  uploadNotifications(filter: $filter) { totalCount nodes { filename } }
}`;

const input = {
  id: '9007199254740993',
  action: 'fp.upload',
  timestamp: 1_443_444_905,
  text: { filename: 'a.pdf', url: 'https://cdn.example.com/a', size: 5, uploadTags: { name: 'Licence' } },
};

async function send(input: object, token?: string) {
  return (await ask(gateway, receive, { input }, token)).upload;
}

test('an uploader sends, and is not shown what it came to', async () => {
  const [id, tags] = ['9007199254740991', { name: 'Licence' }];
  const sent = { input: { id, action: 'fp.upload', text: { filename: 'a.pdf', uploadTags: tags } } };
  const receive = (fields: string) =>
    gateway.graphql(
      `mutation ($input: ReceiveUploadInput!) { receiveUpload(input: $input) { ${fields} } }`,
      sent,
      gateway.uploader,
    );
  const kept = { notificationId: id, state: 'RECEIVED', uploadTags: tags };
  expect((await receive('notificationId state uploadTags')).data).toEqual({ receiveUpload: kept });
  const outcome = [
    'expirationItem { id }',
    'attachment { id }',
    'error',
    'suggestedFrom',
    'suggestedExpirationDate',
  ];
  for (const field of outcome) {
    const { data, errors } = await receive(`id ${field}`);
    expect(Object.values(data.receiveUpload)).toEqual([expect.any(String), null]);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
});

test('a member sends one and gets the stored notification; a duplicate gets the first', async () => {
  const upload = await send(input, gateway.member);
  expect(upload).toStrictEqual({
    id: expect.any(String),
    notificationId: '9007199254740993',
    action: 'fp.upload',
    timestamp: '1443444905',
    container: null,
    url: 'https://cdn.example.com/a',
    filename: 'a.pdf',
    client: null,
    key: null,
    type: null,
    status: null,
    size: '5',
    uploadTags: { name: 'Licence' },
    uploadTagsText: '{"name":"Licence"}',
    state: 'RECEIVED',
    error: null,
    attempts: 0,
    receivedAt: '2026-11-20T09:30:00.000Z',
    filedAt: null,
    expirationItem: null,
    attachment: null,
  });
  expect(await send({ ...input, text: null }, gateway.member)).toEqual(upload);
  expect((await ask(gateway, read, { id: upload.id })).uploadNotification).toEqual(upload);
  expect((await ask(gateway, read, { id: upload.id }, foreign.admin)).uploadNotification).toBeNull();
});

test('without an id the same content is a repeat', async () => {
  const first = await send({ action: 'fp.delete' });
  expect(await send({ action: 'fp.delete' })).toEqual(first);
  expect((await send({ action: 'fp.delete', timestamp: 1 })).id).not.toBe(first.id);
  expect(first.state).toBe('IGNORED');
});

test('a repeat of one that the caller may not see is null', async () => {
  const upload = await send({ id: 7 });
  const data = { teamId: gateway.otherTeamId };
  await gateway.database.prisma.uploadNotification.update({ where: { id: upload.id }, data });
  expect(await send({ id: 7 }, gateway.member)).toBeNull();
});

test('what cannot be kept is refused, naming its member', async () => {
  const refused = (text: object) => refusal(gateway, receive, { input: { text } });
  await expectRefusal(refused({ url: 'x'.repeat(2_049) }), 'BAD_REQUEST', 'text.url', /2048/);
  await expectRefusal(refused({ uploadTags: [] }), 'BAD_REQUEST', 'text.uploadTags', /object/);
  await expectRefusal(refusal(gateway, receive, { input }, gateway.viewer), 'FORBIDDEN');
});

describe('numbers of tags are kept to the last digit', () => {
  const tags = '{"n":9007199254740993,"price":1.10,"zero":-0,"list":[{"large":1E5}]}';
  const literal = '{n: 9007199254740993, price: 1.10, zero: -0, list: [{large: 1E5}]}';
  const document = (argument: string, declared = '') =>
    `mutation${declared} { receiveUpload(input: ${argument}) { notificationId uploadTags } }`;
  const input = '($input: ReceiveUploadInput!)';
  const json = { 'Content-Type': 'application/json' };
  const boundary = 'x'.repeat(30);
  const request = (query: string, variables = '{}') =>
    `{"query":${JSON.stringify(query)},"variables":${variables}}`;
  const form = (operations: string) => {
    const parts = Object.entries({ operations, map: '{}' }).map(
      ([name, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    return `${parts.join('')}--${boundary}--\r\n`;
  };
  const post = (raw: string, headers: Record<string, string> = {}) =>
    gateway.send('POST', '/graphql', { raw, headers: { ...json, ...headers } });
  const sent = (id: string, n = '9007199254740993') =>
    request(document('$input', input), `{"input":{"id":${id},"text":{"uploadTags":{"n":${n}}}}}`);

  test.each<[way: string, body: (id: string) => string, headers?: Record<string, string>]>([
    [
      'in a variable',
      (id) => request(document('$input', input), `{"input":{"id":${id},"text":{"uploadTags":${tags}}}}`),
    ],
    [
      'in a variable of their own',
      (id) =>
        request(document(`{id: ${id}, text: {uploadTags: $tags}}`, '($tags: JSON)'), `{"tags":${tags}}`),
    ],
    ['in a literal', (id) => request(document(`{id: ${id}, text: {uploadTags: ${literal}}}`))],
    [
      'in a literal around a variable',
      (id) =>
        request(
          document(
            `{id: ${id}, text: {uploadTags: {n: $n, price: 1.10, zero: -0, list: [{large: 1E5}]}}}`,
            '($n: JSON)',
          ),
          '{"n":9007199254740993}',
        ),
    ],
    [
      'in a form',
      (id) =>
        form(request(document('$input', input), `{"input":{"id":${id},"text":{"uploadTags":${tags}}}}`)),
      { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Apollo-Require-Preflight': 'true' },
    ],
    [
      'in an answer of one event',
      (id) => request(document(`{id: ${id}, text: {uploadTags: ${literal}}}`)),
      { Accept: 'text/event-stream' },
    ],
  ])('%s', async (way, body, headers) => {
    const id = `900719925474099${way.length}`;
    const { text } = await post(body(id), headers);
    expect(text).toContain(`{"receiveUpload":{"notificationId":"${id}","uploadTags":${tags}}}`);
  });

  test('in the answer to a repetition, and in what tells it from other requests', async () => {
    const key = { 'Idempotency-Key': 'digits' };
    const first = await post(sent('71'), key);
    expect(first.text).toContain('"uploadTags":{"n":9007199254740993}');
    const again = await post(sent('71'), key);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect((await post(sent('71', '9007199254740992'), key)).status).toBe(422);
  });

  test('unless JSON readers do not agree on them', async () => {
    for (const variables of ['{"input":{"text":{"uploadTags":{"n":1e400}}}}', '{}']) {
      const argument = variables === '{}' ? '{text: {uploadTags: {n: 1e400}}}' : '$input';
      const answer = await post(request(document(argument, variables === '{}' ? '' : input), variables));
      expect(answer.json.errors).toMatchObject([
        {
          message: expect.stringMatching(/1e400/),
          extensions: { code: 'BAD_REQUEST', field: 'text.uploadTags' },
        },
      ]);
    }
  });

  test('while numbers of other types are doubles and int32, however they are written', async () => {
    const query = `mutation($input: CreateVehicleInput!, $patch: [PatchOperationInput!]!, $first: Int, $msrp: Float) {
      createVehicle(input: $input) { msrp year }
      other: createVehicle(input: {name: "Van", msrp: $msrp, year: 2024}) { msrp }
      patchVehicle(id: "ID", operations: $patch) { msrp eventLogs(first: $first) { nodes { details } } }
    }`;
    const { id } = (await ask(gateway, 'mutation { createVehicle(input: {name: "Van"}) { id } }'))
      .createVehicle;
    const variables =
      '{"input":{"name":"Van","msrp":1.10,"year":2024.0},"patch":[{"op":"add","path":"/msrp","value":2.50},{"op":"test","path":"/msrp","value":25e-1}],"first":1.0,"msrp":9007199254740993}';
    const { json } = await post(request(query.replace('ID', id), variables));
    expect(json).toEqual({
      data: {
        createVehicle: { msrp: 1.1, year: 2024 },
        other: { msrp: 2 ** 53 },
        patchVehicle: {
          msrp: 2.5,
          eventLogs: { nodes: [{ details: '{"msrp":{"before":null,"after":2.5}}' }] },
        },
      },
    });
    const fraction = request(query.replace('ID', id), variables.replace('2024.0', '2024.50'));
    expect((await post(fraction)).json.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  });
});

describe('lists', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant(gateway.database, 'Initech');
    for (const [index, action] of ['fp.upload', 'fp.upload', 'fp.delete'].entries()) {
      gateway.clock.now = new Date(`2026-12-0${index + 1}T00:00:00.000Z`);
      await send({ id: index, action, text: { filename: `scan-${index}.pdf` } }, tenant.member);
    }
  });

  test.each<[filter: object, found: string[]]>([
    [{}, ['scan-2.pdf', 'scan-1.pdf', 'scan-0.pdf']],
    [{ state: 'IGNORED' }, ['scan-2.pdf']],
    [{ filename: 'scan-1.pdf' }, ['scan-1.pdf']],
    [{ filename: 'scan' }, []],
    [{ term: 'SCAN-0' }, ['scan-0.pdf']],
    [{ term: 'fp.upload', receivedAfter: '2026-12-01T00:00:00Z' }, ['scan-1.pdf']],
    [{ receivedBefore: '2026-12-03T00:00:00Z' }, ['scan-1.pdf', 'scan-0.pdf']],
  ])('%j finds %j, the newest first', async (filter, found) => {
    const { nodes, totalCount } = (await ask(gateway, list, { filter }, tenant.viewer)).uploadNotifications;
    expect(nodes.map(({ filename }: { filename: string }) => filename)).toEqual(found);
    expect(totalCount).toBe(found.length);
  });

  test('are not an uploader’s to read', async () => {
    await expectRefusal(refusal(gateway, list, {}, tenant.uploader), 'FORBIDDEN');
  });
});
