import { connect } from 'node:net';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { streams, webSocketUrl } from '../live/support.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway({}, { heartbeat: 100 });

/** Sends a request and the end of what is sent; the end of the answer is the other side's. */
function sendAndEnd(lines: readonly string[], body = '') {
  const socket = connect({
    port: Number(new URL(gateway.url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  }).on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise<string>((resolve) => socket.once('end', () => resolve(text)));
  const head = [
    ...lines,
    'Host: a',
    `Authorization: Bearer ${gateway.admin}`,
    `Content-Length: ${body.length}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { socket, ended };
}

test.each([
  ['GET', ['GET /v1/vehicles HTTP/1.1'], '', /"vehicles"/],
  [
    'POST',
    ['POST /graphql HTTP/1.1', 'Content-Type: application/json'],
    '{"query":"{me{name}}"}',
    /Ada Admin/,
  ],
])(
  'a client that half-closes its connection is answered, and the connection is closed: %s',
  async (_method, lines, body, expected) => {
    const { socket, ended } = sendAndEnd(lines, body);
    const text = await ended;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(expected);
    socket.destroy();
  },
);

test('a stream ends with its caller, even though it could be half closed', async () => {
  const lines = ['POST /graphql HTTP/1.1', 'Content-Type: application/json', 'Accept: text/event-stream'];
  const { socket } = sendAndEnd(lines, '{"query":"subscription{eventLogged{id}}"}');
  await new Promise((resolve) => socket.once('close', resolve));
  await streams(gateway, 0);
});

test('a WebSocket with an unread pong stays open after a standstill', async () => {
  const headers = { authorization: `Bearer ${gateway.admin}` };
  const socket = new WebSocket(webSocketUrl(gateway), 'graphql-transport-ws', { headers });
  let pings = 0;
  const outcome = await new Promise((resolve) => {
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    socket.once('close', () => resolve('closed'));
    socket.on('ping', () => {
      if (++pings === 4) resolve('open');
      // Its answer is on its way by now, and nothing is read until the next ping is due.
      const until = performance.now() + 150;
      while (performance.now() < until);
    });
  });
  expect(outcome).toBe('open');
  socket.terminate();
});
