import { afterAll, beforeAll, expect, test } from 'vitest';
import { freezeOrganization } from '../../src/db/organization/freeze.js';
import { deleteExpired } from '../support/expired.js';
import { createDatabase, createTenant, type Tenant, type TestDatabase } from '../support/gateway.js';
import { makeRows } from './scope.fixture.js';

let made: TestDatabase;
let frozen: Tenant;
let other: Tenant;
beforeAll(async () => {
  made = await createDatabase();
  frozen = await createTenant(made.database);
  other = await createTenant(made.database, 'Globex');
  for (const { organizationId, teamId } of [frozen, other])
    await makeRows(made.database.prisma, { organizationId, teamId });
});
afterAll(() => made.drop());

const tables = [
  ...['bin_entries', 'compliance_notices', 'deliveries', 'imports', 'reminder_checks', 'resumable_uploads'],
  ...['sessions', 'sign_in_links', 'team_exports'],
];

const countsOf = ({ organizationId }: Tenant) =>
  Promise.all(
    tables.map(async (table) => {
      const text = `SELECT FROM ${table} WHERE organization_id = $1`;
      return (await made.database.sql(text, [organizationId])).length;
    }),
  );

test('what a frozen organization has that expired stays, and all of the others goes', async () => {
  const { database } = made;
  for (const table of ['compliance_notices', 'imports', 'team_exports', 'deliveries'])
    await database.sql(`UPDATE ${table} SET due_at = NULL`);
  await database.sql('UPDATE deliveries SET settled_at = created');
  await database.sql('UPDATE team_exports SET expires_at = created');
  // More than are deleted at once.
  await database.sql(`
    INSERT INTO bin_entries SELECT (jsonb_populate_record(entry, jsonb_build_object('id', gen_random_uuid()))).*
    FROM bin_entries AS entry, generate_series(1, 10)`);
  const before = await countsOf(frozen);
  expect(before).not.toContain(0);
  await freezeOrganization(made.url, frozen.organizationId);
  await deleteExpired(database, new Date('2999-01-01'));
  expect(await countsOf(frozen)).toEqual(before);
  expect(await countsOf(other)).toEqual(before.map(() => 0));
});
