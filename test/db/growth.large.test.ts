import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { findDear, unreadIndexes } from './growth.support.js';
import { grow } from './growth-data.support.js';
import { findDearWork } from './growth-work.support.js';

const amounts = { items: 200_000, others: 5_000 };
const gateway = useGateway();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  await grow(client, gateway, amounts);
  await client.query('VACUUM ANALYZE');
}, 600_000);
afterAll(() => client.end());

test('whatever is asked for in a large organization, its cost has a bound', async () => {
  expect(await findDear(gateway, client, amounts)).toEqual([]);
}, 3_600_000);

test('the same while statistics are stale', async () => {
  // As after an import of a tenth: nothing is analyzed, and what PostgreSQL knows of organizations is kept.
  await client.query(`
    SET session_replication_role = replica;
    INSERT INTO expiration_items (id, organization_id, team_id, name, category_id, expiration_date, notify_on, modified)
    SELECT gen_random_uuid(), organization_id, team_id, 'Imported ' || name, category_id, expiration_date, notify_on, modified
    FROM expiration_items LIMIT ${amounts.items / 10};
    SET session_replication_role = origin`);
  expect(await findDear(gateway, client, { ...amounts, items: amounts.items * 1.1 })).toEqual([]);
}, 3_600_000);

test('whatever workers do, its cost follows from what is done, not from what there is', async () => {
  expect(await findDearWork(gateway, client, amounts)).toEqual([]);
}, 3_600_000);

test('no index is kept that nothing reads', async () => {
  expect(await unreadIndexes(client)).toEqual([]);
});
