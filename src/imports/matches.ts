import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { type Condition, keyedRecordsSql, recordsSql, visibleSql } from '../db/sql/conditions.js';
import { readByIndex } from '../db/sql/select.js';
import { empty, join, raw, sql } from '../db/sql/sql.js';
import { snakeCase } from '../domain/text/names.js';
import { type Holder, type HolderKind, holderKinds, naturalKeys } from '../items/holders.js';
import type { Resource } from '../records/resource.js';

/** Ids of the records that match each entry. There are at most two, which shows that it is ambiguous. */
type Matches = ReadonlyMap<number, readonly string[]>;

interface Pair {
  readonly entry: number;
  readonly id: string;
}

function grouped(pairs: readonly Pair[]): Matches {
  const groups = new Map<number, string[]>();
  for (const { entry, id } of pairs) groups.set(entry, [...(groups.get(entry) ?? []), id]);
  return groups;
}

/** Returns the condition that a record is none of some. */
const notOf = (ids: ReadonlySet<string>) =>
  ids.size === 0 ? empty : sql`AND record.id NOT IN (SELECT unnest(${[...ids]}::uuid[]))`;

const entriesOf = (count: number) => Array.from({ length: count }, (_, entry) => entry);

/**
 * Finds the caller's records by their natural keys. A key that is null matches nothing.
 * @param where further condition on the records
 * @param without ids of records that are passed over
 */
export async function matchByKey(
  session: Session,
  resource: Resource,
  field: string,
  keys: readonly (string | null)[],
  where: Condition = {},
  without: ReadonlySet<string> = new Set(),
): Promise<Matches> {
  const column = raw(`record."${snakeCase(field)}"`);
  const found = sql`
    SELECT record.id ${keyedRecordsSql(session, resource.kind, where)} AND natural_key(${column}) = natural_key(wanted.key)
      ${notOf(without)} LIMIT 2`;
  const statement = sql`
    SELECT wanted.entry, found.id
    FROM unnest(${entriesOf(keys.length)}::int[], ${[...keys]}::text[]) AS wanted (entry, key)
    CROSS JOIN LATERAL (${found}) AS found`;
  return grouped(await session.read<Pair>(prepared(`${resource.table}.match`, statement)));
}

/**
 * Reads the contacts with some names that the caller sees. Of a name there are at most two, which
 * shows that it is ambiguous.
 */
export function findContactsNamed(
  session: Session,
  names: readonly string[],
): Promise<{ readonly id: string; readonly name: string | null; readonly email: string | null }[]> {
  if (names.length === 0) return Promise.resolve([]);
  const statement = sql`
    SELECT id, name, email FROM (
      SELECT record.id, record.name, record.email, row_number() OVER (
        PARTITION BY natural_key(record.name) ORDER BY record.id) AS number
      ${keyedRecordsSql(session, 'contact', {})}
        AND natural_key(record.name) IN (SELECT natural_key(name) FROM unnest(${[...names]}::text[]) AS wanted (name))
    ) AS found WHERE number <= 2`;
  return session.read(prepared('contacts.named', statement));
}

/** Keys by which the text of a cell names a holder. Those of rank 0 identify one, and come before names. */
const holderTexts = holderKinds.flatMap((kind) => {
  const natural: Readonly<Record<string, { readonly by: string }>> = naturalKeys[kind];
  const keys = Object.entries({ ...natural, name: { by: 'natural_key' } });
  return keys.map(([field, { by }]) => ({ kind, field, by, rank: field === 'name' ? 1 : 0 }));
});

/** A holder whose key is the text of a cell. */
export interface FoundHolderText extends Holder {
  readonly text: string;
  readonly rank: number;
}

/** The most records that a text is compared with. */
const sameText = raw('10');

/** A text of a cell, with the kind that it names if that is known. */
interface HolderText {
  readonly kind: HolderKind | null;
  readonly text: string;
}

/** Texts that one statement looks up. */
const textsAtOnce = 5_000;

