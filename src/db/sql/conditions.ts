import { columns, enums } from '../../../prisma/generated/columns.js';
import { seesAllTeams } from '../../domain/caller.js';
import { WeakCache } from '../../domain/collections.js';
import { type ModelName, modelRows, type RecordKind } from '../../domain/models.js';
import { folded, snakeCase } from '../../domain/text/names.js';
import { isNarrowed } from '../../domain/text/rare-terms.js';
import {
  hasView,
  listScopeOf,
  lookUpScopeOf,
  modelInfo,
  modelName,
  type OfCaller,
  scopeOf,
  tables,
  viewName,
} from './models.js';
import { empty, join, raw, Sql, sql } from './sql.js';

export interface Identified {
  readonly id: string;
}

/** A condition in the form of a Prisma `where`, for any model. */
export type Condition = Record<string, unknown>;

/** A query for a part of an ordered list, like the arguments of Prisma's `findMany`. */
export interface ListQuery {
  readonly where: Condition;
  /** Keyset ranges after the cursor. They do not overlap, and an index can find the start of each. */
  readonly ranges?: readonly Condition[];
  readonly orderBy: Condition[];
  /** Query to read from instead of the table. It adds the order's computed columns. */
  readonly from?: Sql | undefined;
  readonly skip?: number;
  readonly take: number;
  /** True if an index has exactly the matching rows, in their order. */
  readonly isIndexed?: boolean;
  /** True if no index has the table's rows in the order of the list. */
  readonly isUnordered?: boolean;
  /** True if no index begins with the order of the list, either. All rows are sorted. */
  readonly isSorted?: boolean;
  /** True for the order of a foreign key. Its index has the rows of all organizations. */
  readonly isOfForeignKey?: boolean;
}

type Model = ModelName;

const partRows = modelRows.flatMap(([, { table, partOf }]) => (partOf ? [{ table, ...partOf }] : []));

/** Tables of parts and their foreign keys, by the record's relation to them. */
const partTables: Readonly<Record<string, { table: string; key: string }>> = Object.fromEntries(
  partRows.map(({ list, table, relation }) => [list, { table, key: snakeCase(`${relation}Id`) }]),
);

/** Tables of records that have parts, by the part's relation to its record. */
const ownerTables: Readonly<Record<string, string>> = Object.fromEntries(
  partRows.map(({ relation, record }) => [relation, modelInfo[record].table]),
);

/** Returns the table name of a model as SQL. */
export const tableSql = (model: Model) => raw(modelInfo[model].table);

/**
 * Returns what lists and searches read for a model. It is the table, or with row-level security the view of the caller's
 * rows: in a table with policies, PostgreSQL uses no index for a function that might tell of hidden rows.
 */
export function sourceSql({ rowSecurity }: Pick<OfCaller, 'rowSecurity'>, model: Model): Sql {
  if (!rowSecurity || !hasView(modelInfo[model])) return tableSql(model);
  return raw(`(SELECT (seen.whole).* FROM ${viewName(model)} AS seen)`);
}

/** Returns the column name of a field, for INSERT and UPDATE. */
export const columnNameSql = (field: string) => raw(`"${snakeCase(field)}"`);

/** Returns the qualified column of a field, `record."name"`. */
export function columnSql(row: string, field: string): Sql {
  return raw(`${row}."${snakeCase(field)}"`);
}

/**
 * Translates a condition in the form of a Prisma `where` to SQL. A value may itself be SQL: a column of
 * another row, or after `in` a query for one column.
 * @param row the name of the row in the statement
 * @param inOr true if the condition is one of several, of which any may hold
 */
export function conditionSql(row: string, condition: Condition, inOr = false): Sql {
  const terms = Object.entries(condition).map(([name, value]) => termSql(row, name, value, inOr));
  return joinTerms(terms, ' AND ', 'TRUE');
}

/** Joins terms in parentheses; returns `empty` if there are none. */
function joinTerms(terms: Sql[], separator: string, empty: string): Sql {
  return terms.length === 0 ? raw(empty) : join(terms, separator, '(', ')');
}

