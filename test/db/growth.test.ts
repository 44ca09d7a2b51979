import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleJob } from '../../src/db/queue/queue.js';
import { sql } from '../../src/db/sql/sql.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { findDear, pagesOf, pagesRead } from './growth.support.js';
import { grow } from './growth-data.support.js';
import { findDearWork } from './growth-work.support.js';

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
  ['upcoming reminders', '{ upcomingReminders(days: 7, first: 20) { nodes { at } } }', 500],
  ['a summary by contact', '{ expirationSummary { byContact { count } } }', 3_500],
])('who sees a small workspace does not pay for the organization: %s', async (_what, query, most) => {
  expect(await pagesRead(gateway, client, query, gateway.member)).toBeLessThan(most);
});

test.each([
  ['a page by date', list('filter: {}'), 100],
  ['a custom field', custom, 1_000],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 100],
  // Fifty workspaces are read, each with its policies, and the dates on which something may be due.
  ['upcoming reminders', '{ upcomingReminders(days: 7, first: 20) { nodes { at } } }', 3_500],
  ['the total of compliances', '{ compliances { totalCount } }', 50],
  // Each type's items are looked up; there are 20,000.
  ['types without items', '{ categories(filter: { hasNone: [EXPIRATION_ITEMS] }) { totalCount } }', 1_500],
])('who sees all workspaces pays for what is answered: %s', async (_what, query, most) => {
  expect(await pagesRead(gateway, client, query, gateway.admin)).toBeLessThan(most);
});

test('whatever is asked for, its cost has a bound', async () => {
  expect(await findDear(gateway, client, amounts)).toEqual([]);
}, 600_000);

test('whatever workers do, its cost follows from what is done', async () => {
  expect(await findDearWork(gateway, client, amounts)).toEqual([]);
}, 300_000);

test('matches in a large organization are counted only so far, which the answer tells', async () => {
  // As if there were more rows than are worth making.
  await client.query(`UPDATE pg_class SET reltuples = 1000000 WHERE relname = 'expiration_items'`);
  gateway.database.statistics.clear();
  try {
    const total = async (args: string) =>
      (await gateway.graphql(`{ expirationItems${args} { totalCount isTotalComplete } }`)).data
        .expirationItems;
    const bounded = { totalCount: 10_000, isTotalComplete: false };
    const { rows } = await client.query<{ all: number; active: number; issued: number; lyon: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE is_active)::int AS active,
         count(*) FILTER (WHERE details LIKE 'Issued%')::int AS issued,
         count(*) FILTER (WHERE details LIKE '%Lyon%')::int AS lyon
       FROM expiration_items WHERE organization_id = $1`,
      [gateway.organizationId],
    );
    const [counts] = rows;
    expect(counts?.active).toBeGreaterThan(10_000);
    expect(await total('')).toEqual({ totalCount: counts?.all, isTotalComplete: true });
    expect(await total('(filter: { isActive: true })')).toEqual(bounded);
    expect(await total('(filter: { term: "issued" })')).toEqual(bounded);
    // No trigram finds two letters, so that each row is looked at.
    expect(await total('(filter: { term: "is" })')).toEqual(bounded);
    const some = { totalCount: counts?.lyon, isTotalComplete: true };
    expect(await total('(filter: { term: "Lyon" })')).toEqual(some);
    // With a page, it is the same.
    const { data } = await gateway.graphql(
      '{ expirationItems(first: 2, filter: { term: "issued" }) { nodes { id } totalCount isTotalComplete } }',
    );
    expect(data.expirationItems).toMatchObject({ ...bounded, nodes: [{}, {}] });
    const { json } = await gateway.send('GET', '/v1/expirationitems?term=issued&paging=50');
    expect(json).toMatchObject({ total: counts?.issued, pages: Math.ceil((counts?.issued ?? 0) / 50) });
  } finally {
    await client.query('ANALYZE expiration_items');
    gateway.database.statistics.clear();
  }
});

test('as long as statistics tell nothing of a large table, matches are counted only so far', async () => {
  const total = async () =>
    (await gateway.graphql('{ expirationItems(filter: { isActive: true }) { totalCount isTotalComplete } }'))
      .data.expirationItems;
  const all = await total();
  expect(all).toMatchObject({ isTotalComplete: true });
  // As after a restore.
  await client.query(`DELETE FROM pg_statistic WHERE starelid = 'expiration_items'::regclass`);
  gateway.database.statistics.clear();
  try {
    expect(await total()).toEqual({ totalCount: 10_000, isTotalComplete: false });
  } finally {
    await client.query('ANALYZE expiration_items');
    gateway.database.statistics.clear();
  }
  expect(await total()).toEqual(all);
});

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
     SELECT md5('later ' || g)::uuid, ${row}, 'later ' || g, now() + interval '1 day' FROM generate_series(1, 5000) AS g`,
    owner,
  );
  const { rows } = await client.query(`SELECT md5('later 1')::uuid AS id`);
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