async function findSomeTexts(
  session: Session,
  wanted: readonly HolderText[],
): Promise<readonly FoundHolderText[]> {
  const queries = holderTexts.flatMap(({ kind, field, by, rank }) => {
    const texts = wanted.flatMap((one) => (one.kind === null || one.kind === kind ? one.text : []));
    if (texts.length === 0) return [];
    const column = raw(`record.${snakeCase(field)}`);
    const same = sql`JOIN unnest((SELECT ${texts}::text[])) AS wanted (text) ON ${raw(by)}(${column}) = ${raw(by)}(wanted.text)`;
    return sql`
      SELECT ${kind}::text AS kind, ${rank}::int AS rank, text, id FROM (
        SELECT wanted.text, record.id, row_number() OVER (PARTITION BY wanted.text ORDER BY record.id) AS number
        ${keyedRecordsSql(session, kind, {}, same)} AND ${column} IS NOT NULL
      ) AS found WHERE number <= ${sameText}`;
  });
  if (queries.length === 0) return [];
  return session.read(prepared('item_holders.texts', join(queries, ' UNION ALL ')));
}

/** Finds the records that the texts of cells name as holders. Without a kind, a text may name any. */
export async function findHolderTexts(
  session: Session,
  wanted: readonly HolderText[],
): Promise<readonly FoundHolderText[]> {
  const found: FoundHolderText[] = [];
  for (let at = 0; at < wanted.length; at += textsAtOnce)
    found.push(...(await findSomeTexts(session, wanted.slice(at, at + textsAtOnce))));
  return found;
}

/** The natural key of an item in a file. What is null is not compared. */
interface ItemKey {
  readonly name: string | null;
  readonly category: string | null;
  readonly email: string | null;
  /** Ids of the records that it is a paper of, at least. Without any, it is a paper of nothing. */
  readonly holders: readonly string[] | null;
  /** Kinds of holders that the row speaks of. */
  readonly kinds: readonly HolderKind[];
}

/** Holders that an item must have to be found. */
type Held = 'any' | 'none' | 'none_of_kinds' | 'these';

/** Columns of an item's holders, each with an index. */
const holderIds = holderKinds.map((kind) => raw(`pair.${kind}_id = wanted.holder`));

/** Finds the caller's items by name, document type, and address of the main contact. */
async function matchAlike(
  session: Session,
  keys: readonly ItemKey[],
  held: Held,
  without: ReadonlySet<string>,
): Promise<Matches> {
  if (keys.length === 0) return new Map();
  const of = (member: 'name' | 'category' | 'email') => keys.map((key) => key[member]);
  const isOfFirst = sql`JOIN item_holders AS pair ON pair.item_id = record.id AND ${join(holderIds, ' OR ', '(', ')')}`;
  const isOfAll = sql`AND NOT EXISTS (
    SELECT FROM unnest(wanted.holders::uuid[]) AS other (id) WHERE NOT EXISTS (
      SELECT FROM item_holders AS own WHERE own.item_id = record.id AND own.holder_id = other.id))`;
  const isOfNone = sql`AND NOT EXISTS (SELECT FROM item_holders AS own WHERE own.item_id = record.id)`;
  const isOfNoneOfKinds = sql`AND NOT EXISTS (
    SELECT FROM item_holders AS own WHERE own.item_id = record.id AND own.kind = ANY (wanted.kinds::holder_kind[]))`;
  const found = sql`
    SELECT record.id ${recordsSql(session, 'expirationItem', {}, held === 'these' ? isOfFirst : empty)}
      AND record.name = wanted.name ${notOf(without)}
      ${{ any: empty, none: isOfNone, none_of_kinds: isOfNoneOfKinds, these: isOfAll }[held]}
      AND (wanted.category IS NULL OR natural_key(wanted.category) = (
        SELECT natural_key(category.name) FROM categories AS category WHERE category.id = record.category_id))
      AND (wanted.email IS NULL OR natural_key(wanted.email) = (
        SELECT natural_key(contact.email) FROM contacts AS contact WHERE contact.id = coalesce(record.contact_id, (
          SELECT contact_id FROM expiration_item_contacts WHERE item_id = record.id ORDER BY position LIMIT 1))))
    LIMIT 2`;
  const ids = keys.map(({ holders }) => holders ?? []);
  const statement = sql`
    SELECT wanted.entry, found.id
    FROM unnest(${entriesOf(keys.length)}::int[], ${of('name')}::text[], ${of('category')}::text[],
      ${of('email')}::text[], ${ids.map(([first]) => first ?? null)}::uuid[], ${ids.map((all) => `{${all.join(',')}}`)}::text[],
      ${keys.map(({ kinds }) => `{${kinds.join(',').toUpperCase()}}`)}::text[]
    ) AS wanted (entry, name, category, email, holder, holders, kinds)
    CROSS JOIN LATERAL (${found}) AS found`;
  return grouped(await session.read<Pair>(prepared(`expiration_items.match_${held}`, statement)));
}

