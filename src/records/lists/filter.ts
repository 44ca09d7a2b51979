import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import {
  type Condition,
  type CustomFieldCondition,
  columnSql,
  modelColumns,
  modelFields,
  recordsSql,
  rowsSql,
  visibleSql,
} from '../../db/sql/conditions.js';
import { modelInfo, modelName, type OfCaller, tables } from '../../db/sql/models.js';
import { empty, join, raw, type Sql, sql } from '../../db/sql/sql.js';
import { hasManyRows } from '../../db/sql/statistics.js';
import type { JoinTable } from '../../db/sql/tree.js';
import { seesAllTeams } from '../../domain/caller.js';
import { badField, type FieldPath } from '../../domain/errors.js';
import { type EntityKind, entityKinds, entityTypes, type RecordKind } from '../../domain/models.js';
import { check, limits, rules } from '../../domain/rules.js';
import type { Parents } from '../links.js';
import type { BatchLoader } from '../loaders.js';
import type { ListedResource, NoLink, RangeType } from '../resource.js';

/** Maximum nesting of filters, and maximum number of filters in one list. */
export const filterLimits = { depth: 5, filters: 50 } as const;

/** Bounds of a column's values, each of them optional. */
type Range = Readonly<Partial<Record<'gte' | 'gt' | 'lte' | 'lt', unknown>>>;

/** The part of a filter that all lists share. The members for ids and ranges come on top. */
interface SharedFilter {
  readonly and?: readonly object[] | null;
  readonly or?: readonly object[] | null;
  readonly not?: object | null;
  readonly modifiedSince?: Date | null;
  readonly hasNone?: readonly string[] | null;
  readonly customFields?: readonly CustomFieldCondition[] | null;
}

/**
 * Columns with the time of a record's last change, and the verb for it. The first one that a record has
 * counts.
 */
const changes = { modified: 'changed', created: 'created', deletedAt: 'deleted' };

/** Returns the column with a record's last change, and the verb for it. */
export function lastChange({ noun, rows }: ListedResource): readonly [column: string, change: string] {
  const columns = modelFields(rows.model);
  const known = Object.entries(changes).find(([column]) => columns.includes(column));
  if (!known) throw new Error(`Nothing tells when a ${noun} was changed.`);
  return known;
}

/** Lists a resource's columns that can be filtered by a range, with their types. */
export function rangesOf({
  ranges,
  rows,
}: Pick<ListedResource, 'ranges' | 'rows'>): Readonly<Record<string, RangeType>> {
  const columns = modelFields(rows.model);
  const moments = Object.keys(changes).filter((column) => columns.includes(column));
  return { ...Object.fromEntries(moments.map((column) => [column, 'DateTime' as const])), ...ranges };
}

/** Lists a filter with all filters nested in it, and checks their number. */
function* filtersIn(filter: object, path: FieldPath, depth = 1): Generator<readonly [object, FieldPath]> {
  if (depth > filterLimits.depth)
    throw badField(path, `must be nested at most ${filterLimits.depth} filters deep`, 'depth');
  yield [filter, path];
  const { and, or, not } = filter as SharedFilter;
  for (const [name, filters] of [['and', and] as const, ['or', or] as const]) {
    for (const [index, inner] of (filters ?? []).entries()) {
      yield* filtersIn(inner, [...path, name, index], depth + 1);
    }
  }
  if (not) yield* filtersIn(not, [...path, 'not'], depth + 1);
}

/**
 * Returns whether a filter has a search term or custom fields, at any depth. An index finds their matches, but not
 * in the order of a list, and PostgreSQL cannot know how rare they are.
 */
export function isSearch(filter: object): boolean {
  type Searched = { readonly term?: unknown; readonly customFields?: readonly unknown[] | null };
  return [...filtersIn(filter, ['filter'])].some(
    ([{ term, customFields }]: readonly [Searched, FieldPath]) =>
      Boolean(term) || (customFields ?? []).length > 0,
  );
}

/** Returns whether a condition selects all rows. */
const selectsAll = (condition: Condition): boolean =>
  Object.entries(condition).every(
    ([name, value]) => name === 'AND' && [value as Condition | Condition[]].flat().every(selectsAll),
  );

const ids = z.array(rules.requiredUuid).max(limits.entries, `must have at most ${limits.entries} entries`);

const customFields = z
  .array(
    z
      .object({ id: rules.uuid, name: rules.line, value: rules.customFieldValue })
      .refine(
        ({ id, name }) => (id === null) !== (name === null),
        'must name the custom field by either its id or its name',
      ),
  )
  .max(limits.entries, `must have at most ${limits.entries} entries`);

function rangeConditions(resource: ListedResource, filter: Readonly<Record<string, unknown>>): Condition[] {
  return Object.keys(rangesOf(resource)).flatMap((column) => {
    const bounds = Object.entries((filter[column] ?? {}) as Range).filter(([, bound]) => bound != null);
    return bounds.length === 0 ? [] : [{ [column]: Object.fromEntries(bounds) }];
  });
}

