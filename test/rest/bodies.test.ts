import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyLimits } from '../../src/rest/body.js';
import { type TestResponse, useGateway } from '../support/gateway.js';
import { create, expectBadRequest, expectError, expectNothingWritten, sendRaw } from './support.js';

const gateway = useGateway();
let path: string;
beforeAll(async () => {
  path = `/v1/vehicles/${(await create(gateway, { name: 'Untouched' })).id}`;
});

const json = { 'Content-Type': 'application/json' };
const operations = '[{"op":"replace","path":"/name","value":"Changed"}]';

type Raw = string | Uint8Array<ArrayBuffer>;

/** Sends one body to each of the endpoints that take one. */
async function sendToAll(raw: Raw, headers: Record<string, string> = json): Promise<TestResponse[]> {
  return [
    await gateway.send('POST', '/v1/vehicles', { raw, headers }),
    await gateway.send('PUT', path, { raw, headers }),
    await gateway.send('PATCH', path, { raw, headers }),
  ];
}

/** Returns the options of node's own client, which fills in no header of its own about the body. */
const raw = (headers: Record<string, string | number>, method = 'POST') => ({
  method,
  headers: { Authorization: `Bearer ${gateway.admin}`, ...headers },
});

describe('400 for more values than any record has, before they are parsed', () => {
  const many = `[${'{},'.repeat(bodyLimits.valuesWithFiles)}{}]`;
  test.each([
    ['POST', '/v1/vehicles', `{"custom_fields":${many}}`],
    ['PUT', '/v1/vehicles', `{"unknown":${many}}`],
    ['PATCH', '/v1/vehicles', many],
    ['PATCH', '/v1/vehicles', `[{"op":"add","path":"/custom_fields","value":${many}}]`],
    ['POST', '/v1/notes', `{"relations":${many}}`],
    ['POST', '/v1/reminderpolicies', `{"steps":${many}}`],
    ['POST', '/v1/expirationitems', `{"tags":${many}}`],
    ['POST', '/v1/bulkscan/receive', `{"upload_Tags":{"a":${many}}}`],
  ])('%s %s', async (method, place, body) => {
    const target = method === 'POST' ? place : path;
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    expectBadRequest(
      await gateway.send(method, target, { raw: new Uint8Array(gzipSync(body)), headers }),
      /^The body has more than (20000|100000) values\.$/,
    );
  });

  test('through GraphQL as well, whoever sends them', async () => {
    const raw = `{"query":"{me{id}}","variables":{"a":${many}}}`;
    const { json: answer } = await gateway.send('POST', '/graphql', {
      raw,
      headers: json,
      token: gateway.uploader,
    });
    expect(answer).toMatchObject({ errors: [{ message: 'The body has more than 100000 values.' }] });
  });

  test('as many as are allowed are read', async () => {
    const allowed = `{"unknown":[${'1,'.repeat(bodyLimits.values - 2)}1]}`;
    expect((await gateway.send('POST', '/v1/vehicles', { raw: allowed, headers: json })).status).toBe(201);
    const more = await gateway.send('POST', '/v1/vehicles', {
      raw: allowed.replace('[', '[1,'),
      headers: json,
    });
    expectBadRequest(more, /values/);
  });

  test('more are allowed where files can be sent, because an item may have as many', async () => {
    const body = (count: number) =>
      `{"name":"Many","expiration_date":"2031-01-01","unknown":[${'1,'.repeat(count - 5)}1]}`;
    const send = (raw: string) => gateway.send('POST', '/v1/expirationitems', { raw, headers: json });
    expect((await send(body(bodyLimits.valuesWithFiles))).status).toBe(201);
    expectBadRequest(
      await send(body(bodyLimits.valuesWithFiles + 2)),
      /^The body has more than 100000 values\.$/,
    );
  });

  test('bytes outside of texts are limited', async () => {
    const raw = `{"name":"Wide","expiration_date":"2031-01-01"${' '.repeat(bodyLimits.bare)}}`;
    expectBadRequest(
      await gateway.send('POST', '/v1/expirationitems', { raw, headers: json }),
      /^The body has more than 4194304 bytes outside of its texts\.$/,
    );
  });

  test('a large body is read in several turns, whatever its letters are', async () => {
    const other = 'ä€😀'.repeat(400_000);
    const raw = JSON.stringify({ name: 'Large', expiration_date: '2031-01-01', other, details: 'ä€😀' });
    const { status, json: item } = await gateway.send('POST', '/v1/expirationitems', { raw, headers: json });
    expect(status).toBe(201);
    expect(item.details).toBe('ä€😀');
    const broken = Buffer.concat([Buffer.from(raw.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]);
    expectBadRequest(
      await gateway.send('POST', '/v1/expirationitems', { raw: new Uint8Array(broken), headers: json }),
      /not JSON in UTF-8/,
    );
  });

  test('a list that is too long is refused by its length, whatever is in it', async () => {
    const long = Array(101).fill({ name: 'x'.repeat(300) });
    const expectRefused = (response: TestResponse, member: string) =>
      expectBadRequest(response, new RegExp(`${member}: must have at most 100 entries$`));
    const body = { custom_fields: long };
    expectRefused(await gateway.send('POST', '/v1/vehicles', { body }), 'custom_fields');
    expectRefused(await gateway.send('PUT', path, { body }), 'custom_fields');
    const patch = [{ op: 'add', path: '/custom_fields', value: long }];
    expectRefused(await gateway.send('PATCH', path, { body: patch }), 'operation 0: custom_fields');
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    expectRefused(await gateway.send('PATCH', path, { body, headers }), 'custom_fields');
    expectRefused(await gateway.send('POST', '/v1/notes', { body: { relations: long } }), 'relations');
  });
});

const bytes = (...values: number[]) => new Uint8Array(values);

describe('400 for what is no JSON document in UTF-8', () => {
  test.each<[what: string, body: Raw]>([
    ['nothing', ''],
    ['white space', ' \r\n'],
    ['half an object', '{"name": "Cha'],
    ['a comma too many', '{"name": "Changed",}'],
    ['single quotes', "{'name': 'Changed'}"],
    ['a comment', '{"name": "Changed"} // yes'],
    ['two documents', '{} {}'],
    ['NaN', '{"msrp": NaN}'],
    ['a number with a leading zero', '{"year": 02020}'],
    ['a bare control character', '{"name": "a\nb"}'],
    ['a form', 'name=Changed'],
    ['a byte that UTF-8 does not have', bytes(0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d)],
    ['a surrogate in UTF-8', bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['an overlong encoding', bytes(0x22, 0xc0, 0x80, 0x22)],
    ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
  ])('%s', async (_what, body) => {
    await expectNothingWritten(gateway, async () => {
      for (const response of await sendToAll(body)) expectBadRequest(response, /\bbody\b/i);
    });
  });

  test('a body that was announced and never sent', async () => {
    const { status } = await sendRaw(`${gateway.url}/v1/vehicles`, raw({ ...json, 'Content-Length': 0 }));
    expect(status).toBe(400);
    const none = await sendRaw(`${gateway.url}${path}`, raw({}, 'PUT'));
    expect([none.status, JSON.parse(none.text).code]).toEqual([400, 'BAD_REQUEST']);
  });
});

test.each(['null', 'true', '5', '"text"', '[]', '[{}]'])('%s is no vehicle: 400', async (body) => {
  await expectNothingWritten(gateway, async () => {
    expectBadRequest(await gateway.send('POST', '/v1/vehicles', { raw: body, headers: json }));
    expectBadRequest(await gateway.send('PUT', path, { raw: body, headers: json }));
  });
});

test('a byte order mark before the document is no harm', async () => {
  const response = await gateway.send('POST', '/v1/vehicles', {
    raw: '\ufeff{"name":"Marked"}',
    headers: json,
  });
  expect(response.json.name).toBe('Marked');
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; profile="x"',
  ])('%s is taken', async (type) => {
    const headers = { 'Content-Type': type };
    const post = await gateway.send('POST', '/v1/vehicles', { raw: '{"name":"Typed"}', headers });
    expect([post.status, post.json.name]).toEqual([201, 'Typed']);
    expect((await gateway.send('PUT', path, { raw: '{"name":"Typed"}', headers })).status).toBe(200);
    expect((await gateway.send('PATCH', path, { raw: operations, headers })).json.name).toBe('Changed');
  });

  test('missing is read as JSON', async () => {
    for (const [method, to, body, status] of [
      ['POST', '/v1/vehicles', '{"name":"Untyped"}', 201],
      ['PUT', path, '{"name":"Untyped"}', 200],
      ['PATCH', path, operations, 200],
    ] as const) {
      const response = await sendRaw(gateway.url + to, raw({ 'Content-Length': body.length }, method), [
        body,
      ]);
      expect(response.status, response.text).toBe(status);
    }
  });

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/xml',
    'application/json; charset=latin1',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json-seq',
    'application/merge-patch',
    'application/vnd.api+json',
    'json',
    '*/*',
  ])('%s is 415', async (type) => {
    await expectNothingWritten(gateway, async () => {
      for (const body of ['{"name":"Changed"}', operations, '']) {
        for (const response of await sendToAll(body, { 'Content-Type': type })) {
          expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE', /application\/json/);
        }
      }
    });
  });

  test('application/json-patch+json is only for patches', async () => {
    for (const type of ['application/json-patch+json', 'application/json-patch+json; charset=utf-8']) {
      const headers = { 'Content-Type': type };
      const patched = await gateway.send('PATCH', path, { raw: operations, headers });
      expect([200, 304]).toContain(patched.status);
      for (const method of ['POST', 'PUT']) {
        const to = method === 'POST' ? '/v1/vehicles' : path;
        const response = await gateway.send(method, to, { raw: '{}', headers });
        expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
    }
  });
});

