import type { RecordKind } from '../../db/sql/models.js';
import { pointer } from '../../db/sql/selection.js';
import { loadJoined } from '../../records/loaders.js';
import { typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { needs } from '../execution/selection.js';

/**
 * Returns the options of a field that leads to another record. One statement reads the records of all rows. A
 * record that the caller may not see is null.
 * @param kind kind of the record to load
 * @param column the column that holds its id
 */
export function linkTo<Kind extends RecordKind, Column extends string>(
  kind: Kind,
  column: Column,
  description: string,
) {
  const shows = pointer(column, kind);
  return {
    ...needs({ shows }),
    type: typeOf(kind),
    description,
    nullable: true as const,
    resolve: (row: Record<Column, string | null>, _args: object, { session }: Context) =>
      loadJoined(session, row, shows),
  };
}

/**
 * Returns the options of a field with another record's id. It is null if the caller may not see that record.
 */
export function idOf<Kind extends RecordKind, Column extends string>(
  kind: Kind,
  column: Column,
  description: string,
) {
  const shows = pointer(column, kind);
  return {
    ...needs({ joins: [[shows, ['id']]] }),
    description,
    nullable: true as const,
    resolve: async (row: Record<Column, string | null>, _args: object, { session }: Context) =>
      (await loadJoined(session, row, shows))?.id ?? null,
  };
}
