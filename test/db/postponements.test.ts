import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query } from './support.js';

const migration = '20261128030800_postponements';
const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [organization, team, category, user, contact, former] = [id(1), id(2), id(3), id(4), id(5), id(6)];
const scope = { organization_id: organization, team_id: team };
const timezone = 'Pacific/Kiritimati';
const [far, modified] = ['2999-01-01', '2026-11-01T00:00:00Z'];

/** Acknowledgements of the version before, each of an item of its own name. */
const made: Readonly<Record<string, object>> = {
  'later by a user': { user_id: user },
  'later by a contact': { contact_id: contact },
  'later by a user, and moved since then': { user_id: user, team_id: former },
  'later by nobody': {},
  'until today': { user_id: user, snooze_until: 'today' },
  'silenced for a while': { user_id: user, silence: true },
  'acknowledged in the console': { user_id: user, via: 'CONSOLE' },
  'acknowledged without a day': { user_id: user, snooze_until: null },
  'moved since then': { user_id: user, snooze_until: null, team_id: former },
};

let database: EmbeddedDatabase;
let url: string;

const insert = (table: string, row: object) => {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`;
  return query(url, sql, Object.values(row));
};

beforeAll(async () => {
  const root = await tempFolder();
  database = await openEmbedded({ dataDir: join(root, 'data'), log: memoryLog() });
  const older = join(root, 'older');
  await mkdir(older);
  for (const name of (await listMigrations(MIGRATIONS_FOLDER)).filter((each) => each < migration))
    await cp(join(MIGRATIONS_FOLDER, name), join(older, name), { recursive: true });
  await query(database.url, 'CREATE DATABASE older');
  url = Object.assign(new URL(database.url), { pathname: '/older' }).href;
  await migrate(url, { log: memoryLog(), folder: older });
  await insert('organizations', { id: organization, name: 'Acme' });
  await insert('teams', { id: team, organization_id: organization, name: 'Home', timezone });
  await insert('teams', { id: former, organization_id: organization, name: 'Former', timezone });
  await insert('categories', { id: category, ...scope, name: 'Generic', modified });
  await insert('users', { id: user, ...scope, name: 'Max', email: 'Max@Example.com' });
  await insert('contacts', { id: contact, ...scope, email: 'Anna@Example.org', modified });
  const [{ today }] = (await query(
    url,
    `SELECT (now() AT TIME ZONE '${timezone}')::date::text AS today`,
  )) as [{ today: string }];
  for (const [index, [name, given]] of Object.entries(made).entries()) {
    const item = { id: id(index + 100), ...scope, category_id: category, name, modified };
    await insert('expiration_items', { ...item, expiration_date: '2998-12-31' });
    const row = { via: 'LINK', snooze_until: far, ...given };
    if (row.snooze_until === 'today') row.snooze_until = today;
    const dates = { expiration_date: '2998-12-31', created: '2026-11-20T08:00:00Z' };
    await insert('acknowledgements', { ...scope, item_id: item.id, ...dates, ...row });
  }
  await migrate(url, { log: memoryLog() });
});
afterAll(() => database?.close());

test('"Remind me later" belongs to the one who pressed it, from the same moment to the same day', async () => {
  const rows = await query(
    url,
    `SELECT name, recipient_key, about, own.expiration_date::text AS date, until::text, own.created,
      own.team_id = item.team_id AND own.organization_id = item.organization_id AS here
    FROM postponements AS own JOIN expiration_items AS item ON item.id = item_id ORDER BY item.id`,
  );
  const kept = { about: 'EXPIRATION', date: '2998-12-31', until: far, here: true };
  const created = new Date('2026-11-20T08:00:00Z');
  expect(rows).toEqual([
    { name: 'later by a user', recipient_key: 'mail:max@example.com', ...kept, created },
    { name: 'later by a contact', recipient_key: 'mail:anna@example.org', ...kept, created },
    {
      name: 'later by a user, and moved since then',
      recipient_key: 'mail:max@example.com',
      ...kept,
      created,
    },
  ]);
});

test('all other acknowledgements stay, for everybody', async () => {
  const rows = await query(
    url,
    `SELECT name, own.team_id FROM acknowledgements AS own JOIN expiration_items AS item ON item.id = item_id ORDER BY item.id`,
  );
  // Those of items that were moved are in the items' workspace now.
  const kept = Object.keys(made).slice(3);
  expect(rows).toEqual(kept.map((name) => ({ name, team_id: team })));
});
