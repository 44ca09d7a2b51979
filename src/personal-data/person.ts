import { keepingAdministrator, lockOrganization, lockUser } from '../access/people.js';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { modelColumns } from '../db/sql/conditions.js';
import { modelInfo } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { entityTypes, eventTypes, type ModelName } from '../domain/models.js';
import { isUuid } from '../domain/rules.js';
import { capitalized, folded } from '../domain/text/names.js';
import { erasedPerson, isTelling, type PersonalValues } from '../domain/text/personal-values.js';
import { announceSettled, type SettledDelivery } from '../reminders/send/queue.js';

/** The most former states of a person that are read. */
const maxFormer = 5_000;

/** The most former addresses of a user that are followed, one after the other. */
const maxMoves = 10;

type Reader = Pick<Database, 'query'>;

/** A person, as an organization knows them. */
export interface Person {
  readonly organizationId: string;
  /** The contact, if it is not in the bin. */
  readonly contact: { readonly id: string; readonly teamId: string } | undefined;
  readonly userId: string | undefined;
  /** Entries of the bin with contacts of the person. */
  readonly binEntryIds: readonly string[];
  readonly values: PersonalValues;
}

/** A contact or user with the values that tell who it is. */
interface Known {
  readonly id: string;
  readonly kind: 'contact' | 'user' | 'bin';
  readonly entryId: string | null;
  readonly teamId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly mobile: string | null;
  /** The caller's own id of a contact. */
  readonly contact_id: string | null;
  readonly custom_fields: unknown;
}

/** Selects contacts, users and contacts in the bin of an organization in the same form. */
const knownSql = (organizationId: string) => sql`
  SELECT id, 'contact' AS kind, NULL::uuid AS "entryId", team_id AS "teamId", name, email, phone, mobile, contact_id, custom_fields
  FROM contacts WHERE organization_id = ${organizationId}::uuid
  UNION ALL SELECT id, 'user', NULL, team_id, name, email, NULL, NULL, NULL, NULL
  FROM users WHERE organization_id = ${organizationId}::uuid
  UNION ALL SELECT entry.record_id, 'bin', entry.id, entry.team_id, row->>'name', row->>'email', row->>'phone', row->>'mobile',
    row->>'contact_id', row->'custom_fields'
  FROM bin_entries AS entry JOIN bin_rows ON entry_id = entry.id AND table_name = 'contacts'
  WHERE entry.organization_id = ${organizationId}::uuid AND entry.type_id = ${entityTypes.contact}`;

/** Finds a contact or user, and everybody with the same e-mail address. */
async function findKnown(database: Reader, organizationId: string, idOrEmail: string): Promise<Known[]> {
  const named_ = isUuid(idOrEmail)
    ? sql`id = ${idOrEmail}::uuid`
    : sql`natural_key(email) = natural_key(${idOrEmail})`;
  const statement = sql`
    WITH known AS (${knownSql(organizationId)})
    SELECT * FROM known WHERE ${named_}
      OR natural_key(email) IN (SELECT natural_key(email) FROM known WHERE ${named_})`;
  return database.query<Known>(prepared('people.find', statement));
}

type Detail = Readonly<Partial<Record<string, { readonly before?: unknown; readonly after?: unknown }>>>;

/** Reads former values of people from the events about them. */
async function readFormer(
  database: Reader,
  organizationId: string,
  known: readonly Known[],
  userEmails: readonly string[],
): Promise<Detail[]> {
  const contactIds = known.flatMap(({ id, kind }) => (kind === 'user' ? [] : [id]));
  const emails = userEmails.map((email) => `%<${email}>%`);
  const statement = sql`
    SELECT details FROM event_logs AS event
    WHERE event.organization_id = ${organizationId}::uuid AND details ~ '"(name|email|phone|mobile|contact_id|custom_fields)"' AND (
      event.id IN (
        SELECT event_id FROM event_log_entities
        WHERE entity_id = ANY(${contactIds}::uuid[]) AND type_id = ${entityTypes.contact} AND position = 0)
      OR type_id = ${eventTypes['user changed']} AND folded(description) LIKE ANY(
        SELECT folded(pattern) FROM unnest(${emails}::text[]) AS pattern))
    ORDER BY event.created DESC LIMIT ${maxFormer}`;
  const rows = await database.query<{ details: string }>(prepared('event_logs.former_people', statement));
  return rows.map(({ details }) => JSON.parse(details) as Detail);
}

