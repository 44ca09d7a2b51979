import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query } from './support.js';

const migration = '20261122020000_folded_keys';
const organization = '018f0000-0000-7000-8000-000000000001';
const team = '018f0000-0000-7000-8000-000000000002';
const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

let database: EmbeddedDatabase;
let older: string;
let url: string;
let count = 0;

beforeAll(async () => {
  const root = await tempFolder();
  database = await openEmbedded({ dataDir: join(root, 'data'), log: memoryLog() });
  older = join(root, 'older');
  await mkdir(older);
  for (const name of (await listMigrations(MIGRATIONS_FOLDER)).filter((each) => each < migration)) {
    await cp(join(MIGRATIONS_FOLDER, name), join(older, name), { recursive: true });
  }
});
afterAll(() => database?.close());

beforeEach(async () => {
  count += 1;
  await query(database.url, `CREATE DATABASE test_${count}`);
  url = Object.assign(new URL(database.url), { pathname: `/test_${count}` }).href;
  await migrate(url, { log: memoryLog(), folder: older });
  await query(url, 'INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'Acme']);
  await query(url, 'INSERT INTO teams (id, organization_id, name) VALUES ($1, $2, $3)', [
    team,
    organization,
    'Home',
  ]);
});

async function insert(table: string, number: number, column: string, value: string) {
  await query(
    url,
    `INSERT INTO ${table} (id, organization_id, team_id, ${column}, modified) VALUES ($1, $2, $3, $4, now())`,
    [id(number), organization, team, value],
  );
}

const upgrade = () => migrate(url, { log: memoryLog() });

test('names that fold alike get numbers, each with an event', async () => {
  const names = ['Café', 'Cafe\u0301', 'Cafe\u0301 (2)', 'STRASSE', 'Straße', 'Other'];
  for (const [index, name] of names.entries()) await insert('tags', index + 10, 'name', name);
  await upgrade();
  const tags = await query(url, 'SELECT name FROM tags ORDER BY id');
  const renamed = ['Café', 'Cafe\u0301 (3)', 'Cafe\u0301 (2)', 'STRASSE', 'Straße (2)', 'Other'];
  expect(tags.map(({ name }) => name)).toEqual(renamed);
  const events = await query(
    url,
    'SELECT entity_id, event_logs.type_id, details::jsonb FROM event_logs JOIN event_log_entities ON event_id = id ORDER BY entity_id',
  );
  expect(events).toEqual([
    { entity_id: id(11), type_id: 2, details: { name: { before: 'Cafe\u0301', after: 'Cafe\u0301 (3)' } } },
    { entity_id: id(14), type_id: 2, details: { name: { before: 'Straße', after: 'Straße (2)' } } },
  ]);
  await expect(insert('tags', 30, 'name', 'CAFÉ')).rejects.toThrow('tags_name_key');
});

test('it stops with the ids that people must decide about, and continues after they have', async () => {
  await insert('contacts', 20, 'email', 'jos\u00e9@example.com');
  await insert('contacts', 21, 'email', 'jose\u0301@example.com');
  await expect(upgrade()).rejects.toThrow(`These contacts have the same email`);
  await expect(upgrade()).rejects.toThrow(`${id(20)} and ${id(21)}`);
  await query(url, 'DELETE FROM contacts WHERE id = $1', [id(21)]);
  await expect(upgrade()).rejects.toThrow('run the command `migrate --retry`');
  expect(await migrate(url, { log: memoryLog(), retry: true })).toContain(migration);
});
