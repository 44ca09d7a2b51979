// What an organization has beside its records: reminders that were sent, and files.
import { randomBytes } from 'node:crypto';

/** Inserts a reminder of each item, with the mail that it was sent by. */
const reminders = ({ organizationId, teamId, userId }) => `
  INSERT INTO reminders (id, organization_id, team_id, item_id, item_name, step_key, expiration_date, slot, state, decided_at)
  SELECT gen_random_uuid(), '${organizationId}', '${teamId}', id, name, md5('step')::uuid, expiration_date, now(), 'TOLD', now()
  FROM expiration_items;
  INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, payload, address, state,
    attempts, message_id, first_tried_at, settled_at)
  SELECT gen_random_uuid(), organization_id, team_id, 'MAIL', 'reminder ' || id, 'item', item_id,
    jsonb_build_object('name', item_name, 'expirationDate', expiration_date), 'user1@example.com', 'SENT',
    1, '<' || id || '@example.com>', now(), now()
  FROM reminders;
  INSERT INTO reminder_targets (reminder_id, recipient_key, address, delivery_id)
  SELECT reminders.id, 'user:${userId}', address, deliveries.id
  FROM reminders JOIN deliveries ON dedupe_key = 'reminder ' || reminders.id`;

/** Inserts files of random bytes, which do not compress. They are parts of `$1`. */
const files = `
  WITH made AS (
    INSERT INTO attachments (id, organization_id, team_id, item_id, name, content_type, content_length, position)
    SELECT gen_random_uuid(), organization_id, team_id, id, name || '.pdf', 'application/pdf', $2::int, 0
    FROM expiration_items ORDER BY id LIMIT $3 RETURNING id
  )
  INSERT INTO attachment_contents (attachment_id, content)
  SELECT id, substring($1::bytea FROM 1 + (random() * 1e6)::int FOR $2::int) FROM made`;

/** Adds reminders and files to the items of a database. */
export async function addBelongings(client, owner, { count, bytes }) {
  await client.query('SET session_replication_role = replica');
  await client.query(reminders(owner));
  await client.query(files, [randomBytes(1e6 + bytes), bytes, count]);
  for (const statement of ['RESET session_replication_role', 'VACUUM ANALYZE', 'CHECKPOINT'])
    await client.query(statement);
}
