import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import {
  type Condition,
  columnSql,
  type KeyColumn,
  keyedRecordsSql,
  recordsSql,
  visibleSql,
} from '../db/sql/conditions.js';
import { modelInfo, modelName, type OfCaller, tables } from '../db/sql/models.js';
import { empty, join, raw, type Sql, sql } from '../db/sql/sql.js';
import { seesAllTeams } from '../domain/caller.js';
import { argumentError, badField, type FieldPath, Violations } from '../domain/errors.js';
import { type HolderKind, holderKinds } from '../domain/holder-kinds.js';
import { models } from '../domain/models.js';
import type { Order, Window } from '../domain/paging.js';
import { isNil, isUuid, limits, rules } from '../domain/rules.js';
import { snakeCase } from '../domain/text/names.js';
import { type Link, linkCondition } from '../records/links.js';
import type { Page } from '../records/list.js';
import { seenIds } from '../records/lists/filter.js';
import {
  type BatchLoader,
  findLinked,
  groupByKey,
  type Linked,
  load,
  loadBatched,
  lookUpOnce,
} from '../records/loaders.js';
import type { NoLink, RowChange, Write } from '../records/resource.js';

export { type HolderKind, holderKinds };

/** A record that an item is a paper of. */
export interface Holder {
  readonly kind: HolderKind;
  readonly id: string;
}

/** The most holders of an item. */
export const maxHolders = models.ItemHolder.partOf.most;

/** Natural keys of each kind, with their names and the functions that compare them. */
export const naturalKeys = {
  vehicle: {
    vin: { word: 'VIN', by: 'natural_key' },
    licensePlate: { word: 'licence plate', by: 'plate_key' },
  },
  contact: { email: { word: 'e-mail address', by: 'natural_key' } },
  company: { taxId: { word: 'tax id', by: 'natural_key' }, name: { word: 'name', by: 'natural_key' } },
  location: { name: { word: 'name', by: 'natural_key' } },
} as const satisfies Record<HolderKind, Readonly<Record<string, { word: string; by: string }>>>;

/** Members of a reference that can name a holder instead of its id. */
export const holderKeys = ['vin', 'licensePlate', 'email', 'taxId', 'name'] as const;

/** A member of a reference that names a holder by a natural key. */
export type HolderKey = (typeof holderKeys)[number];

/** A holder in an input, by its id or a natural key of its kind. */
export type HolderReference = { readonly kind: HolderKind; readonly id?: string | null } & {
  readonly [Key in HolderKey]?: string | null;
};

/** Rule of the holders that are stored. Of an input, `resolveHolders` has made them. */
export const holdersRule = z
  .array(z.object({ kind: z.enum(holderKinds), id: rules.requiredUuid }))
  .max(maxHolders, `must have at most ${maxHolders} entries`)
  .nullish()
  .transform((holders): Holder[] => holders ?? []);

const keyOf = ({ kind, id }: Holder) => `${kind} ${id}`;

/** Returns the column of the link table with the ids of a kind. */
const idColumn = (kind: HolderKind) => `${kind}_id`;

/** Returns the value of a kind in the database's enum. */
const kindSql = (kind: HolderKind) => raw(`'${kind.toUpperCase()}'::holder_kind`);

/** Returns the condition that the caller sees the holder of a link. */
function seenHolderSql(of: OfCaller, row: string): Sql {
  const seen = holderKinds.map(
    (kind) => sql`EXISTS (
      SELECT FROM ${raw(tables[kind])} AS linked
      WHERE linked.id = ${raw(`${row}.${idColumn(kind)}`)} AND ${visibleSql(of, kind, 'linked')})`,
  );
  return join(seen, ' OR ', '(', ')');
}

/** Returns the condition that the holder of a link counts for the caller. Who sees all workspaces needs no look. */
const countedHolderSql = (of: OfCaller, row: string): Sql =>
  seesAllTeams(of.caller) ? raw('TRUE') : seenHolderSql(of, row);

