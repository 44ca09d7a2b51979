import { columns, enums } from '../../../prisma/generated/columns.js';
import { Kept } from '../../domain/kept.js';
import type { ModelName } from '../../domain/models.js';
import { columnSql } from './conditions.js';
import { raw, type Sql } from './sql.js';

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

/** Returns the cast of a column in a SELECT. The driver reads no lists of an enum. */
function castOf(model: ModelName, field: string): string {
  const column = modelColumns[model][field];
  return column?.list && enumValues(column.type) ? '::text[]' : '';
}

const columnLists = new Kept<readonly string[], Sql>();

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
