import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { recordsSql } from '../db/sql/conditions.js';
import { snakeCase } from '../domain/text/names.js';
import { Prisma } from '../generated/prisma/client.js';
import type { Resource } from '../records/resource.js';

const { sql, raw } = Prisma;

/** Ids of the records that match each entry. There are at most two, which shows that it is ambiguous. */
export type Matches = ReadonlyMap<number, readonly string[]>;

interface Pair {
  readonly entry: number;
  readonly id: string;
}

function grouped(pairs: readonly Pair[]): Matches {
  const groups = new Map<number, string[]>();
  for (const { entry, id } of pairs) groups.set(entry, [...(groups.get(entry) ?? []), id]);
  return groups;
}

const entriesOf = (count: number) => Array.from({ length: count }, (_, entry) => entry);

/** Finds the caller's records by their natural keys. A key that is null matches nothing. */
export async function matchByKey(
  tx: Transaction,
  resource: Resource,
  field: string,
  keys: readonly (string | null)[],
): Promise<Matches> {
  const column = raw(`record."${snakeCase(field)}"`);
  const found = sql`
    SELECT record.id ${recordsSql(tx, resource.kind, {})} AND natural_key(${column}) = natural_key(wanted.key) LIMIT 2`;
  const statement = sql`
    SELECT wanted.entry, found.id
    FROM unnest(${entriesOf(keys.length)}::int[], ${[...keys]}::text[]) AS wanted (entry, key)
    CROSS JOIN LATERAL (${found}) AS found`;
  return grouped(await tx.run<Pair>(named(`${resource.table}.match`, statement)));
}

/** The natural key of an item in a file. What is null is not compared. */
export interface ItemKey {
  readonly name: string | null;
  readonly category: string | null;
  readonly email: string | null;
}

/** Finds the caller's items by name, document type, and address of the main contact. */
export async function matchItems(tx: Transaction, keys: readonly ItemKey[]): Promise<Matches> {
  const of = (member: keyof ItemKey) => keys.map((key) => key[member]);
  const found = sql`
    SELECT record.id ${recordsSql(tx, 'expirationItem', {})} AND record.name = wanted.name
      AND (wanted.category IS NULL OR natural_key(wanted.category) = (
        SELECT natural_key(category.name) FROM categories AS category WHERE category.id = record.category_id))
      AND (wanted.email IS NULL OR natural_key(wanted.email) = (
        SELECT natural_key(contact.email) FROM contacts AS contact WHERE contact.id = coalesce(record.contact_id, (
          SELECT contact_id FROM expiration_item_contacts WHERE item_id = record.id ORDER BY position LIMIT 1))))
    LIMIT 2`;
  const statement = sql`
    SELECT wanted.entry, found.id
    FROM unnest(${entriesOf(keys.length)}::int[], ${of('name')}::text[], ${of('category')}::text[],
      ${of('email')}::text[]) AS wanted (entry, name, category, email)
    CROSS JOIN LATERAL (${found}) AS found`;
  return grouped(await tx.run<Pair>(named('expiration_items.match', statement)));
}