function manyConditions(
  { manyOf = {} }: ListedResource,
  filter: Readonly<Record<string, unknown>>,
  session: Session,
  path: FieldPath,
): Condition[] {
  return Object.entries(manyOf).flatMap(([member, conditionOf]) => {
    const sent = filter[member] as readonly unknown[] | null | undefined;
    if (!sent || sent.length === 0) return [];
    return [conditionOf(check(ids, sent, [...path, member]), session)];
  });
}

/**
 * Checks the members of a filter that compare values. Ranges and inner filters are not among them.
 * @returns what their rules return
 */
export function checkMembers(
  resource: ListedResource,
  filter: Readonly<Record<string, unknown>>,
  path: FieldPath,
): Record<string, unknown> {
  const many = Object.keys(resource.manyOf ?? {}).filter((member) => filter[member] != null);
  return {
    ...(check(resource.filterRule, filter, path) as object),
    ...Object.fromEntries(many.map((member) => [member, check(ids, filter[member], [...path, member])])),
    ...(filter.customFields != null && {
      customFields: check(customFields, filter.customFields, [...path, 'customFields']),
    }),
  };
}

/** Translates the part of a filter that all resources share. */
async function sharedConditions(
  resource: ListedResource,
  filter: object,
  session: Session,
  path: FieldPath,
): Promise<Condition[]> {
  const { and, or, not, modifiedSince, hasNone, customFields: fields } = filter as SharedFilter;
  const inner = (part: object, ...steps: (string | number)[]) =>
    conditionOf(resource, part, session, [...path, ...steps]);
  const alternatives = await Promise.all((or ?? []).map((part, i) => inner(part, 'or', i)));
  const excepted = not && (await inner(not, 'not'));
  const [changed] = lastChange(resource);
  return [
    ...(await Promise.all((and ?? []).map((part, i) => inner(part, 'and', i)))),
    // If one alternative selects all rows, so does their union.
    ...(alternatives.length > 0 && !alternatives.some(selectsAll) ? [{ OR: alternatives }] : []),
    ...(excepted && !selectsAll(excepted) ? [{ EXCEPT: excepted }] : []),
    ...(modifiedSince == null ? [] : [{ [changed]: { since: modifiedSince } }]),
    ...rangeConditions(resource, filter as Record<string, unknown>),
    ...manyConditions(resource, filter as Record<string, unknown>, session, path),
    ...(await Promise.all((hasNone ?? []).map((link) => resource.links?.[link]?.(session) ?? {}))),
    ...check(customFields, fields ?? [], [...path, 'customFields']).map((field) => ({ custom: field })),
  ];
}

async function conditionOf(
  resource: ListedResource,
  filter: object,
  session: Session,
  path: FieldPath,
): Promise<Condition> {
  const own = await resource.where(filter, session);
  const shared = await sharedConditions(resource, filter, session, path);
  return shared.length === 0 ? own : { AND: [own, ...shared] };
}

/**
 * Translates the filter of a list to a condition. It combines the resource's own part with the shared part.
 * @throws GatewayError BAD_REQUEST for an invalid filter, or for too deep nesting
 */
export async function listCondition(
  resource: ListedResource,
  filter: object,
  session: Session,
): Promise<Condition> {
  const path = ['filter'];
  const all = [...filtersIn(filter, path)];
  if (all.length > filterLimits.filters)
    throw badField(path, `must contain at most ${filterLimits.filters} filters in total`, 'entries');
  return conditionOf(resource, filter, session, path);
}

/** Scopes of records that everybody sees whose own records link to them. A workspace is that of the record. */
const alwaysSeen: readonly unknown[] = ['organization', 'own organization', 'own workspaces'];

/** Returns whether records of a kind can be hidden from who sees links to them. */
export const canBeHidden = (kind: RecordKind): boolean =>
  !alwaysSeen.includes(modelInfo[modelName(kind)].scope);

/** Returns whether a caller sees all records of a kind. */
const seesAll = ({ caller }: OfCaller, kind: RecordKind): boolean =>
  seesAllTeams(caller) || !canBeHidden(kind);

/**
 * Returns those ids that name records which the caller sees. A filter must not tell that a record is linked to one
 * that is hidden. One id becomes a scalar subquery, which an index serves like the id. Of several, the ids stay beside
 * the subquery, because the planner knows their number.
 * @param sent an id, or several of which any will do
 */
export function seenIds(session: OfCaller, kind: RecordKind, sent: string | readonly string[]): Parents {
  const ids = typeof sent === 'string' ? sent : { in: sent };
  if (seesAll(session, kind)) return ids;
  const seen = sql`SELECT record.id ${recordsSql(session, kind, { id: ids })}`;
  return typeof sent === 'string' ? sql`(${seen})` : [ids, { in: seen }];
}

/**
 * Returns the numbers of the kinds for which a filter may use an id. Those are the kinds of which the caller sees
 * the record, or of which there is none: one that was deleted, or an id from elsewhere. Undefined stands for all.
 * @param wanted number of the only kind that is asked for
 */
