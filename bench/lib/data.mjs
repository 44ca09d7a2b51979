// The measured data, made by SQL in the gateway's own tables. Every id is the MD5 of a kind and a number, so that
// whoever sends requests can name records without asking for them.
import { createHash } from 'node:crypto';
import pg from 'pg';

/**
 * Records of each kind. There are twice as many `writable` items, to be updated without their links and with them.
 * They are of no document type that W1 lists.
 */
export const sizes = {
  users: 100,
  categories: 60,
  contacts: 5_000,
  locations: 500,
  tags: 200,
  items: 10_000,
  writable: 2_000,
  vehicles: 20_000,
  /** Contacts, locations and tags of each item, at most. */
  links: 3,
};

export const makes = 'Ford Toyota Volvo Mack Honda Chevrolet Kenworth Peterbilt Isuzu Hino'.split(' ');
export const models = 'Alder Birch Cedar Elm Fir Gum Hazel Ivy Juniper Larch'.split(' ');

/** The id of the n-th record of a kind. */
export function idOf(kind, n) {
  const hash = createHash('md5').update(`${kind} ${n}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const id = (kind, number) => `md5('${kind} ' || (${number}))::uuid`;
const one = (kind, number, count) => id(kind, `1 + (${number}) % ${count}`);
const word = (words, number) => `(ARRAY['${words.join("','")}'])[1 + (${number}) % ${words.length}]`;
const fields = `jsonb_build_array(
  jsonb_build_object('id', ${id('field', 1)}, 'name', 'Cost centre', 'value', 'CC-' || g % 97),
  jsonb_build_object('id', ${id('field', 2)}, 'name', 'Region', 'value', 'R' || g % 13))`;

/** `INSERT`s by table: column to expression over `g`, which counts from 1. */
function tables(size, [organization, team]) {
  const owned = { organization_id: `'${organization}'`, team_id: `'${team}'` };
  const expires = `date '2026-01-01' + g % 730 * 7919 % 730`;
  const item = {
    ...owned,
    expiration_date: expires,
    notify_on: `${expires} - 30`,
    details: `'Details of item ' || g || ': ' || repeat('lorem ipsum ', 8)`,
    assigned_to_id: one('user', 'g / 7', size.users),
    custom_fields: fields,
  };
  const links = (kind, table, most, count, step, each = Math.min(most, size.links)) => [
    table,
    size.items * each,
    {
      item_id: id('item', `1 + (g - 1) / ${each}`),
      [`${kind}_id`]: one(kind, `(g - 1) / ${each} * ${step} + g % ${each}`, count),
      position: `g % ${each}`,
    },
  ];
  return [
    [
      'users',
      size.users,
      { id: id('user', 'g'), ...owned, name: `'User ' || g`, email: `'user' || g || '@example.com'` },
    ],
    ['categories', size.categories + 1, { id: id('category', 'g'), ...owned, name: `'Document type ' || g` }],
    [
      'locations',
      size.locations,
      { id: id('location', 'g'), ...owned, name: `'Location ' || g`, custom_fields: fields },
    ],
    ['tags', size.tags, { id: id('tag', 'g'), ...owned, name: `'tag ' || g` }],
    [
      'contacts',
      size.contacts,
      {
        id: id('contact', 'g'),
        ...owned,
        name: `'Contact ' || g`,
        email: `'contact' || g || '@example.com'`,
        phone: `'+1 416 ' || lpad(g::text, 7, '0')`,
        custom_fields: fields,
      },
    ],
    [
      'expiration_items',
      size.items,
      {
        id: id('item', 'g'),
        ...item,
        name: `'Licence ' || g`,
        category_id: one('category', 'g', size.categories),
      },
    ],
    ...['writable', 'relinked'].map((kind) => [
      'expiration_items',
      size.writable,
      {
        id: id(kind, 'g'),
        ...item,
        name: `'Permit ' || g`,
        category_id: id('category', size.categories + 1),
      },
    ]),
    links('contact', 'expiration_item_contacts', 3, size.contacts, 7),
    links('location', 'expiration_item_locations', 2, size.locations, 3),
    links('tag', 'expiration_item_tags', 3, size.tags, 11),
    [
      'vehicles',
      size.vehicles,
      {
        id: id('vehicle', 'g'),
        ...owned,
        name: `${word(makes, 'g')} || ' ' || ${word(models, 'g / 10')} || ' ' || lpad(g::text, 7, '0')`,
        vin: `upper(substr(md5('vin' || g), 1, 17))`,
        license_plate: `upper(substr(md5('plate' || g), 1, 3)) || ' ' || g * 37 % 10000`,
        year: '2000 + g % 26',
        make: word(makes, 'g'),
        model: word(models, 'g / 10'),
        trim: `'LX'`,
        color: word(['white', 'black', 'red', 'blue', 'grey'], 'g'),
        body_type: `'truck'`,
        registration_province: `'ON'`,
        msrp: '20000 + (g * 13) % 60000',
        primary_meter_type_id: '1',
        primary_meter_reading: '(g * 101) % 400000',
        ownership_id: '1 + g % 3',
        location_id: one('location', 'g', size.locations),
        assigned_to_contact_id: one('contact', 'g / 3', size.contacts),
        assigned_to_id: one('user', 'g / 3', size.users),
        custom_fields: fields,
      },
    ],
  ];
}

const owner = `
  SELECT t.organization_id, t.id AS team_id, u.id AS user_id, a.id AS token_id
  FROM teams t JOIN users u ON u.team_id = t.id JOIN access_tokens a ON a.user_id = u.id
  ORDER BY a.created LIMIT 1`;

/** Whose records they are: the organization, workspace and administrator that the gateway's first start made. */
export async function ownerIn(client) {
  const [row] = (await client.query(owner)).rows;
  return {
    organizationId: row.organization_id,
    teamId: row.team_id,
    userId: row.user_id,
    tokenId: row.token_id,
  };
}

/** What triggers would have kept of the numbers of records. */
const count = (table) => `
  DELETE FROM record_counts WHERE table_name = '${table}';
  INSERT INTO record_counts SELECT '${table}', organization_id, team_id, count(*) FROM ${table} GROUP BY 2, 3;`;

/** The gateway's own index is of folded texts. Peers look for terms by ILIKE, and would read the whole table. */
const peersIndex = `
  CREATE INDEX IF NOT EXISTS peers_vehicles_term ON vehicles USING GIN
    (name gin_trgm_ops, vin gin_trgm_ops, license_plate gin_trgm_ops, make gin_trgm_ops, model gin_trgm_ops)`;

/** Indexes of trigrams are made anew afterwards, and no triggers run: checking references would take most of the time. */
async function inBulk(client, work) {
  const found = await client.query(`
    SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE '%gin_trgm_ops%'`);
  await client.query(
    `BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL maintenance_work_mem = '512MB'`,
  );
  for (const { name } of found.rows) await client.query(`DROP INDEX "${name}"`);
  await work();
  for (const table of ['expiration_items', 'vehicles']) await client.query(count(table));
  for (const { sql } of found.rows) await client.query(sql);
  await client.query(peersIndex);
  for (const end of ['COMMIT', 'VACUUM ANALYZE', 'CHECKPOINT']) await client.query(end);
}

/** Fills a database that a gateway has migrated and started on. */
export async function seed(url, changed = {}) {
  const size = { ...sizes, ...changed };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { organizationId, teamId } = await ownerIn(client);
    await inBulk(client, async () => {
      for (const [table, count, columns] of tables(size, [organizationId, teamId])) {
        const names = Object.keys(columns).map((name) => `"${name}"`);
        await client.query(`
          INSERT INTO ${table} (${names}) SELECT ${Object.values(columns)} FROM generate_series(1, ${count}) g
          ON CONFLICT DO NOTHING`);
      }
    });
    const { rows } = await client.query('SHOW fsync');
    if (rows[0].fsync !== 'on') throw new Error('The database is not durable: fsync is off.');
  } finally {
    await client.end();
  }
  return size;
}