function termSql(row: string, name: string, value: unknown, inOr: boolean): Sql {
  const isChoice = name === 'OR' || name === 'EITHER';
  const inner = () =>
    [value as Condition | Condition[]].flat().map((part) => conditionSql(row, part, inOr || isChoice));
  if (name === 'AND') return joinTerms(inner(), ' AND ', 'TRUE');
  if (isChoice) return joinTerms(inner(), ' OR ', 'FALSE');
  if (name === 'NOT') return sql`NOT ${joinTerms(inner(), ' AND ', 'TRUE')}`;
  // Unlike NOT, this is also true if a comparison with null yields null.
  if (name === 'EXCEPT') return sql`${joinTerms(inner(), ' AND ', 'TRUE')} IS NOT TRUE`;
  if (name === 'none') return sql`NOT EXISTS (${(value as RowsOf)(row)})`;
  if (name === 'custom') return customSql(row, value as CustomFieldCondition);
  if (name === 'keyset') return keysetSql(row, value as KeysetBound);
  if (name === 'searched') return searchedSql(row, value as TermCondition);
  // Before the next line, because arrays of bytes have a method `some`.
  if (value instanceof Uint8Array) return sql`${columnSql(row, name)} = ${value}`;
  const { some, any, joined, is } = (value ?? {}) as Readonly<Record<string, Condition | undefined>>;
  if (any) return anyPartSql(row, name, any, raw('OFFSET 0'));
  if (joined) return anyPartSql(row, name, joined, empty);
  // Inside an OR, there can be no join.
  const looked = name === 'entities' && !inOr ? 'among' : 'in';
  if (some) return comparisonSql(raw(`${row}.id`), looked, partsSql(name, some));
  if (is && name === 'parentLocation') return parentSql(row, is);
  if (ownerTables[name]) return partOwnerSql(row, name, value as Condition);
  const column = columnSql(row, name);
  if (value === null) return sql`${column} IS NULL`;
  // A literal rather than a parameter, so that the planner knows the selectivity for its cached plan.
  if (typeof value === 'boolean') return sql`${column} = ${raw(String(value))}`;
  if (typeof value !== 'object' || value instanceof Date || value instanceof Sql) {
    return sql`${column} = ${value}`;
  }
  return joinTerms(
    Object.entries(value).map(([operator, operand]) => comparisonSql(column, operator, operand)),
    ' AND ',
    'TRUE',
  );
}

/**
 * Returns the condition that a record has one of many matching parts. With `OFFSET 0` at its end, they are looked up
 * for each record; otherwise PostgreSQL may read those of all organizations first.
 */
function anyPartSql(row: string, relation: string, condition: Condition, end: Sql): Sql {
  const key = partTables[relation]?.key ?? '';
  return sql`EXISTS (${partsSql(relation, condition)} AND part.${raw(key)} = ${raw(`${row}.id`)} ${end})`;
}

/**
 * Returns a condition whose parts PostgreSQL may read at once. That is better than looking them up for each record if all
 * records of a large organization are read.
 */
export function withJoinedParts(condition: Condition): Condition {
  const joined = Object.entries(condition).map(([name, value]) => {
    if (name === 'AND') return [name, [value as Condition | Condition[]].flat().map(withJoinedParts)];
    const { any } = (value ?? {}) as { readonly any?: Condition };
    return [name, any ? { joined: any } : value];
  });
  return Object.fromEntries(joined);
}

/** Returns a query for the ids of records that have a matching part. */
function partsSql(relation: string, condition: Condition): Sql {
  const part = partTables[relation];
  if (!part) throw new Error(`No parts are called ${relation}.`);
  return sql`SELECT part.${raw(part.key)} FROM ${raw(part.table)} AS part WHERE ${conditionSql('part', condition)}`;
}

/**
 * Returns the condition that the record of a part matches. `OFFSET 0` makes PostgreSQL look up each part's
 * record by id. With a join, the planner may read all records first, as it does for tables that have grown
 * since they were analyzed.
 */
function partOwnerSql(row: string, relation: string, condition: Condition): Sql {
  const owner = sql`SELECT FROM ${raw(ownerTables[relation] ?? '')} AS whole WHERE ${conditionSql('whole', condition)}`;
  return sql`EXISTS (${owner} AND whole.id = ${columnSql(row, `${relation}Id`)} OFFSET 0)`;
}

/** Returns the condition that the parent of a location matches. */
function parentSql(row: string, condition: Condition): Sql {
  const parents = sql`SELECT above.id FROM locations AS above WHERE ${conditionSql('above', condition)}`;
  return sql`${columnSql(row, 'parentLocationId')} IN (${parents})`;
}

