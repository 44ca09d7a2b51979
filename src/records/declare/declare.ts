import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { type ModelColumn, modelColumns, type RowOf } from '../../db/sql/columns.js';
import { type RecordKind, recordNames } from '../../db/sql/models.js';
import type { Condition, Identified } from '../../db/sql/query.js';
import { defineRows, type Rows } from '../../db/sql/select.js';
import type { EntityKind } from '../../domain/events.js';
import { kindOf, type ModelName, models } from '../../domain/models.js';
import type { Order } from '../../domain/paging.js';
import type { Right } from '../../domain/roles.js';
import { rules } from '../../domain/rules.js';
import { linkedIds } from '../lists/order.js';
import type { NoLink, RangeType, Readable } from '../lists/readable.js';
import { type Calls, defineResource, type RecordBase, type Resource, type Traits } from '../resource.js';
import type { Endpoints } from './endpoints.js';
import type { ColumnField, ComputedField, Field } from './fields.js';
import { type ListFilter, manyOf, whereOf } from './filter.js';
import type { IdField } from './linked-fields.js';
import { fromLinks, hiddenLinks, idsOf, joinedLists, referencesOf } from './links.js';

/** Fields of a model. Each column has one, and what Prisma does not have has other names. */
type FieldsOf<Model extends ModelName, Fields> = {
  readonly [Name in Exclude<keyof RowOf<Model>, 'organizationId'>]:
    | ColumnField<z.ZodType<Writable<RowOf<Model>, Name>> | undefined>
    | IdField
    | ComputedField;
} & { readonly [Name in Exclude<keyof Fields, keyof RowOf<Model>>]: Exclude<Field, ColumnField> };

/** Values that a rule may give for a column. JSON has a rule's own types, and a workspace is found if none is named. */
type Writable<Row, Name extends keyof Row> = Name extends 'teamId'
  ? string | null
  : object extends Row[Name]
    ? unknown
    : Row[Name];

/** Values that the rules of fields give. */
type Output<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { rule: z.ZodType } ? Name : never]: Fields[Name] extends {
    rule: infer Rule extends z.ZodType;
  }
    ? z.output<Rule>
    : never;
};

/** Facts of a declaration that the doors read. */
interface Doors {
  /** Description of a record, if another one than Prisma's model has. */
  readonly about?: string;
  /** Name of its list in GraphQL, if not that of its table. */
  readonly listName?: string;
  readonly filter: ListFilter;
  /** Order of a list when the caller names none; by name when left out. */
  readonly order?: Order;
  /** Right beyond reading that seeing it asks for. */
  readonly right?: Right;
  /** Right beyond writing that creating and deleting ask for. */
  readonly ownership?: Right;
  readonly rest?: Endpoints;
  /** Place of its records among equally good matches of the global search. Others are not found. */
  readonly searchPlace?: number;
  /** True if the global search finds its records only when asked for their kind. No index serves its terms. */
  readonly searchedIfNamed?: true;
  /** Bounds of what its records show, for the reference. Those of what callers write are known. */
  readonly bounds?: z.ZodType;
  /** Replaces parts of a caller's input by values of the record, before anything is checked. */
  fromInput?(input: object): object;
}

/** Traits that do not follow from the fields. */
type OwnTraits = Omit<Traits, 'kind' | 'references' | 'parts'> & Pick<Partial<Traits>, 'parts'>;

/** Calls that do not follow from the fields. */
type OwnCalls<Row extends RecordBase, Values> = Omit<
  Calls<Row, Values>,
  'where' | 'rows' | 'ranges' | 'links' | 'manyOf' | 'customFields'
>;

/** Facts of any declaration that its lists follow from. */
interface Listed<Model extends ModelName, Fields> extends Doors {
  readonly fields: Fields & FieldsOf<Model, Fields>;
  /** Columns that filters have ranges of. */
  readonly ranges?: readonly (keyof RowOf<Model> & string)[];
  /** Sort keys besides columns and the names of linked records. */
  readonly orderKeys?: Readable['orderKeys'];
  /** Lists below its records that it may lack, besides its links. */
  readonly hasNone?: Readonly<Record<string, NoLink>>;
  /** Returns the condition of all records that a list has, given its filter. */
  only?(session: Session, filter: Readonly<Record<string, unknown>>): Condition;
}

/** Declaration of a resource that callers only read. */
interface ListDeclaration<Model extends ModelName, Fields, Row extends Identified>
  extends Listed<Model, Fields>,
    Pick<Readable, 'indexed'> {
  readonly rows?: Rows<Row>;
  readonly sortable: readonly (keyof RowOf<Model> & string)[];
}

interface Declaration<Model extends ModelName, Fields, Row extends RecordBase>
  extends OwnTraits,
    OwnCalls<Row, Output<Fields>>,
    Listed<Model, Fields> {
  readonly rows?: Rows<Row>;
}

/** A resource with all facts that the doors need. */
export interface Declared extends Doors {
  readonly model: ModelName;
  readonly fields: Readonly<Record<string, Field>>;
  readonly columns: Readonly<Record<string, ModelColumn>>;
  readonly order: Order;
  /** Name of its list in REST's answers: that of its table. */
  readonly list: string;
}