/** Returns the different texts that are not empty, ignoring case. */
function distinct(texts: readonly unknown[]): string[] {
  const filled = texts.flatMap((text) =>
    typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [],
  );
  return [...new Map(filled.map((text) => [folded(text), text])).values()].filter(
    (text) => folded(text) !== erasedPerson,
  );
}

/** Returns the values of custom fields. */
const customValues = (fields: unknown): unknown[] =>
  Array.isArray(fields) ? fields.map((field: { readonly value?: unknown } | null) => field?.value) : [];

/** Finds out which addresses and numbers others have now as well. */
async function ofOthers(
  database: Reader,
  organizationId: string,
  ids: readonly string[],
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const digits = texts.map((text) => text.replace(/\D/g, ''));
  const statement = sql`
    WITH known AS (
      SELECT id, unnest(ARRAY[email, phone, mobile]) AS text FROM (${knownSql(organizationId)}) AS known
      UNION ALL SELECT id, phone FROM companies WHERE organization_id = ${organizationId}::uuid)
    SELECT text FROM known WHERE id <> ALL(${ids}::uuid[]) AND (
      natural_key(text) IN (SELECT natural_key(wanted) FROM unnest(${texts}::text[]) AS wanted)
      OR length(regexp_replace(text, '\D', '', 'g')) > 5 AND regexp_replace(text, '\D', '', 'g') = ANY(${digits}::text[]))`;
  const rows = await database.query<{ text: string }>(prepared('people.others', statement));
  return new Set(rows.flatMap(({ text }) => [folded(text.trim()), text.replace(/\D/g, '')]));
}

/** Reads former values of people. Events about users name them by addresses, so former ones are followed. */
async function followFormer(
  database: Reader,
  organizationId: string,
  known: readonly Known[],
  before: readonly string[],
): Promise<Detail[]> {
  const ids = known.map(({ id }) => id);
  const users = known.filter(({ kind }) => kind === 'user');
  let emails = users.length === 0 ? [] : distinct([...users.map(({ email }) => email), ...before]);
  for (let move = 1; ; move++) {
    const former = await readFormer(database, organizationId, known, emails);
    if (users.length === 0 || move === maxMoves) return former;
    const found = distinct([...emails, ...former.flatMap(({ email }) => [email?.before, email?.after])]);
    // Events about a former address may be about somebody else who has it now.
    const others = await ofOthers(database, organizationId, ids, found);
    const next = found.filter((email) => emails.includes(email) || !others.has(folded(email)));
    if (next.length === emails.length) return former;
    emails = next;
  }
}

/** Describes the person that contacts and users are. */
async function personOf(
  database: Reader,
  organizationId: string,
  known: readonly Known[],
  before: readonly string[] = [],
): Promise<Person> {
  const former = await followFormer(database, organizationId, known, before);
  const all = (field: 'name' | 'email' | 'phone' | 'mobile' | 'contact_id' | 'custom_fields'): unknown[] => [
    ...known.map((one) => one[field]),
    ...former.flatMap((detail) => [detail[field]?.before, detail[field]?.after]),
  ];
  const [names, emails] = [distinct(all('name')), distinct(all('email'))];
  const phones = distinct([...all('phone'), ...all('mobile')]);
  const ids = known.map(({ id }) => id);
  const others = await ofOthers(database, organizationId, ids, [...emails, ...phones]);
  // A former address may be somebody else's now.
  const own = emails.filter((email) => !others.has(folded(email)));
  const telling = phones.filter((phone) => isTelling(phone) && !others.has(phone.replace(/\D/g, '')));
  const shared = phones.filter((phone) => !telling.includes(phone));
  const contact = known.find(({ kind }) => kind === 'contact');
  return {
    organizationId,
    contact: contact && { id: contact.id, teamId: contact.teamId },
    userId: known.find(({ kind }) => kind === 'user')?.id,
    binEntryIds: known.flatMap(({ entryId }) => entryId ?? []),
    values: {
      ids,
      emails: own,
      phones: telling,
      names: [...names, ...shared],
      own: distinct([...all('contact_id'), ...all('custom_fields').flatMap(customValues)]),
    },
  };
}

