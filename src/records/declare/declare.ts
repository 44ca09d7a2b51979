import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { type ModelColumn, modelColumns, type RowOf, type StoredModel } from '../../db/sql/columns.js';
import { type RecordKind, recordNames } from '../../db/sql/models.js';
import type { Condition, Identified } from '../../db/sql/query.js';
import { defineRows, type Rows } from '../../db/sql/select.js';
import type { EntityKind } from '../../domain/events.js';
import { kindOf, type ModelName, models } from '../../domain/models.js';
import type { Order } from '../../domain/paging.js';
import type { Right } from '../../domain/roles.js';
import { rules } from '../../domain/rules.js';
import { filterCondition } from '../lists/filter.js';
import { inColumn } from '../lists/links.js';
import type { NoLink, RangeType, Readable } from '../lists/readable.js';
import { type Calls, defineResource, type RecordBase, type Resource, type Traits } from '../resource.js';
import type { Endpoints } from './endpoints.js';
import type { ColumnField, Field } from './fields.js';
import { fromLinks, referencesOf } from './links.js';

type Columns = Readonly<Record<string, ModelColumn>>;

/** Search of a list: the columns that are searched, and its description. */
interface Term {
  readonly in: readonly string[];
  readonly description: string;
}

/** A filter member that is not a plain comparison with the column of its name. */
interface FilterMember {
  readonly description: string;
  readonly deprecated?: string;
  /** Its rule and its type in GraphQL, if it is no column. */
  readonly rule?: z.ZodType;
  readonly type?: string;
  /** Returns the condition for a value. Without it, the column of its name equals the value. */
  // biome-ignore lint/suspicious/noExplicitAny: the value is what the rule gives.
  where?(value: any, all: object, session: Session): Condition;
}

/** Filter of a list, by its members. A text describes one that equals the column of its name. */
type ListFilter = { readonly term: Term } & Readonly<Record<string, string | Term | FilterMember>>;

/** Validation rules of filter values, by the type of their column. */
const filterRules: Readonly<Record<string, z.ZodType>> = {
  Boolean: rules.choice,
  Int: rules.int,
  String: rules.line,
  UUID: rules.uuid,
};

/** Creates the validation rules of a filter. */
function rulesOf(filter: ListFilter, columns: Columns) {
  const members = Object.entries(filter).map(([name, member]) => {
    const own = typeof member === 'object' && 'rule' in member ? member.rule : undefined;
    const rule = own ?? (name === 'term' ? rules.line : filterRules[columns[name]?.type ?? '']);
    if (!rule) throw new Error(`No rule for the filter's ${name}.`);
    return [name, rule];
  });
  return z.object(Object.fromEntries(members) as Record<string, z.ZodType>) as z.ZodType<{ term?: string }>;
}

/** Creates the function that turns a filter into a condition. */
function whereOf(filter: ListFilter, columns: Columns): Readable['where'] {
  const rule = rulesOf(filter, columns);
  const special = Object.entries(filter).flatMap(([name, member]) =>
    typeof member === 'object' && 'where' in member && member.where ? [[name, member.where] as const] : [],
  );
  return (given, session) =>
    filterCondition(
      rule,
      given,
      filter.term.in,
      Object.fromEntries(
        special.map(([name, where]) => [name, (value: unknown, all: object) => where(value, all, session)]),
      ),
    );
}

/** Returns the members of a filter that take several ids, such as `teamIds` for `teamId`. */
function manyOf(filter: ListFilter, columns: Columns): Pick<Readable, 'manyOf'> {
  const ids = Object.keys(filter).filter((name) => typeof filter[name] === 'string' && columns[name]?.to);
  if (ids.length === 0) return {};
  return { manyOf: Object.fromEntries(ids.map((name) => [`${name}s`, inColumn(name)])) };
}

/** Fields of a model: each column, and by other names what Prisma does not have. */
type FieldsOf<Model extends StoredModel, Fields> = {
  readonly [Name in Exclude<keyof RowOf<Model>, 'organizationId'>]: ColumnField<
    z.ZodType<Writable<RowOf<Model>, Name>> | undefined
  >;
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
  readonly filter: ListFilter;
  /** Order of a list when the caller names none; by name when left out. */
  readonly order?: Order;
  /** Right beyond writing that creating and deleting ask for. */
  readonly ownership?: Right;
  readonly rest?: Endpoints;
  /** Replaces parts of a caller's input by values of the record, before anything is checked. */
  fromInput?(input: object): object;
}

/** Traits that do not follow from the fields. */
type OwnTraits = Omit<Traits, 'kind' | 'references' | 'parts'> & Pick<Partial<Traits>, 'parts'>;

