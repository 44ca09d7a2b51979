import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { snakeCase } from '../../src/domain/text/names.js';
import { expirationItems } from '../../src/items/expiration-items.js';
import type { ListedResource } from '../../src/records/resource.js';
import { categories } from '../../src/resources/categories.js';
import { companies } from '../../src/resources/companies.js';
import { contactTypes } from '../../src/resources/contact-types.js';
import { contacts } from '../../src/resources/contacts.js';
import { locations } from '../../src/resources/locations.js';
import { notes } from '../../src/resources/notes.js';
import { tags } from '../../src/resources/tags.js';
import { teams } from '../../src/resources/teams.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { eventually } from '../support/eventually.js';
import { useGateway } from '../support/gateway.js';
import { directions, insert, pages, readPage, type VehicleOrder } from './lists.js';
import { ask } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  await insert(gateway, gateway, [{ name: 'a' }, { name: 'b' }, { name: null }]);
});

/** Returns the plan for any values of the last statement that a request sends. */
async function planOf(work: () => Promise<unknown>, settings = ''): Promise<string> {
  const statement = (await gateway.statements(work)).at(-1);
  const client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  try {
    await client.query(settings);
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${statement}`);
    return rows.map((line) => line['QUERY PLAN']).join('\n');
  } finally {
    await client.end();
  }
}

test.each(directions)(
  'a list is entered at a cursor by its index, %s, as well as after null',
  async (direction) => {
    const orderBy: VehicleOrder = { field: 'NAME', direction };
    const { edges } = await readPage(gateway, { orderBy });
    for (const { cursor } of edges) {
      for (const args of [
        { first: 2, after: cursor },
        { last: 2, before: cursor },
      ]) {
        const plan = await planOf(
          () => ask(gateway, pages, { orderBy, ...args }),
          'SET enable_seqscan = off; SET enable_bitmapscan = off',
        );
        expect(plan).toMatch(/Index Cond: .*(ROW\(name, id\) [<>] ROW|name IS NULL)/);
        // What a filter throws away has been read; only the workspace may be asked of what the index gives.
        // The one filter is that of the answer's size.
        expect(plan).not.toMatch(/Filter:(?! .*octet_length)|Sort\b(?! Key)/);
      }
    }
  },
);

test.each(
  [
    categories,
    companies,
    contactTypes,
    contacts,
    expirationItems,
    locations,
    notes,
    tags,
    teams,
    vehicles,
  ].map((resource): [string, ListedResource] => [resource.table, resource]),
)('%s: the orders that are known to have an index have one', async (table, { indexed, indexedBy = {} }) => {
  const found = await gateway.database.prisma.$queryRaw<{ definition: string }[]>`
    SELECT indexdef AS definition FROM pg_indexes WHERE tablename = ${table}`;
  const ordered = found.flatMap(({ definition }) => /\((\w+_id, \w+), id\)/.exec(definition)?.[1] ?? []);
  const known = Object.entries({ organizationId: indexed, ...indexedBy }).flatMap(([column, orders]) =>
    orders.map((order) => `${snakeCase(column)}, ${snakeCase(order)}`),
  );
  expect(known.sort()).toEqual(ordered.sort());
});

describe('among 20,000 items', () => {
  const list = `query ($filter: ExpirationItemFilter, $orderBy: [ExpirationItemOrder!]) {
    expirationItems(first: 20, filter: $filter, orderBy: $orderBy) { nodes { name } }
  }`;
  /** Reads how often PostgreSQL has used an index. */
  const uses = async (index: string) => {
    const [found] = await gateway.database.sql<{ uses: bigint }>(
      'SELECT idx_scan AS uses FROM pg_stat_user_indexes WHERE indexrelname = $1',
      [`expiration_items_${index}`],
    );
    return Number(found?.uses);
  };

  beforeAll(async () => {
    const { organizationId, teamId } = gateway;
    const client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    await client.query(
      `INSERT INTO categories (id, organization_id, team_id, name)
       SELECT lpad(g::text, 32, '0')::uuid, $1, $2, 'Type ' || g FROM generate_series(1, 1000) AS g`,
      [organizationId, teamId],
    );
    await client.query(
      `INSERT INTO users (id, organization_id, team_id, name, email)
       SELECT lpad(g::text, 32, '0')::uuid, $1, $2, 'User ' || g, 'user' || g || '@example.com' FROM generate_series(1, 1000) AS g`,
      [organizationId, teamId],
    );
    await client.query(
      `INSERT INTO expiration_items (id, organization_id, team_id, name, category_id, assigned_to_id, expiration_date, created, modified, custom_fields)
       SELECT gen_random_uuid(), $1, $2, 'Item ' || g, lpad((g % 1000 + 1)::text, 32, '0')::uuid, lpad((g % 1000 + 1)::text, 32, '0')::uuid,
         DATE '2020-01-01' + g % 3000, TIMESTAMPTZ '2020-01-01' + g * INTERVAL '1 hour', TIMESTAMPTZ '2020-01-01' + g * INTERVAL '1 hour',
         jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'name', 'Number', 'value', 'n' || g))
       FROM generate_series(1, 20000) AS g`,
      [organizationId, teamId],
    );
    await client.query('VACUUM ANALYZE expiration_items');
    await client.end();
  });

  const someId = '00000000-0000-0000-0000-000000000007';
  const aDay = { gte: '2021-01-01T00:00:00Z', lt: '2021-01-02T00:00:00Z' };
  test.each<[string, object, string]>([
    ['many document types', { categoryIds: [someId] }, 'category_id_expiration_date_id_idx'],
    ['many people', { assignedToIds: [someId] }, 'assigned_to_id_expiration_date_id_idx'],
    ['a custom field', { customFields: [{ name: 'Number', value: 'n7' }] }, 'custom_fields_idx'],
    ['a range of when they were made', { created: aDay }, 'created_idx'],
    ['a range of when they were changed', { modified: aDay }, 'organization_id_modified_id_idx'],
    [
      'a range of dates',
      { expirationDate: { gte: '2021-01-01', lt: '2021-01-02' } },
      'organization_id_expiration_date_id_idx',
    ],
  ])('%s are found by an index', async (_what, filter, index) => {
    const before = await uses(index);
    await ask(gateway, list, { filter });
    // A connection tells what it did a while after.
    await eventually(async () => expect(await uses(index)).toBeGreaterThan(before));
  });

  test('whoever sees some workspaces finds the items of document types by the same index', async () => {
    const { member } = gateway;
    // Only document types that the caller sees count. They are looked up once, not for each item.
    const plan = await planOf(() => ask(gateway, list, { filter: { categoryId: someId } }, member));
    expect(plan).toMatch(/Index Scan using expiration_items_category_id_expiration_date_id_idx/);
    expect(plan).toMatch(/Index Cond: \(category_id = \(InitPlan \d\)/);
    expect(plan).toMatch(/InitPlan \d\n *-> +Index Scan using categories_pkey on categories/);
    const before = await uses('category_id_expiration_date_id_idx');
    await ask(gateway, list, { filter: { categoryIds: [someId] } }, member);
    await eventually(async () =>
      expect(await uses('category_id_expiration_date_id_idx')).toBeGreaterThan(before),
    );
    // Whoever sees all workspaces sees all document types.
    const all = await planOf(() => ask(gateway, list, { filter: { categoryId: someId } }));
    expect(all).not.toContain('categories');
  });
});