/** Returns a query for rows that belong to the named row. */
type RowsOf = ((row: string) => Sql) & {
  /** True if the best plan depends on how many there are in the caller's organization. */
  readonly dependsOnValues?: boolean;
};

/** A custom field that a record has. It is given by id or name, and optionally by its value. */
export interface CustomFieldCondition {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly value?: string | null;
}

/** Returns the condition that a record has a custom field. The index on all custom field keys finds it. */
function customSql(row: string, { id, name, value }: CustomFieldCondition): Sql {
  const field = sql`${id ?? null}::text, ${name ?? null}::text, ${value ?? null}::text`;
  return sql`custom_field_keys(${columnSql(row, 'customFields')}) @> ARRAY[custom_field_key(${field})]`;
}

/** Bound of keyset pagination: a position in the order of a field and `id`. */
interface KeysetBound {
  readonly field: string;
  readonly than: 'gt' | 'lt';
  readonly value: unknown;
  readonly id: string;
}

/**
 * Returns a row-wise comparison, `(field, id) > (value, id)`, for keyset pagination. A single index on both
 * columns finds such a position.
 */
function keysetSql(row: string, { field, than, value, id }: KeysetBound): Sql {
  const place = sql`(${columnSql(row, field)}, ${columnSql(row, 'id')})`;
  return sql`${place} ${raw(signs[than] ?? '')} (${value}, ${id})`;
}

const signs: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=', since: '>=' };

/**
 * Returns the column of the word `since` in a condition: only rows that changed lately. How many these are depends so much
 * on its value that a plan for any value reads a whole list for a few rows.
 */
export function sinceColumn(condition: Condition): string | undefined {
  for (const [name, value] of Object.entries(condition)) {
    const inner = name === 'AND' ? [value as Condition | Condition[]].flat().map(sinceColumn) : [];
    const found = inner.find((column) => column !== undefined);
    if (found !== undefined) return found;
    if (typeof value === 'object' && value !== null && 'since' in value) return name;
  }
  return undefined;
}

/**
 * Splits a condition at its first word `EITHER`, whose parts exclude each other. Together, the conditions match the same
 * rows, each once, and an index may have each part in the order of a list.
 */
export function splitCondition(condition: Condition): readonly Condition[] {
  for (const [name, value] of Object.entries(condition)) {
    const { [name]: _, ...others } = condition;
    if (name === 'EITHER') return (value as readonly Condition[]).map((part) => ({ AND: [others, part] }));
    if (name !== 'AND') continue;
    const parts = [value as Condition | Condition[]].flat();
    for (const [place, part] of parts.entries()) {
      const split = splitCondition(part);
      if (split.length > 1) return split.map((one) => ({ ...others, AND: parts.with(place, one) }));
    }
  }
  return [condition];
}

/** Returns whether a condition has a word whose best plan depends on its values. */
export const hasRiskyWord = (condition: Condition): boolean =>
  Object.entries(condition).some(([name, value]) =>
    name === 'AND'
      ? [value as Condition | Condition[]].flat().some(hasRiskyWord)
      : name === 'none' && (value as RowsOf).dependsOnValues === true,
  );

function comparisonSql(column: Sql, operator: string, operand: unknown): Sql {
  const sign = signs[operator];
  if (sign) return sql`${column} ${raw(sign)} ${operand}`;
  // As an array, the result is looked up by index, even inside an OR. Otherwise the planner may walk a list's
  // order in the hope of finding it soon.
  if (operator === 'in' && operand instanceof Sql) return sql`${column} = ANY(ARRAY(${operand}))`;
  if (operator === 'in') return sql`${column} = ANY(${operand})`;
  // The same for keys of partitioned tables: with a join, PostgreSQL looks only into the partition of each key. For an
  // array, it expects matches in all of them, and may walk a list's order instead.
  if (operator === 'among') {
    const keys = operand instanceof Sql ? sql`ARRAY(${operand})` : sql`${operand}::uuid[]`;
    return sql`${column} IN (SELECT unnest(${keys}))`;
  }
  if (operator === 'notIn') return sql`${column} <> ALL(${operand})`;
  // No index serves these forms.
  if (operator === 'same') return sql`${column} IS NOT DISTINCT FROM ${operand}`;
  if (operator === 'sameAsOne') return sql`(${column} = ANY(${operand})) IS TRUE`;
  // Compares like unique indexes do: in any letter case, without surrounding white space.
  if (operator === 'key') return sql`natural_key(${column}) = natural_key(${operand})`;
  // A list of ids contains one. Some indexes have only lists that are not empty.
  if (operator === 'has') return sql`(${column} <> '{}' AND ${column} @> ARRAY[${operand}::uuid])`;
  if (operator === 'not' && operand === null) return sql`${column} IS NOT NULL`;
  throw new Error(`Conditions have no word ${operator}.`);
}

