import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query } from './support.js';

const migration = '20261127075500_dates_of_photos';
const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [organization, team, category] = [id(1), id(2), id(3)];

/** An upload that the version before filed under a new item. It was received at 03:12 UTC on 27 November 2026. */
interface Filed {
  readonly filename: string;
  readonly date: string | null;
  readonly tags?: object;
  readonly suggestions?: object[];
  readonly changed?: boolean;
  readonly attached?: boolean;
  readonly failed?: boolean;
  readonly archived?: boolean;
}

const says = (value: string) => [{ field: 'expiration_date', value, confidence: 95, source: 'OCR' }];
const photo = { filename: '2026-11-27 03.12.pdf', date: '2026-11-27' };

/** Uploads whose items are not sure to have the right date. */
const doubtful: readonly Filed[] = [
  photo,
  { filename: 'IMG_20261127_031200.jpg', date: '2026-11-27' },
  { filename: 'Agenda 2026-11-26.pdf', date: '2026-11-26' },
  { filename: 'WhatsApp Image 2026-08-01 at 10.00.00.jpeg', date: '2026-08-01' },
  { filename: 'Scan 2026-08-01.pdf', date: '2026-08-01' },
  { filename: 'CamScanner 08-25-2026 10.00.pdf', date: '2026-08-25' },
  { filename: 'Neues Dokument 2026-08-01.pdf', date: '2026-08-01' },
  { ...photo, tags: { category: 'Licence', expiration_date: ' ' } },
  { ...photo, suggestions: says('2028-01-18') },
];

/** Uploads whose items stay as they are. */
const sure: readonly Filed[] = [
  { filename: 'Trade licence 2031-07-15.pdf', date: '2031-07-15' },
  { filename: 'Trade licence 2020-03-31.pdf', date: '2020-03-31' },
  { filename: 'Scan exp 2026-11-27.pdf', date: '2026-11-27' },
  { filename: 'IMG_1234 gültig-bis 2026-11-27.jpg', date: '2026-11-27' },
  { filename: 'valid until 2026-11-27.pdf', date: '2026-11-27' },
  { ...photo, changed: true },
  { ...photo, attached: true },
  { ...photo, failed: true },
  { ...photo, archived: true },
  { ...photo, tags: { Expiration_Date: '2026-11-27' } },
  { ...photo, suggestions: says('2026-11-27') },
  { ...photo, date: null },
];

let database: EmbeddedDatabase;
let url: string;

const insert = (table: string, row: object) => {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`;
  return query(url, sql, Object.values(row));
};

const scope = { organization_id: organization, team_id: team };

async function file(number: number, filed: Filed): Promise<void> {
  const at = '2026-11-27T03:12:00.500Z';
  const created = filed.attached ? '2026-11-01T00:00:00Z' : at;
  const modified = filed.changed ? '2026-11-27T08:00:00Z' : at;
  await insert('expiration_items', {
    ...{ id: id(number), ...scope, name: filed.filename, category_id: category, created, modified },
    ...{ expiration_date: filed.date, is_active: !filed.archived },
  });
  await insert('upload_notifications', {
    ...{
      id: id(number + 1_000),
      ...scope,
      filename: filed.filename,
      dedupe_key: String(number),
      state: 'FILED',
    },
    ...{ expiration_item_id: id(number), received_at: '2026-11-27T03:12:00Z', filed_at: at, modified: at },
    ...{ upload_tags: filed.tags ?? null, suggestions: JSON.stringify(filed.suggestions ?? []) },
  });
  if (!filed.failed) return;
  const event = { id: id(number + 2_000), ...scope, type_id: 12, description: 'It could not be filed' };
  await insert('event_logs', { ...event, created: at });
  await insert('event_log_entities', {
    event_id: event.id,
    entity_id: id(number + 1_000),
    type_id: 12,
    position: 0,
  });
}

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
  await insert('teams', { id: team, organization_id: organization, name: 'Home' });
  await insert('categories', { id: category, ...scope, name: 'Generic', modified: '2026-11-01T00:00:00Z' });
  for (const [index, filed] of [...doubtful, ...sure].entries()) await file(index + 100, filed);
  await migrate(url, { log: memoryLog() });
});
afterAll(() => database?.close());

const rows = (where: string) =>
  query(
    url,
    `SELECT item.id, item.name, item.expiration_date::text AS date, notify_on, item.modified, needs_review, upload.suggestions
    FROM expiration_items AS item JOIN upload_notifications AS upload ON expiration_item_id = item.id
    WHERE ${where} ORDER BY item.id`,
  );

test('an item with the day of a photo loses it, and waits for a person without reminders', async () => {
  const found = await rows('needs_review');
  expect(found.map(({ name }) => name)).toEqual(doubtful.map(({ filename }) => filename));
  for (const { date, notify_on, modified } of found) {
    // The last day of all is that of items without reminders.
    expect([date, notify_on?.toISOString().slice(0, 10)]).toEqual([null, '9999-12-31']);
    expect(modified.getTime()).toBeGreaterThan(Date.parse('2026-11-27T03:12:00.500Z'));
  }
  expect(found.at(-1)?.suggestions).toEqual(says('2028-01-18'));
});

test('what it was is in the history', async () => {
  const events = await query(
    url,
    `SELECT entity_id, description, details::jsonb FROM event_logs
    JOIN event_log_entities AS entity ON event_id = id WHERE event_logs.type_id = 2 ORDER BY entity_id`,
  );
  expect(events.map(({ entity_id }) => entity_id)).toEqual(doubtful.map((_, index) => id(index + 100)));
  expect(events[0]).toMatchObject({
    description: 'Expiration item "2026-11-27 03.12.pdf" was updated: expiration_date',
    details: { expiration_date: { before: '2026-11-27', after: null } },
  });
});

test('other items stay as they are', async () => {
  const kept = await rows('NOT needs_review');
  expect(kept.map(({ name, date }) => [name, date])).toEqual(
    sure.map(({ filename, date }) => [filename, date]),
  );
});
