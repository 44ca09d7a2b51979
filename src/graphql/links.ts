import type { ObjectRef } from '@pothos/core';
import type { RecordKind } from '../data/kinds.js';
import { type Linked, load } from '../data/loaders.js';
import type { CustomField as CustomFieldShape } from '../domain/rules.js';
import type { builder } from './builder.js';
import type { Context } from './context.js';
import { CustomField } from './custom-fields.js';

type Types = (typeof builder)['$inferSchemaTypes'];

/**
 * The options of a field that leads to another record. The records of all rows are read by one statement, and
 * one that the caller may not see is null.
 * @param type the field's type
 * @param kind how the record is loaded
 * @param column the column that holds its id
 */
export function linkTo<Kind extends RecordKind, Column extends string>(
  type: ObjectRef<Types, Linked<Kind>>,
  kind: Kind,
  column: Column,
  description: string,
) {
  return {
    type,
    description,
    nullable: true as const,
    resolve: (row: Record<Column, string | null>, _args: object, { session }: Context) =>
      load(session, kind, row[column]),
  };
}

/** The options of the field that shows a record's custom fields. */
export function customFieldsOf<Row extends { customFields: unknown }>() {
  return {
    type: [CustomField] as [typeof CustomField],
    description: "Fields of the caller's own making, in the order sent.",
    // The column is JSON to Prisma; the rules let nothing else into it.
    resolve: (row: Row) => row.customFields as CustomFieldShape[],
  };
}