/** A search term as a `LIKE` pattern, and its fields. One of them must contain it; both are folded. */
export interface TermCondition {
  readonly fields: readonly string[];
  readonly term: string;
  /** Fields that are compared without spaces, hyphens and dots, and the term so written. */
  readonly plates?: { readonly fields: readonly string[]; readonly key: string } | undefined;
  /** The term as `customValuesSql` writes it, if the values of custom fields are searched, too. */
  readonly custom?: string | undefined;
}

/** Returns the condition that a record has custom fields. The indexes of their values have only such records. */
export const hasCustomSql = (row: string) => sql`${columnSql(row, 'customFields')} <> '[]'`;

/** Returns the values of a record's custom fields, folded, as a list in JSON. */
export const customValuesSql = (row: string) => sql`custom_field_values(${columnSql(row, 'customFields')})`;

/**
 * Returns the condition that a text has a licence plate, however that is divided. The indexes have only texts with a
 * digit.
 * @param pattern of the key, for `LIKE`
 */
export const plateSql = (text: Sql, pattern: Sql) =>
  sql`(${text} ~ '[0-9]' AND plate_key(${text}) LIKE ${pattern})`;

/** A term of signs that JSON has between texts. It is looked for in each value alone. */
const betweenTexts = /^[[\], ]+$/;

/** Returns the condition that a custom field has a term. It is escaped as in JSON. */
function customTermSql(row: string, term: string, looked: (text: Sql) => Sql): Sql {
  const like = sql`LIKE ${foldedSql(sql`${`%${term}%`}`)}`;
  if (!betweenTexts.test(term))
    return sql`(${hasCustomSql(row)} AND ${looked(customValuesSql(row))} ${like})`;
  return sql`EXISTS (
    SELECT FROM jsonb_path_query(${columnSql(row, 'customFields')}, '$[*].value') AS field
    WHERE ${foldedSql(sql`field #>> '{}'`)} ${like})`;
}

/**
 * Returns the condition that a row contains a search term. A term that no trigram narrows would match the
 * whole index, so bypassing the index halves the time.
 */
function searchedSql(row: string, { fields, term, plates, custom }: TermCondition): Sql {
  const columns = fields.map((field) => foldedSql(columnSql(row, field)));
  const looked = isNarrowed(folded(term)) ? (text: Sql) => text : unindexedSql;
  const texts = columns.map(looked);
  return joinTerms(
    [
      ...texts.map((text) => sql`${text} LIKE ${foldedSql(sql`${`%${term}%`}`)}`),
      ...(plates?.fields ?? []).map((field) => plateSql(columnSql(row, field), sql`${`%${plates?.key}%`}`)),
      ...(custom === undefined ? [] : [customTermSql(row, custom, looked)]),
    ],
    ' OR ',
    'FALSE',
  );
}

/**
 * Returns SQL that folds a text for search. The trigram indexes use the same Unicode NFC and case folding.
 */
export const foldedSql = (text: Sql) => sql`folded(${text})`;

/** Returns an expression that equals a text column but that no index matches. */
export const unindexedSql = (column: Sql) => sql`(${column} || '')`;

/** Translates a Prisma `orderBy` to SQL. */
export function orderSql(row: string, orderBy: readonly Condition[]): Sql {
  const terms = orderBy.flatMap(Object.entries);
  return join(terms.map(([field, direction]) => sql`${columnSql(row, field)} ${raw(String(direction))}`));
}

/** Returns the condition that a caller may see a record's row. It is for hand-written statements that find it by its id. */
export function visibleSql({ caller }: OfCaller, kind: RecordKind, row: string): Sql {
  return conditionSql(row, lookUpScopeOf(caller, modelName(kind)));
}

/** Returns FROM and WHERE for records of a kind, in the caller's scope; see `rowsSql`. */
export function recordsSql(of: OfCaller, kind: RecordKind, condition: Condition, joined = empty): Sql {
  return rowsSql(of, modelName(kind), condition, { joined });
}

