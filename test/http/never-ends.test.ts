import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { streams, subscribe, transports } from '../live/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Unhandled, unhandledErrors } from '../support/unhandled.js';

/** An operation that a client refers to by its id alone. */
const persisted = `query ($first: Int, $after: String) {
  vehicles { nodes { assignedToContact { name } notes(first: $first, after: $after) { totalCount } } }
}`;

let folder: string;
let gateway: TestGateway;
let unhandled: Unhandled;
/** A cursor of a nested list in an order, which is of no use once the list is asked for in another. */
let stale: string;

async function make(type: string, input: object): Promise<string> {
  const mutation = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { id } }`;
  const { data, errors } = await gateway.graphql(mutation, { input });
  expect(errors).toBeUndefined();
  return data.made.id;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operations-'));
  await writeFile(join(folder, 'relay.json'), JSON.stringify({ notes: persisted }));
  gateway = await startGateway({ PERSISTED_OPERATIONS: folder });
  const linked = await make('Contact', { email: 'a@example.com' });
  // Rows that wait for their contact are around one that has none, and so fails at once: after one that waits.
  for (const [name, assignedToContactId] of [
    ['A', linked],
    ['B', null],
    ['C', linked],
  ]) {
    const id = await make('Vehicle', { name, assignedToContactId });
    await make('Note', { name: 'About it', relations: [{ entityId: id, entityType: 3 }] });
  }
  const { data } = await gateway.graphql('{ vehicles(first: 1) { nodes { notes { edges { cursor } } } } }');
  stale = data.vehicles.nodes[0].notes.edges[0].cursor;
  unhandled = new Unhandled();
});
afterEach(async () => {
  await streams(gateway, 0);
  await unhandled.expectNone();
  expect(await unhandledErrors(gateway)).toBe(0);
  expect((await gateway.graphql('{ me { role } }', {}, gateway.viewer)).data).toEqual({
    me: { role: 'VIEWER' },
  });
});
afterAll(async () => {
  await unhandled.close();
  await gateway.close();
  await rm(folder, { recursive: true });
});

const rows = (notes: string, condition = '') =>
  `vehicles(first: 50)${condition} { nodes { assignedToContact { name } notes${notes} { totalCount } } }`;

const first = 'first';
const queries: [string, () => string, string][] = [
  ['with @skip', () => `{ ${rows('(first: 501)', ' @skip(if: false)')} }`, first],
  ['with @include', () => `{ ${rows('(first: 501)', ' @include(if: true)')} }`, first],
  ['without a condition', () => `{ ${rows('(first: 501)')} }`, first],
  ['with a bad cursor', () => `{ ${rows('(after: "x")', ' @skip(if: false)')} }`, 'after'],
  ['with a negative count', () => `{ ${rows('(last: -1)', ' @skip(if: false)')} }`, 'last'],
  ['beside the schema', () => `{ __schema { queryType { name } } ${rows('(first: 501)')} }`, first],
  [
    'with a cursor of another order',
    () => `{ ${rows(`(after: "${stale}", orderBy: {field: NAME, direction: DESC})`, ' @skip(if: false)')} }`,
    'after',
  ],
];

/** Expects the answer of a list of rows each of which was to have a list that is refused. */
function expectRefused(answer: unknown, field: string): void {
  const { data, errors } = answer as {
    data: Record<string, unknown> | null;
    errors: { extensions: object }[];
  };
  expect(Object.values(data ?? {}).filter((value) => value && 'nodes' in (value as object))).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({
    path: expect.arrayContaining(['notes']),
    extensions: { code: 'BAD_REQUEST', field },
  });
}

describe("a reader's query never ends the gateway", () => {
  describe.each(queries)('%s', (_what, query, field) => {
    test('over POST', async () => {
      expectRefused(await gateway.graphql(query(), {}, gateway.viewer), field);
    });

    test('over GET', async () => {
      const path = `/graphql?query=${encodeURIComponent(query())}`;
      const { json } = await gateway.send('GET', path, { token: gateway.viewer });
      expectRefused(json, field);
    });

    test('over a WebSocket', async () => {
      const results = transports['graphql-ws'](gateway, { query: query(), token: gateway.viewer });
      expectRefused((await results.next()).value, field);
      expect((await results.next()).done).toBe(true);
    });
  });

  test.each([
    ['first', { first: 501 }],
    ['after', { after: 'x' }],
  ])('a persisted one, by its variable %s', async (field, variables) => {
    const body = { documentId: 'notes', variables };
    const { json } = await gateway.send('POST', '/graphql', { body, token: gateway.viewer });
    expectRefused(json, field);
  });

  test.each(Object.entries(transports))(
    'in a subscription at its next event, over %s',
    async (name, over) => {
      const query = `subscription { eventLogged(typeIds: [1]) { team { ${rows('(first: 501)')} } } }`;
      const results = await subscribe(gateway, { query, token: gateway.viewer }, over);
      await make('Tag', { name: `An event over ${name}` });
      const { value } = await results.next();
      expectRefused(value, first);
      expect(value).toMatchObject({ data: { eventLogged: { team: null } } });
      await results.return?.();
    },
  );
});
