import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';

/** What a caller does with a connection: what it sends, in which pieces, and how it leaves. */
export interface Call {
  /** Bytes, as latin1. */
  readonly text: string;
  /** Where the bytes are cut, as parts of their length. */
  readonly cuts: readonly number[];
  /** Waits for the other side; ends its own side; is gone, with what was sent still on its way. */
  readonly leaves: 'last' | 'half' | 'first';
}

const bytes = (max: number) =>
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: max,
  });

const mostly = <T>(weight: number, usual: Arbitrary<T>, odd: Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

const methods = mostly(
  6,
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  fc.constantFrom(
    'BREW',
    'get',
    '',
    'PRI',
    'CONNECT',
    'TRACE',
    'M-SEARCH',
    'G ET',
    'GET\0',
    'G\u00c9T',
    'SUBSCRIBE',
  ),
);
const targets = mostly(
  3,
  fc.constantFrom(
    '/v1/vehicles',
    '/graphql',
    '/health/live',
    '/',
    '/v1/bulkscan/receive',
    '/attachments/x',
    '/metrics',
  ),
  fc.oneof(
    fc.constantFrom(
      ...[
        'http://other.example/v1/teams',
        'HTTP://a',
        'ftp://a/b',
        'http://[::1',
        'https://a:b@c:99999/',
        '*',
        '//',
      ],
      ...[
        '///v1//vehicles',
        '/%00',
        '/\x80\xff',
        'v1/vehicles',
        '?a',
        '#a',
        '/v1/vehicles?page=%zz',
        '',
        'a:443',
      ],
      ...[
        '/../../etc/passwd',
        '/graphql?query={me{id}}',
        '/graphql?query=%',
        '/attachments/%2e%2e',
        '/v1/\\',
        '/\t',
      ],
      ...[`/${'x'.repeat(9_000)}`, `/v1/teams?${'a=b&'.repeat(1_000)}`, '/\0', '/a b', '/health/live#'],
    ),
    bytes(40).map((text) => `/${text}`),
  ),
);
const versions = mostly(
  9,
  fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'),
  fc.constantFrom(
    'HTTP/2.0',
    'HTTP/0.9',
    'HTTP/1.2',
    'http/1.1',
    '',
    'HTTP/1.1x',
    'HTTP/1.10',
    'HTTP/',
    'ICE/1.0',
  ),
);

const hosts = mostly(
  8,
  fc.constant('Host: gateway'),
  fc.constantFrom(
    '',
    'Host:',
    'Host: a b',
    'Host: a\r\nHost: b',
    'Host: [::1',
    'Host: \xff',
    'Host: a/../b',
    'Host: a@b',
    'Host : a',
  ),
);

/** Headers that say how long a body is, right and wrong. */
const framing = fc.constantFrom(
  ...[
    '0',
    '2',
    '5',
    '+5',
    '-1',
    '1e1',
    '0x5',
    '5, 5',
    '5,6',
    '99999999999999999999',
    '18446744073709551617',
    '',
    '2 2',
  ].map((length) => `Content-Length: ${length}`),
  ...[
    'chunked',
    'Chunked',
    'chunked, chunked',
    'gzip, chunked',
    'identity',
    'x\tchunked',
    '\x0bchunked',
    'chunked;q=1',
    '',
  ].map((coding) => `Transfer-Encoding: ${coding}`),
  ...[
    'Transfer-Encoding : chunked',
    'Transfer-Encoding\n: chunked',
    'Content-Length\0: 5',
    'Content_Length: 5',
  ],
);
const upgrades = fc.constantFrom(
  'Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Protocol: \xff',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate; ;;;=',
  'Connection: Upgrade\r\nUpgrade: \xff, ,,',
  'Connection: Upgrade',
  'Upgrade: websocket',
);
const others = fc.oneof(
  fc.constantFrom(
    ...[
      'Connection: close',
      'Connection: keep-alive',
      'Connection: close, keep-alive',
      'Connection: \xff',
      'Keep-Alive: x',
    ],
    ...[
      'Expect: 100-continue',
      'Expect: tea',
      'Expect:',
      'Expect: 100-continue, 100-continue',
      'Expect: 100-Continue',
    ],
    ...[
      'Content-Type: application/json',
      'Content-Type: multipart/form-data',
      'Content-Type: \x80',
      'Accept: \xff',
    ],
    ...[
      'Authorization: Bearer',
      'Authorization: Basic \0',
      'Authorization: Bearer \xe9',
      'Idempotency-Key: \xa0',
    ],
    ...[
      'no colon',
      ': no name',
      ' folded',
      '\tfolded',
      'a b: c',
      'a\0: b',
      'a: \0',
      'a: \x01\x7f',
      '\xc3\xa9: a',
      'a: \ra',
    ],
    ...[
      'X-Forwarded-For: \xff, ,,',
      'Range: bytes=0-',
      'traceparent: 00-00-00-00',
      'Origin: null',
      'Trailer: Host',
    ],
    ...[
      '__proto__: a',
      'constructor: a',
      'Content-Encoding: gzip',
      'TE: trailers',
      'Max-Forwards: 0',
      'Cookie: a;;',
    ],
    ...[`X-Large: ${'x'.repeat(17_000)}`, 'a: b\r\n'.repeat(2_500).trimEnd(), `${'n'.repeat(5_000)}: a`],
  ),
  fc.tuple(bytes(8), bytes(20)).map(([name, value]) => `${name}: ${value}`),
);
const usual = fc.constantFrom(
  'Authorization: Bearer TOKEN',
  'Content-Type: application/json',
  'Accept: application/json',
  'Content-Length: 2',
  'Transfer-Encoding: chunked',
  'Expect: 100-continue',
);
const headers = fc
  .tuple(
    hosts,
    fc.array(
      fc.oneof(
        { weight: 40, arbitrary: usual },
        { weight: 2, arbitrary: others },
        { weight: 1, arbitrary: framing },
        { weight: 2, arbitrary: upgrades },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([host, lines]) => [host, ...lines].filter((line, at) => at > 0 || line !== ''));

const bodies = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '{}',
        '{"name": "Van"}',
        '2\r\n{}\r\n0\r\n\r\n',
        '2\r\n{}\r\n0\r\nHost: a\r\n\r\n',
        '2;a=b\r\n{}\r\n0\r\n\r\n',
      ],
      ...[
        'ffffffffffffffffff\r\n{}',
        '-1\r\n{}\r\n',
        '0x2\r\n{}\r\n',
        'g\r\n',
        '2 \r\n{}\r\n0\r\n\r\n',
        '2\n{}\n0\n\n',
        '2\r\n{}',
        '\r\n',
      ],
      ...[
        '2\r\n{}0\r\n\r\n',
        '0\r\n\r\n',
        '0\r\nx',
        '00000000000000000000002\r\n{}\r\n0\r\n\r\n',
        `2;${'x'.repeat(20_000)}\r\n{}\r\n`,
      ],
    ),
  },
  { weight: 1, arbitrary: bytes(60) },
);

