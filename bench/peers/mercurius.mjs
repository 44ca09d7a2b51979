// The peer mercurius: fastify and mercurius with its just-in-time compiler, pg with prepared statements,
// loaders for linked records.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { persisted } from '../lib/requests.mjs';
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
const query = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const schema = `
  scalar JSON
  type User { id: ID! name: String! email: String! teamId: ID! }
  type Category { id: ID! name: String! }
  type Contact {
    id: ID! name: String email: String! phone: String timezone: String mobile: String typeId: ID contactId: String
    locationId: ID teamId: ID isActive: Boolean modified: String
  }
  type Location { id: ID! name: String }
  type Tag { id: ID! name: String }
  type CustomField { id: ID name: String value: String }
  type ExpirationItem {
    id: ID! name: String! expirationDate: String details: String isActive: Boolean! modified: String! teamId: ID!
    category: Category assignedTo: User contacts: [Contact!]! locations: [Location!]! tags: [Tag!]!
  }
  type Vehicle {
    id: ID! name: String vin: String licensePlate: String year: Int make: String model: String trim: String
    color: String bodyType: String registrationProvince: String msrp: Float primaryMeterTypeId: Int
    primaryMeterReading: Int ownershipId: Int statusId: ID folderId: ID locationId: ID typeId: ID
    vehicleFuelTypeId: ID assignedToContactId: ID teamId: ID! isArchived: Boolean! modified: String!
    assignedTo: User customFields: [CustomField!]!
  }
  type Items { totalCount: Int! nodes: [ExpirationItem!]! }
  type Vehicles { totalCount: Int! nodes: [Vehicle!]! }
  type Upload { id: ID }
  enum ItemStatus { EXPIRED NOTIFYING }
  input ItemFilter { categoryId: ID status: [ItemStatus!] }
  input VehicleFilter { term: String }
  enum VehicleField { NAME YEAR }
  enum Direction { ASC DESC }
  input VehicleOrder { field: VehicleField! direction: Direction! }
  input Reference { id: ID! }
  input ContactReference { id: ID email: String }
  input TagReference { id: ID name: String }
  input CreateContactInput { name: String email: String! mobile: String }
  input CreateExpirationItemInput {
    name: String! expirationDate: String! details: String category: Reference! assignedTo: Reference!
    contacts: [ContactReference!]! tags: [TagReference!]!
  }
  input ReplaceExpirationItemInput {
    name: String! expirationDate: String! details: String category: Reference! assignedTo: Reference!
    contacts: [ContactReference!] tags: [TagReference!]
  }
  input ReceiveUploadInput { id: Float action: String timestamp: Float text: JSON }
  type Query {
    expirationItems(first: Int!, offset: Int!, filter: ItemFilter!): Items!
    expirationItem(id: ID!): ExpirationItem
    vehicles(first: Int!, offset: Int, filter: VehicleFilter, orderBy: [VehicleOrder!]): Vehicles!
  }
  type Mutation {
    createContact(input: CreateContactInput!): Contact
    createExpirationItem(input: CreateExpirationItemInput!): ExpirationItem
    replaceExpirationItem(id: ID!, input: ReplaceExpirationItemInput!): ExpirationItem
    receiveUpload(input: ReceiveUploadInput!): Upload
  }`;

const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const columns = (names) => names.map((name) => `${name} AS "${camelCase(name)}"`).join(', ');
const item = `id, name, expiration_date::text AS "expirationDate", details, is_active AS "isActive",
  to_json(modified)#>>'{}' AS modified, team_id AS "teamId", category_id AS "categoryId",
  assigned_to_id AS "assignedToId"`;
const vehicle = `${columns(
  `id name vin license_plate year make model trim color body_type registration_province msrp primary_meter_type_id
  primary_meter_reading ownership_id status_id folder_id location_id type_id vehicle_fuel_type_id
  assigned_to_contact_id assigned_to_id team_id is_archived custom_fields`.split(/\s+/),
)}, to_json(modified)#>>'{}' AS modified`;

const items = `SELECT ${item} FROM expiration_items WHERE category_id = $1 ORDER BY expiration_date, id LIMIT $2 OFFSET $3`;
const itemsByStatus = (where) =>
  `SELECT ${item} FROM expiration_items WHERE ${where} ORDER BY expiration_date, id LIMIT $2 OFFSET $3`;
