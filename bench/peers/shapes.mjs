// The JSON that PostgreSQL builds for the peers `limit` and `limit-equal`, as pieces of SQL.
import { inStatus, matching } from './sql.mjs';

const row = (columns, from) => `(SELECT row_to_json(q) FROM (SELECT ${columns} ${from}) q)`;
const rows = (columns, from) => `(SELECT coalesce(json_agg(q), '[]') FROM (SELECT ${columns} ${from}) q)`;
const linked = (kind) =>
  `FROM expiration_item_${kind}s l JOIN ${kind}s r ON r.id = l.${kind}_id WHERE l.item_id = i.id ORDER BY l.position`;

/** The members of an item. Its contacts and tags may come from elsewhere than its links. */
export const itemWith = (contacts = linked('contact'), tags = linked('tag')) => `
  i.id, i.name, i.expiration_date AS "expirationDate", i.details, i.is_active AS "isActive", i.modified,
  i.team_id AS "teamId",
  ${row('c.id, c.name', 'FROM categories c WHERE c.id = i.category_id')} AS category,
  ${row('u.id, u.name, u.email', 'FROM users u WHERE u.id = i.assigned_to_id')} AS "assignedTo",
  ${rows('r.id, r.name, r.email, r.phone', contacts)} AS contacts,
  ${rows('r.id, r.name', linked('location'))} AS locations, ${rows('r.id, r.name', tags)} AS tags`;
export const item = itemWith();

/** Returns SQL of one item, $1. @param seen condition of the rows that the caller may see */
export const itemById = (seen = 'TRUE') =>
  `SELECT row_to_json(x)::text FROM (SELECT ${item} FROM expiration_items i WHERE i.id = $1 AND ${seen}) x`;
/** Returns SQL of a page of items. It is limited before its rows are completed. */
export const items = (seen = 'TRUE') => `
  SELECT coalesce(json_agg(row_to_json(x) ORDER BY x."expirationDate", x.id), '[]')::text FROM (
    SELECT ${item} FROM (
      SELECT * FROM expiration_items WHERE category_id = $1 AND ${seen} ORDER BY expiration_date, id LIMIT 20 OFFSET $2
    ) i
  ) x`;

const vehicle = `
  v.id, v.name, v.vin, v.license_plate, v.year, v.make, v.model, v.trim, v.color, v.body_type,
  v.registration_province, v.msrp, v.primary_meter_type_id, v.primary_meter_reading, v.ownership_id, v.status_id,
  v.folder_id, v.location_id, v.type_id, v.vehicle_fuel_type_id, v.assigned_to_contact_id, v.team_id, v.is_archived,
  v.modified, v.custom_fields,
  ${row('u.name, u.email, u.id, u.team_id', 'FROM users u WHERE u.id = v.assigned_to_id')} AS assigned_to`;
/** Returns SQL of a page of vehicles. */
export const vehicles = (sort, direction, seen = 'TRUE') => `
  WITH found AS MATERIALIZED (SELECT id, ${sort} AS key FROM vehicles WHERE ${matching} AND ${seen})
  SELECT json_build_object(
    'vehicles', (
      SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.${sort} ${direction}, x.id ${direction}), '[]') FROM (
        SELECT ${vehicle}
        FROM (SELECT id FROM found ORDER BY key ${direction}, id ${direction} LIMIT $3 OFFSET $2) page
        JOIN vehicles v USING (id)
      ) x
    ),
    'pages', ceil(count(*) / $3::float), 'page', $2 / $3 + 1, 'total', count(*)
  )::text FROM found`;

const user = (id) => row('u.name, u.email, u.id, u.team_id', `FROM users u WHERE u.id = ${id}`);
/** The members of a contact. */
export const contact = `
  r.name, r.id, r.email, r.timezone, r.mobile, r.phone, ${user('r.assigned_to_id')} AS assigned_to, r.type_id,
  r.contact_id, r.location_id, r.team_id, r.is_active, r.modified, r.custom_fields`;
const location = 'r.id, r.parent_location_id, r.name, r.team_id, r.modified, r.custom_fields';
const attachment = `
  a.id, NULL AS content, a.name, a.content_type, a.created, a.content_length AS content_legth`;
