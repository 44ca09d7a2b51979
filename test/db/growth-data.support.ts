import { createHash } from 'node:crypto';
import type pg from 'pg';
import { countedModels } from '../../src/db/sql/select.js';
import { models } from '../../src/domain/models.js';
import type { Tenant } from '../support/gateway.js';

/** How much a database has. */
export interface Amounts {
  /** Items of one organization with 50 workspaces; one in 200 is in the member's. */
  readonly items: number;
  /** Other organizations, with ten items each. */
  readonly others: number;
  /**
   * How items are spread: by default over 50 workspaces, with every 200th in the member's. Or all are in the member's, or
   * each workspace has ten of them, and the member sees them all.
   */
  readonly shape?: 'one workspace' | 'ten each';
}

/** Workspaces of the large organization, unless each has ten items. */
const usualWorkspaces = 50;

/** Records of the large organization for each that the member sees. */
export const share = 200;

/** Returns the id of the n-th record of a kind. */
export function idOf(kind: string, number: number): string {
  const hex = createHash('md5').update(`${kind} ${number}`).digest('hex');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

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
export async function grow(
  client: pg.Client,
  tenant: Tenant,
  { items, others, shape }: Amounts,
): Promise<void> {
  const { organizationId, teamId, otherTeamId, userId } = tenant;
  const workspaces = shape === 'ten each' ? items / 10 : usualWorkspaces;
  const usualTeam = `CASE WHEN g % ${share} = 0 THEN '${teamId}'::uuid WHEN g % 49 = 0 THEN '${otherTeamId}'::uuid
    ELSE ${id('team', '(g % 49)')} END`;
  const teams = {
    'one workspace': `'${teamId}'::uuid`,
    'ten each': id('team', `(1 + g % ${workspaces - 2})`),
  };
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
    team_id: shape ? teams[shape] : usualTeam,
  };
  const date = `DATE '2026-01-01' + g % 3000 * 7919 % 3000`;
  // One with many values, and one with the same value everywhere.
  const custom = (each: number) =>
    `jsonb_build_array(jsonb_build_object('id', ${id('field', '1')}, 'name', 'Cost centre', 'value', 'CC-' || g / ${each}),
      jsonb_build_object('id', ${id('field', '2')}, 'name', 'Site', 'value', 'Depot'))`;
  const [few, some, half] = [60, Math.ceil(items / 20), Math.ceil(items / 2)];
  // Triggers count records and note changes, which is not what is measured, and takes most of the time.
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(lateIndexes);
  await client.query(`DROP INDEX ${indexes.map(({ name }) => name)}`);
  const { organization_id } = owner;
  const named = (name: string) => ({ ...owner, name: `'${name} ' || g`, ...times });
  const hash = (kind: string) => `decode(md5('${kind} ' || g), 'hex')`;
  const user = { organization_id, user_id: `'${userId}'::uuid` };
  /** Inserts users, and what belongs to them. */
  const insertPeople = async () => {
    await insert('users', few, {
      id: id('user', 'g'),
      ...named('User'),
      email: `'user' || g || '@example.com'`,
    });
    await insert('access_tokens', some, {
      id: id('token', 'g'),
      ...user,
      name: `'Token ' || g`,
      role: `'VIEWER'`,
      hash: hash('token'),
      ...times,
    });
    const ended = `${now} - g * interval '1 hour'`;
    await insert('sessions', some, {
      id: id('session', 'g'),
      organization_id,
      user_id: oneOf('user', few),
      hash: hash('session'),
      device_hash: hash('device'),
      method: `'PASSWORD'`,
      confirmed_at: ended,
      address: `'192.0.2.1'`,
      agent: `'Firefox'`,
      last_used_at: ended,
      expires_at: ended,
    });
    await insert('sign_in_links', some, {
      hash: hash('link'),
      organization_id,
      user_id: oneOf('user', few),
      purpose: `'SIGN_IN'`,
      expires_at: ended,
    });
    await insert('suppressions', some, {
      organization_id,
      address_key: `'person' || g || '@example.com'`,
      scope: `'ALL'`,
      reason: `'UNSUBSCRIBED'`,
    });
    await insert('watches', few, { id: id('watch', 'g'), ...named('Watch'), user_id: oneOf('user', few) });
    await insert('exemptions', some, {
      id: id('exemption', 'g'),
      ...owner,
      requirement_id: oneOf('requirement', few),
      holder_kind: `'vehicle'`,
      vehicle_id: oneOf('vehicle', half),
      from: date,
      reason: `'Old'`,
      ...times,
    });
    await insert('compliance_links', some, {
      id: id('compliance link', 'g'),
      ...named('Link'),
      holder_kind: `'vehicle'`,
      vehicle_id: oneOf('vehicle', half),
      hash: hash('compliance link'),
      sealed_secret: hash('secret'),
    });
  };
  /** Inserts what workers do next, and what they have done. */
  const insertQueues = async () => {
    await insert('reminder_marks', workspaces - 2, {
      team_id: id('team', 'g'),
      organization_id,
      through: `${now} - interval '1 day'`,
      next_at: `${now} - interval '1 hour'`,
      day_through: `DATE '2026-11-19'`,
      day_next_at: `${now} - interval '9 hours'`,
    });
    await insert('reminder_checks', some, { ...owner, item_id: id('item', 'g'), requested_at: before });
    await insert('reminder_jobs', few, { ...owner, kind: `'RECOUNT'`, created: before });
    await insert('deliveries', some, {
      id: id('waiting delivery', 'g'),
      ...owner,
      kind: `'MAIL'`,
      dedupe_key: `'waiting ' || g`,
      subject_kind: `'item'`,
      address: `'person' || g % 500 || '@example.com'`,
      due_at: before,
      ...times,
    });
    await insert('upload_notifications', some, {
      id: id('waiting upload', 'g'),
      ...owner,
      user_id: oneOf('user', few),
      filename: `'waiting upload ' || g`,
      dedupe_key: `'waiting ' || g`,
      received_at: before,
      modified: before,
      due_at: before,
    });
    const old = `${now} - g * interval '1 hour'`;
    const job = {
      organization_id,
      user_id: oneOf('user', few),
      role: `'ADMIN'`,
      created: old,
      modified: old,
    };
    await insert('imports', some, {
      id: id('import', 'g'),
      ...job,
      kind: `'ITEMS'`,
      hash: hash('import'),
      options: `'{}'`,
      content: `''`,
      state: `(ARRAY['DONE', 'READING'])[1 + (g % 9) / 8]::import_state`,
      due_at: `CASE WHEN g % 9 = 8 THEN ${old} END`,
    });
    await insert('import_batches', some, { import_id: id('import', 'g'), number: '0', results: `'[]'` });
    await insert('team_exports', some, {
      id: id('export', 'g'),
      ...job,
      team_id: owner.team_id,
      state: `(ARRAY['DONE', 'RUNNING'])[1 + (g % 9) / 8]::team_export_state`,
      due_at: `CASE WHEN g % 9 = 8 THEN ${old} END`,
      expires_at: `CASE WHEN g % 9 = 8 THEN ${now} + interval '1 day' ELSE ${old} + interval '90 days' END`,
    });
    await insert('resumable_uploads', some, {
      id: id('resumable upload', 'g'),
      ...user,
      team_id: owner.team_id,
      content_length: '1000',
      expires_at: `${old} + interval '300 days'`,
    });
    await insert('webhook_endpoints', few, {
      id: id('endpoint', 'g'),
      organization_id,
      name: `'Endpoint ' || g`,
      url: `'https://example.com/' || g`,
      event_types: `'{}'`,
      team_ids: `'{}'`,
      ...times,
    });
    await insert('webhook_messages', half, {
      id: id('message', 'g'),
      ...owner,
      event_id: event,
      type: `'expirationItem.updated'`,
      body: `'{}'`,
      occurred_at: before,
      created: before,
    });
    await insert('webhook_deliveries', half, {
      id: id('webhook delivery', 'g'),
      organization_id,
      message_id: id('message', 'g'),
      endpoint_id: oneOf('endpoint', few),
      state: `(ARRAY['SENT', 'QUEUED'])[1 + (g % 9) / 8]::webhook_delivery_state`,
      due_at: `CASE WHEN g % 9 = 8 THEN ${before} END`,
      ...times,
    });
    await insert('webhook_outbox', some, { event_id: event, ...owner, due_at: before });
    await insert('document_request_links', some, {
      id: id('request link', 'g'),
      ...owner,
      recipient_key: `'mail:person' || g || '@example.com'`,
      next_mail_at: `${now} + g * interval '1 hour' - interval '1 day'`,
      expires_at: `${now} + interval '30 days'`,
    });
    await insert('document_requests', some, {
      id: id('request', 'g'),
      ...owner,
      category_id: oneOf('type', few),
      item_id: id('item', 'g'),
      recipient_id: oneOf('contact', half),
      link_id: id('request link', 'g'),
      state: `(ARRAY['ACCEPTED', 'SENT'])[1 + (g % 9) / 8]::document_request_state`,
      ...times,
    });
    await insert('asked_papers', few, {
      ...owner,
      requirement_id: oneOf('requirement', few),
      compliance_id: oneOf('compliance', half),
      dedupe_key: 'g::text',
      due_at: before,
    });
    await insert('compliance_turns', few, {
      ...owner,
      kind: `'VEHICLE'`,
      holder_id: id('vehicle', 'g'),
      due_at: before,
    });
    await insert('compliance_notices', some, {
      ...owner,
      watch_id: oneOf('watch', few),
      compliance_id: oneOf('compliance', half),
      days: '30',
      due_at: `CASE WHEN g % 9 = 8 THEN ${before} END`,
      created: old,
    });
    await insert('workers', few, {
      id: id('worker', 'g'),
      started_at: old,
      seen_at: old,
      has_mail: 'TRUE',
      has_demo_mail: 'FALSE',
    });
  };
  await insert('teams', workspaces - 2, {
    id: id('team', 'g'),
    organization_id,
    name: `'Place ' || g`,
    ...times,
  });
  if (shape === 'ten each')
    await client.query(
      `INSERT INTO memberships (user_id, team_id)
       SELECT person.id, team.id FROM users AS person JOIN teams AS team ON team.organization_id = person.organization_id
       WHERE person.email = 'max@example.com' ON CONFLICT DO NOTHING`,
    );
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
    gap_ids: `CASE WHEN g % 7 = 0 THEN ARRAY[${oneOf('requirement', few)}] ELSE '{}' END`,
    changes_at: `CASE WHEN g % 100 = 99 THEN ${before} ELSE ${now} + g * interval '1 minute' END`,
    modified: before,
  });
  await insert('record_changes', half, {
    organization_id,
    record_id: id('item', 'g'),
    team_id: owner.team_id,
    change: '1',
    table_name: `'expiration_items'`,
  });
  await insertPeople();
  await insertQueues();
  const firm = `(1 + g % ${others})`;
  const elsewhere = { organization_id: id('organization', firm), team_id: id('elsewhere', firm) };
  await insert('organizations', others, { id: id('organization', 'g'), name: `'Firm ' || g` });
  await insert('teams', others, {
    id: id('elsewhere', 'g'),
    organization_id: id('organization', 'g'),
    name: `'Firm ' || g`,
    timezone: `'UTC'`,
  });
  await insert('reminder_marks', others, {
    team_id: id('elsewhere', 'g'),
    organization_id: id('organization', 'g'),
    through: now,
    next_at: `${now} + interval '22 hours'`,
    day_next_at: `${now} + interval '15 hours'`,
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