const replaced = replaceItem(`SELECT ${item} FROM changed`);
const relinked = relinkItem(`SELECT ${item} FROM changed`);
const created = createItem(`SELECT ${item} FROM made`);
const contact = `${columns(
  'id name email phone timezone mobile type_id contact_id location_id team_id is_active'.split(' '),
)}, to_json(modified)#>>'{}' AS modified`;
const createdContact = createContact(`SELECT ${contact} FROM made`);

const resolvers = {
  Query: {
    expirationItems: async (_, { first, offset, filter }) => {
      if (!filter.status) return { nodes: await query('items', items, [filter.categoryId, first, offset]) };
      const status = filter.status[0].toLowerCase();
      const values = [owner.organizationId, first, offset];
      return { status, nodes: await query(`items ${status}`, itemsByStatus(inStatus(status)), values) };
    },
    expirationItem: async (_, { id }) =>
      (await query('item', `SELECT ${item} FROM expiration_items WHERE id = $1`, [id]))[0],
    vehicles: async (_, { first, offset, filter, orderBy }) => {
      const [order] = orderBy;
      const [sort, direction] = [order.field.toLowerCase(), order.direction];
      const page = `SELECT ${vehicle} FROM vehicles WHERE ${matching}
        ORDER BY ${sort} ${direction}, id ${direction} LIMIT $2 OFFSET $3`;
      const term = `%${filter.term}%`;
      const [nodes, [{ count }]] = await Promise.all([
        query(`vehicles ${sort} ${direction}`, page, [term, first, offset]),
        query('count', `SELECT count(*)::int FROM vehicles WHERE ${matching}`, [term]),
      ]);
      return { nodes, totalCount: count };
    },
  },
  Items: {
    totalCount: async ({ status }) => {
      const text = `SELECT count(*)::int FROM expiration_items WHERE ${inStatus(status)}`;
      return (await query(`count ${status}`, text, [owner.organizationId]))[0].count;
    },
  },
  Mutation: {
    createContact: async (_, { input }) =>
      (await query('create contact', createdContact, creatingContact(input)))[0],
    createExpirationItem: async (_, { input }) =>
      (await query('create item', created, creatingItem(input)))[0],
    replaceExpirationItem: async (_, { id, input: { category, assignedTo, contacts, tags, ...input } }) => {
      const values = replacing(id, { ...input, categoryId: category.id, assignedToId: assignedTo.id });
      if (!contacts) return (await query('replace', replaced, values))[0];
      return (await query('relink', relinked, [...values, idsOf(contacts), idsOf(tags)]))[0];
    },
    receiveUpload: async (_, { input }) => {
      await query('store', storeUpload, storing(input));
      return {};
    },
  },
};

const byId = (table, member, names) => async (loads) => {
  const ids = [...new Set(loads.map(({ obj }) => obj[member]))];
  const rows = await query(table, `SELECT ${columns(names)} FROM ${table} WHERE id = ANY($1::uuid[])`, [ids]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return loads.map(({ obj }) => found.get(obj[member]) ?? null);
};
const linked = (kind, names) => async (loads) => {
  const text = `SELECT l.item_id, ${names.map((name) => `r.${name}`)} FROM expiration_item_${kind}s l
    JOIN ${kind}s r ON r.id = l.${kind}_id WHERE l.item_id = ANY($1::uuid[]) ORDER BY l.position`;
  const found = new Map(loads.map(({ obj }) => [obj.id, []]));
  for (const row of await query(kind, text, [[...found.keys()]])) found.get(row.item_id).push(row);
  return loads.map(({ obj }) => found.get(obj.id));
};
const assignedTo = byId('users', 'assignedToId', ['id', 'name', 'email', 'team_id']);
const loaders = {
  ExpirationItem: {
    category: byId('categories', 'categoryId', ['id', 'name']),
    assignedTo,
    contacts: linked('contact', ['id', 'name', 'email', 'phone']),
    locations: linked('location', ['id', 'name']),
    tags: linked('tag', ['id', 'name']),
  },
  Vehicle: { assignedTo },
};

const app = Fastify({ logger: false });
const persistedQueryProvider = {
  isPersistedQuery: ({ extensions }) => extensions?.persistedQuery !== undefined,
  getHash: ({ extensions }) => extensions.persistedQuery.sha256Hash,
  getQueryFromHash: async (hash) => persisted[hash],
};
app.register(mercurius, { schema, resolvers, loaders, jit: 1, graphiql: false, persistedQueryProvider });
console.log(`"url":"${await app.listen({ port: 0, host: '127.0.0.1' })}"`);
