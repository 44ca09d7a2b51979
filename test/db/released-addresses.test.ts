import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/embedded.js';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import { tempFolder } from '../support/folders.js';
import { memoryLog, query } from './support.js';

const migration = '20261128024500_one_suppression';
const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [organization, team] = [id(1), id(2)];

/** Addresses that were suppressed for a refusal, with what the server said; null if the delivery is gone. */
const refused = [
  ['limit', '550 5.4.5 Daily user sending limit exceeded'],
  ['full', '552 5.2.2 Mailbox full'],
  ['doubtful', '550 5.1.1 Daily quota exceeded'],
  ['elsewhere', '550 5.1.10.1 What'],
  ['gone', null],
  ['unknown', '550 5.1.1 User unknown'],
  ['moved', '550-5.1.6 It has moved'],
  ['nowhere', '556 5.1.10 Null MX'],
  ['disabled', '550 5.2.1'],
] as const;
const dead = ['disabled', 'moved', 'nowhere', 'unknown'];

let database: EmbeddedDatabase;
let url: string;
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
  await query(url, 'INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'Acme']);
  const home = 'INSERT INTO teams (id, organization_id, name) VALUES ($1, $2, $3)';
  await query(url, home, [team, organization, 'Home']);
  const suppress = `INSERT INTO suppressions (organization_id, address_key, scope, reason, until)
    VALUES ($1, $2, 'ALL', $3::suppression_reason, $4)`;
  const until = new Date('2026-12-20');
  for (const [index, [name, said]] of refused.entries()) {
    const address = `${name}@example.org`;
    // It was refused twice, for example an invitation after a reminder.
    await query(url, suppress, [organization, address, 'REFUSED', until]);
    await query(url, suppress, [organization, address, 'REFUSED', until]);
    if (said === null) continue;
    await query(
      url,
      `INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, address, state, status_code, last_error)
      VALUES ($1, $2, $3, 'MAIL', $4, 'item', $5, 'FAILED', 550, $6)`,
      [id(index + 100), organization, team, name, address.toUpperCase(), said],
    );
  }
  await query(url, suppress, [organization, 'admin@example.org', 'ADMIN', null]);
  await query(url, suppress, [organization, 'admin@example.org', 'ADMIN', until]);
  await migrate(url, { log: memoryLog() });
});
afterAll(() => database?.close());

test('addresses that were refused get mail again, unless a delivery proves a dead mailbox', async () => {
  const kept = await query(url, 'SELECT address_key, until FROM suppressions ORDER BY address_key');
  expect(kept.map(({ address_key }) => address_key)).toEqual(
    ['admin', ...dead].map((name) => `${name}@example.org`),
  );
  expect(kept[0]?.until).toBeNull();
});

test('each that was released has one event', async () => {
  const events = await query(
    url,
    'SELECT team_id, type_id, description FROM event_logs ORDER BY description',
  );
  const released = refused.map(([name]) => name).filter((name) => !dead.includes(name));
  expect(events).toEqual(
    released.sort().map((name) => ({
      team_id: team,
      type_id: 4,
      description: `Mails to ${name}@example.org are sent again`,
    })),
  );
});
