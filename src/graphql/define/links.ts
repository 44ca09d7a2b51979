import type { ObjectRef } from '@pothos/core';
import type { RecordKind } from '../../db/sql/models.js';
import { pointer } from '../../db/sql/selection.js';
import type { CustomField as CustomFieldShape } from '../../domain/rules.js';
import { type Linked, loadJoined } from '../../records/loaders.js';
import type { builder } from '../builder.js';
import type { Context } from '../context.js';
import { needs } from '../execution/selection.js';
import { CustomField } from '../types/custom-fields.js';

type Types = (typeof builder)['$inferSchemaTypes'];

/**
 * Returns the options of a field that leads to another record. One statement reads the records of all rows. A
 * record that the caller may not see is null.
 * @param type the field's type
 * @param kind kind of the record to load
 * @param column the column that holds its id
 */
export function linkTo<Kind extends RecordKind, Column extends string>(
  type: ObjectRef<Types, Linked<Kind>>,
  kind: Kind,
  column: Column,
  description: string,
) {
  const shows = pointer(column, kind);
  return {
    ...needs({ shows }),
    type,
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

/** Returns the options of the field that shows a record's custom fields. */
export function customFieldsField<Row extends { customFields: unknown }>() {
  return {
    type: [CustomField] as [typeof CustomField],
    description: "Fields of the caller's own making, in the order sent.",
    ...needs({ fields: ['customFields'] }),
    // Prisma types the column as JSON; the rules let nothing else into it.
    resolve: (row: Row) => row.customFields as CustomFieldShape[],
  };
}