/**
 * Finds a person of an organization by id or by e-mail address.
 * The id is a contact's, also of one in the bin, or a user's. A contact
 * and a user with the same address are the same person.
 * @throws GatewayError NOT_FOUND
 */
export async function findPerson(
  database: Database,
  organizationId: string,
  idOrEmail: string,
): Promise<Person> {
  const known = await findKnown(database, organizationId, idOrEmail.trim().toLowerCase());
  if (known.length > 0) return personOf(database, organizationId, known);
  if (isUuid(idOrEmail)) throw notFound('person', idOrEmail);
  throw new GatewayError('NOT_FOUND', `There is no person with the address ${JSON.stringify(idOrEmail)}.`);
}

/**
 * Reads a person's contact and user again, and locks them until the transaction ends. Somebody may have changed,
 * deleted or restored them since.
 * @returns the person with the values from before and now
 */
export async function lockPerson(tx: Transaction, person: Person): Promise<Person> {
  const { organizationId, values } = person;
  const ids = sql`ANY(${values.ids}::uuid[])`;
  for (const table of ['users', 'contacts'])
    await tx.run(
      prepared(
        `${table}.lock_person`,
        sql`SELECT id FROM ${raw(table)} WHERE id = ${ids} ORDER BY id FOR UPDATE`,
      ),
    );
  const database: Reader = { query: (statement) => tx.run(statement) };
  const statement = sql`SELECT * FROM (${knownSql(organizationId)}) AS known WHERE id = ${ids}`;
  const known = await database.query<Known>(prepared('people.again', statement));
  const now = await personOf(database, organizationId, known, values.emails);
  const both = (field: keyof PersonalValues) => distinct([...values[field], ...now.values[field]]);
  return {
    ...now,
    values: {
      ids: values.ids,
      emails: both('emails'),
      phones: both('phones'),
      names: both('names'),
      own: both('own'),
    },
  };
}

/** Rows that are nobody else's: sessions, passwords, watches, calendars. They have the person's id in a column. */
const ownRows = (Object.keys(modelColumns) as ModelName[]).flatMap((model) =>
  Object.entries(modelColumns[model]).flatMap(([field, { to, onDelete }]) =>
    // What links a contact to an item stays: it says that there was somebody.
    (to === 'User' || to === 'Contact') && onDelete === 'Cascade' && !modelInfo[model].partOf
      ? [{ table: modelInfo[model].table, column: field === 'contactId' ? 'contact_id' : 'user_id' }]
      : [],
  ),
);

/** Cancels what is still to be sent to the person. Its sealed secrets are deleted. */
async function cancelDeliveries(
  tx: Transaction,
  { organizationId, values }: Person,
  now: Date,
): Promise<void> {
  const statement = sql`
    UPDATE deliveries SET state = 'CANCELLED', due_at = NULL, last_error = 'inactive', error_code = NULL,
      settled_at = ${now}::timestamptz, payload = payload - ARRAY['sealed', 'from']
    WHERE organization_id = ${organizationId}::uuid AND due_at IS NOT NULL AND channel_id IS NULL
      AND natural_key(address) IN (SELECT natural_key(email) FROM unnest(${values.emails}::text[]) AS email)
    RETURNING id, organization_id AS "organizationId", team_id AS "teamId"`;
  for (const settled of await tx.run<SettledDelivery>(prepared('deliveries.cancel_person', statement)))
    announceSettled(tx, settled);
}

/**
 * Ends a person's access and mails, in a transaction. Sessions, tokens, watches and settings are deleted, and what was
 * still to be sent is cancelled. Their values stay until all else was erased, so that an erasure that ended early can be repeated.
 * @throws GatewayError CONFLICT for the last administrator
 */
