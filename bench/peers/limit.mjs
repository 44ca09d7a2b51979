// The peer `limit`: node:http and pg, one hand-written prepared statement per request, whose JSON is built by
// PostgreSQL and passed on as text. It does not parse GraphQL: a request without an `id` is for the list. It
// does not authenticate, validate, authorize, log, or limit anything.
import { createServer } from 'node:http';
import {
  createContact,
  createItem,
  creatingContact,
  creatingItem,
  idsOf,
  inStatus,
  matching,
  openPool,
  owner,
  relinkItem,
  replaceItem,
  replacing,
  storeUpload,
  storing,
} from './sql.mjs';

const pool = openPool();
const first = async (name, text, values) =>
  (await pool.query({ name, text, values, rowMode: 'array' })).rows[0]?.[0];

const row = (columns, from) => `(SELECT row_to_json(q) FROM (SELECT ${columns} ${from}) q)`;
const rows = (columns, from) => `(SELECT coalesce(json_agg(q), '[]') FROM (SELECT ${columns} ${from}) q)`;
const linked = (kind) =>
  `FROM expiration_item_${kind}s l JOIN ${kind}s r ON r.id = l.${kind}_id WHERE l.item_id = i.id ORDER BY l.position`;

const itemWith = (contacts = linked('contact'), tags = linked('tag')) => `
  i.id, i.name, i.expiration_date AS "expirationDate", i.details, i.is_active AS "isActive", i.modified,
  i.team_id AS "teamId",
  ${row('c.id, c.name', 'FROM categories c WHERE c.id = i.category_id')} AS category,
  ${row('u.id, u.name, u.email', 'FROM users u WHERE u.id = i.assigned_to_id')} AS "assignedTo",
  ${rows('r.id, r.name, r.email, r.phone', contacts)} AS contacts,
  ${rows('r.id, r.name', linked('location'))} AS locations, ${rows('r.id, r.name', tags)} AS tags`;
const item = itemWith();

const itemById = `SELECT row_to_json(x)::text FROM (SELECT ${item} FROM expiration_items i WHERE i.id = $1) x`;
// The page is limited before its rows are completed.
const items = `
  SELECT coalesce(json_agg(row_to_json(x) ORDER BY x."expirationDate", x.id), '[]')::text FROM (
    SELECT ${item} FROM (
      SELECT * FROM expiration_items WHERE category_id = $1 ORDER BY expiration_date, id LIMIT 20 OFFSET $2
    ) i
  ) x`;

const vehicle = `
  v.id, v.name, v.vin, v.license_plate, v.year, v.make, v.model, v.trim, v.color, v.body_type,
  v.registration_province, v.msrp, v.primary_meter_type_id, v.primary_meter_reading, v.ownership_id, v.status_id,
  v.folder_id, v.location_id, v.type_id, v.vehicle_fuel_type_id, v.assigned_to_contact_id, v.team_id, v.is_archived,
  v.modified, v.custom_fields,
  ${row('u.name, u.email, u.id, u.team_id', 'FROM users u WHERE u.id = v.assigned_to_id')} AS assigned_to`;
const vehicles = (sort, direction) => `
  WITH found AS MATERIALIZED (SELECT id, ${sort} AS key FROM vehicles WHERE ${matching})
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
const contact = `
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
const itemsByStatus = (status) => `
  SELECT json_build_object(
    'expiration_items', (
      SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.expiration_date, x.id), '[]') FROM (
        SELECT ${wholeItem(status, status === 'expired' ? 3 : 2)} FROM (
          SELECT * FROM expiration_items WHERE ${inStatus(status)} ORDER BY expiration_date, id LIMIT $3 OFFSET $2
        ) i JOIN categories c ON c.id = i.category_id
      ) x
    ),
    'pages', ceil(count(*) / $3::float), 'page', $2 / $3 + 1, 'total', count(*)
  )::text FROM expiration_items WHERE ${inStatus(status)}`;

// A statement cannot read what it writes, so linked records are taken from their source.
const wanted = (kind, ids) =>
  `FROM unnest(${ids}::uuid[]) WITH ORDINALITY l (id, place) JOIN ${kind}s r USING (id) ORDER BY place`;
const asJson = (columns, from) => `SELECT row_to_json(x)::text FROM (SELECT ${columns} FROM ${from}) x`;
const replaced = replaceItem(asJson(item, 'changed i'));
const relinked = relinkItem(asJson(itemWith(wanted('contact', '$8'), wanted('tag', '$9')), 'changed i'));
const created = createItem(asJson(itemWith('FROM contact r', 'FROM tagged r ORDER BY place'), 'made i'));
const createdContact = createContact(asJson(contact, 'made r'));

async function listVehicles(query) {
  const sort = query.get('sort') === 'year' ? 'year' : 'name';
  const direction = query.get('sortDirection') === 'desc' ? 'desc' : 'asc';
  const size = Number(query.get('paging'));
  const values = [`%${query.get('term')}%`, (Number(query.get('page')) - 1) * size, size];
  return first(`vehicles ${sort} ${direction}`, vehicles(sort, direction), values);
}

async function listItems(query) {
  const [status, size] = [query.get('status'), Number(query.get('paging'))];
  const values = [owner.organizationId, (Number(query.get('page')) - 1) * size, size];
  return first(`items ${status}`, itemsByStatus(status), values);
}

async function ask({ id, category, offset, input }) {
  if (input) return `{"data":{"item":${await first('create item', created, creatingItem(input))}}}`;
  if (id) return `{"data":{"item":${await first('item', itemById, [id])}}}`;
  return `{"data":{"items":{"nodes":${await first('items', items, [category, offset])}}}}`;
}

async function replace(
  id,
  { expiration_date: expirationDate, category, assigned_to, contacts, tags, ...body },
) {
  const values = replacing(id, {
    ...body,
    expirationDate,
    categoryId: category.id,
    assignedToId: assigned_to.id,
  });
  if (!contacts) return first('replace', replaced, values);
  return first('relink', relinked, [...values, idsOf(contacts), idsOf(tags)]);
}

async function answer({ method, url }, body) {
  const [path, query] = url.split('?');
  if (path === '/graphql') return ask(JSON.parse(body).variables);
  if (path === '/v1/vehicles') return listVehicles(new URLSearchParams(query));
  if (path === '/v1/expirationitems') return listItems(new URLSearchParams(query));
  if (path === '/v1/contacts')
    return first('create contact', createdContact, creatingContact(JSON.parse(body)));
  if (path === '/v1/bulkscan/receive') {
    await pool.query({ name: 'store', text: storeUpload, values: storing(JSON.parse(body)) });
    return '';
  }
  if (method === 'PUT') return replace(path.slice('/v1/expirationitems/'.length), JSON.parse(body));
  throw new Error(`There is nothing at ${path}.`);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const text = await answer(request, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      const length = Buffer.byteLength(text);
      response.writeHead(length > 0 ? 200 : 204, {
        'content-type': 'application/json; charset=utf-8',
        ...(length > 0 && { 'content-length': length }),
      });
      response.end(text);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(`"url":"http://127.0.0.1:${server.address().port}"`));