export function seenKinds(
  session: OfCaller,
  id: string,
  wanted: number | undefined,
): { readonly in: Sql } | number | undefined {
  if (seesAllTeams(session.caller)) return wanted;
  const kinds = [...entityKinds].filter(([number]) => wanted === undefined || number === wanted);
  const numbers = kinds.map(([number]) => number);
  const nobodys = sql`
    SELECT kind.number FROM unnest(${numbers}::int[]) AS kind (number) WHERE NOT record_exists(kind.number, ${id}::uuid)`;
  const seen = kinds.map(
    ([number, kind]) => sql`SELECT ${raw(String(number))} ${recordsSql(session, kind, { id })}`,
  );
  return { in: join([nobodys, ...seen], ' UNION ALL ') };
}

/** Looks up the kinds of which ids may be used in a filter; see `seenKinds`. */
export const kindsSeen: BatchLoader<readonly number[]> = (session, ids) =>
  Promise.all(
    ids.map(async (id) => {
      const kinds = seenKinds(session, id, undefined);
      if (typeof kinds !== 'object') return [...entityKinds.keys()];
      const rows = await session.lookUp<{ number: number }>(prepared('records.seen_kinds', kinds.in));
      return rows.map(({ number }) => number);
    }),
  );

/** Matches records whose column names no record that the caller sees. */
export const pointsNowhere =
  (column: string, kind: RecordKind): NoLink =>
  (session) =>
    seesAll(session, kind)
      ? { [column]: null }
      : {
          none: (row: string) =>
            sql`SELECT FROM ${raw(tables[kind])} AS linked
              WHERE linked.id = ${columnSql(row, column)} AND ${visibleSql(session, kind, 'linked')}`,
        };

/**
 * Matches records that no record of a kind refers to by its column. Where they are few, each is looked up by the
 * column's index. Otherwise PostgreSQL may read all records of the kind, which can be many: at once, or for each record in
 * the hope of finding a visible one soon.
 */
export const noneBy =
  (kind: RecordKind, column: string): NoLink =>
  async (session) => {
    const of = modelColumns[modelName(kind)][column]?.to;
    const models = seesAll(session, kind) ? [of, modelName(kind)] : [of];
    const large = await Promise.all(models.map((model) => model && hasManyRows(session, model)));
    const dependsOnValues = large.includes(true);
    const none = (row: string) => {
      const linked = sql`${raw(tables[kind])} AS linked WHERE ${columnSql('linked', column)} = ${raw(`${row}.id`)}`;
      // Only the column's index is read, if none of those that refer to the record are hidden.
      if (seesAll(session, kind))
        return sql`SELECT FROM ${linked} ${dependsOnValues ? empty : raw('OFFSET 0')}`;
      const [found, visible] = [sql`SELECT * FROM ${linked}`, visibleSql(session, kind, 'linked')];
      return dependsOnValues
        ? sql`SELECT FROM (${found}) AS linked WHERE ${visible}`
        : sql`WITH linked AS MATERIALIZED (${found}) SELECT FROM linked WHERE ${visible}`;
    };
    return { none: Object.assign(none, { dependsOnValues }) };
  };

/** Returns the JOIN with a pair's record, if only some are visible. Looking up each would double the time. */
function joinVisible(session: Session, kind: RecordKind, their: string): Sql {
  if (seesAll(session, kind)) return empty;
  const column = raw(`pair."${their}"`);
  return sql`JOIN ${raw(tables[kind])} AS linked ON linked.id = ${column} AND ${visibleSql(session, kind, 'linked')}`;
}

/** Matches records that a join table links to no record. */
export const noneJoined =
  ({ kind, table, own, their }: Pick<JoinTable, 'kind' | 'table' | 'own' | 'their'>): NoLink =>
  (session) => ({
    none: (row: string) =>
      sql`SELECT FROM ${raw(table)} AS pair ${joinVisible(session, kind, their)}
        WHERE ${raw(`pair."${own}"`)} = ${raw(`${row}.id`)}`,
  });

/** Matches records of a kind that no note is about. */
export const noNotes =
  (kind: EntityKind): NoLink =>
  (session) => ({
    none: (row: string) =>
      sql`SELECT FROM note_relations AS pair ${joinVisible(session, 'note', 'note_id')}
        WHERE pair.entity_id = ${raw(`${row}.id`)} AND pair.entity_type = ${raw(String(entityTypes[kind]))}`,
  });

/**
 * Lists the names of the custom fields in a list, in order. Fields without a name are left out.
 * @param most the most names to return
 */
export async function customFieldNames(
  session: Session,
  resource: ListedResource,
  filter: object,
  most: number,
): Promise<string[]> {
  const where = await listCondition(resource, filter, session);
  const joined = sql`CROSS JOIN LATERAL jsonb_array_elements(record.custom_fields) AS field`;
  const { model } = resource.rows;
  const statement = sql`
    SELECT DISTINCT field ->> 'name' AS name ${rowsSql(session, model, where, { joined })}
      AND field ->> 'name' <> ''
    ORDER BY name LIMIT ${raw(String(most))}`;
  const isPlannedAnew = await hasManyRows(session, model);
  const rows = await session.read<{ name: string }>(
    prepared('custom_fields.names', statement, isPlannedAnew),
  );
  return rows.map(({ name }) => name);
}
