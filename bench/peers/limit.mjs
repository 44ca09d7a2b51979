// The peer `limit`: node:http and pg, one hand-written prepared statement per request, whose JSON is built by
// PostgreSQL and passed on as text. It does not parse GraphQL: a request without an `id` is for the list. It
// does not authenticate, validate, authorize, log, or limit anything.
import { listen } from './listen.mjs';
import {
  asJson,
  askedList,
  askedVehicle,
  contact,
  item,
  itemById,
  items,
  itemsByStatus,
  itemWith,
  vehicleById,
  vehicles,
  wanted,
} from './shapes.mjs';
import {
  createContact,
  createItem,
  creatingContact,
  creatingItem,
  idsOf,
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
  if (id) return `{"data":{"item":${await first('item', itemById(), [id])}}}`;
  return `{"data":{"items":{"nodes":${await first('items', items(), [category, offset])}}}}`;
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
  if (path === '/v1/compliance') return first('compliance', askedList, [owner.organizationId]);
  const [, one, record] = /^\/v1\/(compliance\/)?vehicles\/(.+)$/.exec(path) ?? [];
  if (record) return one ? first('asked', askedVehicle, [record]) : first('vehicle', vehicleById, [record]);
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

listen(answer);