/** Links records of a kind to the items that are papers of them. */
export const papersOf = (kind: HolderKind): Link => ({
  pairs: sql`SELECT ${raw(idColumn(kind))}, item_id FROM item_holders`,
});

/** Matches items that are papers of nothing that the caller sees. */
export const noHolder: NoLink = (session) => ({
  none: (row: string) => sql`
    SELECT FROM item_holders AS pair WHERE pair.item_id = ${raw(`${row}.id`)} AND ${countedHolderSql(session, 'pair')}`,
});

/** Rule of the filter of items by their holders. */
export const holderFilterRule = z.object({ kind: z.enum(holderKinds), id: rules.uuid }).nullish();

/** Returns the condition that a record, or any of a kind, holds an item. Only those that the caller sees count. */
export function heldBy(
  { kind, id }: { readonly kind: HolderKind; readonly id: string | null },
  _all: object,
  session: Session,
): Condition {
  if (id !== null) return linkCondition(papersOf(kind), seenIds(session, kind, id));
  const some = (row: string) => sql`
    SELECT FROM item_holders AS pair
    WHERE pair.item_id = ${raw(`${row}.id`)} AND pair.kind = ${kindSql(kind)} AND ${countedHolderSql(session, 'pair')}`;
  return { NOT: { none: some } };
}

/** Words that a holder of a kind is known by, the first that there is. */
const titleColumns = {
  vehicle: ['name', 'licensePlate', 'vin'],
  contact: ['name', 'email'],
  company: ['name', 'doingBusinessAs'],
  location: ['name'],
} as const satisfies Record<HolderKind, readonly string[]>;

/** Returns SQL for the name of the holder in a row of the link table. It is null if the caller does not see it. */
export function holderNameSql(of: OfCaller, row: string): Sql {
  const names = holderKinds.map((kind) => {
    const columns = titleColumns[kind].map((column) => sql`nullif(${columnSql('linked', column)}, '')`);
    return sql`(
      SELECT coalesce(${join(columns)}) FROM ${raw(tables[kind])} AS linked
      WHERE linked.id = ${raw(`${row}.${idColumn(kind)}`)} AND ${visibleSql(of, kind, 'linked')})`;
  });
  return sql`coalesce(${join(names)})`;
}

/** Returns the name of the first holder of an item that the caller sees. */
export const firstHolderName = (session: Session): KeyColumn => ({
  value: sql`(
    SELECT ${holderNameSql(session, 'pair')} FROM item_holders AS pair
    WHERE pair.item_id = record.id AND ${seenHolderSql(session, 'pair')}
    ORDER BY pair.position, pair.holder_id LIMIT 1)`,
});

/** A record that a reference names: by its id, or by a natural key. */
export interface NamedRecord {
  readonly kind: HolderKind;
  readonly id?: string;
  readonly key?: HolderKey;
  /** The id or the value of the key. */
  readonly text: string;
}

/** An entry of an input, and its place there. */
type Wanted = NamedRecord & { readonly place: number };

/** Reads a reference to a record. @throws GatewayError BAD_REQUEST unless it names one record */
export function readReference(reference: HolderReference, path: FieldPath): NamedRecord {
  const { kind } = reference;
  const known = naturalKeys[kind];
  const at = (key: string) => [...path, key];
  if (reference.id && !isNil(reference.id)) {
    if (!isUuid(reference.id)) throw badField(at('id'), 'must be a UUID', 'format');
    return { kind, id: reference.id.toLowerCase(), text: reference.id.toLowerCase() };
  }
  const sent = holderKeys.filter((key) => reference[key]?.trim());
  const other = sent.find((key) => !(key in known));
  const { noun } = modelInfo[modelName(kind)];
  if (other) throw badField(at(other), `does not identify a ${noun}`);
  const [key, ...further] = sent;
  if (!key || further.length > 0)
    throw badField(path, `needs either an id or ${Object.keys(known).join(' or ')}`, 'required');
  const text = reference[key] ?? '';
  if (text.length > limits.line)
    throw badField(at(key), `must have at most ${limits.line} characters`, 'length');
  if (text.includes('\0') || !text.isWellFormed())
    throw badField(at(key), 'must be well-formed Unicode without NUL characters', 'characters');
  return { kind, key, text };
}

