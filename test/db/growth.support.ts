import pg from 'pg';
import { expect } from 'vitest';
import type { SentStatement } from '../../src/db/connection/pool.js';
import { countedModels, mostCounted } from '../../src/db/sql/select.js';
import { models } from '../../src/domain/models.js';
import type { Tenant, TestGateway } from '../support/gateway.js';
import { questions } from './growth-questions.support.js';

/** How much a database has. */
export interface Amounts {
  /** Items of one organization with 50 workspaces; one in 200 is in the member's. */
  readonly items: number;
  /** Other organizations, with ten items each. */
  readonly others: number;
}

/** Workspaces of the large organization, and how many records it has for each that the member sees. */
const [workspaces, share] = [50, 200];

/** SQL for the id of the n-th record of a kind. */
const id = (kind: string, number: string) => `md5('${kind} ' || ${number})::uuid`;

/** SQL for one of a number of records, which many rows share evenly. */
const oneOf = (kind: string, count: number) => id(kind, `(1 + g % ${count})`);

/** Indexes of large tables that are made once the rows are there, which takes a tenth of the time. */
const lateIndexes = `
  SELECT index.indexrelid::regclass::text AS name, pg_get_indexdef(index.indexrelid) AS definition
  FROM pg_index AS index JOIN pg_class AS own ON own.oid = index.indrelid
  WHERE NOT index.indisunique AND own.relkind = 'r' AND own.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = own.oid)`;