/** Collects the facts that the doors read from a declaration. */
function doorsOf(model: ModelName, declaration: Doors, fields: Declared['fields']): Declared {
  const {
    filter,
    order,
    right,
    ownership,
    rest,
    searchPlace,
    searchedIfNamed,
    bounds,
    fromInput,
    about,
    listName,
  } = declaration;
  return {
    model,
    fields,
    columns: modelColumns[model],
    filter,
    order: order ?? { field: 'name', direction: 'asc' },
    list: models[model].table,
    ...(right && { right }),
    ...(ownership && { ownership }),
    ...(rest && { rest }),
    ...(searchPlace && { searchPlace }),
    ...(searchedIfNamed && { searchedIfNamed }),
    ...(bounds && { bounds }),
    ...(about && { about }),
    ...(listName && { listName }),
    ...(fromInput && { fromInput }),
  };
}

/** Derives what the lists of a resource are narrowed and ordered by. */
function listsOf<Model extends ModelName, Fields extends Declared['fields']>(
  model: Model,
  { fields, filter, ranges, orderKeys, hasNone = {}, only }: Listed<Model, Fields>,
) {
  const columns = modelColumns[model];
  const derived = fromLinks(fields, columns, hasNone);
  return {
    ...derived,
    ...(orderKeys && { orderKeys: { ...derived.orderKeys, ...orderKeys } }),
    ...manyOf(filter, fields, columns),
    ...(ranges && {
      ranges: Object.fromEntries(ranges.map((name) => [name, columns[name]?.type as RangeType])),
    }),
    where: whereOf(filter, fields, columns, only),
  };
}

/** Validation rules of sort keys, by the type of their column. */
const sortRules: Readonly<Record<string, z.ZodType>> = {
  Date: z.date(),
  DateTime: z.date(),
  Int: z.int32(),
  String: z.string(),
  UUID: z.guid(),
};

/** Returns the rule of a column that lists are ordered by. */
function sortRule({ type, nullable }: ModelColumn): z.ZodType {
  const rule = sortRules[type];
  if (!rule) throw new Error(`Lists are not ordered by columns of the type ${type}.`);
  return nullable ? rule.nullable() : rule;
}

/** Declares a resource that callers cannot write like the others. Its lists and endpoints follow from it. */
export function declareList<
  Model extends ModelName & ModelName,
  Fields extends Readonly<Record<string, Field>>,
  Row extends Identified = RowOf<Model> & Identified,
>(model: Model, declaration: ListDeclaration<Model, Fields, Row>): Readable<Row> & Declared {
  const { sortable, indexed, rows } = declaration;
  const columns = modelColumns[model];
  return {
    ...doorsOf(model, declaration, declaration.fields),
    noun: recordNames[kindOf(model) as RecordKind],
    sortable: new Map(sortable.map((name) => [name, sortRule(columns[name] as ModelColumn)])),
    indexed,
    ...listsOf(model, declaration),
    rows: rows ?? (defineRows(model) as object as Rows<Row>),
  };
}

/** Replaces the order by columns with links that may be hidden. It must not tell what no answer shows. */
function ordersOf(
  { sortable, orderKeys }: Resource,
  fields: Declared['fields'],
  columns: Declared['columns'],
) {
  const hidden = hiddenLinks(fields, columns).filter(([name]) => sortable.has(name));
  const names = hidden.map(([name]) => name);
  return hidden.length === 0
    ? {}
    : {
        sortable: new Map([...sortable].filter(([name]) => !names.includes(name))),
        orderKeys: { ...orderKeys, ...linkedIds(hidden) },
      };
}

/** Tells if a field is a column with a rule. */
const isRule = (field: Field | undefined, rule: z.ZodType) => field?.kind === 'column' && field.rule === rule;

/** Lists the values that callers write, each with the field that has its rule. */
const writtenBy = (fields: Declared['fields']) =>
  Object.entries(fields).flatMap(([name, field]) =>
    'rule' in field && field.rule
      ? [{ name: field.kind === 'links' ? idsOf(field) : name, field, rule: field.rule }]
      : [],
  );

/**
 * Declares a resource that callers write. Its rules, its lists, both schemas and its endpoints follow from it. Columns
 * that Prisma's model lacks, or that are left out, do not compile; nor does a rule that gives what a column cannot hold.
 */
export function declareResource<
  Model extends ModelName & ModelName,
  Fields extends Readonly<Record<string, Field>>,
  Row extends RecordBase = RowOf<Model> & RecordBase,
>(model: Model, declaration: Declaration<Model, Fields, Row>): Resource<Row> & Declared {
  const fields: Declared['fields'] = declaration.fields;
  const written = writtenBy(fields);
  const parts = written.filter(({ field }) => field.kind !== 'column').map(({ name }) => name);
  // `Object.fromEntries` forgets which rule has which name; `FieldsOf` has compared them with the columns.
  const shape = Object.fromEntries(written.map(({ name, rule }) => [name, rule]));
  const resource = defineResource(z.object(shape) as never, {
    ...(parts.length > 0 && { parts }),
    ...joinedLists(fields),
    ...(declaration as object as Traits & Calls<Row, Output<Fields>>),
    rows: declaration.rows ?? (defineRows(model) as object as Rows<Row>),
    kind: kindOf(model) as EntityKind,
    references: referencesOf(fields, modelColumns[model]),
    ...listsOf(model, declaration),
    ...(isRule(fields.customFields, rules.customFields) && { customFields: true as const }),
  }) as Resource<Row>;
  return {
    ...resource,
    ...ordersOf(resource, fields, modelColumns[model]),
    ...doorsOf(model, declaration, fields),
  };
}
