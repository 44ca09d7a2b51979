import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { onlyIf } from '../support/skipping.js';

let gateway: TestGateway;
/** Ids of document types: of one with a few items, one with as many as most, and one with most items of all. */
const types = { few: idOf(1), usual: idOf(2), most: idOf(60) };

/** Returns an id that SQL can make from a number as well. */
function idOf(number: number): string {
  return `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
}

beforeAll(async () => {
  // With one connection, all requests share its plans.
  gateway = await startGateway({}, undefined, { poolSize: 1 });
  const { organizationId, teamId, database } = gateway;
  const owner = [organizationId, teamId];
  await database.sql(
    `INSERT INTO categories (id, organization_id, team_id, name)
     SELECT lpad(g::text, 32, '0')::uuid, $1, $2, 'Type ' || g FROM generate_series(1, 60) AS g`,
    owner,
  );
  for (const table of ['contacts', 'locations', 'tags']) {
    const [column, value] = table === 'contacts' ? [', email', `, 'c' || g || '@example.com'`] : ['', ''];
    await database.sql(
      `INSERT INTO ${table} (id, organization_id, team_id, name${column})
       SELECT lpad(g::text, 32, '0')::uuid, $1, $2, 'Record ' || g${value} FROM generate_series(1, 100) AS g`,
      owner,
    );
  }
  // In pieces: a statement for all would take too long on a busy machine.
  for (let from = 1; from <= 26_000; from += 2_000) {
    await database.sql(
      `INSERT INTO expiration_items (id, organization_id, team_id, name, category_id, expiration_date)
       SELECT lpad(g::text, 32, '0')::uuid, $1, $2, 'Item ' || g,
         lpad(CASE WHEN g <= 3 THEN 1 WHEN g <= 6000 THEN 2 + g % 58 ELSE 60 END::text, 32, '0')::uuid,
         DATE '2026-01-01' + g % 700
       FROM generate_series($3::int, $3 + 1999) AS g`,
      [...owner, from],
    );
    for (const linked of ['contact', 'location', 'tag']) {
      await database.sql(
        `INSERT INTO expiration_item_${linked}s (item_id, ${linked}_id, position)
         SELECT lpad(g::text, 32, '0')::uuid, lpad((1 + (g + p) % 100)::text, 32, '0')::uuid, p
         FROM generate_series($1::int, least($1 + 1999, 6000)) AS g, generate_series(0, 2) AS p`,
        [from],
      );
    }
  }
  await database.sql('ANALYZE');
});
afterAll(() => gateway.close());

const query = `query($type: ID!, $offset: Int!) {
  expirationItems(first: 20, offset: $offset, filter: { categoryId: $type }) {
    nodes { id name category { id name } assignedTo { id name } contacts { id name } locations { id name } tags { id name } }
  }
}`;

/** Reads how often the lists of items were planned anew. */
async function planned(): Promise<number> {
  const [found] = await gateway.database.sql<{ times: number }>(`
    SELECT sum(custom_plans)::int AS times FROM pg_prepared_statements WHERE name LIKE 'expiration_items.list%'`);
  return found?.times ?? 0;
}

/** Reads pages of a document type. */
async function read(type: string, pages: number): Promise<void> {
  for (let page = 1; page <= pages; page++) {
    const { data, errors } = await gateway.graphql(query, { type, offset: page });
    expect(errors).toBeUndefined();
    expect(data.expirationItems.nodes).toHaveLength(type === types.few ? Math.max(3 - page, 0) : 20);
  }
}

/** Through a transaction pooler, the statements of a connection are prepared in several sessions, or in none. */
const keepsPlans = onlyIf(process.env.TEST_POOLING !== 'transaction', 'sessions of the database');

test('pages of a document type keep one plan, however many items another type has', keepsPlans, async () => {
  // PostgreSQL plans a prepared statement anew five times before it compares.
  await read(types.usual, 8);
  const before = await planned();
  expect(before).toBe(5);
  for (const type of Object.values(types)) await read(type, 5);
  expect(await planned()).toBe(before);
});

test(
  'lists of what changed lately are planned with their moment, which decides how much there is',
  keepsPlans,
  async () => {
    const changed =
      'query($since: DateTime!) { tags(first: 5, filter: { modifiedSince: $since }) { totalCount nodes { id } } }';
    for (const day of [1, 2, 3]) {
      const { errors } = await gateway.graphql(changed, { since: `2026-01-0${day}T00:00:00Z` });
      expect(errors).toBeUndefined();
    }
    const kept = await gateway.database.sql<{ statement: string }>(
      "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%tags%' AND statement LIKE '%modified\" >=%'",
    );
    expect(kept).toEqual([]);
  },
);
