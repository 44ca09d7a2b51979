import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startImporter } from '../support/imports.js';

let gateway: TestGateway;
let importer: ReturnType<typeof startImporter>;
beforeAll(async () => {
  gateway = await startGateway();
  // Only the import itself may collect them.
  for (const table of ['contacts', 'expiration_items'])
    await gateway.database.sql(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  importer = startImporter(gateway);
});
afterAll(async () => {
  await importer.stop();
  await gateway.close();
});

/** Returns how many rows the planner takes a table for. */
async function plannedRows(table: string): Promise<number> {
  const [row] = await gateway.database.sql<{ rows: number }>(
    'SELECT reltuples AS rows FROM pg_class WHERE oid = to_regclass($1::text)',
    [table],
  );
  return row?.rows ?? 0;
}

test('after a large import, the planner knows what it wrote', async () => {
  const people = Array.from({ length: 2_000 }, (_, n) => `Person ${n},person${n}@example.com`);
  const { id } = await importer.create(['Name,Email', ...people].join('\n'), { kind: 'CONTACTS' });
  // A preview writes nothing that would have to be known.
  expect(await plannedRows('contacts')).toBeLessThan(100);
  const { statistics } = gateway.database;
  statistics.set('known before', { until: Number.POSITIVE_INFINITY, value: Promise.resolve(0) });
  expect(await importer.run(id)).toMatchObject({ state: 'DONE' });
  await eventually(async () => expect(await plannedRows('contacts')).toBe(2_000));
  // What was known before is looked up again.
  await eventually(async () => expect(statistics.has('known before')).toBe(false));
  expect(await plannedRows('expiration_items')).toBeLessThan(100);
});