/** Returns the same for records that are found by their natural keys. */
export function keyedRecordsSql(of: OfCaller, kind: RecordKind, condition: Condition, joined = empty): Sql {
  const model = modelName(kind);
  return rowsSql(of, model, condition, { joined, from: sourceSql(of, model) });
}

/** Returns whether a condition finds rows by their ids, or those of other rows. */
const findsByKey = (condition: Condition): boolean =>
  'id' in condition || Object.values(condition).some((value) => value instanceof Sql);

/** Returns the condition that a model's row `record` is visible to the caller and matches. */
export function visibleRowSql(
  of: OfCaller,
  model: Model,
  condition: Condition,
  { isList = false, isLookUp = findsByKey(condition) }: Pick<RowSource, 'isList' | 'isLookUp'> = {},
): Sql {
  const scope = isList
    ? listScopeOf(of, model)
    : isLookUp
      ? lookUpScopeOf(of.caller, model)
      : scopeOf(of.caller, model);
  return sql`${conditionSql('record', scope)} AND ${conditionSql('record', condition)}`;
}

interface RowSource {
  /** Query to read from instead of the table. It has additional columns. */
  readonly from?: Sql | undefined;
  /** Additional tables, starting with JOIN. */
  readonly joined?: Sql;
  /** True for a list of rows. */
  readonly isList?: boolean;
  /** True for rows that are found by other rows which the condition does not name. */
  readonly isLookUp?: boolean;
}

/** Returns FROM and WHERE for a model's matching rows, in the caller's scope. The row is called `record`. */
export function rowsSql(
  of: OfCaller,
  model: Model,
  condition: Condition,
  {
    isList = false,
    isLookUp,
    from = isList ? sourceSql(of, model) : tableSql(model),
    joined = empty,
  }: RowSource = {},
): Sql {
  return sql`FROM ${from} AS record ${joined} WHERE ${visibleRowSql(of, model, condition, { isList, isLookUp })}`;
}

type Columns = typeof columns;

/** A JSON value, as Prisma and the driver read it. */
export type Json = string | number | boolean | null | { [Member in string]?: Json } | Json[];

/** Values of columns, by their type. Those of enums are their names. */
interface Values {
  UUID: string;
  String: string;
  Int: number;
  Float: number;
  BigInt: bigint;
  Boolean: boolean;
  Date: Date;
  DateTime: Date;
  Bytes: Uint8Array<ArrayBuffer>;
  Json: Json;
}

/** The name of a value of an enum of Prisma's schema. */
export type EnumOf<Name extends keyof typeof enums> = (typeof enums)[Name][number];

type Single<Type> = Type extends keyof Values
  ? Values[Type]
  : Type extends keyof typeof enums
    ? EnumOf<Type>
    : never;
type Listed<Column> = Column extends { type: infer Type; list: true }
  ? Single<Type>[]
  : Column extends { type: infer Type }
    ? Single<Type>
    : never;
type ValueOf<Column> = Listed<Column> | (Column extends { nullable: true } ? null : never);

/** A row of a model, as the database returns it. */
export type RowOf<M extends ModelName> = {
  -readonly [Field in keyof Columns[M]]: ValueOf<Columns[M][Field]>;
};

/** Values that a new row can have. JSON may be given as any value that can be written as such. */
type Given<Column> = Column extends { type: 'Json' }
  ? Exclude<unknown, undefined>
  : Column extends { type: 'Bytes' }
    ? Uint8Array | (Column extends { nullable: true } ? null : never)
    : ValueOf<Column>;
type Optional<Column> = Column extends { nullable: true } | { hasDefault: true } | { list: true }
  ? true
  : false;

/** Values of a new row, by the model's field names. Missing fields get their defaults. */
export type NewRow<M extends ModelName> = {
  [Field in keyof Columns[M] as Optional<Columns[M][Field]> extends true ? never : Field]: Given<
    Columns[M][Field]
  >;
} & {
  [Field in keyof Columns[M] as Optional<Columns[M][Field]> extends true ? Field : never]?:
    | Given<Columns[M][Field]>
    | undefined;
};

/** A column of a model, as Prisma's schema has it. */
export interface ModelColumn {
  /** Prisma's type, or that of the database for `UUID` and `Date`. */
  readonly type: string;
  readonly nullable?: boolean;
  readonly list?: boolean;
  /** Model that a foreign key points at. */
  readonly to?: ModelName;
  /** Fate of the row when the record that it points at is deleted. */
  readonly onDelete?: 'Cascade' | 'Restrict' | 'SetNull';
}

