import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMigrations, MIGRATIONS_FOLDER, migrate } from '../../src/db/migrations/migrate.js';
import {
  addEventPartitions,
  deleteOldDeliveries,
  deleteOldEvents,
  dropEventPartition,
  listEventPartitions,
  missingPartitions,
} from '../../src/db/retention/retention.js';
import { installRoleAndPolicies } from '../../src/db/row-security/policies.js';
import { tempFolder } from '../support/folders.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { memoryLog, query, until } from './support.js';

const migration = (await listMigrations(MIGRATIONS_FOLDER)).find((name) =>
  name.endsWith('_partition_event_logs'),
);
const forever = Number.POSITIVE_INFINITY;
const at = (text: string) => new Date(text);

/** Returns a version 7 id of a time. */
function idAt(moment: string): string {
  const time = at(moment).getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const writeEvent = `
  WITH event AS (
    INSERT INTO event_logs (id, organization_id, team_id, type_id, description, created)
    VALUES ($1, $2, $3, 1, 'Test', $4) RETURNING id
  )
  INSERT INTO event_log_entities (event_id, entity_id, type_id, position) SELECT id, $1, 3, 0 FROM event`;

/** Writes an event about a record, as the gateway does. */
async function write(id: string, created: string, place = gateway, url = gateway.databaseUrl): Promise<void> {
  await query(url, writeEvent, [id, place.organizationId, place.teamId, created]);
}

/** Reads which partition has an event and its entity. */
async function placesOf(id: string, url = gateway.databaseUrl): Promise<string[]> {
  const rows = await query(
    url,
    `SELECT tableoid::regclass::text AS place FROM event_logs WHERE id = $1
     UNION ALL SELECT tableoid::regclass::text FROM event_log_entities WHERE event_id = $1`,
    [id],
  );
  return rows.map(({ place }) => place);
}

const placesIn = (suffix: string) => [`event_logs_${suffix}`, `event_log_entities_${suffix}`];

/** Expects the stored totals to be those of the rows. */
async function expectExactTotals(url = gateway.databaseUrl): Promise<void> {
  const wrong = await query(
    url,
    `SELECT * FROM (SELECT team_id, count(*) AS rows FROM event_logs GROUP BY 1) AS counted
       FULL JOIN (SELECT team_id, sum(change) AS total FROM record_counts WHERE table_name = 'event_logs' GROUP BY 1) AS kept
       USING (team_id)
     WHERE coalesce(rows, 0) <> coalesce(total, 0)`,
  );
  expect(wrong).toEqual([]);
}

test('an existing event log becomes the first partition, with its totals and row-level security', async () => {
  const older = await tempFolder();
  for (const name of (await listMigrations(MIGRATIONS_FOLDER)).filter((each) => each < String(migration)))
    await cp(join(MIGRATIONS_FOLDER, name), join(older, name), { recursive: true });
  await query(gateway.databaseUrl, 'CREATE DATABASE older_events');
  const url = Object.assign(new URL(gateway.databaseUrl), { pathname: '/older_events' }).href;
  try {
    await migrate(url, { log: memoryLog(), folder: older });
    // Policies are those of all tables, among them some that only later migrations make.
    await query(url, 'CREATE TABLE imports (id UUID, organization_id UUID, user_id UUID)');
    await query(url, 'CREATE TABLE import_batches (import_id UUID)');
    await query(url, 'CREATE TABLE team_exports (id UUID, organization_id UUID, user_id UUID, team_id UUID)');
    await query(
      url,
      'CREATE TABLE resumable_uploads (id UUID, organization_id UUID, user_id UUID, team_id UUID)',
    );
    await query(url, 'CREATE TABLE archive_parts (organization_id UUID)');
    await query(url, 'CREATE TABLE file_removals (object_key TEXT)');
    await query(url, 'CREATE TABLE postponements (organization_id UUID, team_id UUID)');
    await query(url, 'CREATE TABLE saved_views (organization_id UUID)');
    await query(url, 'CREATE TABLE item_holders (item_id UUID)');
    const compliance = ['requirements', 'exemptions', 'holder_compliances', 'compliance_turns'];
    const latest = [
      'mail_texts',
      ...compliance,
      'document_requests',
      'document_request_links',
      'compliance_links',
      'compliance_notices',
      'asked_papers',
    ];
    for (const name of latest) await query(url, `CREATE TABLE ${name} (organization_id UUID, team_id UUID)`);
    await installRoleAndPolicies(url);
    const made = ['imports', 'import_batches', 'team_exports', 'resumable_uploads', 'archive_parts'];
    const later = ['file_removals', 'postponements', 'saved_views', 'item_holders'];
    await query(url, `DROP TABLE ${[...made, ...later, ...latest]} CASCADE`);
    const [organization] = await query(
      url,
      `INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'Acme') RETURNING id`,
    );
    const place = { ...gateway, organizationId: organization.id, teamId: randomUUID() };
    const ids = { time: idAt('2025-03-01'), random: 'f0000000-0000-4000-8000-000000000001' };
    for (const id of Object.values(ids)) await write(id, '2025-03-01', place, url);
    const policies = `SELECT tablename, policyname FROM pg_policies
      WHERE tablename LIKE 'event\\_log%' ORDER BY tablename, policyname`;
    const before = await query(url, policies);

    await migrate(url, { log: memoryLog() });
    expect(await placesOf(ids.time, url)).toEqual(placesIn('before'));
    expect(await placesOf(ids.random, url)).toEqual(placesIn('other'));
    await expectExactTotals(url);
    expect(before).toHaveLength(2);
    expect(await query(url, policies)).toEqual(before);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `SELECT set_config('gateway.organization', $1, false), set_config('gateway.teams', 'all', false)`,
      [organization.id],
    );
    await client.query('SET ROLE expiration_gateway_caller');
    expect(
      (await client.query('SELECT FROM event_logs JOIN event_log_entities ON event_id = id')).rowCount,
    ).toBe(2);
    await expect(client.query('SELECT FROM event_logs_before')).rejects.toThrow('permission denied');
    await client.end();
    await query(url, 'DELETE FROM event_logs');
    expect(await query(url, 'SELECT FROM event_log_entities')).toEqual([]);
    await expectExactTotals(url);
  } finally {
    await query(gateway.databaseUrl, 'DROP DATABASE older_events');
  }
});

