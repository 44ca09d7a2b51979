import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { startListening } from '../../src/http/connections/connections.js';
import { startGateway, type TestGateway, unlimited } from '../support/gateway.js';

let gateway: TestGateway;
/** Another on the same database; it waits for no request as long as one may take on a busy machine. */
let impatient: App & { readonly url: string };
/** Another one, whose connections are accepted by somebody else. */
let taking: App & { readonly url: string };
const acceptor = createServer((socket) => taking.take(socket));
beforeAll(async () => {
  gateway = await startGateway();
  const { database, databaseUrl, clock } = gateway;
  const config = readConfig({ DATABASE_URL: databaseUrl, ...unlimited });
  const wire = { headersTimeout: 200, requestTimeout: 300, idleTimeout: 1_000, checkInterval: 20 };
  const log = pino({ level: 'silent' });
  const options = { database, config, log, clock: () => clock.now, wire };
  const app = createApp(options);
  impatient = { ...app, ...(await app.listen('127.0.0.1', 0)) };
  const url = await startListening(acceptor, { host: '127.0.0.1', port: 0, log });
  taking = { ...createApp(options), url };
});
afterAll(async () => {
  acceptor.close();
  await taking.close();
  await impatient.close();
  await gateway.close();
});

function open({ url }: { readonly url: string } = gateway): Socket {
  const { hostname, port } = new URL(url);
  // What is refused may be reset while it is still sent.
  return connect(Number(port), hostname).on('error', () => {});
}

/** Sends bytes as they are, and gives all that comes back until the connection is closed by the gateway. */
async function exchange(sent: string, socket = open()): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(sent);
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** Returns the one answer in a text: its status, headers and body. */
function parse(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  return { status: Number(/^HTTP\/1.1 (\d+) /.exec(first)?.[1]), headers, body };
}

const get = 'GET /v1/vehicles HTTP/1.1\r\nHost: gateway\r\n';

describe.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'BAD_REQUEST', /HTTP/],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 501, 'METHOD_NOT_ALLOWED', /method/],
  ['a method in lower case', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', 501, 'METHOD_NOT_ALLOWED', /method/],
  ["WebDAV's method", 'PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n', 501, 'METHOD_NOT_ALLOWED', /method/],
  ['two hosts', `${get}Host: other\r\n\r\n`, 400, 'BAD_REQUEST', /`Host` was sent twice/],
  [
    'a second host after thousands of headers',
    `${get}${'a:b\r\n'.repeat(2_500)}Host: other\r\n\r\n`,
    400,
    'BAD_REQUEST',
    /`Host` was sent twice/,
  ],
  ['line feeds alone', 'GET / HTTP/1.1\nHost: a\n\n', 400, 'BAD_REQUEST', /HTTP/],
  [
    'two media types',
    `${get}Content-Type: text/plain\r\ncontent-type: application/json\r\n\r\n`,
    400,
    'BAD_REQUEST',
    /`Content-Type` was sent twice/,
  ],
  ...[
    'gzip, chunked',
    'identity, chunked',
    'chunked, chunked',
    'chunked, gzip',
    'gzip',
    'identity',
    'xchunked',
    'chunked;q=1',
    '',
    'gzip\r\nTransfer-Encoding: chunked',
    'chunked\r\nTransfer-Encoding: chunked',
  ].map(
    (coding) =>
      [
        `the transfer coding ${JSON.stringify(coding)}`,
        `${get}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
        501,
        'BAD_REQUEST',
        /Transfer-Encoding/,
      ] as const,
  ),
  ...['chunked', 'gzip'].map(
    (coding) =>
      [
        `the transfer coding ${coding} in HTTP/1.0`,
        `POST / HTTP/1.0\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
        400,
        'BAD_REQUEST',
        /HTTP\/1\.0/,
      ] as const,
  ),
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'BAD_REQUEST', /HTTP/],
  ...['0.9', '1.2', '2.0', '3.0'].map(
    (version) =>
      [
        `HTTP/${version}`,
        `GET / HTTP/${version}\r\nHost: a\r\n\r\n`,
        505,
        'BAD_REQUEST',
        /HTTP\/1\.1/,
      ] as const,
  ),
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'BAD_REQUEST', /HTTP\/1\.1/],
  ['no version', 'GET / HTTP/x\r\nHost: a\r\n\r\n', 400, 'BAD_REQUEST', /HTTP/],
  ...[
    'a@b/c?d',
    'a@b',
    'user:pass@gateway',
    'gateway/',
    'gateway?x',
    'gateway#x',
    'gateway\\x',
    'a b',
    'a,b, c',
    'gateway:port',
    'gateway:80:80',
    'gateway:70000',
    '::1',
    '[::1',
    '[::1]x',
    '[fe80::1%25eth0]',
    '[v1.x]',
    'http://gateway',
    '%2e%2',
    'b\u00fccher',
    '"gateway"',
    '<gateway>',
    '',
  ].map(
    (host) =>
      [
        `the host ${JSON.stringify(host)}`,
        `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        400,
        'BAD_REQUEST',
        /`Host` is not valid/,
      ] as const,
  ),
  ...[
    'http://a@b/',
    'http://user:pass@gateway/v1/vehicles',
    'http:///v1/vehicles',
    'http://gateway:port/',
    'https://[::1/',
    'ftp://gateway/',
    'gateway:80',
    '*',
  ].map(
    (target) =>
      [
        `the target ${target}`,
        `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
        400,
        'BAD_REQUEST',
        /neither a path|HTTP/,
      ] as const,
  ),
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST', /Host/],
  ['two lengths', `${get}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'BAD_REQUEST', /HTTP/],
  [
    'a length and chunks',
    `${get}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'BAD_REQUEST',
    /HTTP/,
  ],
  [
    'chunks and a length',
    `${get}Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n`,
    400,
    'BAD_REQUEST',
    /HTTP/,
  ],
  ['large headers', `${get}X-Large: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'BAD_REQUEST', /16384 bytes/],
  [
    'an address beyond that',
    `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n\r\n`,
    431,
    'BAD_REQUEST',
    /16384 bytes/,
  ],
  [
    'large chunk extensions',
    `POST /v1/vehicles HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    413,
    'PAYLOAD_TOO_LARGE',
    /chunk extensions/,
  ],
  ['an unknown expectation', `${get}Expect: tea\r\n\r\n`, 417, 'BAD_REQUEST', /100-continue/],
  [
    'CONNECT',
    'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    405,
    'METHOD_NOT_ALLOWED',
    /proxy/,
  ],
  ['a head that does not come', '', 408, 'BAD_REQUEST', /too long/],
  ['a head that does not end', get, 408, 'BAD_REQUEST', /too long/],
  [
    'a body that does not come',
    'POST /v1/vehicles HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer <token>\r\nContent-Length: 10\r\n\r\n{',
    408,
    'BAD_REQUEST',
    /too long/,
  ],
] as const)('%s', (_name, sent, status, code, message) => {
  test(`is answered ${status}, in the words of all errors, and is the last of its connection`, async () => {
    const text = sent.replace('<token>', gateway.admin);
    const answer = parse(await exchange(text, open(status === 408 ? impatient : gateway)));
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.body);
    expect(body).toEqual({ message: expect.stringMatching(message), ok: false, code });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.body)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      date: expect.stringMatching(/ GMT$/),
    });
    expect(answer.headers.has('allow')).toBe(status === 405);
  });
});

