import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { create, expectError } from '../rest/support.js';
import { startGateway, useGateway } from '../support/gateway.js';

const gateway = useGateway();

function open(): Socket {
  const { hostname, port } = new URL(gateway.url);
  return connect(Number(port), hostname);
}

/** Sends the beginning of a request, whose body does not come, and reads all that is answered. */
async function begin(line: string, headers: Record<string, string>, body = ''): Promise<string> {
  const socket = open();
  const head = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`, 'latin1');
  return text(socket);
}

const token = () => ({ Authorization: `Bearer ${gateway.admin}` });
const json = { 'Content-Type': 'application/json' };
const announced = { 'Content-Length': '1000000' };

describe('a request is refused by its head, before its body has come', () => {
  test.each<[number, string, string, () => Record<string, string>]>([
    [401, 'no token', 'POST /v1/vehicles', () => json],
    [401, 'a wrong token', 'POST /graphql', () => ({ ...json, Authorization: 'Bearer x' })],
    [404, 'no such path', 'POST /v1/nothing', token],
    [405, 'no such method', 'DELETE /v1/vehicles', token],
    [415, 'another media type', 'POST /v1/vehicles', () => ({ ...token(), 'Content-Type': 'text/plain' })],
    [
      415,
      'another media type, to GraphQL',
      'POST /graphql',
      () => ({ ...token(), 'Content-Type': 'text/plain' }),
    ],
    [
      415,
      'another content coding',
      'POST /v1/vehicles',
      () => ({ ...token(), ...json, 'Content-Encoding': 'br' }),
    ],
    [413, 'too long', 'POST /v1/vehicles', () => ({ ...token(), ...json, 'Content-Length': '1048577' })],
    [
      406,
      'nothing that GraphQL answers',
      'POST /graphql',
      () => ({ ...token(), ...json, Accept: 'image/png' }),
    ],
  ])('%i: %s', async (status, _what, line, headers) => {
    const answer = await begin(line, { ...announced, ...headers() }, '{"name":');
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    // What would come of the body has nobody who reads it.
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  test('429 after too many failures', async () => {
    const strict = await startGateway({ RATE_LIMIT_FAILURES: '1' });
    try {
      const socket = () => connect(Number(new URL(strict.url).port), '127.0.0.1');
      const ask = async () => {
        const one = socket();
        one.write('POST /v1/vehicles HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{');
        return text(one);
      };
      expect(await ask()).toMatch(/^HTTP\/1.1 401 /);
      expect(await ask()).toMatch(/^HTTP\/1.1 429 /);
    } finally {
      await strict.close();
    }
  });

  test('a body that has already arrived keeps its connection open', async () => {
    const socket = open();
    // In one packet with its head.
    socket.write('POST /v1/vehicles HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
    expect(String(answer)).toMatch(/^connection: keep-alive\r$/im);
  });
});

describe('Expect: 100-continue', () => {
  test('is answered with 100 Continue for authorized callers', async () => {
    const socket = open();
    const body = '{"name":"Waited for"}';
    const head = {
      Host: 'a',
      ...token(),
      ...json,
      'Content-Length': body.length,
      Expect: '100-continue',
      Connection: 'close',
    };
    socket.write(
      `POST /v1/vehicles HTTP/1.1\r\n${Object.entries(head)
        .map(([k, v]) => `${k}: ${v}\r\n`)
        .join('')}\r\n`,
    );
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    const answer = text(socket);
    socket.write(body);
    expect(await answer).toMatch(/^HTTP\/1.1 201 /);
  });

  test.each([
    [401, 'POST /v1/vehicles', {}],
    [405, 'DELETE /v1/vehicles', {}],
    [404, 'POST /nothing', {}],
  ])('is answered %i for others', async (status, line, headers) => {
    const answer = await begin(line, { ...announced, ...headers, Expect: '100-continue' });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain('100 Continue');
  });
});

describe('Content-Encoding', () => {
  const post = (raw: Uint8Array<ArrayBuffer>, coding: string) =>
    gateway.send('POST', '/v1/vehicles', { raw, headers: { ...json, 'Content-Encoding': coding } });
  const packed = (body: string) => new Uint8Array(gzipSync(body));

  test.each(['gzip', 'GZIP'])('%s is unpacked', async (coding) => {
    const response = await post(packed('{"name":"Packed"}'), coding);
    expect([response.status, response.json.name]).toEqual([201, 'Packed']);
  });

  test('identity is a body as it is', async () => {
    const response = await post(new TextEncoder().encode('{"name":"Plain"}'), 'identity');
    expect([response.status, response.json.name]).toEqual([201, 'Plain']);
  });

  test('gzip works at the GraphQL door', async () => {
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    const raw = packed('{"query":"{ me { role } }"}');
    expect((await gateway.send('POST', '/graphql', { raw, headers })).json.data.me.role).toBe('ADMIN');
  });

  test.each(['br', 'deflate', 'zstd', 'gzip, gzip'])(
    '%s is 415, and names the accepted codings',
    async (coding) => {
      const response = await post(packed('{}'), coding);
      expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(response.headers.get('accept-encoding')).toBe('gzip, identity');
    },
  );

  test('what unpacks to more than a body may have is 413, however small it is', async () => {
    const bomb = packed(' '.repeat(100 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(200_000);
    expectError(await post(bomb, 'gzip'), 413, 'PAYLOAD_TOO_LARGE', /1048576/);
  });

  test('a body whose compressed bytes exceed the limit is 413, even if it decompresses to nothing', async () => {
    const nothing = gzipSync('');
    const members = Buffer.concat(Array.from({ length: Math.ceil(2 ** 21 / nothing.length) }, () => nothing));
    const headers = { ...token(), ...json, 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' };
    const chunk = Buffer.concat([Buffer.from(`${members.length.toString(16)}\r\n`), members]);
    // Its last chunk never comes.
    const answer = await begin('POST /v1/vehicles', headers, chunk.toString('latin1'));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ['no gzip', new TextEncoder().encode('{"name":"Plain"}')],
    ['half of it', packed('{"name":"Half of it"}').slice(0, 20)],
    ['nothing', new Uint8Array()],
  ])('%s is 400', async (_what, raw) => {
    expectError(await post(raw, 'gzip'), 400, 'BAD_REQUEST');
  });
});

describe('paths', () => {
  test.each(['/V1/Vehicles', '/v1/vehicles/', '/V1/VEHICLES/'])('%s is /v1/vehicles', async (path) => {
    const response = await fetch(`${gateway.url}${path}`, { headers: token() });
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('vehicles');
  });

  test('an id counts in any letter case, and Location is in the spelling of the contract', async () => {
    const response = await fetch(`${gateway.url}/V1/COMPANIES/`, {
      method: 'POST',
      headers: { ...token(), ...json },
      body: '{"name":"Cased"}',
    });
    const { id } = (await response.json()) as { id: string };
    expect(response.headers.get('location')).toBe(`/v1/companies/${id}`);
    const read = await fetch(`${gateway.url}/v1/Companies/${id.toUpperCase()}/`, { headers: token() });
    expect(read.status).toBe(200);
  });

  test.each(['/v1/vehicles//', '/v1//vehicles', '/v1/vehicles/{id}/', '//v1/vehicles'])(
    '%s leads nowhere',
    async (path) => {
      const response = await fetch(`${gateway.url}${path}`, { headers: token() });
      expect(response.status).toBeGreaterThanOrEqual(404);
      expect(response.status).toBeLessThan(406);
    },
  );
});

test('Accept-Patch is sent by OPTIONS, and with the 415 of a PATCH', async () => {
  const types = 'application/json-patch+json, application/merge-patch+json, application/json';
  const { id } = await create(gateway, { name: 'Patched' });
  const options = await gateway.send('OPTIONS', `/v1/vehicles/${id}`);
  expect([options.status, options.headers.get('accept-patch')]).toEqual([204, types]);
  const none = await gateway.send('OPTIONS', '/v1/vehicles');
  expect(none.headers.has('accept-patch')).toBe(false);
  const headers = { 'Content-Type': 'text/plain' };
  const refused = await gateway.send('PATCH', `/v1/vehicles/${id}`, { raw: '[]', headers });
  expect([refused.status, refused.headers.get('accept-patch')]).toEqual([415, types]);
});