/** The most records that a conflict names. */
const namedInConflict = 10;

/** The most records that are looked for by a key. Of more, a conflict says that there are others. */
export const mostNamed = namedInConflict + 1;

/**
 * Returns the condition that the row `record` is one that a reference names.
 * @param text SQL for the id or the value of the key
 */
export function namedSql({ kind, key }: Pick<NamedRecord, 'kind' | 'key'>, text: Sql): Sql {
  if (key === undefined) return sql`record.id = ${text}::uuid`;
  const { by } = (naturalKeys[kind] as Readonly<Record<string, { by: string }>>)[key] ?? { by: '' };
  const column = raw(`record.${snakeCase(key)}`);
  // What an index has, so that it is found there.
  return sql`${raw(by)}(${column}) = ${raw(by)}(${text}) AND ${column} IS NOT NULL`;
}

/** Returns the query for records that entries of a kind name by one member. */
function foundSql(session: Session, alike: readonly [Wanted, ...Wanted[]]): Sql {
  const [{ kind, key }] = alike;
  const wanted = sql`unnest((SELECT ${alike.map(({ place }) => place)}::int[]), (SELECT ${alike.map(({ text }) => text)}::text[]))
    AS wanted (place, text)`;
  const isNamed = namedSql(alike[0], raw('wanted.text'));
  if (key === undefined)
    return sql`SELECT wanted.place, record.id ${recordsSql(session, kind, {}, sql`JOIN ${wanted} ON ${isNamed}`)}`;
  return sql`
    SELECT wanted.place, found.id FROM ${wanted} CROSS JOIN LATERAL (
      SELECT record.id ${keyedRecordsSql(session, kind, {})} AND ${isNamed}
      ORDER BY record.created, record.id LIMIT ${raw(String(mostNamed))}
    ) AS found`;
}

/** Finds the records that entries name, by their places. Only those that the caller sees are found. */
async function findReferences(
  tx: Transaction,
  session: Session,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const alike = new Map<string, [Wanted, ...Wanted[]]>();
  for (const one of wanted) {
    const name = `${one.kind} ${one.key ?? ''}`;
    const others = alike.get(name);
    if (others) others.push(one);
    else alike.set(name, [one]);
  }
  const queries = [...alike.values()].map((some) => sql`(${foundSql(session, some)})`);
  const found = new Map<number, string[]>();
  if (queries.length === 0) return found;
  const statement = prepared('item_holders.resolve', join(queries, ' UNION ALL '));
  for (const { place, id } of await tx.run<{ place: number; id: string }>(statement)) {
    const ids = found.get(place);
    if (ids) ids.push(id);
    else found.set(place, [id]);
  }
  return found;
}

/**
 * Says what is wrong with a natural key that does not name exactly one record.
 * @returns a 404 for none, and a 409 with their ids for several
 */
export function unclear({ kind, key = 'name', text }: NamedRecord, ids: readonly string[], path: FieldPath) {
  const { noun = '' } = modelInfo[modelName(kind)];
  const { word = '' } = (naturalKeys[kind] as Readonly<Record<string, { word: string }>>)[key] ?? {};
  const called = `with the ${word} ${JSON.stringify(text.trim().slice(0, 64))}`;
  const at = [...path, key];
  if (ids.length === 0)
    return argumentError('NOT_FOUND', `There is no ${noun} ${called}.`, at, { rule: 'reference' });
  const more = ids.length > namedInConflict ? ' and others' : '';
  const list = ids.slice(0, namedInConflict).join(', ');
  const message = `There are several ${noun === 'company' ? 'companies' : `${noun}s`} ${called}: ${list}${more}.`;
  return argumentError('CONFLICT', message, at, { rule: 'conflict' });
}