test('100-continue is met', async () => {
  const body = '{"name": "Van"}';
  const head = `POST /v1/vehicles HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${gateway.admin}\r\n`;
  const socket = open();
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
  expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  expect(parse(await exchange(body, socket)).status).toBe(201);
});

test.each([
  ['it has accepted', () => impatient],
  ['was given to it', () => taking],
])(
  'a body sent byte by byte is not waited for any longer than a missing one on a connection that %s',
  async (_name, app) => {
    const socket = open(app());
    const answer = exchange(
      `POST /v1/vehicles HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${gateway.admin}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      socket,
    );
    const drip = setInterval(() => socket.write('1\r\n \r\n'), 30);
    try {
      expect(parse(await answer).status).toBe(408);
    } finally {
      clearInterval(drip);
    }
  },
);

test('an answer that nobody reads is given up', async () => {
  const { graphql, admin, database } = gateway;
  const { data } = await graphql(`mutation { createExpirationItem(input: {
    name: "Large", expirationDate: "2027-01-01", attachments: [{name: "a.bin", content: "AA=="}]
  }) { attachments { nodes { downloadUrl } } } }`);
  // More than the system keeps for one who does not read.
  const size = 32 * 1024 * 1024;
  const { prisma } = database;
  await prisma.$executeRaw`UPDATE attachment_contents SET content = decode(repeat('00', ${size}::int), 'hex'), digest = NULL`;
  await prisma.$executeRaw`UPDATE attachments SET content_length = ${size}`;
  const { downloadUrl } = data.createExpirationItem.attachments.nodes[0];
  const socket = open(impatient);
  socket.write(`GET ${downloadUrl} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${admin}\r\n\r\n`);
  await once(socket, 'readable');
  // Nobody reads on, so the socket pauses.
  await expect.poll(impatient.connections).toBe(0);
  socket.destroy();
});

const health = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n';

test('a connection is kept for the next request', async () => {
  const socket = open();
  for (let sent = 0; sent < 3; sent++) {
    socket.write(health);
    expect(parse(String((await once(socket, 'data'))[0])).status).toBe(200);
  }
  socket.destroy();
});

test('a connection is not kept for ever', async () => {
  const short = await startGateway({}, {}, { wire: { keepAliveTimeout: 50 } });
  try {
    expect(parse(await exchange(health, open(short))).status).toBe(200);
  } finally {
    await short.close();
  }
});

test.each([
  ['/v1/vehicles', 400],
  ['/', 400],
])('an address below %s of more than 8192 characters is %i', async (path, status) => {
  const longest = `${path}?a=`.padEnd(8192, 'x');
  expect((await gateway.send('GET', longest)).status).toBe(200);
  const { json, ...answer } = await gateway.send('GET', `${longest}x`);
  expect(answer.status).toBe(status);
  expect(json).toEqual({
    message: 'The address is longer than 8192 characters.',
    ok: false,
    code: 'BAD_REQUEST',
  });
});
