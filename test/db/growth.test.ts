import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleJob } from '../../src/db/queue/queue.js';
import { sql } from '../../src/db/sql/sql.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { findDear, grow, pagesOf, pagesRead } from './growth.support.js';

const amounts = { items: 20_000, others: 500 };
const gateway = useGateway();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  await grow(client, gateway, amounts);
  await client.query('VACUUM ANALYZE');
}, 120_000);
afterAll(() => client.end());

const list = (args: string, what = 'nodes { id }') => `{ expirationItems(first: 20, ${args}) { ${what} } }`;
const custom = list('filter: { customFields: [{ name: "Cost centre", value: "CC-700" }] }');

// The organization's items take 20,000 pages by an index, and 500 in the table's order.
test.each([
  // Of the contacts, PostgreSQL may read those of the organization, 10,000 in 2,300 pages.
  ['a list with its members', list('filter: {}', 'nodes { id category { name } contacts { name } }'), 4_000],
  ['a status with its total', list('filter: { status: [NOTIFYING] }', 'totalCount nodes { id }'), 1_500],
  ['contacts by name', '{ contacts(first: 500) { nodes { id } } }', 400],
  ['contacts by a term', '{ contacts(first: 20, filter: { term: "person 77" }) { nodes { id } } }', 1_000],
  ['a custom field', custom, 1_500],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 200],
  ['a summary by contact', '{ expirationSummary { byContact { count } } }', 3_500],
])('who sees a small workspace does not pay for the organization: %s', async (_what, query, most) => {
  expect(await pagesRead(gateway, client, query, gateway.member)).toBeLessThan(most);
});

test.each([
  ['a page by date', list('filter: {}'), 100],
  ['a custom field', custom, 1_000],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 100],
  // Each type's items are looked up; there are 20,000.
  ['types without items', '{ categories(filter: { hasNone: [EXPIRATION_ITEMS] }) { totalCount } }', 1_500],
])('who sees all workspaces pays for what is answered: %s', async (_what, query, most) => {
  expect(await pagesRead(gateway, client, query, gateway.admin)).toBeLessThan(most);
});

test('whatever is asked for, its cost has a bound', async () => {
  expect(await findDear(gateway, client, amounts)).toEqual([]);
}, 300_000);

test('a small organization does not pay for the matches of others', async () => {
  const { admin, organizationId, teamId } = await createTenant(gateway.database, 'Small');
  const columns = 'id, organization_id, team_id, name, category_id, expiration_date';
  await client.query(
    `INSERT INTO expiration_items (${columns})
     SELECT gen_random_uuid(), $1, $2, 'Permit 12' || g, (SELECT id FROM categories LIMIT 1), '2027-01-01'
     FROM generate_series(1, 5) AS g`,
    [organizationId, teamId],
  );
  const search = '(first: 1, filter: { term: "Permit 12" })';
  const { data } = await gateway.graphql(`{ expirationItems${search} { totalCount } }`, {}, admin);
  expect(data.expirationItems.totalCount).toBe(5);
  for (const what of ['totalCount', 'nodes { id }', 'totalCount nodes { id }']) {
    const pages = await pagesRead(gateway, client, `{ expirationItems${search} { ${what} } }`, admin);
    // 111 items of others match, each in a page of its own.
    expect(pages, what).toBeLessThan(60);
  }
});

test('the planner knows that the keys of custom fields are dear', async () => {
  const { rows } = await client.query("SELECT procost FROM pg_proc WHERE proname = 'custom_field_keys'");
  expect(rows).toEqual([{ procost: 2_000 }]);
});

test('a mail is settled by its id, however many wait since the planner last looked', async () => {
  const columns = 'id, organization_id, team_id, kind, subject_kind, payload, address, dedupe_key';
  const row = `$1, $2, 'MAIL', 'REMINDER', '{}', 'driver' || g || '@example.com'`;
  const owner = [gateway.organizationId, gateway.teamId];
  await client.query(
    `INSERT INTO deliveries (${columns}, state, settled_at)
     SELECT md5('sent ' || g)::uuid, ${row}, 'sent ' || g, 'SENT', now() FROM generate_series(1, 20000) AS g`,
    owner,
  );
  await client.query('VACUUM ANALYZE deliveries');
  await client.query(
    `INSERT INTO deliveries (${columns}, due_at)
     SELECT md5('waiting ' || g)::uuid, ${row}, 'waiting ' || g, now() + interval '1 day' FROM generate_series(1, 5000) AS g`,
    owner,
  );
  const { rows } = await client.query(`SELECT md5('waiting 1')::uuid AS id`);
  const settled = await gateway.sentStatements(() =>
    gateway.database.inTransaction((tx) =>
      settleJob(tx, 'deliveries', { id: rows[0].id, attempts: 0 }, sql`state = 'SENT'`),
    ),
  );
  // About 33 with the index entries that are written; the index of what waits would be a hundred more.
  expect(
    await pagesOf(
      client,
      settled.filter(({ name }) => name === 'deliveries.settle'),
    ),
  ).toBeLessThan(60);
});
