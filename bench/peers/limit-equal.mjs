// The peer `limit-equal`: `limit` with what the gateway promises besides. Callers have tokens and see only their
// workspaces, values and references are checked, events have all changes, webhooks get theirs, and REST's answers have
// entity tags. The feed of changes is written by the tables' triggers for all peers.
import { hash } from 'node:crypto';
import { listen } from './listen.mjs';
import {
  asJson,
  contact,
  item,
  itemById,
  items,
  itemsByStatus,
  itemWith,
  vehicles,
  wanted,
} from './shapes.mjs';
import { createdEvent, idsOf, loggingOf, openPool, relinking, storeUpload, storing } from './sql.mjs';

const pool = openPool();
const first = async (name, text, values) =>
  (await pool.query({ name, text, values, rowMode: 'array' })).rows[0]?.[0];

const refuse = (status, message) => {
  throw Object.assign(new Error(message), { status });
};

/** Finds the caller of a token: the user with the workspaces, which are null for all of the organization. */
const authenticating = `
  SELECT t.id, t.role, t.organization_id AS "organizationId", t.expires_at AS "expiresAt", u.id AS "userId",
    u.name AS "userName", u.team_id AS "teamId",
    CASE WHEN u.role <> 'ADMIN' OR t.role <> 'ADMIN' THEN ARRAY(
      SELECT m.team_id FROM memberships m JOIN teams ON teams.id = m.team_id
      WHERE m.user_id = u.id AND teams.organization_id = t.organization_id
    ) END AS "teamIds"
  FROM access_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.hash = $1 AND t.revoked_at IS NULL AND u.is_active`;

async function callerOf({ authorization = '' }) {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? refuse(401, 'no token');
  const values = [hash('sha256', token, 'buffer')];
  const { rows } = await pool.query({ name: 'authenticate', text: authenticating, values });
  const [caller] = rows;
  if (!caller || (caller.expiresAt && caller.expiresAt <= new Date())) refuse(401, 'unknown token');
  return caller;
}

/** The condition that the caller sees a row; two parameters from a number on are organization and workspaces. */
const seen = (first, of = '') =>
  `${of}organization_id = $${first} AND ($${first + 1}::uuid[] IS NULL OR ${of}team_id = ANY ($${first + 1}))`;
const scopeOf = ({ organizationId, teamIds }) => [organizationId, teamIds];

const outbox = `, outbox AS (
    INSERT INTO webhook_outbox (event_id, organization_id, team_id, due_at)
    SELECT id, organization_id, team_id, created FROM logged
    WHERE EXISTS (
      SELECT FROM webhook_endpoints e WHERE e.organization_id = logged.organization_id AND e.state <> 'DISABLED'
    )
  )`;
const returned = 'RETURNING id, organization_id, team_id, created';

const known = (table, id, first) => `EXISTS (SELECT FROM ${table} WHERE id = ${id} AND ${seen(first)})`;
const colleague = (id, organization) =>
  `(${id}::uuid IS NULL OR EXISTS (SELECT FROM users WHERE id = ${id} AND organization_id = ${organization}))`;
const allKnown = (table, ids, first) =>
  `(SELECT count(*) FROM ${table} WHERE id = ANY (${ids}::uuid[]) AND ${seen(first)}) = cardinality(${ids}::uuid[])`;
const linkedIds = (kind) =>
  `(SELECT coalesce(jsonb_agg(${kind}_id ORDER BY position), '[]') FROM expiration_item_${kind}s WHERE item_id = old.id)`;

const columns = ['name', 'expiration_date', 'details', 'category_id', 'assigned_to_id'];
const compared = (name) => `('${name}', to_jsonb(old.${name}), to_jsonb(changed.${name}))`;

/** Changes an item. $1 to $6 are its values, $7 and $8 the user, $9 and $10 the scope, $11 and $12 contacts and tags. */
const replaceItem = (answer, hasLists) => `
  WITH old AS MATERIALIZED (SELECT * FROM expiration_items WHERE id = $1 AND ${seen(9)} FOR NO KEY UPDATE),
  changed AS (
    UPDATE expiration_items i
    SET name = $2, expiration_date = $3, details = $4, category_id = $5, assigned_to_id = $6,
      modified = greatest(now(), i.modified + interval '1 ms')
    FROM old WHERE i.id = old.id AND ${known('categories', '$5', 9)} AND ${colleague('$6', '$9')}
      ${hasLists ? `AND ${allKnown('contacts', '$11', 9)} AND ${allKnown('tags', '$12', 9)}` : ''}
    RETURNING i.*
  ), changes AS MATERIALIZED (
    SELECT json_object_agg(member, json_build_object('before', before, 'after', after))::text AS details,
      string_agg(member, ', ') AS members
    FROM old JOIN changed USING (id) CROSS JOIN LATERAL (VALUES ${columns.map(compared)}
      ${hasLists ? `, ('contacts', ${linkedIds('contact')}, to_jsonb($11::uuid[])), ('tags', ${linkedIds('tag')}, to_jsonb($12::uuid[]))` : ''}
    ) AS difference (member, before, after)
    WHERE before IS DISTINCT FROM after
  ), logged AS (
    INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, user_id, user_name)
    SELECT gen_random_uuid(), organization_id, team_id, 2,
      'Expiration item "' || name || '" was updated: ' || members, changes.details, $7, $8
    FROM changed, changes WHERE members IS NOT NULL ${returned}
  ), related AS (
    INSERT INTO event_log_entities (event_id, entity_id, type_id, position) SELECT id, $1, 1, 0 FROM logged
  )${outbox}${hasLists ? relinking('contact', '$11') + relinking('tag', '$12') : ''}
  ${answer}`;

