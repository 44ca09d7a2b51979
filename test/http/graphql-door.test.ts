import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { readConfig } from '../../src/config/config.js';
import { Session } from '../../src/db/connection/session.js';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { untimed } from '../../src/domain/doors/stages.js';
import { createGraphql } from '../../src/http/graphql/graphql.js';
import { unlimited } from '../../src/http/load/admission.js';
import { MemoryBudget } from '../../src/http/load/memory.js';
import type { RequestContext } from '../../src/http/routing/endpoint.js';
import { createLive, liveLimits } from '../../src/live/live.js';
import { testTime, useGateway } from '../support/gateway.js';

const gateway = useGateway();

/** Sends a body to the door. */
const send = (body: string, headers: Record<string, string> = {}) => {
  const all = { Authorization: `Bearer ${gateway.admin}`, 'Content-Type': 'application/json', ...headers };
  const given = Object.entries(all).filter(([, value]) => value !== '');
  // A body without a type would be given one.
  return fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: Object.fromEntries(given),
    body: new TextEncoder().encode(body),
  });
};

/** Answers a body by the same engine, through yoga's own HTTP layer. */
async function byYoga(body: string, headers: Record<string, string>): Promise<Response> {
  const log = pino({ level: 'silent' });
  const config = readConfig({});
  const { database } = gateway;
  const live = createLive(
    database,
    () => testTime,
    () => {},
    liveLimits,
  );
  const yoga = createGraphql({ config, log, live, stages: untimed });
  const caller = await authenticate(database, gateway.admin, testTime);
  if (!caller) throw new Error('The token is not known.');
  const exchange: RequestContext = {
    id: 'compared',
    cut: () => {},
    sender: () => '',
    origin: () => 'http://gateway.test',
    setHeader: () => {},
    headOnly: false,
    memory: new MemoryBudget({ limit: 2 ** 30 }).open(),
    visit: unlimited,
    place: { door: 'graphql', route: '/graphql', shownPath: '/graphql' },
    stages: untimed,
    body: new Uint8Array(),
    session: new Session(database, {
      caller,
      now: testTime,
      precondition: undefined,
      secrets: createSecrets(config),
      bearer: gateway.admin,
    }),
  };
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  return yoga.fetch(
    'http://gateway/graphql',
    { method: 'POST', headers: { 'Content-Type': 'application/json', ...given }, body },
    { exchange },
  );
}

const op = (query: string, rest: object = {}) => JSON.stringify({ query, ...rest });
const uuid = '11111111-1111-4111-8111-111111111111';

/** Requests that come to an operation, or to a document that is none. */
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
  ['a document that is no text', JSON.stringify({ query: 7 })],
  ['variables that are none', op('{ me { id } }', { variables: [] })],
  ['a parameter that is none', op('{ me { id } }', { other: 1 })],
  ['extensions', op('{ me { id } }', { extensions: { clientLibrary: { name: '@apollo/client' } } })],
  ['another charset', op('{ me { id } }'), { 'Content-Type': 'application/json; charset=utf-8' }],
];

const accepted = [
  '',
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'text/html, application/*',
  'multipart/mixed, application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1, application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
];

const typeOf = ({ headers }: Response) => headers.get('content-type')?.replace(/"/g, '');

describe.each(accepted)('Accept: %s', (accept) => {
  test.each(cases)(
    '%s is answered with the status and the type that yoga answers',
    async (_what, body, headers = {}) => {
      const given = { ...headers, Accept: accept };
      const [own, other] = [await send(body, given), await byYoga(body, given)];
      // Yoga gives a stream of one event the status 200, whatever it says.
      if (accept !== 'text/event-stream' && accept !== 'multipart/mixed')
        expect(own.status).toBe(other.status);
      expect(typeOf(own)).toBe(typeOf(other));
      const text = await own.text();
      if (accept === '' || accept.includes('json')) expect(JSON.parse(text)).toBeTypeOf('object');
    },
  );
});

test.each<[string, string, Record<string, string>, number]>([
  ['a list', '[]', {}, 400],
  ['no JSON', '{', {}, 400],
  ['nothing', '', {}, 400],
  ['no token', op('{ me { id } }'), { Authorization: '' }, 401],
  ['a wrong token', op('{ me { id } }'), { Authorization: 'Bearer x' }, 401],
  ['no token and no JSON', '{', { Authorization: '' }, 401],
  ['nothing that is answered', op('{ me { id } }'), { Accept: 'text/html' }, 406],
  ['a body of another type', op('{ me { id } }'), { 'Content-Type': 'text/plain' }, 415],
  ['a body of no type', op('{ me { id } }'), { 'Content-Type': '' }, 415],
])('%s is refused in the words of GraphQL', async (_what, body, headers, status) => {
  const response = await send(body, headers);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({
    errors: [{ message: expect.any(String), extensions: { code: expect.any(String), violations: [] } }],
  });
});

test('a single result comes as an event to who takes nothing else', async () => {
  const response = await send(op('{ me { role } }'), { Accept: 'text/event-stream' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe(
    'event: next\ndata: {"data":{"me":{"role":"ADMIN"}}}\n\nevent: complete\ndata:\n\n',
  );
});
