import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedTables, sharedTables } from '../../src/db/backup/tables.js';
import { models } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { camelCase } from '../../src/domain/text/names.js';
import { exportPerson } from '../../src/personal-data/export.js';
import { findPerson } from '../../src/personal-data/person.js';
import { register } from '../../src/personal-data/register.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { operatorOf } from '../../src/setup/accounts.js';
import { unzip } from '../csv/workspace.support.js';
import { ask } from '../graphql/support.js';
import type { TestGateway } from '../support/gateway.js';
import { openWebhooks, type Webhooks } from '../webhooks/support.js';
import { dumpOf } from './support.js';

/** Values that are nowhere else. */
const who = {
  name: 'Quenby "Q" Zephyrine',
  formerName: 'Quenby Maidenhame',
  email: 'quenby.zephyrine@unique-mail.example',
  formerEmail: 'old+quenby@other-mail.example',
  phone: '+49 (171) 555-0987123',
  plain: '491715550987123',
};
/** What a dump is searched for. */
const traces = ['zephyrine', 'maidenhame', 'unique-mail', 'old+quenby', '0987123'];

let at: Webhooks;
let gateway: TestGateway;
beforeAll(async () => {
  at = await openWebhooks();
  gateway = at.gateway;
});
afterAll(() => at?.close());

const dump = (texts: readonly string[]) => dumpOf(gateway.database, texts);

const rows = (text: string, ...values: unknown[]) =>
  gateway.database.sql<Record<string, unknown>>(text, values);

/** Exports a person, and returns the JSON. */
async function exportOf(id: string): Promise<string> {
  const { database, organizationId, clock } = gateway;
  const work = { database, caller: await operatorOf(database, organizationId), now: clock.now };
  const pipe = new PassThrough();
  const parts = pipe.toArray();
  await exportPerson(
    work,
    await findPerson(database, organizationId, id),
    pipe,
    new AbortController().signal,
  );
  pipe.end();
  const files = await unzip(Buffer.concat(await parts));
  expect([...files.keys()].some((name) => name.endsWith('passport.txt'))).toBe(true);
  return String(files.get('person.json'));
}

