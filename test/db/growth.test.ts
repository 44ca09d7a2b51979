import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleJob } from '../../src/db/queue/queue.js';
import { sql } from '../../src/db/sql/sql.js';
import { useGateway } from '../support/gateway.js';

/** Items of the organization, one in a hundred of which is in the member's workspace. */
const items = 20_000;
/** Other organizations, with ten items each. */
const others = 500;
const gateway = useGateway();
let client: pg.Client;

/** Inserts a row for each number `g` of a series. */
const insert = (table: string, columns: Record<string, string>, count: number) =>
  client.query(
    `INSERT INTO ${table} (${Object.keys(columns)}) SELECT ${Object.values(columns)} FROM generate_series(1, ${count}) AS g`,
  );
const id = (kind: string, number: string) => `md5('${kind} ' || ${number})::uuid`;

beforeAll(async () => {
  client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  const owned = {
    organization_id: `'${gateway.organizationId}'::uuid`,
    team_id: `CASE WHEN g % 100 = 0 THEN '${gateway.teamId}'::uuid ELSE '${gateway.otherTeamId}'::uuid END`,
  };
  const dated = {
    expiration_date: `DATE '2026-01-01' + g * 7919 % 3000`,
    category_id: id('type', '(1 + g % 60)'),
  };
  // Triggers count records and note changes, which is not what is measured, and takes most of the time.
  await client.query('SET session_replication_role = replica');
  await insert('categories', { id: id('type', 'g'), ...owned, name: `'Type ' || g` }, 60);
  const address = `'contact' || g || '@example.com'`;
  await insert(
    'contacts',
    { id: id('contact', 'g'), ...owned, name: `'Contact ' || g`, email: address },
    items,
  );
  const fields = `jsonb_build_array(jsonb_build_object('id', ${id('field', '1')}, 'name', 'Cost centre', 'value', 'CC-' || g))`;
  const item = { id: id('item', 'g'), ...owned, ...dated, name: `'Licence ' || g`, custom_fields: fields };
  await insert('expiration_items', { ...item, notify_on: `${dated.expiration_date} - 30` }, items);
  const linked = { item_id: id('item', 'g'), contact_id: id('contact', 'g'), position: '0' };
  await insert('expiration_item_contacts', linked, items);
  const renewed = {
    item_id: id('item', 'g'),
    expiration_date: `DATE '2026-06-01'`,
    created: `now() - g * interval '1 s'`,
  };
  await insert('renewals', { id: id('renewal', 'g'), ...owned, ...renewed }, items);
  const elsewhere = {
    organization_id: id('organization', `(g % ${others})`),
    team_id: id('team', `(g % ${others})`),
  };
  await insert('organizations', { id: id('organization', '(g - 1)'), name: `'Firm ' || g` }, others);
  await insert(
    'expiration_items',
    { id: id('other', 'g'), ...elsewhere, ...dated, name: `'Permit ' || g` },
    others * 10,
  );
  await client.query('SET session_replication_role = origin');
  await client.query('VACUUM ANALYZE');
}, 120_000);
afterAll(() => client.end());

/** Writes a value of a statement as a literal, from which PostgreSQL reads the type that it expects. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join()}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Returns the pages of 8 kB that PostgreSQL reads for statements, with plans for any values. */
async function pagesOf(statements: Awaited<ReturnType<typeof gateway.sentStatements>>): Promise<number> {
  let pages = 0;
  for (const { query: text, values } of statements) {
    await client.query(`DEALLOCATE ALL; SET plan_cache_mode = force_generic_plan; PREPARE sent AS ${text}`);
    const given = values.length > 0 ? `(${values.map(literal)})` : '';
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE sent${given}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  return pages;
}

/** Returns the pages that are read for a request, without those that find out who asks. */
async function pagesRead(query: string, token: string): Promise<number> {
  const sent = await gateway.sentStatements(async () => {
    expect(await gateway.graphql(query, {}, token)).not.toHaveProperty('errors');
  });
  return pagesOf(sent.slice(1));
}

const list = (args: string, what = 'nodes { id }') => `{ expirationItems(first: 20, ${args}) { ${what} } }`;
const custom = list('filter: { customFields: [{ name: "Cost centre", value: "CC-700" }] }');

// The organization's items take 20,000 pages by an index, and 500 in the table's order.
test.each([
  ['a list with its members', list('filter: {}', 'nodes { id category { name } contacts { name } }'), 1_500],
  ['a status with its total', list('filter: { status: [NOTIFYING] }', 'totalCount nodes { id }'), 1_500],
  ['contacts by name', '{ contacts(first: 500) { nodes { id } } }', 400],
  ['contacts by a term', '{ contacts(first: 20, filter: { term: "contact 77" }) { nodes { id } } }', 1_000],
  ['a custom field', custom, 1_500],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 200],
  ['a summary by contact', '{ expirationSummary { byContact { count } } }', 3_500],
])('who sees a small workspace does not pay for the organization: %s', async (_what, query, most) => {
  expect(await pagesRead(query, gateway.member)).toBeLessThan(most);
});

test.each([
  ['a page by date', list('filter: {}'), 100],
  ['a custom field', custom, 1_000],
  ['renewals', '{ renewals(first: 20) { nodes { id } } }', 100],
])('who sees all workspaces pays for what is answered: %s', async (_what, query, most) => {
  expect(await pagesRead(query, gateway.admin)).toBeLessThan(most);
});

test('the planner knows that the keys of custom fields are dear', async () => {
  const { rows } = await client.query("SELECT procost FROM pg_proc WHERE proname = 'custom_field_keys'");
  expect(rows).toEqual([{ procost: 2_000 }]);
});

test('a mail is settled by its id, however many wait since the planner last looked', async () => {
  const sender = {
    organization_id: `'${gateway.organizationId}'::uuid`,
    team_id: `'${gateway.teamId}'::uuid`,
    kind: `'MAIL'`,
    subject_kind: `'REMINDER'`,
    payload: `'{}'`,
    address: `'driver' || g || '@example.com'`,
  };
  const sent = { state: `'SENT'`, settled_at: 'now()' };
  await insert('deliveries', { id: id('sent', 'g'), ...sender, ...sent, dedupe_key: `'sent ' || g` }, 20_000);
  await client.query('VACUUM ANALYZE deliveries');
  const waiting = { due_at: `now() + interval '1 day'` };
  await insert(
    'deliveries',
    { id: id('waiting', 'g'), ...sender, ...waiting, dedupe_key: `'waiting ' || g` },
    5_000,
  );
  const { rows } = await client.query(`SELECT ${id('waiting', '1')} AS id`);
  const settled = await gateway.sentStatements(() =>
    gateway.database.inTransaction((tx) =>
      settleJob(tx, 'deliveries', { id: rows[0].id, attempts: 0 }, sql`state = 'SENT'`),
    ),
  );
  // About 33 with the index entries that are written; the index of what waits would be a hundred more.
  expect(await pagesOf(settled.filter(({ name }) => name === 'deliveries.settle'))).toBeLessThan(60);
});
