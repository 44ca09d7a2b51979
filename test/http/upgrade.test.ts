import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { dial } from '../live/support.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

/** Sends a request, in parts, and when it is answered another one on the same connection; reads all that comes. */
async function talk(parts: readonly string[], then = ''): Promise<string> {
  const [first = '', ...others] = parts;
  const socket = await dial(gateway, first);
  for (const part of others) {
    await new Promise<void>((sent) => void socket.write(part, () => setImmediate(sent)));
  }
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.resume();
  // What is written to one who has said the last word may be answered with a reset.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'data');
  // Node itself loses what follows such a request before its answer.
  if (then) socket.write(then);
  await closed;
  return text;
}

const body = (name: string) => JSON.stringify({ name });

/** As Java's HTTP client and `curl --http2` ask. */
function request(line: string, headers: string[], content = ''): string {
  const all = [
    `${line} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${gateway.admin}`,
    `Content-Length: ${content.length}`,
    ...headers,
  ];
  return `${all.join('\r\n')}\r\n\r\n${content}`;
}

const h2c = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
];
const last = ['Connection: close'];

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe('a request that would rather speak another protocol is answered in this one', () => {
  test('with its body, and the connection continues', async () => {
    const text = await talk(
      [request('POST /v1/vehicles', h2c, body('h2c'))],
      request('GET /health/live', last),
    );
    expect(statuses(text)).toEqual(['201', '200']);
    expect(text).toContain('"name":"h2c"');
  });

  test('with a body that comes in parts', async () => {
    const whole = request('POST /v1/vehicles', [...h2c, 'X-Name: Zoë'], body('in parts'));
    const cut = whole.length - 10;
    const text = await talk([whole.slice(0, cut), whole.slice(cut)], request('GET /health/live', last));
    expect(statuses(text)).toEqual(['201', '200']);
    expect(text).toContain('"name":"in parts"');
  });

  test('and keeps what else it says of the connection', async () => {
    const text = await talk([request('GET /health/live', ['Connection: close, Upgrade', 'Upgrade: h2c'])]);
    expect(statuses(text)).toEqual(['200']);
    expect(text).toMatch(/^Connection: close$/im);
  });
});

describe('a WebSocket is had at /graphql alone', () => {
  const webSocket = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
  ];

  test.each([
    ['GET /nothing', '404'],
    ['GET /v1/vehicles', '200'],
    ['POST /graphql', '415'],
  ])('%s is answered as usual: %s', async (line, status) => {
    const text = await talk([request(line, webSocket)], request('GET /health/live', last));
    expect(statuses(text)).toEqual([status, '200']);
  });

  test('with a valid Host', async () => {
    const text = await talk(
      [request('GET /graphql', webSocket).replace('Host: gateway', 'Host: a b')],
      request('GET /health/live', last),
    );
    expect(statuses(text)[0]).toBe('400');
    expect(text).toContain('The header `Host` is not valid.');
  });

  test('with a valid handshake', async () => {
    const text = await talk([request('GET /graphql', webSocket.slice(0, 2))]);
    expect(statuses(text)).toEqual(['400']);
    expect(text).toMatch(/^Sec-WebSocket-Version: 13, 8$/m);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
      message: 'The WebSocket handshake is not valid.',
      ok: false,
      code: 'BAD_REQUEST',
    });
  });
});
