// Hand-written SQL on the gateway's tables, for the peers that use `pg`.
import pg from 'pg';

/**
 * As many connections as the gateway has. A plan made once is as good as one made for each execution, and that takes
 * as long as to execute it.
 */
export const openPool = () =>
  new pg.Pool({
    connectionString: process.env.DATABASE_URL,
    max: 10,
    options: '-c plan_cache_mode=force_generic_plan -c timezone=UTC',
  });

/** Who owns the records: these peers do not ask who a caller is. */
export const owner = JSON.parse(process.env.OWNER ?? '{}');

/** An item is changed and its event written, with what it is about: one statement, so one transaction. */
export const replaceItem = `
  WITH old AS MATERIALIZED (SELECT id, details FROM expiration_items WHERE id = $1 FOR NO KEY UPDATE),
  changed AS (
    UPDATE expiration_items i
    SET name = $2, expiration_date = $3, details = $4, category_id = $5, assigned_to_id = $6, modified = now()
    FROM old WHERE i.id = old.id RETURNING i.*
  ), logged AS (
    INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, user_id, user_name)
    SELECT gen_random_uuid(), organization_id, team_id, 2, 'Expiration item "' || name || '" was updated: details',
      json_build_object('details', json_build_object('before', old.details, 'after', changed.details)),
      $7, 'Administrator'
    FROM changed JOIN old USING (id) RETURNING id
  ), related AS (
    INSERT INTO event_log_entities (event_id, entity_id, type_id, position) SELECT id, $1, 1, 0 FROM logged
  )
  SELECT * FROM changed`;

/** The values of `replaceItem`. */
export const replacing = (id, { name, expirationDate, details, categoryId, assignedToId }) => [
  id,
  name,
  expirationDate,
  details,
  categoryId,
  assignedToId,
  owner.userId,
];

/** A notification is stored, due at once; no event is written. */
export const storeUpload = `
  INSERT INTO upload_notifications (
    id, organization_id, team_id, access_token_id, user_id, notification_id, action, "timestamp", container, url,
    filename, client, key, type, status, size, upload_tags, dedupe_key, due_at
  ) VALUES (
    gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, now()
  )`;

/** The values of `storeUpload`. */
export function storing({ id, action, timestamp, text }) {
  const { organizationId, teamId, tokenId, userId } = owner;
  const { container, url, filename, client, key, type, status, size } = text;
  const file = [container, url, filename, client, key, type, status, size];
  const tags = JSON.stringify(text.upload_Tags ?? text.uploadTags);
  return [organizationId, teamId, tokenId, userId, id, action, timestamp, ...file, tags, `${id}:${action}`];
}

/** What a vehicle's term is looked for in. */
export const matching =
  '(name ILIKE $1 OR vin ILIKE $1 OR license_plate ILIKE $1 OR make ILIKE $1 OR model ILIKE $1)';