/** Returns an item with all members of the contract. */
const wholeItem = (status, statusId) => `
  i.id, i.name, i.expiration_date, '${status}' AS status, i.time_of_day,
  ${row('c.name, c.id, c.modified, c.is_active, c.team_id, c.custom_fields', 'FROM (SELECT c.*) c')} AS category,
  i.details, ${user('i.assigned_to_id')} AS assigned_to, ${statusId} AS status_id, i.modified,
  c.name AS category_name, i.is_active, i.team_id, ${rows(contact, linked('contact'))} AS contacts,
  ${rows(attachment, 'FROM attachments a WHERE a.item_id = i.id ORDER BY a.position, a.id')} AS attachments,
  i.custom_fields, ${rows(location, linked('location'))} AS locations,
  ${rows('r.id, r.name, r.team_id, r.modified, r.organization_id', linked('tag'))} AS tags, i.contact_id`;
/** Returns SQL of a page of items with a status. */
export const itemsByStatus = (status, seen = 'TRUE') => `
  SELECT json_build_object(
    'expiration_items', (
      SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.expiration_date, x.id), '[]') FROM (
        SELECT ${wholeItem(status, status === 'expired' ? 3 : 2)} FROM (
          SELECT * FROM expiration_items WHERE ${inStatus(status)} AND ${seen} ORDER BY expiration_date, id LIMIT $3 OFFSET $2
        ) i JOIN categories c ON c.id = i.category_id
      ) x
    ),
    'pages', ceil(count(*) / $3::float), 'page', $2 / $3 + 1, 'total', count(*)
  )::text FROM expiration_items WHERE ${inStatus(status)} AND ${seen}`;

/** Returns SQL of linked records with the ids in an array. A statement cannot read the links that it writes. */
export const wanted = (kind, ids) =>
  `FROM unnest(${ids}::uuid[]) WITH ORDINALITY l (id, place) JOIN ${kind}s r USING (id) ORDER BY place`;

/** Returns SQL of the JSON of one row. */
export const asJson = (columns, from) =>
  `SELECT row_to_json(x)::text FROM (SELECT ${columns} FROM ${from}) x`;

/** Reads a vehicle with all members of the contract. */
export const vehicleById = `SELECT row_to_json(x)::text FROM (SELECT ${vehicle} FROM vehicles v WHERE v.id = $1) x`;

/** Says whether a vehicle has its documents, as far as the measured data goes: what is there is valid. */
export const askedVehicle = `
  WITH checks AS (
    SELECT r.name, json_build_object(
      'requirement', json_build_object('id', r.id, 'name', r.name),
      'state', CASE WHEN best.id IS NULL THEN 'missing' ELSE 'met' END,
      'since', CASE WHEN best.id IS NULL THEN v.created::date END,
      'until', best.notify_on - 1, 'item_id', best.id, 'is_too_short', false) AS shown, best.id AS item_id, best.expiration_date AS until
    FROM vehicles v JOIN requirements r ON r.team_id = v.team_id AND r.holder_kind = 'vehicle' AND r.is_active
      AND v.year >= (r.applies -> 'year' ->> 'gte')::int
    LEFT JOIN LATERAL (
      SELECT i.id, i.expiration_date, i.notify_on FROM item_holders h JOIN expiration_items i ON i.id = h.item_id
      WHERE h.vehicle_id = v.id AND i.category_id = ANY (r.any_of) AND i.is_active AND NOT i.is_missing
      ORDER BY i.expiration_date DESC LIMIT 1
    ) best ON true
    WHERE v.id = $1
  )
  SELECT json_build_object(
    'compliant', bool_and(item_id IS NOT NULL),
    'state', CASE WHEN bool_and(item_id IS NOT NULL) THEN 'compliant' ELSE 'non_compliant' END,
    'on', current_date, 'is_past', false,
    'until', CASE WHEN bool_and(item_id IS NOT NULL) THEN min(until) END,
    'holder', (SELECT json_build_object('kind', 'vehicle', 'id', v.id, 'name', v.name) FROM vehicles v WHERE v.id = $1),
    'gaps', coalesce(json_agg(shown ORDER BY name) FILTER (WHERE item_id IS NULL), '[]'),
    'requirements', json_agg(shown ORDER BY name)
  )::text FROM checks`;

/** Lists the first 50 vehicles by compliance, the worst first. */
export const askedList = `
  SELECT json_build_object(
    'holders', (
      SELECT json_agg(row_to_json(x)) FROM (
        SELECT id, lower(kind::text) AS holder_kind, holder_id, name, lower(state::text) AS state, until, gap_ids, team_id, modified
        FROM holder_compliances WHERE organization_id = $1 AND kind = 'VEHICLE' ORDER BY urgency, id LIMIT 50
      ) x
    ),
    'pages', ceil(count(*) / 50.0), 'page', 1, 'total', count(*)
  )::text FROM holder_compliances WHERE organization_id = $1 AND kind = 'VEHICLE'`;
