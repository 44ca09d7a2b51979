// `limit`: node:http and pg, one hand-written prepared statement a request, JSON made by PostgreSQL and passed on as
// text. It does not read GraphQL: a request without an `id` is for the list. It does not ask who the caller is,
// check what it is sent, find out what is the caller's to see, log, or limit anything.
import { createServer } from 'node:http';
import { matching, openPool, replaceItem, replacing, storeUpload, storing } from './sql.mjs';

const pool = openPool();
const first = async (name, text, values) =>
  (await pool.query({ name, text, values, rowMode: 'array' })).rows[0]?.[0];

const row = (columns, from) => `(SELECT row_to_json(q) FROM (SELECT ${columns} ${from}) q)`;
const rows = (columns, from) => `(SELECT coalesce(json_agg(q), '[]') FROM (SELECT ${columns} ${from}) q)`;
const linked = (kind) =>
  `FROM expiration_item_${kind}s l JOIN ${kind}s r ON r.id = l.${kind}_id WHERE l.item_id = i.id ORDER BY l.position`;

const item = `
  i.id, i.name, i.expiration_date AS "expirationDate", i.details, i.is_active AS "isActive", i.modified,
  i.team_id AS "teamId",
  ${row('c.id, c.name', 'FROM categories c WHERE c.id = i.category_id')} AS category,
  ${row('u.id, u.name, u.email', 'FROM users u WHERE u.id = i.assigned_to_id')} AS "assignedTo",
  ${rows('r.id, r.name, r.email, r.phone', linked('contact'))} AS contacts,
  ${rows('r.id, r.name', linked('location'))} AS locations, ${rows('r.id, r.name', linked('tag'))} AS tags`;

const itemById = `SELECT row_to_json(x)::text FROM (SELECT ${item} FROM expiration_items i WHERE i.id = $1) x`;
// The page is cut before its rows are completed.
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

const replaced = replaceItem.replace(
  'SELECT * FROM changed',
  `SELECT row_to_json(x)::text FROM (SELECT ${item} FROM changed i) x`,
);

async function listVehicles(query) {
  const sort = query.get('sort') === 'year' ? 'year' : 'name';
  const direction = query.get('sortDirection') === 'desc' ? 'desc' : 'asc';
  const size = Number(query.get('paging'));
  const values = [`%${query.get('term')}%`, (Number(query.get('page')) - 1) * size, size];
  return first(`vehicles ${sort} ${direction}`, vehicles(sort, direction), values);
}

async function ask({ id, category, offset }) {
  if (id) return `{"data":{"item":${await first('item', itemById, [id])}}}`;
  return `{"data":{"items":{"nodes":${await first('items', items, [category, offset])}}}}`;
}

async function replace(id, { expiration_date: expirationDate, category, assigned_to, ...body }) {
  const values = { ...body, expirationDate, categoryId: category.id, assignedToId: assigned_to.id };
  return first('replace', replaced, replacing(id, values));
}

async function answer({ method, url }, body) {
  const [path, query] = url.split('?');
  if (path === '/graphql') return ask(JSON.parse(body).variables);
  if (path === '/v1/vehicles') return listVehicles(new URLSearchParams(query));
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