/** Leaves traces of the person in all places, through both doors. */
async function plant() {
  const { organizationId, teamId, database } = gateway;
  await at.create({ payload: 'FULL' });
  at.start();
  const first = await ask(
    gateway,
    'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
    { input: { name: who.formerName, email: who.formerEmail.toUpperCase(), phone: who.phone } },
  );
  const contactId: string = first.createContact.id;
  const headers = { 'Idempotency-Key': newId() };
  const body = [
    { op: 'replace', path: '/name', value: who.name },
    { op: 'replace', path: '/email', value: who.email },
    { op: 'replace', path: '/mobile', value: who.plain },
    { op: 'add', path: '/custom_fields/-', value: { name: 'Nickname', value: 'Zephyrine the great' } },
  ];
  expect((await gateway.send('PATCH', `/v1/contacts/${contactId}`, { body, headers })).status).toBe(200);
  // A contact with the same address is in the bin.
  const removed = await gateway.send('POST', '/v1/contacts', {
    body: { name: who.name, email: `x${who.email}` },
  });
  await database.sql('UPDATE contacts SET email = $1 WHERE id = $2', [`x${who.email}`, removed.json.id]);
  await gateway.send('DELETE', `/v1/contacts/${removed.json.id}`);
  await database.sql(
    `UPDATE bin_rows SET row = jsonb_set(row, '{email}', to_jsonb($1::text)) WHERE table_name = 'contacts'`,
    [who.email],
  );
  const invited = await ask(
    gateway,
    'mutation ($email: String!, $name: String) { inviteUser(email: $email, name: $name, role: MEMBER) { user { id } } }',
    { email: who.formerEmail, name: who.formerName },
  );
  const userId: string = invited.inviteUser.user.id;
  await ask(
    gateway,
    'mutation ($id: ID!, $email: String, $name: String) { updateUser(id: $id, email: $email, name: $name) { id } }',
    { id: userId, email: who.email, name: who.name },
  );
  const made = await ask(
    gateway,
    'mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { token } }',
    { input: { name: 'Laptop', role: 'MEMBER', userId } },
  );
  const token: string = made.createAccessToken.token;
  const item = await gateway.send('POST', '/v1/expirationitems', {
    token,
    body: {
      name: 'Passport',
      details: `Ask ${who.name} at ${who.email}`,
      expiration_date: '2026-11-25',
      contact_id: contactId,
      contacts: [{ id: contactId }, { email: 'somebody.else@example.com' }],
      attachments: [{ name: 'passport.txt', content: Buffer.from('A passport').toString('base64') }],
    },
  });
  expect(item.status).toBe(201);
  const note = await gateway.send('POST', '/v1/notes', {
    token,
    body: { name: 'Call', body: `<p>Call ${who.name} on 0049 or ${who.phone}</p>` },
  });
  expect(note.status).toBe(201);
  const gone = await gateway.send('POST', '/v1/expirationitems', {
    token,
    body: { name: 'Old pass', expiration_date: '2027-11-25', contact_id: contactId },
  });
  await gateway.send('DELETE', `/v1/expirationitems/${gone.json.id}`);
  const upload = await gateway.send('POST', '/v1/bulkscan/receive', {
    token,
    body: {
      id: 77,
      action: 'fp.upload',
      text: { filename: 'scan.pdf', upload_Tags: { contact_email: who.email, phone: who.phone } },
    },
  });
  expect(upload.status).toBe(204);
  const csv = `name,email\n"Quenby Zephyrine",${who.email}\n`;
  const imported = await gateway.send('POST', '/v1/imports?kind=contacts', {
    raw: csv,
    headers: { 'Content-Type': 'text/csv' },
  });
  expect(imported.status).toBe(201);
  await database.sql(`INSERT INTO import_batches (import_id, number, results) VALUES ($1, 0, $2::jsonb)`, [
    imported.json.id,
    JSON.stringify([['failed', null, `The e-mail address ${who.email} is taken.`]]),
  ]);
  await rows(
    `UPDATE reminder_steps SET addresses = ARRAY[$1, 'boss@example.com'], recipients = recipients || ARRAY['ADDRESSES', 'CONTACTS', 'MAIN_CONTACT']`,
    who.email,
  );
  await rows('UPDATE teams SET reminder_fallback_address = $1', who.email.toUpperCase());
  await rows(
    `INSERT INTO recipient_settings (organization_id, recipient_key, mode) VALUES ($1, 'mail:' || natural_key($2), 'DAILY')`,
    organizationId,
    who.email,
  );
  await rows(
    `INSERT INTO suppressions (organization_id, address_key, scope, scope_id, reason) VALUES ($1, natural_key($2), 'ITEM', $3, 'ADMIN')`,
    organizationId,
    who.email,
    newId(),
  );
  await rows(
    `INSERT INTO sessions (id, organization_id, user_id, hash, device_hash, method, confirmed_at, address, agent, last_used_at, expires_at)
     VALUES ($1, $2, $3, '\\x01', '\\x02', 'PASSWORD', now(), '192.0.2.1', 'Zephyrine''s browser', now(), now())`,
    newId(),
    organizationId,
    userId,
  );
  await rows('UPDATE reminder_marks SET through = $1, next_at = $1', new Date('2026-10-01T00:00:00Z'));
  const times = ['2026-10-20T09:00:00Z', '2026-11-20T09:00:00Z', '2026-11-22T09:00:00Z'];
  for (const time of times)
    await evaluateReminders({ database, clock: () => new Date(time), isMailSetUp: () => true });
  await rows(
    `UPDATE deliveries SET last_error = '550 5.1.1 <' || address || '>: unknown' WHERE address = $1`,
    who.email,
  );
  await at.settled();
  await rows(`UPDATE webhook_attempts SET response_start = 'Got ' || $1`, who.email);
  return { contactId, userId, token, itemId: item.json.id as string, noteId: note.json.id as string, teamId };
}

