import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snakeCase } from '../../src/domain/text/names.js';
import { expirationItems } from '../../src/items/expiration-items.js';
import { categories } from '../../src/resources/categories.js';
import { companies } from '../../src/resources/companies.js';
import { contactTypes } from '../../src/resources/contact-types.js';
import { contacts } from '../../src/resources/contacts.js';
import { locations } from '../../src/resources/locations.js';
import { notes } from '../../src/resources/notes.js';
import { tags } from '../../src/resources/tags.js';
import { teams } from '../../src/resources/teams.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { directions, insert, pages, readPage, type VehicleOrder } from './lists.js';
import { ask } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await insert(gateway, gateway, [{ name: 'a' }, { name: 'b' }, { name: null }]);
});
afterAll(() => gateway.close());

/** The plan for any values of the last statement that a request sends, where indexes are preferred. */
async function planOf(work: () => Promise<unknown>): Promise<string> {
  const statement = (await gateway.statements(work)).at(-1);
  const client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  try {
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
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
        const plan = await planOf(() => ask(gateway, pages, { orderBy, ...args }));
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
  ].map(({ table, indexed }): [string, readonly string[]] => [table, indexed]),
)('%s: the orders that are known to have an index have one', async (table, indexed) => {
  const found = await gateway.database.prisma.$queryRaw<{ definition: string }[]>`
    SELECT indexdef AS definition FROM pg_indexes WHERE tablename = ${table}`;
  const ordered = found.flatMap(
    ({ definition }) => /\(organization_id, (\w+), id\)/.exec(definition)?.[1] ?? [],
  );
  expect([...indexed].map(snakeCase).sort()).toEqual(ordered.sort());
});
