import { seesAllTeams } from '../../domain/caller.js';
import type { ModelName } from '../../domain/models.js';
import { columnNameSql, columnSql, tableSql, visibleSql } from './conditions.js';
import type { OfCaller } from './models.js';
import { type RecordKind, tables } from './models.js';
import { empty, join, raw, type Sql, sql } from './sql.js';

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
  model: ModelName,
  columns: readonly (readonly [name: string, column: KeyColumn])[],
): Sql {
  const values = columns.map(([name, { value }]) => sql`${value} AS ${columnNameSql(name)}`);
  const joins = columns.map(([, { joined }]) => joined ?? empty);
  return sql`(SELECT record.*, ${join(values)} FROM ${tableSql(model)} AS record ${join(joins, ' ')})`;
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
