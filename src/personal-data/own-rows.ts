import { keepingAdministrator, lockOrganization } from '../access/administrators.js';
import { lockUser } from '../access/people.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { modelColumns } from '../db/sql/columns.js';
import { modelInfo } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import type { ModelName } from '../domain/models.js';
import { capitalized } from '../domain/text/names.js';
import { erasedPerson } from '../domain/text/personal-values.js';
import { announceSettled, type SettledDelivery } from '../reminders/fence.js';
import type { Person } from './person.js';

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
  for (const settled of await tx.run<SettledDelivery>(named('deliveries.cancel_person', statement)))
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
  const run = (name: string, statement: Sql) => tx.run(named(name, statement));
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
  const run = (id: string, statement: Sql) => tx.run<{ id: string }>(named(id, statement));
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