describe('partitions', () => {
  const first = { suffix: 'before', starts: undefined, ends: at('2026-12-01') };
  const other = { suffix: 'other', starts: undefined, ends: undefined };

  test.each([
    ['months for two years', '2026-11-25', 730, ['2026_12', '2027_01']],
    ['years forever', '2026-11-25', forever, ['2026_12', '2027_01']],
    ['years for ten years', '2027-11-30', 3_650, ['2027_11', '2028_01']],
    ['this month after a long rest', '2027-06-15', 730, ['2027_06', '2027_07', '2027_08']],
  ])('span %s', (_what, now, days, suffixes) => {
    expect(missingPartitions([first, other], at(now), days).map(({ suffix }) => suffix)).toEqual(suffixes);
  });

  test('follow one another', () => {
    const made = missingPartitions([first, other], at('2026-11-25'), forever);
    expect(made.map(({ starts, ends }) => [starts, ends])).toEqual([
      [at('2026-12-01'), at('2027-01-01')],
      [at('2027-01-01'), at('2028-01-01')],
    ]);
    expect(missingPartitions([first, ...made, other], at('2027-10-31'), forever)).toEqual([]);
  });
});

describe('a partition', () => {
  test('that was not made in time gets the events from the default one', async () => {
    const id = idAt('2031-05-17');
    await write(id, '2031-05-17');
    expect(await placesOf(id)).toEqual(placesIn('other'));
    await addEventPartitions(gateway.database, at('2031-05-18'), 400);
    expect(await placesOf(id)).toEqual(placesIn('2031_05'));
    expect((await listEventPartitions(gateway.database)).map(({ suffix }) => suffix)).toEqual(
      expect.arrayContaining(['2031_05', '2031_06', '2031_07', 'other']),
    );
    await expectExactTotals();
  });

  test('goes when all its events are old, and the first and the default one lose single events', async () => {
    const made: string[] = [];
    for (const moment of [
      '2031-05-01',
      '2031-05-31T23:59:59.999Z',
      '2031-06-01',
      '2020-01-01',
      '2025-01-02',
    ]) {
      made.push(idAt(moment));
      await write(made.at(-1) as string, moment);
    }
    const [first, last, next, older, newer] = made as [string, string, string, string, string];
    const odd = 'f0000000-0000-4000-8000-000000000002';
    await write(odd, '2020-01-01');
    expect(await deleteOldEvents(gateway.database, at('2032-01-01'), forever)).toBe(0);

    expect(await deleteOldEvents(gateway.database, at('2026-01-01'), 365)).toBe(2);
    for (const id of [older, odd]) expect(await placesOf(id)).toEqual([]);
    expect(await placesOf(newer)).toEqual(placesIn('before'));
    await expectExactTotals();

    await deleteOldEvents(gateway.database, at('2031-07-02'), 32);
    for (const id of [first, last]) expect(await placesOf(id)).not.toEqual([]);
    await deleteOldEvents(gateway.database, at('2031-07-03'), 32);
    for (const id of [first, last, newer]) expect(await placesOf(id)).toEqual([]);
    expect(await placesOf(next)).toEqual(placesIn('2031_06'));
    await expectExactTotals();
  });

  test('stays while somebody reads the log, and does not keep others waiting', async () => {
    await addEventPartitions(gateway.database, at('2033-01-15'), 400);
    const id = idAt('2033-01-01');
    await write(id, '2033-01-01');
    const reader = new pg.Client({ connectionString: gateway.databaseUrl });
    await reader.connect();
    try {
      await reader.query('BEGIN; SELECT FROM event_logs LIMIT 1');
      const dropping = dropEventPartition(gateway.database, '2033_01');
      await write(idAt('2033-02-01'), '2033-02-01');
      expect(await dropping).toBe(0);
      expect(await placesOf(id)).toEqual(placesIn('2033_01'));
    } finally {
      await reader.end();
    }
    expect(await dropEventPartition(gateway.database, '2033_01')).toBe(1);
    await expectExactTotals();
  });

  test('goes although a reader has its entities and then reads its events', async () => {
    await addEventPartitions(gateway.database, at('2034-01-15'), 400);
    await write(idAt('2034-01-01'), '2034-01-01');
    const reader = new pg.Client({ connectionString: gateway.databaseUrl });
    await reader.connect();
    try {
      await reader.query('BEGIN; SELECT FROM event_log_entities LIMIT 1');
      const dropping = dropEventPartition(gateway.database, '2034_01');
      const waiters = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'event_log_entities'::regclass`;
      await until('the entities are to be locked', async () => (await reader.query(waiters)).rowCount);
      await reader.query('SELECT FROM event_logs LIMIT 1; COMMIT');
      expect(await dropping).toBe(1);
    } finally {
      await reader.end();
    }
    await expectExactTotals();
  });

  test('gets the events that are written while it is made', async () => {
    const writer = new pg.Client({ connectionString: gateway.databaseUrl });
    await writer.connect();
    const id = idAt('2035-05-17');
    try {
      await writer.query('BEGIN');
      await writer.query(writeEvent, [id, gateway.organizationId, gateway.teamId, '2035-05-17']);
      const adding = addEventPartitions(gateway.database, at('2035-05-18'), 400);
      adding.catch(() => {});
      const waiters = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'event_logs_other'::regclass`;
      for (let looks = 0; looks < 100 && (await query(gateway.databaseUrl, waiters)).length === 0; looks++);
      await writer.query('COMMIT');
      await adding;
    } finally {
      await writer.end();
    }
    // On a slow machine it has given up before.
    await addEventPartitions(gateway.database, at('2035-05-18'), 400);
    expect(await placesOf(id)).toEqual(placesIn('2035_05'));
    await expectExactTotals();
  });
});

test('old deliveries are deleted when they are settled', async () => {
  const { organizationId, teamId } = gateway;
  const states = ['SENT', 'QUEUED', 'SENT'];
  const settled = ['2026-01-01', null, '2026-03-01'];
  await query(
    gateway.databaseUrl,
    `INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, address, state, settled_at, created)
     SELECT gen_random_uuid(), $1, $2, 'MAIL', settled.n, 'item', 'ada@example.com', state::delivery_state, at, '2026-01-01'
     FROM unnest($3::text[], $4::timestamptz[]) WITH ORDINALITY AS settled (state, at, n)`,
    [organizationId, teamId, states, settled],
  );
  expect(await deleteOldDeliveries(gateway.database, at('2026-05-01'), forever)).toBe(0);
  expect(await deleteOldDeliveries(gateway.database, at('2026-05-01'), 90)).toBe(1);
  expect(await query(gateway.databaseUrl, 'SELECT dedupe_key AS key FROM deliveries ORDER BY 1')).toEqual([
    { key: '2' },
    { key: '3' },
  ]);
});
