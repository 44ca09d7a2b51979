// Hand-written SQL on the gateway's tables, for the peers that use `pg`.
import pg from 'pg';

/**
 * As many connections as the gateway has. Generic plans are as good as custom ones here, and planning takes
 * as long as executing.
 */
export const openPool = () =>
  new pg.Pool({
    connectionString: process.env.DATABASE_URL,
    max: 10,
    options: '-c plan_cache_mode=force_generic_plan -c timezone=UTC',
  });

/** The owner of the records, because these peers do not authenticate callers. */
export const owner = JSON.parse(process.env.OWNER ?? '{}');
const acting = [owner.organizationId, owner.teamId, owner.userId];

/**
 * Changes an item and writes its event, with what it is about, in one statement and so one transaction.
 * @param answer a query of the answer; `changed` is the item
 * @param more further CTEs
 */
export const replaceItem = (answer, more = '') => `
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
  )${more}
  ${answer}`;

/** Returns CTEs that link the item of the CTE `old` to other records. */
export const relinking = (kind, ids) => `, gone_${kind}s AS (
    DELETE FROM expiration_item_${kind}s l USING old WHERE l.item_id = old.id AND l.${kind}_id <> ALL (${ids}::uuid[])
  ), linked_${kind}s AS (
    INSERT INTO expiration_item_${kind}s AS l (item_id, ${kind}_id, position)
    SELECT old.id, wanted.id, place - 1 FROM old, unnest(${ids}::uuid[]) WITH ORDINALITY AS wanted (id, place)
    ON CONFLICT (item_id, ${kind}_id) DO UPDATE SET position = excluded.position WHERE l.position <> excluded.position
  )`;

/** The same, and replaces the item's contacts ($8) and tags ($9), in this order. */
export const relinkItem = (answer) =>
  replaceItem(answer, `${relinking('contact', '$8')}${relinking('tag', '$9')}`);

/** The values of `replaceItem`, to which those of `relinkItem` are added. */
export const replacing = (id, { name, expirationDate, details, categoryId, assignedToId }) => [
  id,
  name,
  expirationDate,
  details,
  categoryId,
  assignedToId,
  owner.userId,
];

/** A member is a column, or a name with its SQL. */
const after = (members) =>
  `json_build_object(${members.map((member) => {
    const [name, value] = Array.isArray(member) ? member : [member, member];
    return `'${name}', json_build_object('before', NULL, 'after', ${value})`;
  })})`;

/** Returns SQL of the event of a new record, from the table or CTE `from`. */
export const createdEvent = (from, kind, noun, title, members) => `
  SELECT gen_random_uuid() AS id, id AS entity_id, ${kind} AS kind,
    '${noun} "' || ${title} || '" was created' AS description, ${after(members)}::text AS details
  FROM ${from}`;

/** Writes events, with what they are about. $1 to $3 are the owner and the acting user. */
export const loggingOf = (events, returning = '') => `events AS MATERIALIZED (${events}),
  logged AS (
    INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, user_id, user_name)
    SELECT id, $1, $2, 1, description, details, $3, 'Administrator' FROM events ${returning}
  ), related AS (
    INSERT INTO event_log_entities (event_id, entity_id, type_id, position) SELECT id, entity_id, kind, 0 FROM events
  )`;

/** Creates a contact and writes its event. @param answer a query of the answer; `made` is the contact */
export const createContact = (answer) => `
  WITH made AS (
    INSERT INTO contacts (id, organization_id, team_id, name, email, mobile)
    VALUES (gen_random_uuid(), $1, $2, $4, $5, $6) RETURNING *
  ), ${loggingOf(createdEvent('made', 5, 'Contact', 'name', ['name', 'email', 'mobile']))}
  ${answer}`;

/** The values of `createContact`. */
export const creatingContact = ({ name, email, mobile }) => [...acting, name, email, mobile];

/**
 * Creates an item with a contact by e-mail address, which is created as well if it is unknown, and with tags
 * by name, which exist; and writes their events.
 * @param answer a query of the answer; `made` is the item, `contact` the contact, `tagged` are the tags
 */
export const createItem = (answer) => `
  WITH known AS MATERIALIZED (
    SELECT * FROM contacts WHERE organization_id = $1 AND natural_key(email) = natural_key($9)
  ), made_contact AS (
    INSERT INTO contacts (id, organization_id, team_id, email)
    SELECT gen_random_uuid(), $1, $2, $9 WHERE NOT EXISTS (SELECT FROM known) RETURNING *
  ), contact AS (SELECT * FROM known UNION ALL SELECT * FROM made_contact),
  tagged AS MATERIALIZED (
    SELECT t.id, t.name, place FROM unnest($10::text[]) WITH ORDINALITY AS wanted (name, place) CROSS JOIN LATERAL (
      SELECT * FROM tags
      WHERE organization_id = $1 AND team_id = $2 AND natural_key(name) = natural_key(wanted.name) LIMIT 1
    ) t
  ), made AS (
    INSERT INTO expiration_items (
      id, organization_id, team_id, name, expiration_date, details, category_id, assigned_to_id
    ) VALUES (gen_random_uuid(), $1, $2, $4, $5, $6, $7, $8) RETURNING *
  ), linked_contacts AS (
    INSERT INTO expiration_item_contacts (item_id, contact_id, position)
    SELECT made.id, contact.id, 0 FROM made, contact
  ), linked_tags AS (
    INSERT INTO expiration_item_tags (item_id, tag_id, position) SELECT made.id, tagged.id, place - 1 FROM made, tagged
  ), ${loggingOf(`${createdEvent('made_contact', 5, 'Contact', 'email', ['email'])} UNION ALL
  ${createdEvent('made', 1, 'Expiration item', 'name', ['name', 'expiration_date', 'details'])}`)}
  ${answer}`;

/** The values of `createItem`. */
export const creatingItem = ({ name, expirationDate, details, category, assignedTo, contacts, tags }) => [
  ...acting,
  name,
  expirationDate,
  details,
  category.id,
  assignedTo.id,
  contacts[0].email,
  tags.map((tag) => tag.name),
];

/** Returns the ids of referenced records. */
export const idsOf = (records) => records.map(({ id }) => id);

/** Stores a notification, due at once; no event is written. */
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

/** The condition of a vehicle's search term. */
export const matching =
  '(name ILIKE $1 OR vin ILIKE $1 OR license_plate ILIKE $1 OR make ILIKE $1 OR model ILIKE $1)';

/** The condition that items of the organization $1 have a status; reminders go out 30 days ahead. */
export const inStatus = (status) => {
  const dates = { expired: '< current_date', notifying: 'BETWEEN current_date AND current_date + 30' };
  return `organization_id = $1 AND is_active AND NOT is_missing AND expiration_date ${dates[status]}`;
};