/** The CTE of a contact; $1 to $3 are organization, workspace and user. */
const createContact = (answer) => `
  WITH made AS (
    INSERT INTO contacts (id, organization_id, team_id, name, email, mobile)
    VALUES (gen_random_uuid(), $1, $2, $4, $5, $6) RETURNING *
  ), ${loggingOf(createdEvent('made', 5, 'Contact', 'name', ['name', 'email', 'mobile']), returned)}${outbox}
  ${answer}`;

const createItem = (answer) => `
  WITH known AS MATERIALIZED (
    SELECT * FROM contacts WHERE ${seen(11)} AND natural_key(email) = natural_key($9)
  ), tagged AS MATERIALIZED (
    SELECT t.id, t.name, place FROM unnest($10::text[]) WITH ORDINALITY AS wanted (name, place) CROSS JOIN LATERAL (
      SELECT * FROM tags
      WHERE organization_id = $1 AND team_id = $2 AND natural_key(name) = natural_key(wanted.name) LIMIT 1
    ) t
  ), allowed AS MATERIALIZED (
    SELECT WHERE ${known('categories', '$7::uuid', 11)} AND ${colleague('$8', '$1')}
      AND (SELECT count(*) FROM tagged) = cardinality($10)
  ), made_contact AS (
    INSERT INTO contacts (id, organization_id, team_id, email)
    SELECT gen_random_uuid(), $1, $2, $9 FROM allowed WHERE NOT EXISTS (SELECT FROM known) RETURNING *
  ), contact AS (SELECT * FROM known UNION ALL SELECT * FROM made_contact),
  made AS (
    INSERT INTO expiration_items (
      id, organization_id, team_id, name, expiration_date, details, category_id, assigned_to_id
    ) SELECT gen_random_uuid(), $1, $2, $4, $5::date, $6, $7::uuid, $8::uuid FROM allowed RETURNING *
  ), linked_contacts AS (
    INSERT INTO expiration_item_contacts (item_id, contact_id, position)
    SELECT made.id, contact.id, 0 FROM made, contact
  ), linked_tags AS (
    INSERT INTO expiration_item_tags (item_id, tag_id, position) SELECT made.id, tagged.id, place - 1 FROM made, tagged
  ), ${loggingOf(
    `${createdEvent('made_contact', 5, 'Contact', 'email', ['email'])} UNION ALL
  ${createdEvent('made', 1, 'Expiration item', 'name', [
    ...columns,
    ['contacts', '(SELECT json_agg(contact.id) FROM contact)'],
    ['tags', '(SELECT json_agg(tagged.id ORDER BY place) FROM tagged)'],
  ])}`,
    returned,
  )}${outbox}
  ${answer}`;

const replaced = replaceItem(asJson(item, 'changed i'), false);
const relinked = replaceItem(
  asJson(itemWith(wanted('contact', '$11'), wanted('tag', '$12')), 'changed i'),
  true,
);
const created = createItem(asJson(itemWith('FROM contact r', 'FROM tagged r ORDER BY place'), 'made i'));
const createdContact = createContact(asJson(contact, 'made r'));

