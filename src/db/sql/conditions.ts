import { modelRows } from '../../domain/models.js';
import { folded } from '../../domain/text/folding.js';
import { snakeCase } from '../../domain/text/names.js';
import { hasTrigram } from '../../domain/text/rare-terms.js';
import { Prisma } from '../../generated/prisma/client.js';
import { modelOf, type RecordKind, rowOf } from './models.js';
import type { Condition } from './query.js';
import { type OfCaller, scopeOf } from './scope.js';

type Model = Prisma.ModelName;

const { sql, raw, join } = Prisma;

const partRows = modelRows.flatMap(([, { table, partOf }]) => (partOf ? [{ table, ...partOf }] : []));

/** Tables of parts, and their columns with a record's id, by the record's relation to them. */
const parts: Readonly<Record<string, { table: string; key: string }>> = Object.fromEntries(
  partRows.map(({ list, table, relation }) => [list, { table, key: snakeCase(`${relation}Id`) }]),
);

/** Tables of records that have parts, by the part's relation to them. */
const wholes: Readonly<Record<string, string>> = Object.fromEntries(
  partRows.map(({ relation, record }) => [relation, rowOf[record].table]),
);

/** The table of a model. */
export const tableSql = (model: Model) => raw(rowOf[model].table);

/** A column where it is written to, by the name of the model's field. */
export const nameSql = (field: string) => raw(`"${snakeCase(field)}"`);

/** A column of a row, by the name of the model's field. */
export function columnSql(row: string, field: string): Prisma.Sql {
  return raw(`${row}."${snakeCase(field)}"`);
}

/**
 * A condition in the words of Prisma's `where` as SQL, for statements that Prisma cannot write. A value may be SQL
 * itself: a column of another row, or after `in` a query for one column.
 * @param row the name under which the statement knows the row
 */
export function conditionSql(row: string, condition: Condition): Prisma.Sql {
  const terms = Object.entries(condition).map(([name, value]) => termSql(row, name, value));
  return all(terms, ' AND ', 'TRUE');
}

/** What joins no terms at all is `empty`. */
function all(terms: Prisma.Sql[], separator: string, empty: string): Prisma.Sql {
  return terms.length === 0 ? raw(empty) : join(terms, separator, '(', ')');
}

function termSql(row: string, name: string, value: unknown): Prisma.Sql {
  const inner = () => [value as Condition | Condition[]].flat().map((part) => conditionSql(row, part));
  if (name === 'AND') return all(inner(), ' AND ', 'TRUE');
  if (name === 'OR') return all(inner(), ' OR ', 'FALSE');
  if (name === 'NOT') return sql`NOT ${all(inner(), ' AND ', 'TRUE')}`;
  if (name === 'beyond') return beyondSql(row, value as Beyond);
  if (name === 'searched') return searchedSql(row, value as Searched);
  const { some, is } = (value ?? {}) as { some?: Condition; is?: Condition };
  if (some) return comparisonSql(raw(`${row}.id`), 'in', partsSql(name, some));
  if (is && name === 'parentLocation') return parentSql(row, is);
  if (wholes[name]) return wholeSql(row, name, value as Condition);
  const column = columnSql(row, name);
  if (value === null) return sql`${column} IS NULL`;
  if (typeof value !== 'object' || value instanceof Date || value instanceof Prisma.Sql) {
    return sql`${column} = ${value}`;
  }
  return all(
    Object.entries(value).map(([operator, operand]) => comparisonSql(column, operator, operand)),
    ' AND ',
    'TRUE',
  );
}

/** The ids of records with a part that keeps a condition. */
function partsSql(relation: string, condition: Condition): Prisma.Sql {
  const part = parts[relation];
  if (!part) throw new Error(`No parts are called ${relation}.`);
  return sql`SELECT part.${raw(part.key)} FROM ${raw(part.table)} AS part WHERE ${conditionSql('part', condition)}`;
}

/** That the record that a part belongs to keeps a condition. */
function wholeSql(row: string, relation: string, condition: Condition): Prisma.Sql {
  const whole = sql`SELECT FROM ${raw(wholes[relation] ?? '')} AS whole WHERE ${conditionSql('whole', condition)}`;
  return sql`EXISTS (${whole} AND whole.id = ${columnSql(row, `${relation}Id`)})`;
}