/** Calls that do not follow from the fields. */
type OwnCalls<Row extends RecordBase, Values> = Omit<
  Calls<Row, Values>,
  'where' | 'rows' | 'ranges' | 'links' | 'manyOf' | 'customFields' | 'orderKeys'
>;

/** Declaration of a resource that callers only read. */
interface ListDeclaration<Model extends StoredModel, Fields> extends Doors {
  readonly fields: Fields & FieldsOf<Model, Fields>;
  readonly sortable: readonly (keyof RowOf<Model> & string)[];
  readonly indexed: readonly string[];
}

interface Declaration<Model extends StoredModel, Fields, Row extends RecordBase>
  extends OwnTraits,
    OwnCalls<Row, Output<Fields>>,
    Doors {
  readonly fields: Fields & FieldsOf<Model, Fields>;
  readonly rows?: Rows<Row>;
  /** Columns that filters have ranges of. */
  readonly ranges?: readonly (keyof RowOf<Model> & string)[];
  /** Lists below its records that it may lack, besides its links. */
  readonly hasNone?: Readonly<Record<string, NoLink>>;
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
  const { filter, order, ownership, rest, fromInput } = declaration;
  return {
    model,
    fields,
    columns: modelColumns[model],
    filter,
    order: order ?? { field: 'name', direction: 'asc' },
    list: models[model].table,
    ...(ownership && { ownership }),
    ...(rest && { rest }),
    ...(fromInput && { fromInput }),
  };
}

/** Validation rules of sort keys, by the type of their column. */
const sortRules: Readonly<Record<string, z.ZodType>> = {
  DateTime: z.date(),
  String: z.string(),
  UUID: z.guid(),
};

/** Declares a resource that callers cannot write like the others. Its lists and endpoints follow from it. */
export function declareList<
  Model extends StoredModel & ModelName,
  Fields extends Readonly<Record<string, Field>>,
>(model: Model, declaration: ListDeclaration<Model, Fields>): Readable<RowOf<Model> & Identified> & Declared {
  const { filter, sortable, indexed } = declaration;
  const columns = modelColumns[model];
  return {
    ...doorsOf(model, declaration, declaration.fields),
    noun: recordNames[kindOf(model) as RecordKind],
    sortable: new Map(sortable.map((name) => [name, sortRules[columns[name]?.type ?? ''] as z.ZodType])),
    indexed,
    ...fromLinks(declaration.fields, columns, {}),
    where: whereOf(filter, columns),
    rows: defineRows(model) as object as Rows<RowOf<Model> & Identified>,
  };
}

/** Tells if a field is a column with a rule. */
const isRule = (field: Field | undefined, rule: z.ZodType) => field?.kind === 'column' && field.rule === rule;

/**
 * Declares a resource that callers write. Its rules, its lists, both schemas and its endpoints follow from it. Columns
 * that Prisma's model lacks, or that are left out, do not compile; nor does a rule that gives what a column cannot hold.
 */
export function declareResource<
  Model extends StoredModel & ModelName,
  Fields extends Readonly<Record<string, Field>>,
  Row extends RecordBase = RowOf<Model> & RecordBase,
>(model: Model, declaration: Declaration<Model, Fields, Row>): Resource<Row> & Declared {
  const { filter, ranges, hasNone = {} } = declaration;
  const fields: Declared['fields'] = declaration.fields;
  const columns = modelColumns[model];
  const ruled = Object.entries(fields).flatMap(([name, field]) =>
    'rule' in field && field.rule ? [[name, field.rule] as const] : [],
  );
  const parts = Object.keys(fields).filter((name) => fields[name]?.kind === 'part');
  const words = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'computed' && field.words ? [[name, field] as const] : [],
  );
  // `Object.fromEntries` forgets which rule has which name; `FieldsOf` has compared them with the columns.
  const resource = defineResource(z.object(Object.fromEntries(ruled)) as never, {
    ...(parts.length > 0 && { parts }),
    ...(words.length > 0 && {
      nested: async (_tx: unknown, values: object) =>
        Object.fromEntries(words.map(([name, { resolve }]) => [name, resolve(values)])),
    }),
    ...(declaration as object as Traits & Calls<Row, Output<Fields>>),
    rows: declaration.rows ?? (defineRows(model) as object as Rows<Row>),
    kind: kindOf(model) as EntityKind,
    references: referencesOf(fields, columns),
    ...fromLinks(fields, columns, hasNone),
    ...manyOf(filter, columns),
    ...(ranges && {
      ranges: Object.fromEntries(ranges.map((name) => [name, columns[name]?.type as RangeType])),
    }),
    ...(isRule(fields.customFields, rules.customFields) && { customFields: true as const }),
    where: whereOf(filter, columns),
  }) as Resource<Row>;
  return { ...resource, ...doorsOf(model, declaration, fields) };
}