const endings = mostly(20, fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\r\r\n', '\n\r', ''));

const oddRequests = fc
  .tuple(methods, targets, versions, headers, bodies, endings)
  .map(([method, target, version, lines, body, end]) =>
    [`${method} ${target} ${version}`.trimEnd(), ...lines, '', body].join(end),
  );

/** Requests whose bodies are as long as they say: what follows on the connection is another request. */
const rightRequests = fc
  .tuple(
    fc.constantFrom('POST /v1/vehicles', 'POST /graphql', 'PUT /v1/nothing', 'GET /v1/teams'),
    bytes(30),
    fc.boolean(),
  )
  .map(([line, body, chunked]) => {
    const size = body.length.toString(16);
    const [framed, sent] = chunked
      ? ['Transfer-Encoding: chunked', `${size}\r\n${body}\r\n${body === '' ? '' : '0\r\n\r\n'}`]
      : [`Content-Length: ${body.length}`, body];
    const lines = ['Host: gateway', 'Authorization: Bearer TOKEN', 'Content-Type: application/json', framed];
    return [`${line} HTTP/1.1`, ...lines, '', sent].join('\r\n');
  });
const opened = upgrades.map((lines) => `GET /graphql HTTP/1.1\r\nHost: gateway\r\n${lines}\r\n\r\n`);

/** What is no HTTP/1 from its first byte. */
const strangers = fc.oneof(
  fc.constantFrom(
    ...[
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
      '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
      '\x05\x01\0',
      '\r\n\r\n\r\n',
      '\0',
    ],
    ...[
      '',
      ' ',
      'GET',
      'GET /',
      'HTTP/1.1 200 OK\r\n\r\n',
      'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
      'SSH-2.0-x\r\n',
      '\r\n'.repeat(20_000),
    ],
  ),
  bytes(200),
);

const requests = fc.oneof(
  { weight: 4, arbitrary: oddRequests },
  { weight: 6, arbitrary: rightRequests },
  { weight: 1, arbitrary: fc.tuple(opened, bytes(40)).map((parts) => parts.join('')) },
);

/** Two headers of which each says another length, with a request in the body as one of them has it. */
export const smuggled: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('Content-Length: 4', 'Content-Length: 0', 'Content-Length: 200'),
    fc.constantFrom(
      ...[
        'Transfer-Encoding: chunked',
        'transfer-encoding: CHUNKED',
        'Transfer-Encoding:\tchunked',
        'Transfer-Encoding: chunked ',
      ],
      ...[
        'Transfer-Encoding: identity, chunked',
        'Transfer-Encoding: xchunked',
        'Transfer-Encoding: chunked, identity',
      ],
      ...[
        'Transfer-Encoding: \x0bchunked',
        'Transfer-Encoding : chunked',
        ' Transfer-Encoding: chunked',
        'X: x\nTransfer-Encoding: chunked',
      ],
      ...[
        'Transfer-Encoding:\r\n chunked',
        'Content-Length: 5',
        'content-length: 05',
        'Content-Length: +4',
        'Content-Length: 4, 5',
        'Content-Length: 4\x00',
      ],
    ),
    fc.boolean(),
    fc.constantFrom('0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', 'hell'),
  )
  .map(([length, other, first, body]) => {
    const lines = first ? [length, other] : [other, length];
    const head = ['POST /v1/vehicles HTTP/1.1', 'Host: gateway', ...lines].join('\r\n');
    return `${head}\r\n\r\n${body}GET /health/live HTTP/1.1\r\nHost: gateway\r\n\r\n`;
  });