describe('the limit of 1 MiB', () => {
  const largest = 1024 * 1024;
  const padded = (size: number) => `{"name":"Padded"}${' '.repeat(size - 17)}`;

  test('applies to bodies', async () => {
    const response = await gateway.send('POST', '/v1/vehicles', { raw: padded(largest), headers: json });
    expect([response.status, response.json.name]).toEqual([201, 'Padded']);
  });

  test('one byte more is 413, from every endpoint', async () => {
    await expectNothingWritten(gateway, async () => {
      for (const response of await sendToAll(padded(largest + 1))) {
        expectError(response, 413, 'PAYLOAD_TOO_LARGE', /\b1048576\b/);
      }
    });
  });

  test.each([
    ['with its length', { 'Content-Length': largest + 1 }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('of a body sent %s, the answer can be read, and the next request is answered', async (_how, headers) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (pieces: string[], of: Record<string, string | number>) =>
      sendRaw(`${gateway.url}/v1/vehicles`, { ...raw({ ...json, ...of }), agent }, pieces);
    try {
      const piece = 'x'.repeat(64 * 1024);
      const refused = await send([...Array.from({ length: 16 }, () => piece), 'x'], headers);
      expect(refused.status).toBe(413);
      expect(JSON.parse(refused.text)).toStrictEqual({
        message: expect.any(String),
        ok: false,
        code: 'PAYLOAD_TOO_LARGE',
      });
      const next = await send(['{"name":"Next"}'], { 'Content-Length': 15 });
      expect(next.status).toBe(201);
    } finally {
      agent.destroy();
    }
  });
});