/**
 * Finds the caller's items by name, document type, main contact and holders. Where none has these holders, one
 * without any is found. A row that says of some kinds that there are none may have holders of others.
 * @param without ids of items that are passed over
 */
export async function matchItems(
  session: Session,
  keys: readonly ItemKey[],
  without: ReadonlySet<string>,
): Promise<Matches> {
  const found = new Map<number, readonly string[]>();
  const add = async (held: Held, isWanted: (key: ItemKey) => boolean) => {
    // Many rows of a file differ in nothing but their holders.
    const places = new Map<string, number[]>();
    for (const [place, key] of keys.entries()) {
      if (found.has(place) || !isWanted(key)) continue;
      const { holders: _, ...others } = key;
      const alike = JSON.stringify(held === 'these' ? key : others);
      const same = places.get(alike);
      if (same) same.push(place);
      else places.set(alike, [place]);
    }
    const groups = [...places.values()];
    const wanted = groups.flatMap(([first]) => keys[first ?? 0] ?? []);
    for (const [at, ids] of await matchAlike(session, wanted, held, without))
      for (const place of groups[at] ?? []) found.set(place, ids);
  };
  await add('any', ({ holders }) => holders === null);
  await add('these', ({ holders }) => holders !== null && holders.length > 0);
  await add('none', ({ holders }) => holders !== null);
  await add(
    'none_of_kinds',
    ({ holders, kinds }) => holders?.length === 0 && kinds.length < holderKinds.length,
  );
  return found;
}

/** A record that has a unique value, whether the caller sees it or not. */
export interface ValueHolder {
  readonly id: string;
  readonly value: string;
  /** Values of the fields within which it is unique. */
  readonly within: readonly (string | null)[];
}

/** More records than have one value, which is unique in a workspace. */
const maxHolders = raw('10000');

/**
 * Finds the records that have unique values. A write would be refused because of them, so no more is told
 * here than there.
 */
export function findValueHolders(
  session: Session,
  { table, uniqueBy }: Resource,
  values: readonly string[],
): Promise<ValueHolder[]> {
  if (!uniqueBy || values.length === 0) return Promise.resolve([]);
  const [field, ...within] = uniqueBy.map((name) => raw(`record."${snakeCase(name)}"`));
  const others = within.length === 0 ? raw("'{}'::text[]") : sql`ARRAY[${join(within)}]::text[]`;
  const statement = sql`
    SELECT found.* FROM unnest((SELECT ${[...values]}::text[])) AS wanted (key) CROSS JOIN LATERAL (
      SELECT record.id, ${field} AS value, ${others} AS within FROM ${raw(table)} AS record
      WHERE record.organization_id = ${session.caller.organizationId}::uuid AND natural_key(${field}) = natural_key(wanted.key)
      LIMIT ${maxHolders}
    ) AS found`;
  return readByIndex(session.database, prepared(`${table}.holders`, statement));
}

/** Returns which of some ids records of a kind have already, whoever they belong to. */
export async function findTakenIds(
  session: Session,
  { table }: Resource,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const statement = sql`SELECT id FROM ${raw(table)} WHERE id = ANY(${[...ids]}::uuid[])`;
  const found = await readByIndex<{ id: string }>(session.database, prepared(`${table}.taken`, statement));
  return found.map(({ id }) => id);
}

/** A location, as far as paths need it. */
export interface LocationPath {
  readonly id: string;
  readonly name: string | null;
  readonly parentLocationId: string | null;
  readonly isVisible: boolean;
}

/** Reads the locations of the caller's organization. Those that the caller does not see only take up names. */
export function readLocationPaths(session: Session): Promise<LocationPath[]> {
  const statement = sql`
    SELECT record.id, record.name, record.parent_location_id AS "parentLocationId",
      ${visibleSql(session, 'location', 'record')} AS "isVisible"
    FROM locations AS record WHERE record.organization_id = ${session.caller.organizationId}::uuid`;
  return readByIndex(session.database, prepared('locations.places', statement));
}