/** Columns of all models, by their fields. */
export const modelColumns: Readonly<Record<ModelName, Readonly<Record<string, ModelColumn>>>> = columns;

/** Returns the values of an enum of Prisma's schema by its name. It is undefined for any other type. */
export const enumValues = (type: string): readonly string[] | undefined =>
  type in enums ? enums[type as keyof typeof enums] : undefined;

const fieldLists = new Map<ModelName, readonly string[]>();

/** Lists the fields of a model, `id` first if there is one. */
export function modelFields(model: ModelName): readonly string[] {
  const fields = fieldLists.get(model) ?? Object.keys(modelColumns[model]);
  fieldLists.set(model, fields);
  return fields;
}

/** Lists the fields of a model but those that are hidden. */
export const shownFields = (model: ModelName, hidden: readonly string[]): readonly string[] =>
  modelFields(model).filter((field) => !hidden.includes(field));

/** Returns the cast of a column in a SELECT. The driver reads no lists of an enum. */
function castOf(model: ModelName, field: string): string {
  const column = modelColumns[model][field];
  return column?.list && enumValues(column.type) ? '::text[]' : '';
}

const columnLists = new WeakCache<readonly string[], Sql>();

/**
 * Returns the column list of a SELECT, each column named after its field. The FROM clause must call the row
 * `record`, such as `rowsSql` does.
 * @param fields defaults to all fields of the model
 */
export function columnsSql(model: ModelName, fields = modelFields(model)): Sql {
  return columnLists.ensure(fields, () =>
    raw(
      fields
        .map((field) => `${columnSql('record', field).text}${castOf(model, field)} AS "${field}"`)
        .join(', '),
    ),
  );
}

/** A computed column that a list is ordered by. Its table does not have it. */
export interface KeyColumn {
  /** Its value for the row `record`. */
  readonly value: Sql;
  /** True if it is a column of the row. Then a list of any length can be ordered by it. */
  readonly isPlain?: true;
  /** Additional tables that the value needs, starting with JOIN. */
  readonly joined?: Sql;
}

/** Returns the column name of the n-th computed sort key. */
export const keyName = (number: number) => `orderKey${'ABCDEFGH'[number]}`;

/**
 * Returns a query for a table's rows with computed sort keys. It is read instead of the table, and PostgreSQL
 * plans it as a part of the outer query.
 */
export function withKeysSql(
  of: OfCaller,
  model: ModelName,
  columns: readonly (readonly [name: string, column: KeyColumn])[],
): Sql {
  const values = columns.map(([name, { value }]) => sql`${value} AS ${columnNameSql(name)}`);
  const joins = columns.map(([, { joined }]) => joined ?? empty);
  return sql`(SELECT record.*, ${join(values)} FROM ${sourceSql(of, model)} AS record ${join(joins, ' ')})`;
}

/**
 * Returns the name of the record that a column refers to. It is null if the caller may not see the record.
 */
export function linkedName(of: OfCaller, kind: RecordKind, field: string, as: string): KeyColumn {
  const [name, table] = [raw(as), raw(tables[kind])];
  const visible = visibleSql(of, kind, as);
  return {
    value: sql`${name}.name`,
    joined: sql`LEFT JOIN ${table} AS ${name} ON ${name}.id = ${columnSql('record', field)} AND ${visible}`,
  };
}

/** Returns the id in a column of a row. It is null if the caller may not see the record of that id. */
export function linkedId(of: OfCaller, kind: RecordKind, field: string, row = 'record'): KeyColumn {
  const id = columnSql(row, field);
  if (seesAllTeams(of.caller)) return { value: id, isPlain: true };
  return {
    value: sql`(SELECT linked.id FROM ${raw(tables[kind])} AS linked WHERE linked.id = ${id} AND ${visibleSql(of, kind, 'linked')})`,
  };
}

/** Returns the value of a record's first custom field with an id or a name. */
export function customFieldValue(idOrName: string): KeyColumn {
  const wanted = sql`entry.value ->> 'id' = lower(${idOrName}) OR folded(entry.value ->> 'name') = folded(${idOrName})`;
  return {
    value: sql`(
      SELECT entry.value ->> 'value' FROM jsonb_array_elements(record.custom_fields) WITH ORDINALITY AS entry (value, place)
      WHERE ${wanted} ORDER BY entry.place LIMIT 1)`,
  };
}
