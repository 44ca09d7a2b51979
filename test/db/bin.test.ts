import { expect, test } from 'vitest';
import { sharedTables } from '../../src/db/backup/tables.js';
import { allForeignKeys } from '../../src/db/bin/bin.js';
import { modelInfo } from '../../src/db/sql/models.js';
import { snakeCase } from '../../src/domain/text/names.js';
import { categories } from '../../src/resources/categories.js';
import { companies } from '../../src/resources/companies.js';
import { contactTypes } from '../../src/resources/contact-types.js';
import { contacts } from '../../src/resources/contacts.js';
import { locations } from '../../src/resources/locations.js';
import { reminderPolicies } from '../../src/resources/reminder-policies.js';
import { tags } from '../../src/resources/tags.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { make, remove, restore } from '../graphql/bin.support.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

test('the foreign keys that deletions follow are those of the database', async () => {
  const actions: Record<string, string> = { c: 'Cascade', r: 'Restrict', a: 'Restrict', n: 'SetNull' };
  const found = await gateway.database.sql<{ key: string; action: string }>(
    // A partition's keys are those of its table.
    `WITH whole AS (SELECT pg_class.oid AS part, coalesce(inhparent, pg_class.oid)::regclass AS name
       FROM pg_class LEFT JOIN pg_inherits ON inhrelid = pg_class.oid)
     SELECT DISTINCT one.name || '.' || attname || ' ' || other.name AS key, confdeltype::text AS action
     FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
     JOIN whole AS one ON one.part = conrelid JOIN whole AS other ON other.part = confrelid
     WHERE contype = 'f' AND one.name::text <> ALL ($1)`,
    // Tables of the whole installation have no model; what is in the bin never refers to them.
    [sharedTables],
  );
  const known = allForeignKeys.map(
    ({ model, field, to, onDelete }) =>
      `${modelInfo[model].table}.${snakeCase(field)} ${modelInfo[to].table} ${onDelete}`,
  );
  expect(known.sort()).toEqual(found.map(({ key, action }) => `${key} ${actions[action]}`).sort());
});

test('unique values are named as in the database', async () => {
  const found = await gateway.database.sql<{ table: string; definition: string }>(
    `SELECT tablename AS table, indexdef AS definition FROM pg_indexes
     WHERE indexdef LIKE '%UNIQUE%natural_key%' AND tablename <> 'users'`,
    [],
  );
  const all = [
    ...[categories, companies, contactTypes, contacts, locations, reminderPolicies, tags, vehicles],
  ];
  expect(all.map(({ table }) => table).sort()).toEqual(found.map(({ table }) => table).sort());
  for (const { table, uniqueBy } of all) {
    const [key = '', ...within] = (uniqueBy ?? []).map(snakeCase);
    const definition = found.find((index) => index.table === table)?.definition ?? '';
    const columns = [...definition.matchAll(/\b(\w+_id|name|email|vin)\b(?=[,):])/g)].map(([, name]) => name);
    expect(new Set(columns), table).toEqual(new Set(['organization_id', ...within, key]));
  }
});

test('rows stored by an older version are restored: missing columns get defaults, unknown ones are dropped', async () => {
  const { id } = await make(gateway, 'Vehicle', { name: 'From before', isArchived: true });
  await remove(gateway, 'Vehicle', id);
  await gateway.database.sql(
    `UPDATE bin_rows SET row = row - 'is_archived' - 'custom_fields' - 'trim' || '{"axles": 2}'`,
    [],
  );
  await restore(gateway, 'Vehicle', id);
  expect(await gateway.database.prisma.vehicle.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...{ name: 'From before', isArchived: false, customFields: [], trim: null },
  });
});

test('rows of a table that no longer exist are dropped', async () => {
  const { id } = await make(gateway, 'Note', { name: 'Kept', relations: [] });
  await remove(gateway, 'Note', id);
  await gateway.database.sql(
    `INSERT INTO bin_rows (entry_id, position, table_name, row) SELECT id, 99, 'leaflets', '{"id": 1}' FROM bin_entries`,
    [],
  );
  expect(await restore(gateway, 'Note', id)).toEqual({ __typename: 'Note', id });
});
