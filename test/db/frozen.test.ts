import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeExpired } from '../../src/db/bin/bin.js';
import { freezeOrganization } from '../../src/db/organization/freeze.js';
import { deleteOldDeliveries } from '../../src/db/retention/retention.js';
import { forgetExports } from '../../src/exports/exports.js';
import { forgetImports } from '../../src/imports/queue.js';
import { dropChecks } from '../../src/reminders/evaluate/turns.js';
import { forgetSignIns } from '../../src/sign-in/sessions.js';
import { forgetResumable } from '../../src/uploads/resumable.js';
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

/** Deletes what has expired, by the table. */
const deletions: Readonly<Record<string, (now: Date) => Promise<unknown>>> = {
  bin_entries: (now) => purgeExpired(made.database, now),
  compliance_notices: (now) => deleteOldDeliveries(made.database, now, 1),
  deliveries: (now) => deleteOldDeliveries(made.database, now, 1),
  imports: (now) => forgetImports(made.database, now),
  reminder_checks: () => dropChecks(made.database),
  resumable_uploads: (now) => forgetResumable(made.database, now),
  sessions: (now) => forgetSignIns(made.database, now),
  sign_in_links: (now) => forgetSignIns(made.database, now),
  team_exports: (now) => forgetExports(made.database, now),
};

const countIn = async (table: string, { organizationId }: Tenant) => {
  const text = `SELECT FROM ${table} WHERE organization_id = $1`;
  return (await made.database.sql(text, [organizationId])).length;
};

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
  const tables = Object.keys(deletions);
  const before = await Promise.all(tables.map((table) => countIn(table, frozen)));
  expect(before).not.toContain(0);
  await freezeOrganization(made.url, frozen.organizationId);
  for (const forget of Object.values(deletions)) await forget(new Date('2999-01-01'));
  expect(await Promise.all(tables.map((table) => countIn(table, frozen)))).toEqual(before);
  expect(await Promise.all(tables.map((table) => countIn(table, other)))).toEqual(before.map(() => 0));
});