/** What callers do on connections of their own. */
export const calls: Arbitrary<Call> = fc.record({
  text: fc.oneof(
    { weight: 5, arbitrary: requests },
    { weight: 1, arbitrary: smuggled },
    { weight: 2, arbitrary: fc.array(requests, { minLength: 2, maxLength: 4 }).map((all) => all.join('')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(requests, fc.nat(100))
        .map(([text, part]) => text.slice(0, (text.length * part) / 100)),
    },
    { weight: 1, arbitrary: strangers },
  ),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  leaves: fc.oneof(
    { weight: 4, arbitrary: fc.constant('half' as const) },
    { weight: 3, arbitrary: fc.constant('last' as const) },
    { weight: 1, arbitrary: fc.constant('first' as const) },
  ),
});

/** Milliseconds after which a connection that is still open should have been closed by the other side. */
const longest = 15_000;

/** Waits until a connection is closed, whichever way. */
export function untilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error('The connection is left open.'));
    }, longest);
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
}

/**
 * Creates a call, and gives all that comes back until the connection is closed, as latin1.
 * @throws Error when the other side leaves it open
 */
export async function make(url: string, { text, cuts, leaves }: Call): Promise<string> {
  const { hostname, port } = new URL(url);
  // What is refused may be reset while it is still sent.
  const socket: Socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on(
    'error',
    () => {},
  );
  const closed = untilClosed(socket);
  let read = '';
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    read += part;
  });
  socket.once('end', () => socket.end());
  await once(socket, 'connect');
  let from = 0;
  for (const to of [
    ...cuts.map((part) => Math.floor(part * text.length)).sort((a, b) => a - b),
    text.length,
  ]) {
    if (to > from && socket.writable)
      await new Promise((sent) => socket.write(text.slice(from, to), 'latin1', sent));
    from = to;
  }
  if (leaves === 'half') socket.end();
  if (leaves === 'first') socket.destroy();
  await closed;
  return read;
}

/** One answer of those that came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const isStart = (text: string) => text === '' || text.startsWith('HTTP/1.1 ');

/** Takes a body in chunks off a text (RFC 9112, section 7.1). */
function takeChunks(text: string): [string, string] {
  let [body, rest] = ['', text];
  for (;;) {
    const [line = ''] = /^[\da-f]+\r\n/.exec(rest) ?? [];
    const size = Number.parseInt(line, 16);
    if (line === '' || rest.slice(line.length + size, line.length + size + 2) !== '\r\n') {
      throw new Error(`No chunk: ${JSON.stringify(rest.slice(0, 100))}`);
    }
    body += rest.slice(line.length, line.length + size);
    rest = rest.slice(line.length + size + 2);
    if (size === 0) return [body, rest];
  }
}

/**
 * Reads what came back as answers, one after the other.
 * @throws Error when there is anything else in it, or less
 */
export function answersIn(text: string): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(first) ?? [];
    if (end === -1 || status === undefined)
      throw new Error(`No answer: ${JSON.stringify(rest.slice(0, 300))}`);
    const answer = {
      status: Number(status),
      headers: new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string])),
    };
    rest = rest.slice(end + 4);
    let body = '';
    const length = Number(answer.headers.get('content-length') ?? 0);
    // What follows is of another protocol.
    if (answer.status === 101) rest = '';
    else if (answer.headers.has('transfer-encoding') && !isStart(rest)) [body, rest] = takeChunks(rest);
    // An answer to HEAD tells of a body that it does not have.
    else if (!isStart(rest)) [body, rest] = [rest.slice(0, length), rest.slice(length)];
    if (body.length < length && body !== '') throw new Error(`Cut off: ${body}`);
    if (answer.status !== 100) answers.push({ ...answer, body });
  }
  return answers;
}