export async function endPerson(tx: Transaction, person: Person, now: Date): Promise<void> {
  const { organizationId, userId, contact, values } = person;
  const ids = sql`ANY(${values.ids}::uuid[])`;
  const run = (name: string, statement: Sql) => tx.run(prepared(name, statement));
  await lockOrganization(tx);
  if (userId !== undefined) {
    await lockUser(tx, userId);
    const deactivate = sql`UPDATE users SET is_active = false WHERE id = ${userId}::uuid AND is_active`;
    await keepingAdministrator(tx, userId, now, () => run('users.end', deactivate));
  }
  if (contact)
    await run(
      'contacts.end',
      sql`UPDATE contacts SET is_active = false WHERE id = ${contact.id}::uuid AND is_active`,
    );
  // Stickers show the person's name to whoever finds them.
  await run('compliance_links.of_person', sql`DELETE FROM compliance_links WHERE contact_id = ${ids}`);
  const callers = sql`
    SELECT id FROM access_tokens WHERE user_id = ${ids} UNION ALL SELECT id FROM sessions WHERE user_id = ${ids}`;
  await run(
    'idempotency_keys.of_person',
    sql`DELETE FROM idempotency_keys WHERE organization_id = ${organizationId}::uuid
      AND (caller_id = ${ids} OR caller_id IN (${callers}))`,
  );
  for (const { table, column } of ownRows)
    await run(`${table}.of_person`, sql`DELETE FROM ${raw(table)} WHERE ${raw(column)} = ${ids}`);
  await run('access_tokens.of_person', sql`DELETE FROM access_tokens WHERE user_id = ${ids}`);
  const keys = sql`SELECT natural_key(email) FROM unnest(${values.emails}::text[]) AS email`;
  const owned = sql`organization_id = ${organizationId}::uuid`;
  await run(
    'suppressions.of_person',
    sql`DELETE FROM suppressions WHERE ${owned} AND address_key IN (${keys})`,
  );
  await run(
    'recipient_settings.of_person',
    sql`DELETE FROM recipient_settings WHERE ${owned} AND recipient_key IN (SELECT 'mail:' || key FROM (${keys}) AS own (key))`,
  );
  await run(
    'postponements.of_person',
    sql`DELETE FROM postponements WHERE ${owned} AND recipient_key IN (SELECT 'mail:' || key FROM (${keys}) AS own (key))`,
  );
  // Links that ask the person for documents open nothing any more, and no mail follows.
  await run(
    'document_request_links.of_person',
    sql`UPDATE document_request_links SET hash = NULL, next_mail_at = NULL, expires_at = ${now}::timestamptz
      WHERE ${owned} AND recipient_key IN (SELECT 'mail:' || key FROM (${keys}) AS own (key))`,
  );
  await cancelDeliveries(tx, person, now);
}

/**
 * Erases the contact and the user themselves, at the end. Their rows stay, because others refer to them.
 * @returns whether there was anything to erase
 */
export async function eraseOwnRows(tx: Transaction, person: Person, now: Date): Promise<boolean> {
  const { organizationId, userId, contact, binEntryIds } = person;
  const name = capitalized(erasedPerson);
  const modified = sql`modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')`;
  const run = (id: string, statement: Sql) => tx.run<{ id: string }>(prepared(id, statement));
  const changed = [
    ...(userId === undefined
      ? []
      : await run(
          'users.erase',
          sql`UPDATE users SET name = ${name}, email = '', role = NULL, language = NULL, timezone = NULL, issuer = NULL,
            subject = NULL, is_active = false, ${modified}
            WHERE id = ${userId}::uuid AND (name <> ${name} OR email <> '') RETURNING id`,
        )),
    ...(contact === undefined
      ? []
      : await run(
          'contacts.erase',
          sql`UPDATE contacts SET name = ${name}, email = '', timezone = NULL, mobile = NULL, phone = NULL,
            contact_id = NULL, location_id = NULL, custom_fields = '[]', is_active = false, ${modified}
            WHERE id = ${contact.id}::uuid AND (name IS DISTINCT FROM ${name} OR email <> '') RETURNING id`,
        )),
    ...(await run(
      'bin_entries.of_person',
      sql`DELETE FROM bin_entries WHERE id = ANY(${binEntryIds}::uuid[]) RETURNING id`,
    )),
  ];
  // Exports made before have the person in them, and can be made anew.
  await run(
    'team_exports.of_organization',
    sql`DELETE FROM team_exports WHERE organization_id = ${organizationId}::uuid`,
  );
  return changed.length > 0;
}
