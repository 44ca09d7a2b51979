import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { enter, noteFigures, pagesOf, pagesRead, tokenOfFew } from './growth.support.js';
import { grow, idOf } from './growth-data.support.js';

const list = (args: string, what = 'nodes { id }') => `{ expirationItems(first: 20, ${args}) { ${what} } }`;
const byContact = list(`filter: { contactId: "${idOf('contact', 200)}" }`);

/** What the console asks of items, and the most pages that a large organization may cost. */
const asked = [
  ['a page by date', list('filter: {}'), 200],
  ['a page of contacts by name', '{ contacts(first: 20) { nodes { id name } } }', 800],
  ['a status', list('filter: { status: [NOTIFYING] }'), 1_200],
  ['a term that one has', list('filter: { term: "Licence 4200" }'), 1_800],
  ['a custom field', list('filter: { customFields: [{ name: "Cost centre", value: "CC-700" }] }'), 1_500],
  ['the items of a contact', byContact, 400],
  ['the total', '{ expirationItems { totalCount } }', 3_000],
  ['events', '{ eventLogs(first: 20) { nodes { id } } }', 800],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 200],
  // A hundred of a thousand have others in them.
  ['the inmost places', '{ locations(filter: { hasNone: [CHILDREN] }) { totalCount } }', 5_000],
] as const;

describe.each([
  ['one workspace has all', 'one workspace'],
  ['the member sees 2,000 workspaces with ten items each', 'ten each'],
] as const)('%s', (_shape, shape) => {
  const gateway = useGateway();
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    await grow(client, gateway, { items: 20_000, others: 100, shape });
    await client.query('VACUUM ANALYZE');
  }, 120_000);
  afterAll(() => client.end());

  it.each(asked)('%s', async (_what, query, most) => {
    for (const who of ['admin', 'member'] as const) {
      const pages = await pagesRead(gateway, client, query, gateway[who]);
      expect(pages, who).toBeLessThanOrEqual(most);
    }
  });

  it('who sees two workspaces is found without those of others', async () => {
    const token = await tokenOfFew(gateway);
    const sent = await gateway.sentStatements(() => gateway.graphql('{ __typename }', {}, token));
    expect(sent[0]?.name).toBe('access_tokens.authenticate');
    expect(await pagesOf(client, sent.slice(0, 1))).toBeLessThan(40);
  });
});

describe('with row security', () => {
  const search = '{ search(term: "licence 4200") { nodes { __typename } } }';
  const gateway = useGateway({ ROW_SECURITY: 'on' });
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    await grow(client, gateway, { items: 20_000, others: 500 });
    await client.query('VACUUM ANALYZE');
    // Samples of texts are then known, which are read once in ten minutes.
    await gateway.graphql(search);
  }, 120_000);
  afterAll(() => client.end());

  it.each([
    ...asked,
    [
      'a custom field that all have',
      list('filter: { customFields: [{ name: "Site", value: "Depot" }] }'),
      1_500,
    ],
    ['a term among all kinds', search, 2_000],
    [
      'contacts by a term',
      '{ contacts(first: 20, filter: { term: "person 4200" }) { nodes { id } } }',
      1_000,
    ],
    [
      'events by a term',
      '{ eventLogs(first: 20, filter: { term: "Licence 4200" }) { nodes { id } } }',
      1_000,
    ],
    [
      'a state that none has',
      '{ deliveries(first: 20, filter: { state: CANCELLED }) { nodes { id } } }',
      100,
    ],
    [
      'a vehicle by its plate',
      '{ compliance(holder: { kind: VEHICLE, licensePlate: "XY 200" }) { state } }',
      100,
    ],
    ['upcoming reminders', '{ upcomingReminders(days: 7, first: 20) { nodes { at } } }', 5_000],
  ] as const)('%s', async (what, query, most) => {
    for (const who of ['admin', 'member'] as const) {
      await client.query('RESET ROLE');
      await enter(gateway, client, gateway[who]);
      const pages = await pagesRead(gateway, client, query, gateway[who]);
      noteFigures(pages, most, `${who}: ${what}, with row security`);
      expect(pages, who).toBeLessThanOrEqual(most);
    }
  });
});
