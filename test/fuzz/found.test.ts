import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { expectGraphql, expectRest } from './answers.js';

const gateway = useGateway();

const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const nowhere = '00000000-0000-4000-8000-999999999999';

// What random requests have found once, each in a few words.
test.each([
  [
    'a moment beyond the calendar',
    '{ eventLogs(filter: {createdAfter: "9999-12-31T23:59:59.999-23:59"}) { totalCount } }',
  ],
  [
    'a moment before it',
    '{ eventLogs(filter: {createdBefore: "0001-01-01T00:00:00+23:59"}) { totalCount } }',
  ],
  [
    'a token that expires beyond it',
    'mutation { createAccessToken(input: {name: "a", role: VIEWER, expiresAt: "9999-12-31T23:59:59-01:00"}) { token } }',
  ],
  [
    'a cursor from beyond it',
    `{ vehicles(first: 1, after: "${cursor('created', 'asc', '+010000-01-01T00:00:00.000Z', nowhere)}", orderBy: {field: CREATED}) { totalCount nodes { id } } }`,
  ],
])('%s is refused', async (_what, query) => {
  const answer = await gateway.send('POST', '/graphql', { body: { query } });
  expectGraphql(answer);
  expect(answer.json.errors[0].extensions.code).toBe('BAD_REQUEST');
});

test.each(['{"then":{}}', '{"query":"{ me { id } }","then":1}'])(
  'what looks like a promise is refused: %s',
  async (raw) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await gateway.send('POST', '/graphql', { raw, headers });
    expectGraphql(answer);
    expect(answer.status).toBe(400);
  },
);

test.each([{ year: 'y'.repeat(65_536) }, { is_archived: `x${'🚚'.repeat(400)}` }])(
  'errors about long values have short messages',
  async (body) => {
    const answer = await gateway.send('POST', '/v1/vehicles', { body });
    expectRest(answer);
    expect(answer.status).toBe(400);
    expect(answer.json.message.isWellFormed()).toBe(true);
  },
);