/** Returns those among holders that the caller does not see. */
async function hiddenHolders(
  { tx, session }: Pick<Write, 'tx' | 'session'>,
  holders: readonly Holder[],
): Promise<ReadonlySet<string>> {
  if (seesAllTeams(session.caller)) return new Set();
  const records = await Promise.all(holders.map(({ kind, id }) => findLinked(tx, kind, id)));
  return new Set(holders.filter((_, place) => records[place] === null).map(keyOf));
}

/** Returns those among holders that the caller sees. */
export async function seenHolders(
  write: Pick<Write, 'tx' | 'session'>,
  holders: readonly Holder[],
): Promise<Holder[]> {
  const hidden = await hiddenHolders(write, holders);
  return holders.filter((holder) => !hidden.has(keyOf(holder)));
}

/** Finds a record that the caller sees by its id. Without a kind, it may be of any. */
export async function findHolder(
  tx: Transaction,
  id: string,
  kind: HolderKind | null,
): Promise<Holder | null> {
  for (const one of kind ? [kind] : holderKinds) if (await findLinked(tx, one, id)) return { kind: one, id };
  return null;
}

/** A holder that an input names, and the first entry that does. */
type FoundHolder = Holder & { readonly place: number };

/**
 * Finds the holders that an input names, in its order and without duplicates.
 * @param stored holders that the item has already
 * @throws GatewayError BAD_REQUEST naming the entries that refer to nothing that the caller sees; for natural keys,
 *   NOT_FOUND or, if there are several, CONFLICT
 */
async function findNamedHolders(
  { tx, session }: Pick<Write, 'tx' | 'session'>,
  entries: readonly HolderReference[],
  stored: readonly Holder[],
): Promise<FoundHolder[]> {
  const problems = new Violations();
  const wanted: Wanted[] = [];
  for (const [place, entry] of entries.entries()) {
    const one = await problems.collect(() => readReference(entry, ['holders', place]));
    if (one) wanted.push({ ...one, place });
    if (problems.isFull) break;
  }
  problems.end();
  // What somebody is not shown must not be told apart from what does not exist.
  const known = new Set(seesAllTeams(session.caller) ? stored.map(keyOf) : []);
  const isKnown = ({ kind, id }: Wanted) => id !== undefined && known.has(keyOf({ kind, id }));
  const unknown = wanted.filter((one) => !isKnown(one));
  const keyed = unknown.filter(({ id }) => id === undefined);
  const found = await lookUpOnce(tx, `holders ${JSON.stringify(keyed)}`, () =>
    findReferences(tx, session, keyed),
  );
  // Those of many items are looked up together.
  const linked = await Promise.all(
    unknown.map(({ kind, id }) => (id === undefined ? {} : findLinked(tx, kind, id))),
  );
  for (const [at, { place, kind }] of unknown.entries())
    if (linked[at] === null)
      problems.add(
        ['holders', place, 'id'],
        `names no ${modelInfo[modelName(kind)].noun} that exists`,
        'reference',
      );
  problems.end();
  const holders = new Map<string, FoundHolder>();
  for (const one of wanted) {
    const { kind, place } = one;
    const ids = one.id === undefined ? (found.get(place) ?? []) : [one.id];
    const [id] = ids;
    if (id === undefined || ids.length > 1) throw unclear(one, ids, ['holders', place]);
    const key = keyOf({ kind, id });
    if (!holders.has(key)) holders.set(key, { kind, id, place });
  }
  return [...holders.values()];
}

