import fc, { type Arbitrary } from 'fast-check';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../support/cpu-time.js';
import { type TestResponse, useGateway } from '../support/gateway.js';
import { Lines } from '../support/lines.js';
import { expectAlive, expectGraphql, expectTold } from './answers.js';
import { patience, runs, seed, settings } from './runs.js';

const lines = new Lines();
const gateway = useGateway({}, {}, { log: pino({ level: 'warn' }, lines) });
let itemId: string;
beforeAll(async () => {
  const { data } = await gateway.graphql(
    'mutation { createExpirationItem(input: {name: "Licence", expirationDate: "2027-01-01"}) { id } }',
  );
  itemId = data.createExpirationItem.id;
});

const query =
  'mutation ($id: ID!, $file: Upload) { addAttachment(itemId: $id, input: {file: $file}) { id name } }';

/** A part of a form; its bytes as latin1. */
interface Part {
  readonly name: string;
  readonly file?: string;
  readonly body: string;
  readonly headers?: string;
}

const quoted = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function bodyOf(parts: readonly Part[], boundary: string): Buffer<ArrayBuffer> {
  const texts = parts.map(({ name, file, body, headers = '' }) => {
    const filename = file === undefined ? '' : `; filename="${quoted(file)}"`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${filename}\r\n${headers}\r\n${body}\r\n`;
  });
  return Buffer.from(`${texts.join('')}--${boundary}--\r\n`, 'utf8');
}

function post(raw: BodyInit, type: string, headers: Record<string, string> = {}): Promise<TestResponse> {
  return gateway.send('POST', '/graphql', {
    raw,
    headers: { 'Content-Type': type, 'Apollo-Require-Preflight': '1', ...headers },
  });
}

const stored = () => gateway.database.prisma.attachmentContent.count();

const operations = (variables: object) => JSON.stringify({ query, variables: { id: itemId, ...variables } });
const file = (name: string): Part => ({ name, file: 'a.txt', body: 'hello' });
const type = 'multipart/form-data; boundary=limit';
const send = (parts: readonly Part[]) => post(bodyOf(parts, 'limit'), type);

describe('a form', () => {
  const right = (): Part[] => [
    { name: 'operations', body: operations({ file: null }) },
    { name: 'map', body: '{"0": ["variables.file"]}' },
  ];

  test('is taken', async () => {
    const { status, json } = await send([...right(), file('0')]);
    expect([status, json.data.addAttachment.name]).toEqual([200, 'a.txt']);
  });

  test('is taken with as many files as there may be', async () => {
    const others = Array.from({ length: 99 }, (_, at) => file(`x${at}`));
    const { status, json } = await send([...right(), file('0'), ...others]);
    expect([status, json.errors]).toEqual([200, undefined]);
  });

  test.each<[string, () => Part[], RegExp]>([
    [
      'more files',
      () => [...right(), ...Array.from({ length: 101 }, (_, at) => file(String(at)))],
      /at most 100 files/,
    ],
    [
      'far more parts',
      () => [...right(), ...Array.from({ length: 60_000 }, (_, at) => ({ name: String(at), body: '' }))],
      /at most 100 files/,
    ],
    ['a long name', () => [...right(), file('0'.repeat(5_000))], /headers of a part/],
    [
      'many headers',
      () => [...right(), { ...file('0'), headers: 'a: b\r\n'.repeat(1_000_000) }],
      /headers of a part/,
    ],
    [
      'deep variables',
      () => [{ name: 'operations', body: `{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}` }],
      /operations/,
    ],
    [
      'a map into a prototype',
      () => [...right().slice(0, 1), { name: 'map', body: '{"0": ["variables.__proto__.a"]}' }, file('0')],
      /map/,
    ],
    [
      'a map to a prototype',
      () => [...right().slice(0, 1), { name: 'map', body: '{"0": ["variables.__proto__"]}' }, file('0')],
      /map/,
    ],
    [
      'a map to what is inherited',
      () => [
        ...right().slice(0, 1),
        { name: 'map', body: '{"0": ["variables.constructor.name"]}' },
        file('0'),
      ],
      /map/,
    ],
    [
      'a map to the query',
      () => [...right().slice(0, 1), { name: 'map', body: '{"0": ["query"]}' }, file('0')],
      /map/,
    ],
    [
      'a map to one place twice',
      () => [
        ...right().slice(0, 1),
        { name: 'map', body: '{"0": ["variables.file", "variables.file"]}' },
        file('0'),
      ],
      /map/,
    ],
    [
      'a map to what is not null',
      () => [...right().slice(0, 1), { name: 'map', body: '{"0": ["variables.id"]}' }, file('0')],
      /map/,
    ],
    [
      'a map that is a list',
      () => [...right().slice(0, 1), { name: 'map', body: '[["variables.file"]]' }, file('0')],
      /map/,
    ],
    ['a missing file', right, /"0".*must be a file/],
    ['a text for a file', () => [...right(), { name: '0', body: 'hello' }], /"0".*must be a file/],
  ])('with %s is refused in time', async (_what, parts, message) => {
    const before = await stored();
    const body = parts();
    let answer = {} as Awaited<ReturnType<typeof send>>;
    const time = await cpuTimeOf(async () => {
      answer = await send(body);
    });
    expect(time).toBeLessThan(5_000);
    expectGraphql(answer);
    expect([answer.status, answer.json.errors]).toEqual([
      400,
      [{ message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST', violations: [] } }],
    ]);
    expect(await stored()).toBe(before);
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary="a\\"b"',
    'multipart/form-data; boundary="limit "',
  ])('with an invalid boundary is rejected: %s', async (wrong) => {
    const answer = await post(bodyOf([...right(), file('0')], 'limit'), wrong);
    expectGraphql(answer);
    expect([answer.status, answer.json.errors[0].message]).toEqual([
      400,
      'The body is not multipart/form-data.',
    ]);
  });
});

const bytes = (max: number) =>
  fc.uint8Array({ maxLength: max }).map((all) => Buffer.from(all).toString('latin1'));
const names = fc.oneof(
  fc.constantFrom(
    '0',
    '0',
    '0',
    '1',
    'operations',
    'map',
    '',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    'a\0b',
    'é',
  ),
  bytes(10),
);
const files = fc.oneof(
  fc.constantFrom(
    ...[
      'a.txt',
      '',
      '../../../etc/passwd',
      '..\\..\\x',
      '/tmp/x',
      'C:\\x',
      'a\0b',
      '.',
      '..',
      'x'.repeat(255),
      'x'.repeat(300),
    ],
    ...[
      '\u202egpj.exe',
      'a"b',
      'a\r\nContent-Type: text/html',
      '%00',
      '🚚'.repeat(100),
      ' ',
      'CON',
      '__proto__',
    ],
  ),
  bytes(20),
);
const places = fc.constantFrom<unknown>(
  ...[
    'variables.file',
    'variables.file',
    'variables.file',
    'variables.files.0',
    'variables.files.1',
    'variables.files.length',
  ],
  ...[
    'variables',
    '',
    '.',
    'variables.',
    '..',
    'variables.__proto__',
    'variables.__proto__.x',
    'variables.files.__proto__.0',
  ],
  ...[
    'variables.constructor.prototype.x',
    'query',
    'operationName',
    'extensions.file',
    '0.variables.file',
    'variables.files.-1',
  ],
  ...[
    'variables.files.1e0',
    'variables.toString',
    'constructor',
    '__proto__.file',
    1,
    null,
    {},
    ['variables.file'],
    'variables.id',
  ],
);
const maps = fc.oneof(
  { weight: 20, arbitrary: fc.constant<unknown>({ 0: ['variables.file'] }) },
  {
    weight: 8,
    arbitrary: fc.dictionary(names, fc.oneof(fc.array(places, { maxLength: 3 }), places), { maxKeys: 3 }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const variables = fc.oneof(
  { weight: 6, arbitrary: fc.constant<unknown>({ file: null }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      ...[{ file: null, files: [null, null] }, { files: { 0: null } }, { file: {} }, null, [], 'x'],
    ),
  },
);
const texts = fc.oneof(
  {
    weight: 20,
    arbitrary: variables.map((given) =>
      given && typeof given === 'object' && !Array.isArray(given)
        ? operations(given)
        : JSON.stringify({ query, variables: given }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"query": 1}',
      '{"then": {}}',
      '{"__proto__": {"query": "{me{id}}"}}',
      '\ufeff{}',
    ),
  },
);
const parts: Arbitrary<Part> = fc.record(
  {
    name: names,
    file: files,
    body: fc.oneof(
      fc.constantFrom('', 'hello', '--limit', '\r\n--limit', '\r\n', 'x'.repeat(70_000)),
      bytes(50),
    ),
    headers: fc.constantFrom(
      ...Array<string>(20).fill(''),
      'Content-Type: text/html\r\n',
      'Content-Type: \xff\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      'x\r\n',
      ': x\r\n',
      'Content-Disposition: form-data; name="map"\r\n',
    ),
  },
  { requiredKeys: ['name', 'body'] },
);
/** Bytes that are not all there, or not those that they should be. */
const spoilt = (body: Buffer<ArrayBuffer>): Arbitrary<Buffer<ArrayBuffer>> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(body) },
    { weight: 1, arbitrary: fc.nat(body.length).map((end) => body.subarray(0, end)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(body.length), bytes(4))
        .map(([at, some]) => Buffer.concat([body.subarray(0, at), Buffer.from(some), body.subarray(at)])),
    },
    { weight: 1, arbitrary: fc.constant(Buffer.from(String(body).replaceAll('\r\n', '\n'))) },
  );
const forms = fc
  .record({
    text: texts,
    map: maps,
    first: fc.boolean(),
    more: fc.array(parts, { maxLength: 2 }),
    given: parts,
  })
  .chain(({ text, map, first, more, given }) => {
    const own: Part[] = [
      { name: 'operations', body: text },
      { name: 'map', body: JSON.stringify(map) },
      { file: 'a.txt', ...given, name: '0' },
    ];
    return spoilt(bodyOf(first ? [...own, ...more] : [...more, ...own], 'limit'));
  });
const types = fc.oneof(
  { weight: 12, arbitrary: fc.constant(type) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'multipart/form-data',
      'multipart/form-data;boundary=limi',
      'Multipart/Form-Data; Boundary="limit"',
      'multipart/mixed; boundary=limit',
      'multipart/form-data; boundary=limit; charset=utf-16',
      'multipart/form-data; boundary="\xe9"',
    ),
  },
);

test(
  `whatever a form has, seed ${seed}, it is done or refused`,
  async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        forms,
        types,
        fc.constantFrom<Record<string, string>>({}, {}, { 'Idempotency-Key': 'a' }),
        async (raw, given, headers) => {
          const before = await stored();
          const answer = await post(new Uint8Array(raw), given, headers);
          expectGraphql(answer);
          const added = answer.json?.data?.addAttachment;
          const done = answer.status === 200 && added ? 1 : 0;
          // One that is played back was stored before.
          const replayed = answer.headers.has('idempotency-replayed') ? 1 : 0;
          expect((await stored()) - before).toBe(done - replayed);
          if (added) await checkDownload(added.id);
          expect(Object.prototype).not.toHaveProperty('x');
          expect(lines.text).toBe('');
          const what = `${answer.status} ${done ? 'done' : answer.json?.errors?.[0].extensions.code}`;
          met.set(what, (met.get(what) ?? 0) + 1);
          // An item has a hundred files at most.
          if (done)
            await gateway.graphql('mutation ($id: ID!) { removeAttachment(id: $id) { id } }', {
              id: added.id,
            });
        },
      ),
      settings(80),
    );
    expect([...met.keys()]).toEqual(expect.arrayContaining(['200 done', '400 BAD_REQUEST']));
    if (process.env.FUZZ_RUNS) process.stdout.write(`${runs(0)} ${JSON.stringify([...met])}\n`);
    await expectAlive(gateway);
  },
  patience,
);

test(
  `whatever is asked of a file, seed ${seed}, it is answered in order`,
  async () => {
    const { json } = await send([
      { name: 'operations', body: operations({ file: null }) },
      { name: 'map', body: '{"0": ["variables.file"]}' },
      file('0'),
    ]);
    const { id } = json.data.addAttachment;
    const ids = fc.constantFrom(
      ...[
        id,
        id,
        id,
        id.toUpperCase(),
        `${id}%00`,
        'x',
        '%',
        '%2e%2e%2fv1',
        '..%5c',
        '%ff',
        `${id}%20`,
        '\u00e9',
      ],
    );
    const values = fc.oneof(
      fc.constantFrom(
        'bytes=0-1',
        'bytes=4-',
        'bytes=-1',
        'bytes=-0',
        'bytes=5-',
        'bytes=9007199254740993-',
        'bytes=1-0',
      ),
      fc.constantFrom(
        'bytes=0-1,3-4',
        'lines=1',
        'bytes=',
        'bytes=a-b',
        '-',
        `"${id}"`,
        `W/"${id}"`,
        '*',
        '"',
      ),
      fc.string({
        unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
        maxLength: 20,
      }),
    );
    const names = fc.constantFrom(
      'Range',
      'If-Range',
      'If-None-Match',
      'If-Match',
      'Accept',
      'If-Modified-Since',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'DELETE'),
        ids,
        fc.dictionary(names, values, { maxKeys: 3, noNullPrototype: true }),
        async (method, name, headers) => {
          const { status, text, json } = await gateway.send(method, `/attachments/${name}`, { headers });
          expect([200, 206, 304, 400, 404, 405, 412, 416]).toContain(status);
          if (status < 300 && method === 'GET') expect('hello').toContain(text);
          if (status < 400 || method === 'HEAD') return;
          expect(json).toStrictEqual({ message: expect.any(String), ok: false, code: expect.any(String) });
          expectTold(json.message);
        },
      ),
      settings(80),
    );
    expect(lines.text).toBe('');
  },
  patience,
);

/** Expects that a file with whatever name comes back as a file, and as nothing that a browser would run. */
async function checkDownload(id: string): Promise<void> {
  const { status, headers } = await gateway.send('GET', `/attachments/${id}`);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[^/\\'"; ]*$|^attachment; filename="[^"\\/]*"$/,
  );
}
