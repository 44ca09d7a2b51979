import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { maxPipelined } from '../../src/http/server/wire.js';
import { create } from '../rest/support.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

interface Sent {
  readonly line: string;
  readonly body?: object;
  readonly headers?: readonly string[];
}

/** Returns a request as bytes; `last` is the last of its connection. */
function bytes({ line, body, headers = [] }: Sent, last = false): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = ['Host: gateway', `Authorization: Bearer ${gateway.admin}`, ...headers];
  if (last) lines.push('Connection: close');
  return `${[`${line} HTTP/1.1`, ...lines, `Content-Length: ${Buffer.byteLength(text)}`].join('\r\n')}\r\n\r\n${text}`;
}

/** Sends all in one piece, and gives the statuses and the text of what comes back until the connection is closed. */
async function exchange(sent: string): Promise<{ statuses: number[]; text: string }> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.write(sent);
  await once(socket, 'close');
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)), text };
}

/** Told by node of each request that it has read the head of. */
interface RequestStart {
  readonly request: IncomingMessage;
}

const vehicle = (id: string) => `/v1/vehicles/${id}`;
const nameOf = async (id: string) =>
  (await gateway.database.prisma.vehicle.findUniqueOrThrow({ where: { id } })).name;
const rename = (id: string, name: string): Sent => ({
  line: `PATCH ${vehicle(id)}`,
  body: [{ op: 'replace', path: '/name', value: name }],
});

test('writes on one connection are done one after the other, and each sees those before it', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const steps = Array.from({ length: 20 }, (_, at) => [
    {
      line: `PATCH ${vehicle(id)}`,
      body: [{ op: 'test', path: '/name', value: at ? `Van ${at - 1}` : 'Van' }],
    },
    rename(id, `Van ${at}`),
  ]).flat();
  const all = [...steps, { line: 'GET /v1/vehicles' }];
  const { statuses, text } = await exchange(
    all.map((sent, at) => bytes(sent, at === all.length - 1)).join(''),
  );
  // A PATCH that only tests changes nothing.
  expect(statuses).toEqual(all.map((_, at) => (at < steps.length && at % 2 === 0 ? 304 : 200)));
  expect(text).toMatch(/"name":"Van 19"[\s\S]*$/);
});

test('requests after the last one of a connection are not run', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const sent = [bytes(rename(id, 'First')), bytes(rename(id, 'Last'), true), bytes(rename(id, 'Beyond'))];
  const { statuses } = await exchange(sent.join(''));
  expect(statuses).toEqual([200, 200]);
  expect(await nameOf(id)).toBe('Last');
});

test.each(['Content-Length: 40', 'Transfer-Encoding: chunked'])(
  'what follows the body of a refused request is not done: %s',
  async (framing) => {
    const { id } = await create(gateway, { name: 'Van' });
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => {});
    const received: string[] = [];
    const note = (message: unknown) => received.push(String((message as RequestStart).request.url));
    subscribe('http.server.request.start', note);
    socket.write(`POST /v1/nothing HTTP/1.1\r\nHost: gateway\r\n${framing}\r\n\r\n`);
    const [refusal] = await once(socket, 'data');
    expect(String(refusal)).toMatch(/^HTTP\/1\.1 404 [\s\S]*\r\nConnection: close\r\n/);
    const rest = framing.endsWith('chunked') ? '0\r\n\r\n' : 'x'.repeat(40);
    socket.write(`${rest}${bytes(rename(id, 'Beyond'))}`);
    await expect.poll(() => received).toContain(vehicle(id));
    unsubscribe('http.server.request.start', note);
    await expect
      .poll(async () => (await gateway.send('GET', '/metrics')).text)
      .toMatch(/^gateway_running_requests 0$/m);
    socket.destroy();
    expect(await nameOf(id)).toBe('Van');
  },
);

test('a malformed request is answered after the requests before it', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const { statuses } = await exchange(
    `${bytes(rename(id, 'First'))}${bytes(rename(id, 'Second'))}no request\r\n\r\n`,
  );
  expect(statuses).toEqual([200, 200, 400]);
  expect(await nameOf(id)).toBe('Second');
});

test('a request with a broken body is not run, but earlier ones are', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const broken = bytes({ line: `PATCH ${vehicle(id)}` }).replace(
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
  );
  const { statuses } = await exchange(`${bytes(rename(id, 'First'))}${broken}xyz\r\n`);
  expect(statuses).toEqual([200, 400]);
  expect(await nameOf(id)).toBe('First');
});

test('rejected framing ends the connection, and later requests are not run', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const refused = bytes({ line: 'GET /v1/vehicles', headers: ['Host: other'] });
  const { statuses } = await exchange(
    `${bytes(rename(id, 'First'))}${refused}${bytes(rename(id, 'Behind'))}`,
  );
  expect(statuses).toEqual([200, 400]);
  expect(await nameOf(id)).toBe('First');
});

test('a wish for another protocol waits its turn', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const h2c = bytes({ line: 'GET /v1/vehicles', headers: ['Connection: Upgrade', 'Upgrade: h2c'] });
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let text = '';
  socket.on('data', (data) => {
    text += data;
    if ((text.match(/"name":"Upgraded"/g)?.length ?? 0) >= 2) socket.end();
  });
  socket.write(`${bytes(rename(id, 'Upgraded'))}${h2c}`);
  await once(socket, 'close');
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200']);
  expect(text.match(/"name":"Upgraded"/g)).toHaveLength(2);
});

test('one that sends more ahead than may wait is closed, and others are served', async () => {
  const request = 'GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n';
  const { statuses } = await exchange(request.repeat(maxPipelined.ofConnection + 2));
  expect(statuses.length).toBeLessThan(maxPipelined.ofConnection);
  expect((await gateway.send('GET', '/health/ready')).status).toBe(200);
});

test('as many as may wait are all answered', async () => {
  const request = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n';
  const last = 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const { statuses } = await exchange(request.repeat(200) + last);
  expect(statuses).toEqual(Array(201).fill(200));
});
