import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query } from './support.js';

let database: EmbeddedDatabase;
let older: string;
beforeAll(async () => {
  const root = await tempFolder();
  database = await openEmbedded({ dataDir: join(root, 'data'), log: memoryLog() });
  older = join(root, 'older');
  await mkdir(older);
  const names = await listMigrations(MIGRATIONS_FOLDER);
  for (const name of names.filter((each) => each < '20261129070000_find_values_of_custom_fields')) {
    await cp(join(MIGRATIONS_FOLDER, name), join(older, name), { recursive: true });
  }
});
afterAll(() => database?.close());

test('statistics of custom fields are there as soon as a search may use their index', {
  timeout: 120_000,
}, async () => {
  await query(database.url, 'CREATE DATABASE custom_statistics');
  const url = Object.assign(new URL(database.url), { pathname: '/custom_statistics' }).href;
  await migrate(url, { log: memoryLog(), folder: older });
  await query(
    url,
    `WITH organization AS (INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'Acme') RETURNING id),
      team AS (
        INSERT INTO teams (id, organization_id, name) SELECT gen_random_uuid(), id, 'Home' FROM organization
        RETURNING id, organization_id
      )
    INSERT INTO contacts (id, organization_id, team_id, name, email, custom_fields, modified)
    SELECT gen_random_uuid(), organization_id, id, 'Person ' || number, number || '@example.com',
      '[{"name": "State", "value": "on duty"}]', now()
    FROM team, generate_series(1, 100) AS number`,
  );
  await migrate(url, { log: memoryLog() });
  const known = await query(
    url,
    `SELECT most_common_vals::text::text[] AS frequent FROM pg_stats WHERE tablename = 'contacts_custom_term_idx'`,
  );
  expect(known).toEqual([{ frequent: ['["on duty"]'] }]);
});
