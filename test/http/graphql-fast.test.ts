import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Answer {
  readonly status: number | undefined;
  /** In the letters in which they were sent. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function send(path: string, body: string, given: Record<string, string> = {}): Promise<Answer> {
  const all = { Authorization: `Bearer ${gateway.admin}`, 'Content-Type': 'application/json', ...given };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  return new Promise((resolve, reject) => {
    const sent = request(gateway.url + path, { method: 'POST', headers, agent: false }, async (response) => {
      const { statusCode: status, rawHeaders } = response;
      const pairs = rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
      );
      resolve({ status, headers: new Map(pairs), body: await text(response) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What a client sees of an answer, without what differs each time. */
function shown({ status, headers, body }: Answer) {
  const seen = [...headers].map(([name, value]) => [name.toLowerCase(), value] as const);
  const own = new Set([
    'date',
    'x-request-id',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'content-length',
  ]);
  return { status, headers: seen.filter(([name]) => !own.has(name)).sort(), body };
}

const op = (query: string, rest: object = {}) => JSON.stringify({ query, ...rest });
const uuid = '11111111-1111-4111-8111-111111111111';

/** Requests of the short way; one with a query string, which says nothing here, goes yoga's. */
const cases: [string, string, Record<string, string>?][] = [
  ['a query', op('{ me { role name } }')],
  ['with variables', op('query ($id: ID!) { vehicle(id: $id) { id } }', { variables: { id: uuid } })],
  ['of one of two operations', op('query A { me { id } } query B { me { role } }', { operationName: 'B' })],
  ['of none of two operations', op('query A { me { id } } query B { me { role } }')],
  ['of an operation that is not there', op('{ me { id } }', { operationName: 'C' })],
  ['a mutation that is refused', op(`mutation { deleteVehicle(id: "${uuid}") { id } }`)],
  ['an error beside data', op(`{ me { id } vehicles(first: -1) { totalCount } }`)],
  ['what does not parse', op('{ me {')],
  ['what is not valid', op('{ you }')],
  ['a wrong variable', op('query ($id: ID!) { vehicle(id: $id) { id } }', { variables: { id: {} } })],
  ['a missing variable', op('query ($id: ID!) { vehicle(id: $id) { id } }')],
  [
    'too much',
    op(`{ ${'a'.repeat(3)}: me { id } ${Array.from({ length: 200 }, (_, i) => `f${i}: me { id }`)} }`),
  ],
  ['a directive', op('{ me { id @skip(if: true) role } }')],
  ['no document', op('').replace('""', 'null')],
  ['a document that is no text', JSON.stringify({ query: 7 })],
  ['variables that are none', op('{ me { id } }', { variables: [] })],
  ['a parameter that is none', op('{ me { id } }', { other: 1 })],
  ['another charset', op('{ me { id } }'), { 'Content-Type': 'application/json; charset=utf-8' }],
];

/** Requests that come to no operation. */
const refused: typeof cases = [
  ['a list', '[]'],
  ['no JSON', '{'],
  ['nothing', ''],
  ['no token', op('{ me { id } }'), { Authorization: '' }],
  ['a wrong token', op('{ me { id } }'), { Authorization: 'Bearer x' }],
  ['no token and no JSON', '{', { Authorization: '' }],
];

const accepted = [
  '',
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'text/html, application/*',
  'multipart/mixed, application/json',
];

describe.each(accepted)('Accept: %s', (accept) => {
  test.each(cases)('%s is answered as yoga answers', async (_what, body, headers = {}) => {
    const given = { ...headers, Accept: accept };
    const [fast, slow] = [await send('/graphql', body, given), await send('/graphql?yoga', body, given)];
    expect(shown(fast)).toEqual(shown(slow));
    expect(fast.headers.get('Content-Length')).toBe(String(Buffer.byteLength(fast.body)));
    // Yoga writes its headers in lower case: the two ways were two.
    expect(slow.headers.has('Content-Length')).toBe(false);
  });

  test.each(refused)('%s is refused as yoga refuses', async (_what, body, headers = {}) => {
    const given = { ...headers, Accept: accept };
    const [fast, slow] = [await send('/graphql', body, given), await send('/graphql?yoga', body, given)];
    expect(shown(fast)).toEqual(shown(slow));
    expect(fast.status).toBeGreaterThanOrEqual(400);
  });
});

const query = op('{ me { id } }');
test.each<[string, string, Record<string, string>]>([
  ['a subscription', op('subscription { eventLogged { id } }'), { Accept: 'application/json' }],
  [
    'one that is written otherwise',
    op('subscription { eventLogged { id } }').replace('s', '\\u0073'),
    { Accept: 'application/json' },
  ],
  ['the id of a document', JSON.stringify({ documentId: 'x' }), {}],
  ['extensions', op('{ me { id } }', { extensions: {} }), {}],
  ['a charset that is accepted', query, { Accept: 'application/json; charset=utf-8' }],
  ['nothing that is answered', query, { Accept: 'text/html' }],
  ['a body of another type', query, { 'Content-Type': 'text/plain' }],
  ['a body of no type', query, { 'Content-Type': '' }],
])('%s goes the way of yoga', async (_what, body, headers) => {
  const [fast, slow] = [await send('/graphql', body, headers), await send('/graphql?yoga', body, headers)];
  expect(shown(fast)).toEqual(shown(slow));
});
