import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installRoleAndPolicies } from '../../src/db/row-security/policies.js';
import { useGateway } from '../support/gateway.js';
import { enter, pagesRead } from './growth.support.js';
import { grow, idOf } from './growth-data.support.js';

const list = (args: string, what = 'nodes { id }') => `{ expirationItems(first: 20, ${args}) { ${what} } }`;
const byContact = list(`filter: { contactId: "${idOf('contact', 200)}" }`);

/** What the console asks of items, and the most pages that a large organization may cost. */
const asked = [
  ['a page by date', list('filter: {}'), 200],
  ['a page of contacts by name', '{ contacts(first: 20) { nodes { id name } } }', 800],
  ['a status', list('filter: { status: [NOTIFYING] }'), 1_200],
  ['a term that one has', list('filter: { term: "Licence 4200" }'), 1_800],
  ['a custom field', list('filter: { customFields: [{ name: "Cost centre", value: "CC-700" }] }'), 600],
  ['the items of a contact', byContact, 400],
  ['the total', '{ expirationItems { totalCount } }', 3_000],
  ['events', '{ eventLogs(first: 20) { nodes { id } } }', 800],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 200],
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
});

describe('with row security', () => {
  const gateway = useGateway();
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    await grow(client, gateway, { items: 20_000, others: 500 });
    await client.query('VACUUM ANALYZE');
    await installRoleAndPolicies(gateway.databaseUrl);
  }, 120_000);
  afterAll(() => client.end());

  // PostgreSQL applies the policies before functions that might tell of hidden rows, such as those of these indexes.
  const unindexed = new Set(['a term that one has', 'a custom field']);

  it.each([
    ...asked,
    ['upcoming reminders', '{ upcomingReminders(days: 7, first: 20) { nodes { at } } }', 20_000],
  ] as const)('%s', async (what, query, most) => {
    for (const who of ['admin', 'member'] as const) {
      await enter(gateway, client, gateway[who]);
      const pages = await pagesRead(gateway, client, query, gateway[who]);
      expect(pages, who).toBeLessThanOrEqual(unindexed.has(what) ? 30_000 : most);
    }
  });
});