/** Fills a database by a statement for each table. Rows are spread so that each filter finds some. */
export async function grow(client: pg.Client, tenant: Tenant, { items, others }: Amounts): Promise<void> {
  const { organizationId, teamId, otherTeamId, userId } = tenant;
  /** Inserts a row for each number `g` of a series. */
  const insert = (table: string, count: number, columns: Readonly<Record<string, string>>) =>
    client.query(
      `INSERT INTO ${table} (${Object.keys(columns).map((name) => `"${name}"`)})
       SELECT ${Object.values(columns)} FROM generate_series(1, ${count}) AS g`,
    );
  const now = `TIMESTAMPTZ '2026-11-20 09:30Z'`;
  const before = `${now} - g * interval '1 minute'`;
  const times = { created: before, modified: before };
  const owner = {
    organization_id: `'${organizationId}'::uuid`,
    team_id: `CASE WHEN g % ${share} = 0 THEN '${teamId}'::uuid WHEN g % 49 = 0 THEN '${otherTeamId}'::uuid
      ELSE ${id('team', '(g % 49)')} END`,
  };
  const date = `DATE '2026-01-01' + g * 7919 % 3000`;
  const custom = (each: number) =>
    `jsonb_build_array(jsonb_build_object('id', ${id('field', '1')}, 'name', 'Cost centre', 'value', 'CC-' || g / ${each}))`;
  const [few, some, half] = [60, Math.ceil(items / 20), Math.ceil(items / 2)];
  // Triggers count records and note changes, which is not what is measured, and takes most of the time.
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(lateIndexes);
  await client.query(`DROP INDEX ${indexes.map(({ name }) => name)}`);
  const { organization_id } = owner;
  const named = (name: string) => ({ ...owner, name: `'${name} ' || g`, ...times });
  await insert('teams', workspaces - 2, {
    id: id('team', 'g'),
    organization_id,
    name: `'Place ' || g`,
    ...times,
  });
  await client.query(
    `UPDATE teams SET reminder_policy_id = make_reminder_policy(organization_id, id, reminder_days, created)
     WHERE reminder_policy_id IS NULL`,
  );
  await insert('categories', few, { id: id('type', 'g'), ...named('Type') });
  await insert('tags', few, { id: id('tag', 'g'), ...named('Tag') });
  await insert('contact_types', few, { id: id('contact type', 'g'), ...named('Sort') });
  const above = `CASE WHEN g > 100 THEN ${oneOf('location', 100)} END`;
  await insert('locations', some, { id: id('location', 'g'), ...named('Yard'), parent_location_id: above });
  const address = {
    email: `'person' || g || '@example.com'`,
    phone: `'0' || g`,
    type_id: oneOf('contact type', few),
  };
  await insert('contacts', half, {
    id: id('contact', 'g'),
    ...named('Person'),
    ...address,
    location_id: oneOf('location', some),
    custom_fields: custom(9),
  });
  await insert('companies', some, {
    id: id('company', 'g'),
    ...named('Company'),
    city: `'City ' || g % 90`,
    primary_contact_id: oneOf('contact', half),
  });
  const vehicle = {
    vin: `'VIN' || lpad(g::text, 14, '0')`,
    license_plate: `'XY ' || g`,
    make: `(ARRAY['Volvo', 'MAN', 'Scania'])[1 + g % 3]`,
  };
  await insert('vehicles', half, {
    id: id('vehicle', 'g'),
    ...named('Truck'),
    ...vehicle,
    location_id: oneOf('location', some),
    is_archived: 'g % 50 = 0',
    custom_fields: custom(9),
  });
  await insert('expiration_items', items, {
    id: id('item', 'g'),
    ...named('Licence'),
    expiration_date: `CASE WHEN g % 97 > 0 THEN ${date} END`,
    notify_on: `CASE WHEN g % 97 > 0 THEN ${date} - 30 END`,
    notice_date: `CASE WHEN g % 10 = 0 THEN ${date} - 90 END`,
    details: `'Issued in ' || (ARRAY['Hamburg', 'Lyon', 'Turin'])[1 + g % 3] || ' no. ' || g`,
    category_id: oneOf('type', few),
    contact_id: `CASE WHEN g % 3 = 0 THEN ${oneOf('contact', half)} WHEN g % 50 = 1 THEN ${id('contact', '1')} END`,
    assigned_to_id: `CASE WHEN g % 4 = 0 THEN '${userId}'::uuid END`,
    is_active: 'g % 40 > 0',
    custom_fields: custom(1),
  });
  const link = (kind: string, count: number) => ({
    item_id: id('item', 'g'),
    [`${kind}_id`]: oneOf(kind, count),
    position: '0',
  });
  await insert('expiration_item_contacts', half, link('contact', half));
  await insert('expiration_item_tags', half, link('tag', few));
  await insert('expiration_item_locations', half, link('location', some));
  await insert('item_holders', half, {
    ...link('vehicle', half),
    kind: `'VEHICLE'`,
    holder_id: oneOf('vehicle', half),
  });
  const ofItem = { ...owner, item_id: id('item', 'g') };
  await insert('renewals', half, {
    id: id('renewal', 'g'),
    ...ofItem,
    previous_date: `${date} - 365`,
    expiration_date: date,
    created: before,
  });
  await insert('attachments', half, {
    id: id('file', 'g'),
    ...ofItem,
    name: `'scan ' || g || '.pdf'`,
    content_length: '1000',
    position: '0',
    created: before,
  });
  await insert('notes', half, {
    id: id('note', 'g'),
    ...named('Note'),
    body: `'Called ' || g`,
    body_text: `'Called ' || g`,
  });
  await insert('note_relations', half, {
    note_id: id('note', 'g'),
    entity_id: id('item', 'g'),
    entity_type: '1',
    position: '0',
  });
  await insert('upload_notifications', half, {
    id: id('upload', 'g'),
    ...owner,
    filename: `'upload ' || g`,
    dedupe_key: 'g::text',
    received_at: before,
    modified: before,
    state: `(ARRAY['FILED', 'FAILED'])[1 + least(g % 50, 1)]::upload_state`,
  });
  const event = `(lpad(to_hex((extract(epoch FROM ${before}) * 1000)::bigint), 12, '0') || '7000a000' || lpad(to_hex(g), 12, '0'))::uuid`;
  await insert('event_logs', items, {
    id: event,
    ...owner,
    type_id: '1 + g % 5',
    description: `'Licence ' || g || ' was changed'`,
    user_id: `'${userId}'::uuid`,
    user_name: `'Ada'`,
    created: before,
  });
  await insert('event_log_entities', items, {
    event_id: event,
    entity_id: id('item', 'g'),
    type_id: '1',
    position: '0',
  });
  const step = id('step', '1');
  await insert('reminders', half, {
    id: id('reminder', 'g'),
    ...ofItem,
    item_name: `'Licence ' || g`,
    step_key: step,
    expiration_date: date,
    slot: before,
    state: `'TOLD'`,
    decided_at: before,
    modified: before,
  });
  await insert('deliveries', half, {
    id: id('delivery', 'g'),
    ...owner,
    kind: `'MAIL'`,
    dedupe_key: `'item ' || g`,
    subject_kind: `'item'`,
    address: `'person' || g % 500 || '@example.com'`,
    state: `'SENT'`,
    settled_at: before,
    ...times,
  });
  await insert('reminder_targets', half, {
    reminder_id: id('reminder', 'g'),
    recipient_key: `'mail:person' || g % 500 || '@example.com'`,
    address: `'person' || g % 500 || '@example.com'`,
    delivery_id: id('delivery', 'g'),
  });
  await insert('bin_entries', some, {
    id: id('bin', 'g'),
    ...owner,
    type_id: '1',
    record_id: id('gone', 'g'),
    name: `'Gone ' || g`,
    deleted_at: before,
    expires_at: `${now} + g * interval '1 minute'`,
  });
  await insert('requirements', few, {
    id: id('requirement', 'g'),
    ...named('Must'),
    holder_kind: `'vehicle'`,
    any_of: `ARRAY[${oneOf('type', few)}]`,
  });
  await insert('holder_compliances', half, {
    id: id('compliance', 'g'),
    ...owner,
    kind: `'VEHICLE'`,
    holder_id: id('vehicle', 'g'),
    vehicle_id: id('vehicle', 'g'),
    name: `'Truck ' || g`,
    urgency: 'g % 4',
    modified: before,
  });
  await insert('record_changes', half, {
    organization_id,
    record_id: id('item', 'g'),
    team_id: owner.team_id,
    change: '1',
    table_name: `'expiration_items'`,
  });
  const firm = `(1 + g % ${others})`;
  const elsewhere = { organization_id: id('organization', firm), team_id: id('elsewhere', firm) };
  await insert('organizations', others, { id: id('organization', 'g'), name: `'Firm ' || g` });
  await insert('teams', others, {
    id: id('elsewhere', 'g'),
    organization_id: id('organization', 'g'),
    name: `'Firm ' || g`,
    timezone: `'UTC'`,
  });
  await insert('contacts', others * 3, {
    id: id('other contact', 'g'),
    ...elsewhere,
    name: `'Person ' || g`,
    email: `'p' || g || '@example.org'`,
  });
  await insert('expiration_items', others * 10, {
    id: id('other', 'g'),
    ...elsewhere,
    name: `'Permit ' || g`,
    category_id: oneOf('type', few),
    expiration_date: date,
    notify_on: `${date} - 30`,
  });
  for (const table of [...countedModels].map((model) => models[model].table))
    await client.query(
      `INSERT INTO record_counts SELECT '${table}', organization_id, team_id, count(*) FROM ${table} GROUP BY 2, 3`,
    );
  await client.query(`SET maintenance_work_mem = '256MB'`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('SET session_replication_role = origin');
}

/** Writes a value of a statement as a literal, from which PostgreSQL reads the type that it expects. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join()}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/**
 * Returns the pages of 8 kB that PostgreSQL reads for statements, with plans for any values unless a statement is planned
 * with its own. What they write is rolled back.
 */
export async function pagesOf(client: pg.Client, statements: readonly SentStatement[]): Promise<number> {
  let pages = 0;
  for (const { query: text, values, isPlannedAnew } of statements) {
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(text)) continue;
    const mode = isPlannedAnew ? 'force_custom_plan' : 'force_generic_plan';
    await client.query(`DEALLOCATE ALL; SET plan_cache_mode = ${mode}; PREPARE sent AS ${text}`);
    const given = values.length > 0 ? `(${values.map(literal)})` : '';
    const counts: number[] = [];
    // The first time, functions read the catalogs as well, and whatever other databases of the server do may repeat that.
    for (let time = 0; time < 3; time++) {
      await client.query('BEGIN');
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE sent${given}`);
      await client.query('ROLLBACK');
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      counts.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    }
    pages += Math.min(...counts);
  }
  return pages;
}

/** Returns the pages that are read for a request, without those that find out who asks. */
export async function pagesRead(
  gateway: TestGateway,
  client: pg.Client,
  query: string,
  token: string,
  variables: object = {},
): Promise<number> {
  const sent = await gateway.sentStatements(async () => {
    expect(await gateway.graphql(query, variables, token)).not.toHaveProperty('errors');
  });
  return pagesOf(client, sent.slice(1));
}

/** What reads each record of the caller's, for want of an index or of a kept count. */
const linear: readonly RegExp[] = [
  // An order that no index has, or of which each value is computed.
  / by /,
  // Totals of a part. A list of reminders always is one.
  /, .+, total$|^reminders, total$/,
  /^summary|^complianceSummary/,
  // A term of two letters has no trigram.
  /, term "ab"$/,
  // Filters that no index serves read a list in its order until a page is full, which may be to its end.
  /^compliances, (modified|requirementId|until)/,
  /^(eventLogs|notes), (entityKind|entityType)/,
  /^expirationItems, (created|noticeAfter)/,
  /, (hasNone|isActive|isArchived|typeIds|locationIds|msrp|primaryMeterReading|year) /,
];

/** What reads all records of a large organization at once, each of their pages a few times. */
const atOnce = /^summary/;

/** Pages that a question may read. A member's are those of the workspace, whatever the organization has. */
function mostPages(name: string, isAdmin: boolean, { items }: Amounts): number {
  const isLinear = linear.some((kind) => kind.test(name));
  const visible = items / share;
  // What a large organization has is counted only so far, with at most four pages for each record.
  if (isAdmin && items >= 100_000 && /, total$/.test(name)) return 1_500 + 4 * mostCounted;
  // Most other tables have half as many rows as there are items, and no fewer than twenty in a page.
  if (isAdmin && items >= 100_000 && atOnce.test(name)) return 1_500 + items / 8;
  // Workspaces, and the dates on which a reminder may be due, are looked up.
  if (name === 'upcomingReminders') return isAdmin ? 5_000 : 500;
  if (isAdmin) return 1_500 + (isLinear ? 7 * items : items / 40);
  // An index in whose order every 200th record is the member's.
  if (/ by /.test(name)) return 12_000;
  return 1_500 + (isLinear ? 35 : 6) * visible;
}

/** Asks all questions, and returns those that read more than they may. */
export async function findDear(gateway: TestGateway, client: pg.Client, amounts: Amounts): Promise<string[]> {
  const dear: string[] = [];
  for (const { name, query, variables } of questions(gateway.teamId, gateway.userId)) {
    for (const who of ['admin', 'member'] as const) {
      let refusal: string | undefined;
      const sent = await gateway.sentStatements(async () => {
        const { errors } = await gateway.graphql(query, variables, gateway[who]);
        refusal = errors?.[0]?.extensions.code;
      });
      // Lists of administrators, and computed orders of more rows than are ordered.
      if (refusal === 'FORBIDDEN' || (refusal === 'BAD_REQUEST' && / by /.test(name))) continue;
      if (refusal !== undefined) {
        dear.push(`${who}: ${name}: ${refusal}`);
        continue;
      }
      const pages = await pagesOf(client, sent.slice(1));
      const most = mostPages(name, who === 'admin', amounts);
      if (pages > most) dear.push(`${who}: ${name}: ${pages} pages, at most ${most}`);
    }
  }
  return dear;
}