test('after an erasure, only listed texts of people mention the person', async () => {
  const planted = await plant();
  const tables = new Set(
    (await dump(traces)).map((line) => line.split(' ')[0]?.replace(/_(\d{4}.*|before|other)$/, '')),
  );
  // Otherwise the test would prove nothing.
  for (const table of [
    ...['contacts', 'users', 'bin_rows', 'event_logs', 'deliveries', 'reminder_targets', 'webhook_messages'],
    ...[
      'webhook_attempts',
      'import_batches',
      'imports',
      'upload_notifications',
      'suppressions',
      'recipient_settings',
    ],
    ...['reminder_steps', 'teams', 'notes', 'expiration_items', 'sessions', 'bin_entries'],
  ])
    expect(tables).toContain(table);

  const exported = await exportOf(planted.contactId);
  expect(traces.filter((text) => !exported.toLowerCase().includes(text))).toEqual([]);
  for (const table of [
    'contacts',
    'users',
    'event_logs',
    'deliveries',
    'notes',
    'webhook_messages',
    'bin_rows',
  ])
    expect(exported).toContain(`"${table}":[`);
  expect(JSON.parse(exported).tables.contacts).toHaveLength(1);

  const answer = await gateway.graphql(
    'mutation ($id: ID!) { erasePerson(id: $id) { contactId userId erased hasMore mentions { kind recordId field excerpt } } }',
    { id: planted.contactId },
  );
  expect(answer.errors).toBeUndefined();
  const { mentions, ...erased } = answer.data.erasePerson;
  expect(erased).toEqual({
    contactId: planted.contactId,
    userId: planted.userId,
    erased: expect.any(Number),
    hasMore: false,
  });
  const listed = new Set(mentions.map(({ recordId }: { recordId: string }) => recordId));
  expect(listed).toContain(planted.itemId);
  expect(listed).toContain(planted.noteId);
  const left = (await dump(traces)).filter(
    (line) => ![...listed].some((id) => line.includes(String(id).split(' ')[0] ?? '')),
  );
  expect(left).toEqual([]);
  // Addresses and numbers are nowhere that the gateway writes, whoever the row is about.
  const own = (await dump(['unique-mail', 'old+quenby', '0987123'])).map((line) => line.split(' ')[0]);
  expect(new Set(own)).toEqual(new Set(['expiration_items', 'imports', 'notes']));
});

test('erasing again changes nothing, and a stranger is not found', async () => {
  const query = 'mutation ($id: ID!) { erasePerson(id: $id) { erased mentions { recordId } } }';
  const [contact] = await rows("SELECT id FROM contacts WHERE name = 'Erased person'");
  const events = () => rows('SELECT count(*)::int AS count FROM event_logs WHERE type_id = 31');
  expect(await events()).toEqual([{ count: 1 }]);
  const again = await gateway.graphql(query, { id: contact?.id });
  expect(again.data.erasePerson.erased).toBe(0);
  expect(await events()).toEqual([{ count: 1 }]);
  for (const id of [newId(), 'nobody', who.email])
    expect((await gateway.graphql(query, { id })).errors[0].extensions.code).toBe('NOT_FOUND');
});

test('administrators erase neither themselves nor the last one, and members nobody', async () => {
  const query = 'mutation ($id: ID!) { erasePerson(id: $id) { erased } }';
  const own = await gateway.graphql(query, { id: gateway.userId });
  expect(own.errors[0].extensions.code).toBe('CONFLICT');
  const asMember = await gateway.graphql(query, { id: gateway.userId }, gateway.member);
  expect(asMember.errors[0].extensions.code).toBe('FORBIDDEN');
});

test('the register has every column with texts, JSON or bytes', async () => {
  const columns = await rows(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND (data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea')
       OR udt_name IN ('_text', '_varchar', '_jsonb'))`,
  );
  const partition = /^event_log(s|_entities)_(before|other|\d{4}.*)$/;
  const unknown = columns.filter(({ table, column }) => {
    const name = String(table);
    if (partition.test(name) || [...sharedTables, ...derivedTables].includes(name)) return false;
    const model = Object.entries(models).find(([, row]) => row.table === name)?.[0] as keyof typeof register;
    return !model || !(camelCase(String(column)) in register[model]);
  });
  expect(unknown).toEqual([]);
});