/** That the location in which a location lies keeps a condition. */
function parentSql(row: string, condition: Condition): Prisma.Sql {
  const parents = sql`SELECT above.id FROM locations AS above WHERE ${conditionSql('above', condition)}`;
  return sql`${columnSql(row, 'parentLocationId')} IN (${parents})`;
}

/** A place in the order of a field and then the id. */
interface Beyond {
  readonly field: string;
  readonly than: 'gt' | 'lt';
  readonly value: unknown;
  readonly id: string;
}

/** That a row comes after a place: compared as a whole, which an index of both can do. */
function beyondSql(row: string, { field, than, value, id }: Beyond): Prisma.Sql {
  const place = sql`(${columnSql(row, field)}, ${columnSql(row, 'id')})`;
  return sql`${place} ${raw(signs[than] ?? '')} (${value}, ${id})`;
}

const signs: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

function comparisonSql(column: Prisma.Sql, operator: string, operand: unknown): Prisma.Sql {
  const sign = signs[operator];
  if (sign) return sql`${column} ${raw(sign)} ${operand}`;
  // As a list, what a query finds is looked up by an index, also as one of several alternatives. Left to itself,
  // the planner may walk a list's order in the hope of meeting it soon.
  if (operator === 'in' && operand instanceof Prisma.Sql) return sql`${column} = ANY(ARRAY(${operand}))`;
  if (operator === 'in') return sql`${column} = ANY(${operand})`;
  if (operator === 'notIn') return sql`${column} <> ALL(${operand})`;
  if (operator === 'not' && operand === null) return sql`${column} IS NOT NULL`;
  throw new Error(`Conditions have no word ${operator}.`);
}

/** A term, as `LIKE` takes it, that one of some fields has, as both are folded. */
export interface Searched {
  readonly fields: readonly string[];
  readonly term: string;
}

/**
 * That a row has a term. Without a trigram to look up the index would give all that it has, so it is kept out of it,
 * which takes half the time.
 */
function searchedSql(row: string, { fields, term }: Searched): Prisma.Sql {
  const columns = fields.map((field) => foldedSql(columnSql(row, field)));
  const texts = hasTrigram(folded(term)) ? columns : columns.map(unindexedSql);
  return all(
    texts.map((text) => sql`${text} LIKE ${foldedSql(sql`${`%${term}%`}`)}`),
    ' OR ',
    'FALSE',
  );
}

/** A text as searches compare it: in Unicode NFC and folded case. The trigram indexes have it so. */
export const foldedSql = (text: Prisma.Sql) => sql`folded(${text})`;

/** A text that no index is asked for. */
export const unindexedSql = (column: Prisma.Sql) => sql`(${column} || '')`;

/** An order in Prisma's words as SQL. */
export function orderSql(row: string, orderBy: readonly Condition[]): Prisma.Sql {
  const terms = orderBy.flatMap(Object.entries);
  return join(terms.map(([field, direction]) => sql`${columnSql(row, field)} ${raw(String(direction))}`));
}

/**
 * Makes the condition on an id of one or of many rows. Told that it is one, PostgreSQL keeps its plan, the making of
 * which took a quarter of all its time for a change.
 */
export function oneOrMany(ids: readonly string[]): string | { readonly in: readonly string[] } {
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0 ? id : { in: ids };
}

/** What a raw statement must say of a row of a kind for the caller to see it. */
export function visibleSql({ caller }: OfCaller, kind: RecordKind, row: string): Prisma.Sql {
  return conditionSql(row, scopeOf(caller, modelOf(kind)));
}

/** The rows of a kind that the caller sees and that keep a condition; see `rowsSql`. */
export function recordsSql(
  of: OfCaller,
  kind: RecordKind,
  condition: Condition,
  joined = Prisma.empty,
): Prisma.Sql {
  return rowsSql(of, modelOf(kind), condition, joined);
}

/** What a statement must say of a model's row, which it calls `record`, for the caller to see it. */
export function visibleRow({ caller }: OfCaller, model: Model, condition: Condition): Prisma.Sql {
  return sql`${conditionSql('record', scopeOf(caller, model))} AND ${conditionSql('record', condition)}`;
}

/**
 * The rows of a model that the caller sees and that keep a condition, as `record`: a statement's FROM and WHERE.
 * @param joined further tables, from JOIN on
 */
export function rowsSql(of: OfCaller, model: Model, condition: Condition, joined = Prisma.empty): Prisma.Sql {
  return sql`FROM ${tableSql(model)} AS record ${joined} WHERE ${visibleRow(of, model, condition)}`;
}
