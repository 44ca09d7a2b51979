import { Kept } from '../../domain/kept.js';
import { columns } from '../../generated/columns.js';
import { $Enums, Prisma } from '../../generated/prisma/client.js';
import { columnSql } from './conditions.js';

/** The name of a model. */
export type StoredModel = Prisma.ModelName;
type Model = StoredModel;

/** A row of a model, as Prisma returns it. */
export type RowOf<M extends Model> = Prisma.TypeMap['model'][M]['payload']['scalars'];

/** A column of a model, as Prisma's schema has it. */
export interface ModelColumn {
  /** Prisma's type, or that of the database for `UUID` and `Date`. */
  readonly type: string;
  readonly nullable?: boolean;
  readonly list?: boolean;
  /** Model that a foreign key points at. */
  readonly to?: Model;
  /** Fate of the row when the record that it points at is deleted. */
  readonly onDelete?: 'Cascade' | 'Restrict' | 'SetNull';
}

/** Columns of all models, by their fields. */
export const modelColumns: Readonly<Record<Model, Readonly<Record<string, ModelColumn>>>> = columns;

/** Returns the values of an enum of Prisma's schema by its name. It is undefined for any other type. */
export const enumValues = (type: string): readonly string[] | undefined =>
  type in $Enums ? Object.values($Enums[type as keyof typeof $Enums]) : undefined;

const fieldLists = new Map<Model, readonly string[]>();

/** Lists the fields of a model, `id` first if there is one. */
export function modelFields(model: Model): readonly string[] {
  const fields = fieldLists.get(model) ?? Object.keys(Prisma[`${model}ScalarFieldEnum`]);
  fieldLists.set(model, fields);
  return fields;
}

/** Returns the cast of a column in a SELECT. The driver reads no lists of an enum. */
function castOf(model: Model, field: string): string {
  const column = modelColumns[model][field];
  return column?.list && enumValues(column.type) ? '::text[]' : '';
}

const columnLists = new Kept<readonly string[], Prisma.Sql>();

/**
 * Returns the column list of a SELECT, each column named after its field. The FROM clause must call the row
 * `record`, such as `rowsSql` does.
 * @param fields defaults to all fields of the model
 */
export function columnsSql(model: Model, fields = modelFields(model)): Prisma.Sql {
  return columnLists.ensure(fields, () =>
    Prisma.raw(
      fields
        .map((field) => `${columnSql('record', field).text}${castOf(model, field)} AS "${field}"`)
        .join(', '),
    ),
  );
}