const isId = (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
const isText = (value, longest) =>
  typeof value === 'string' && value.length <= longest && !value.includes('\0');
const isAddress = (value) => isText(value, 255) && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);
const isDate = (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
const check = (isValid) => isValid || refuse(400, 'a wrong value');
const members = new Set([
  'name',
  'expiration_date',
  'details',
  'category',
  'assigned_to',
  'contacts',
  'tags',
]);
const checkIds = (records) =>
  check(Array.isArray(records) && records.length <= 1_000 && records.every(({ id }) => isId(id)));

function checkItem({ name, date, details, category, assignedTo }) {
  check(isText(name, 255) && name.trim() !== '' && isDate(date));
  check(details == null || isText(details, 65_536));
  check(isId(category?.id) && (assignedTo == null || isId(assignedTo.id)));
}

async function listVehicles(caller, query) {
  const sort = query.get('sort') === 'year' ? 'year' : 'name';
  const direction = query.get('sortDirection') === 'desc' ? 'desc' : 'asc';
  const [page, size] = pageOf(query);
  const values = [`%${query.get('term')}%`, (page - 1) * size, size, ...scopeOf(caller)];
  return first(`vehicles ${sort} ${direction}`, vehicles(sort, direction, seen(4)), values);
}

function pageOf(query) {
  const [page, size] = [Number(query.get('page')), Number(query.get('paging'))];
  check(Number.isInteger(page) && page > 0 && Number.isInteger(size) && size > 0 && size <= 500);
  return [page, size];
}

async function listItems(caller, query) {
  const status = query.get('status');
  check(['expired', 'notifying'].includes(status));
  const [page, size] = pageOf(query);
  const values = [caller.organizationId, (page - 1) * size, size, ...scopeOf(caller)];
  return first(`items ${status}`, itemsByStatus(status, seen(4)), values);
}

async function ask(caller, { id, category, offset, input }) {
  if (input) return `{"data":{"item":${await create(caller, input)}}}`;
  if (id) {
    check(isId(id));
    const text = await first('item', itemById(seen(2, 'i.')), [id, ...scopeOf(caller)]);
    return `{"data":{"item":${text ?? null}}}`;
  }
  check(isId(category) && Number.isInteger(offset) && offset >= 0);
  const nodes = await first('items', items(seen(3)), [category, offset, ...scopeOf(caller)]);
  return `{"data":{"items":{"nodes":${nodes}}}}`;
}

async function create(caller, { name, expirationDate, details, category, assignedTo, contacts, tags }) {
  writing(caller);
  checkItem({ name, date: expirationDate, details, category, assignedTo });
  check(contacts.length === 1 && isAddress(contacts[0].email) && tags.every((tag) => isText(tag.name, 255)));
  const { organizationId, teamId, userId } = caller;
  const values = [organizationId, teamId, userId, name, expirationDate, details, category.id, assignedTo?.id];
  const linked = [contacts[0].email, tags.map((tag) => tag.name)];
  return (
    (await first('create item', created, [...values, ...linked, ...scopeOf(caller)])) ??
    refuse(400, 'an unknown reference')
  );
}

function writing({ role }) {
  if (!['ADMIN', 'MEMBER'].includes(role)) refuse(403, 'not allowed');
}

async function replace(caller, id, body) {
  writing(caller);
  check(isId(id) && Object.keys(body).every((name) => members.has(name)));
  const {
    name,
    expiration_date: date,
    details = null,
    category,
    assigned_to: assignedTo,
    contacts,
    tags,
  } = body;
  checkItem({ name, date, details, category, assignedTo });
  const { userId, userName } = caller;
  const values = [id, name, date, details, category.id, assignedTo?.id, userId, userName, ...scopeOf(caller)];
  if (!contacts) return (await first('replace', replaced, values)) ?? refuse(404, 'unknown');
  checkIds(contacts);
  checkIds(tags);
  return (
    (await first('relink', relinked, [...values, idsOf(contacts), idsOf(tags)])) ?? refuse(404, 'unknown')
  );
}

async function addContact(caller, { name, email, mobile }) {
  writing(caller);
  check(isText(name, 255) && name.trim() !== '' && isAddress(email) && /^\+[\d ]{3,30}$/.test(mobile));
  const { organizationId, teamId, userId } = caller;
  return first('create contact', createdContact, [organizationId, teamId, userId, name, email, mobile]);
}

async function receive(caller, body) {
  check(
    (Number.isSafeInteger(body.id) || isText(body.id, 255)) &&
      isText(body.action, 255) &&
      Number.isInteger(body.timestamp),
  );
  check(typeof body.text === 'object' && body.text && /^https:\/\//.test(body.text.url));
  const [organizationId, teamId, tokenId, userId, ...values] = storing(body);
  if (organizationId !== caller.organizationId) refuse(403, 'not allowed');
  const text = `${storeUpload} ON CONFLICT (organization_id, dedupe_key) DO NOTHING`;
  await pool.query({ name: 'store', text, values: [organizationId, teamId, tokenId, userId, ...values] });
  return '';
}

async function answer({ method, url, headers }, body, response) {
  const caller = await callerOf(headers);
  const [path, query] = url.split('?');
  if (path === '/graphql') return ask(caller, JSON.parse(body).variables);
  const tagged = (text, isWeak) => {
    response.setHeader('etag', `${isWeak ? 'W/' : ''}"${hash('sha1', text, 'base64url').slice(0, 16)}"`);
    return text;
  };
  if (path === '/v1/vehicles') return tagged(await listVehicles(caller, new URLSearchParams(query)), true);
  if (path === '/v1/expirationitems')
    return tagged(await listItems(caller, new URLSearchParams(query)), true);
  if (path === '/v1/contacts') return tagged(await addContact(caller, JSON.parse(body)));
  if (path === '/v1/bulkscan/receive') return receive(caller, JSON.parse(body));
  if (method === 'PUT')
    return tagged(await replace(caller, path.slice('/v1/expirationitems/'.length), JSON.parse(body)));
  throw new Error(`There is nothing at ${path}.`);
}

listen(answer);