/** Finds the holders that an input names, as they are stored. */
const findHoldersOf = async (...args: Parameters<typeof findNamedHolders>): Promise<Holder[]> =>
  (await findNamedHolders(...args)).map(({ kind, id }) => ({ kind, id }));

/**
 * Resolves the holders of an input. Those that the caller does not see stay where they are, because nobody removes
 * what they were not shown.
 */
export async function resolveHolders(
  write: Pick<Write, 'tx' | 'session'>,
  entries: readonly HolderReference[],
  stored: readonly Holder[],
): Promise<Holder[]> {
  const holders = await findHoldersOf(write, entries, stored);
  const named = new Set(holders.map(keyOf));
  const hidden = await hiddenHolders(
    write,
    stored.filter((holder) => !named.has(keyOf(holder))),
  );
  for (const [place, holder] of stored.entries())
    if (hidden.has(keyOf(holder))) holders.splice(place, 0, holder);
  return holders;
}

/** Checks the number of holders that an input sends. More are added and removed a part at a time. */
export function checkHolderCount(holders: readonly unknown[] | null | undefined): void {
  if ((holders?.length ?? 0) > limits.entries)
    throw badField(['holders'], `must have at most ${limits.entries} entries`, 'entries');
}

/** Returns the holders of an item with further ones at their end. */
export async function withAddedHolders(
  write: Pick<Write, 'tx' | 'session'>,
  entries: readonly HolderReference[],
  stored: readonly Holder[],
): Promise<Holder[]> {
  const added = await findHoldersOf(write, entries, stored);
  const known = new Set(stored.map(keyOf));
  const all = [...stored, ...added.filter((holder) => !known.has(keyOf(holder)))];
  if (all.length > maxHolders)
    throw badField(['holders'], `would be more than ${maxHolders} of one item`, 'entries');
  return all;
}

/**
 * Returns the holders of an item without some of them.
 * @throws GatewayError BAD_REQUEST naming the entries that are not among them
 */
export async function withoutHolders(
  write: Pick<Write, 'tx' | 'session'>,
  entries: readonly HolderReference[],
  stored: readonly Holder[],
): Promise<Holder[]> {
  const seen = await seenHolders(write, stored);
  const gone = await findNamedHolders(write, entries, seen);
  const known = new Set(seen.map(keyOf));
  const problems = new Violations();
  for (const holder of gone) {
    if (known.has(keyOf(holder))) continue;
    const noun = modelInfo[modelName(holder.kind)].noun;
    problems.add(['holders', holder.place], `is not a ${noun} that the item is a paper of`, 'reference');
  }
  problems.end();
  const removed = new Set(gone.map(keyOf));
  return stored.filter((holder) => !removed.has(keyOf(holder)));
}

/** Holders of one item, in their order. */
interface HoldersOfItem {
  readonly id: string;
  readonly holders: readonly Holder[];
}

/** Returns rows for the link table: of each item, its holders in order. */
function linkRowsSql(items: readonly HoldersOfItem[]): Sql {
  const rows = items.flatMap(({ id, holders }) =>
    holders.map((holder, position) => ({ item: id, position, holder })),
  );
  const ofKind = (kind: HolderKind) => sql`CASE kind WHEN ${kindSql(kind)} THEN id END`;
  return sql`
    SELECT item_id, kind, id, ${join(holderKinds.map(ofKind))}, position
    FROM unnest((SELECT ${rows.map(({ item }) => item)}::uuid[]),
      (SELECT ${rows.map(({ holder }) => holder.kind.toUpperCase())}::holder_kind[]),
      (SELECT ${rows.map(({ holder }) => holder.id)}::uuid[]), (SELECT ${rows.map(({ position }) => position)}::int[])
    ) AS link (item_id, kind, id, position)`;
}

const linkColumns = raw(`item_id, kind, holder_id, ${holderKinds.map(idColumn).join(', ')}, position`);

/** Stores the holders of new items. */
export async function insertHolders(tx: Transaction, items: readonly HoldersOfItem[]): Promise<void> {
  if (items.every(({ holders }) => holders.length === 0)) return;
  const statement = sql`INSERT INTO item_holders (${linkColumns}) ${linkRowsSql(items)}`;
  await tx.run(prepared('item_holders.insert', statement));
}

/** Stores the holders of items whose holders change, with one statement. */
export async function changeHolders(
  tx: Transaction,
  changes: readonly Pick<RowChange<{ readonly holders: readonly Holder[] }>, 'id' | 'before' | 'after'>[],
): Promise<void> {
  const changed = changes.filter(
    ({ before, after }) => JSON.stringify(before.holders) !== JSON.stringify(after.holders),
  );
  if (changed.length === 0) return;
  const items = changed.map(({ id, after }) => ({ id, holders: after.holders }));
  const statement = sql`
    WITH wanted (${linkColumns}) AS MATERIALIZED (${linkRowsSql(items)}), gone AS (
      DELETE FROM item_holders AS link USING unnest((SELECT ${items.map(({ id }) => id)}::uuid[])) AS item (id)
      WHERE link.item_id = item.id AND NOT EXISTS (
        SELECT FROM wanted
        WHERE wanted.item_id = link.item_id AND wanted.kind = link.kind AND wanted.holder_id = link.holder_id)
    )
    INSERT INTO item_holders AS link (${linkColumns}) SELECT * FROM wanted
    ON CONFLICT (item_id, kind, holder_id) DO UPDATE SET position = excluded.position
    WHERE link.position <> excluded.position`;
  await tx.run(prepared('item_holders.store', statement));
}

/** Returns which records of a kind items need. They hold them, or are told of them. */
export async function neededHolders(
  tx: Transaction,
  kind: HolderKind,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = sql`SELECT holder_id AS id FROM item_holders WHERE ${raw(idColumn(kind))} = ANY(${[...ids]}::uuid[])`;
  const told = sql`SELECT contact_id FROM expiration_item_contacts WHERE contact_id = ANY(${[...ids]}::uuid[])`;
  const needed = kind === 'contact' ? sql`${held} UNION ${told}` : held;
  const found = await tx.run<{ id: string }>(prepared('item_holders.needed', needed));
  return new Set(found.map(({ id }) => id));
}

/** Returns SQL for the holders of the item `record`, in order, as JSON. */
export const holdersJsonSql = raw(`coalesce((
  SELECT json_agg(json_build_object('kind', lower(kind::text), 'id', holder_id) ORDER BY position, holder_id)
  FROM item_holders WHERE item_id = record.id
), '[]')`);

/** A holder of an item at its place. */
type PlacedHolder = Holder & { readonly position: number };

/** Order of an item's holders, which cursors contain. */
export const holderOrder: readonly Order[] = [{ field: 'position', direction: 'asc' }];

/** Returns the condition that a holder comes behind or before a position. */
function beyondSql(
  sign: '<' | '>',
  { values: [value], id }: NonNullable<Window['after']>,
  argument: string,
): Sql {
  if (typeof value !== 'number' || !rules.int.safeParse(value).success || !isUuid(id))
    throw badField([argument], 'is not a cursor of this list', 'format');
  return sql` AND (pair.position, pair.holder_id) ${raw(sign)} (${value}::int, ${id}::uuid)`;
}

/** Creates the batch function that reads a window of items' holders. The caller sees all of them. */
function windowsOfHolders({ after, before, offset, limit, backward }: Window): BatchLoader<PlacedHolder[]> {
  return async (session, items) => {
    const within = sql`${after ? beyondSql('>', after, 'after') : empty}${before ? beyondSql('<', before, 'before') : empty}`;
    const way = raw(backward ? 'DESC' : 'ASC');
    const statement = sql`
      SELECT item.id AS item, pair.* FROM unnest((SELECT ${[...items]}::uuid[])) AS item (id) CROSS JOIN LATERAL (
        SELECT lower(pair.kind::text) AS kind, pair.holder_id AS id, pair.position FROM item_holders AS pair
        WHERE pair.item_id = item.id AND ${seenHolderSql(session, 'pair')}${within}
        ORDER BY pair.position ${way}, pair.holder_id ${way} LIMIT ${limit + 1}::int OFFSET ${offset}::int
      ) AS pair ORDER BY pair.position ${way}, pair.id ${way}`;
    const rows = await session.lookUp<PlacedHolder & { item: string }>(
      prepared('item_holders.of_items', statement),
    );
    return groupByKey(items, rows, ({ item }) => item);
  };
}

/** A record that an item is a paper of, with its place. */
export type HolderRecord = Linked<HolderKind> & { readonly position: number };

async function loadHolders<Row>(
  session: Session,
  holders: readonly PlacedHolder[],
  show: (kind: HolderKind, record: HolderRecord) => Row,
): Promise<Row[]> {
  const records = await Promise.all(holders.map(({ kind, id }) => load(session, kind, id)));
  return holders.flatMap(({ kind, position }, place) => {
    const record = records[place];
    return record ? [show(kind, { ...record, position } as HolderRecord)] : [];
  });
}

/** Lists a part of an item's holders. The lists of all items requested in one turn take one statement. */
export async function listHolders<Row>(
  session: Session,
  itemId: string,
  window: Window,
  show: (kind: HolderKind, record: HolderRecord) => Row,
): Promise<Page<Row>> {
  const name = `item_holders ${JSON.stringify(window)}`;
  const found = await loadBatched(session, windowsOfHolders(window), itemId, name);
  const rows = await loadHolders(session, found.slice(0, window.limit), show);
  return { rows: window.backward ? rows.reverse() : rows, more: found.length > window.limit };
}

/** Loads the holders of an item that was deleted, which knows them itself. */
export const loadFormerHolders = <Row>(
  session: Session,
  holders: readonly Holder[],
  show: (kind: HolderKind, record: HolderRecord) => Row,
): Promise<Row[]> =>
  loadHolders(
    session,
    holders.map((holder, position) => ({ ...holder, position })),
    show,
  );

/** Counts the holders of items that the caller sees. */
export const holderCountByItem: BatchLoader<number> = async (session, items) => {
  const statement = sql`
    SELECT pair.item_id AS item, count(*)::int AS count FROM item_holders AS pair
    WHERE pair.item_id = ANY((SELECT ${[...items]}::uuid[])::uuid[]) AND ${seenHolderSql(session, 'pair')} GROUP BY 1`;
  const rows = await session.lookUp<{ item: string; count: number }>(
    prepared('item_holders.count', statement),
  );
  const counts = new Map(rows.map(({ item, count }) => [item, count]));
  return items.map((id) => counts.get(id) ?? 0);
};

/** A holder as REST shows it. */
export interface NamedHolder extends Holder {
  readonly name: string | null;
}

/** Loads the holders of items with their names, in order. The caller sees all of them. */
export const namedHoldersByItem: BatchLoader<NamedHolder[]> = async (session, items) => {
  const statement = sql`
    SELECT pair.item_id AS item, lower(pair.kind::text) AS kind, pair.holder_id AS id, ${holderNameSql(session, 'pair')} AS name
    FROM item_holders AS pair
    WHERE pair.item_id = ANY((SELECT ${[...items]}::uuid[])::uuid[]) AND ${seenHolderSql(session, 'pair')}
    ORDER BY pair.position, pair.holder_id`;
  const rows = await session.lookUp<NamedHolder & { item: string }>(
    prepared('item_holders.named', statement),
  );
  return groupByKey(items, rows, ({ item }) => item).map((holders) =>
    holders.map(({ kind, id, name }) => ({ kind, id, name })),
  );
};
