import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import {
  type Condition,
  enumValues,
  type Identified,
  type ModelColumn,
  modelColumns,
  type RowOf,
  type TermCondition,
} from '../../db/sql/conditions.js';
import { recordNames } from '../../db/sql/models.js';
import { defineRows, type Rows } from '../../db/sql/select.js';
import type { Right } from '../../domain/caller.js';
import { type EntityKind, kindOf, type ModelName, models, type RecordKind } from '../../domain/models.js';
import type { Order } from '../../domain/paging.js';
import { check, limits, rules } from '../../domain/rules.js';
import { plateKey } from '../../domain/text/names.js';
import { byColumn, type Link, linkCondition } from '../links.js';
import { canBeHidden, noneJoined, pointsNowhere, seenIds } from '../lists/filter.js';
import { linkedIds, linkedNames } from '../lists/order.js';
import {
  type Calls,
  defineResource,
  type ListedResource,
  type NoLink,
  type RangeType,
  type RecordBase,
  type Reference,
  type Resource,
  type Traits,
} from '../resource.js';
import type { Endpoints } from './endpoints.js';
import type { ColumnField, ComputedField, Field, IdField, LinkField, LinksField } from './fields.js';

type Columns = Readonly<Record<string, ModelColumn>>;

type Fields = Readonly<Record<string, Field>>;

/** Returns the kind of records that a column names. */
export function kindNamed(field: ColumnField, column: ModelColumn): RecordKind | undefined {
  return field.to ?? (column.to && (kindOf(column.to) as RecordKind));
}

/** Returns the kind of records that a resource's column names; undefined for none. */
export function kindOfColumn(fields: Fields, columns: Columns, name: string): RecordKind | undefined {
  const [field, column] = [fields[name], columns[name]];
  return column && kindNamed((field ?? {}) as ColumnField, column);
}

/** Lists the columns whose links may be hidden, and that no answer shows. */
function hiddenLinks(fields: Fields, columns: Columns): [column: string, kind: RecordKind][] {
  return fieldsOf(fields, 'column').flatMap(([name, { door }]) => {
    const kind = door === 'hidden' ? kindOfColumn(fields, columns, name) : undefined;
    return kind && canBeHidden(kind) ? [[name, kind]] : [];
  });
}

/** Returns the name of the ids that a field with several records is written by. */
const idsOf = ({ join }: LinksField) => `${join.kind}Ids`;

/** Lists the fields of a kind, with their names. */
const fieldsOf = <Kind extends Field['kind']>(fields: Fields, kind: Kind) =>
  Object.entries(fields).filter(
    (entry): entry is [string, Extract<Field, { kind: Kind }>] => entry[1].kind === kind,
  );

/** Derives how the ids of several records are stored, and what events call them. */
function joinedLists(fields: Fields) {
  const lists = fieldsOf(fields, 'links');
  if (lists.length === 0) return {};
  const named = fieldsOf(fields, 'link').filter(([, { written }]) => written === 'named');
  return {
    lists: Object.fromEntries(lists.map(([, field]) => [idsOf(field), field.join])),
    eventNames: Object.fromEntries([
      ...named.map(([name, { column }]) => [column, name]),
      ...lists.map(([name, field]) => [idsOf(field), name]),
    ]),
  };
}

/** Derives sort keys and "has none" filters from the links of a resource. */
function fromLinks(fields: Fields, columns: Columns, hasNone: Readonly<Record<string, NoLink>>) {
  const all = fieldsOf(fields, 'link');
  const kindOf = ({ column }: LinkField) => kindOfColumn(fields, columns, column) as RecordKind;
  const ordered = all.filter(([, { ordered = true }]) => ordered);
  const optional = all.filter(([, link]) => columns[link.column]?.nullable && link.hasNone !== false);
  const word = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const links = {
    ...Object.fromEntries(
      optional.map(([name, link]) => [word(name), pointsNowhere(link.column, kindOf(link))]),
    ),
    ...Object.fromEntries(
      fieldsOf(fields, 'links').map(([name, { join }]) => [word(name), noneJoined(join)]),
    ),
    ...hasNone,
  };
  return {
    ...(ordered.length > 0 && {
      orderKeys: linkedNames(
        Object.fromEntries(ordered.map(([name, link]) => [name, [link.column, kindOf(link)] as const])),
      ),
    }),
    ...(Object.keys(links).length > 0 && { links }),
  };
}

/** Lists the written columns that name other records, with their places in an input. */
function referencesOf(fields: Fields, columns: Columns): Reference[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const column = columns[name];
    if (field.kind !== 'column' || !field.rule || !column || name === 'teamId') return [];
    const to = kindNamed(field, column);
    const [link, { written } = {}] =
      fieldsOf(fields, 'link').find(([, other]) => other.written && other.column === name) ?? [];
    // What callers may name by its natural key, the resource finds.
    if (!to || written === 'named') return [];
    return [{ field: name, to, path: link ? [link, 'id'] : [name] }];
  });
}

/** Search of a list: the columns that are searched, and its description. */
interface Term {
  readonly in: readonly string[];
  /** Columns with licence plates, which are found however they are divided. An index serves each. */
  readonly plates?: readonly string[];
  /** True if the values of custom fields are searched, too. An index serves them. */
  readonly custom?: true;
  readonly description: string;
}

/** A filter member that is not a plain comparison with the column of its name. */
interface FilterMember {
  readonly description: string;
  readonly deprecated?: string;
  /** The column that it compares, if it has another name. */
  readonly column?: string;
  /** Kind of the records whose ids it takes, and their link. By default, a column. */
  readonly by?: readonly [kind: RecordKind, link: Link];
  /** Its type in GraphQL, if it is no column. */
  readonly type?: string;
  /** Its rule, if it does not follow from its type. */
  readonly rule?: z.ZodType;
  /** Returns the condition for a value. Without it, the column equals the value. */
  // biome-ignore lint/suspicious/noExplicitAny: the value is what the rule gives.
  where?(value: any, all: object, session: Session): Condition | Promise<Condition>;
  /** Returns the condition for several ids, beside `where`. Its member has the name in the plural. */
  many?(ids: readonly string[], session: Session): Condition;
}

/** Sentence about custom fields in descriptions of `term`. */
export const customSearched = ' Values of custom fields are searched, too.';

/** Filter member that keeps a term to the record's own texts. */
export const termInCustomFields: FilterMember = {
  type: 'Boolean',
  rule: rules.choice,
  description: 'If false, `term` is not looked for in the values of custom fields. True by default.',
  where: () => ({}),
};

/** Filter of a list, by its members. A text describes one that equals the column of its name. */
type ListFilter = { readonly term: Term } & Readonly<Record<string, string | Term | FilterMember>>;

/** Validation rules of filter values, by their type or that of their column. */
const filterRules: Readonly<Record<string, z.ZodType>> = {
  Boolean: rules.choice,
  Date: rules.date,
  DateTime: rules.date,
  ID: rules.uuid,
  Int: rules.int,
  String: rules.line,
  UUID: rules.uuid,
  '[ID]': z
    .array(rules.requiredUuid)
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish(),
};

/** Returns the facts of a filter's members, by their names. `term` is a text. */
export function membersOf(filter: ListFilter): [string, FilterMember][] {
  return Object.entries(filter).map(([name, member]) => {
    if (typeof member === 'string') return [name, { description: member }];
    if (!('in' in member)) return [name, member];
    const { custom, description } = member;
    return [name, { description: custom ? description + customSearched : description, type: 'String' }];
  });
}

/** Creates the validation rules of a filter. */
function rulesOf(filter: ListFilter, columns: Columns) {
  const members = membersOf(filter).map(([name, { column = name, type, rule }]) => {
    const known = type ?? columns[column]?.type ?? '';
    const words = enumValues(known);
    const derived = rule ?? filterRules[known] ?? (words && z.enum(words).nullish());
    if (!derived) throw new Error(`No rule for the filter's ${name}.`);
    return [name, derived];
  });
  return z.object(Object.fromEntries(members) as Record<string, z.ZodType>) as z.ZodType<{ term?: string }>;
}

/** Escapes `%`, `_` and `\` in a term for `LIKE`. */
const escapeLike = (term: string) => term.replace(/[\\%_]/g, '\\$&');

/** Creates the condition on what links records to some ids. Only records that the caller sees count. */
type Linked = (session: Session, ids: string | readonly string[]) => Condition;

/** Returns the condition of a member that takes other records' ids; undefined otherwise. */
function linkedBy(
  [name, { column = name, by, where }]: readonly [string, FilterMember],
  fields: Fields,
  columns: Columns,
): Linked | undefined {
  const kind = by?.[0] ?? (where ? undefined : kindOfColumn(fields, columns, column));
  if (!kind) return undefined;
  const link = by?.[1] ?? byColumn(column);
  return (session, ids) => linkCondition(link, seenIds(session, kind, ids));
}

/**
 * Creates the function that turns a filter into a condition. A member must equal the column of its name, unless it has a
 * condition of its own, which may use the other members. A member with ids finds only links that the caller sees. One
 * of the searched texts must contain `term`, in any letter case. Members that are missing or empty lists are ignored.
 * @param only condition of all records that a list with the filter has
 */
function whereOf(
  filter: ListFilter,
  rule: ReturnType<typeof rulesOf>,
  fields: Fields,
  columns: Columns,
  only?: (session: Session, filter: Readonly<Record<string, unknown>>) => Condition,
): ListedResource['where'] {
  const members = new Map(membersOf(filter));
  const linked = new Map([...members].map((member) => [member[0], linkedBy(member, fields, columns)]));
  return async (sent, session) => {
    const { term, ...given } = check(rule, sent, ['filter']) as Record<string, unknown> & { term?: string };
    const named = Object.entries(given).filter(
      ([, value]) => value != null && !(Array.isArray(value) && value.length === 0),
    );
    const conditions = await Promise.all(
      named.map(([name, value]): Condition | Promise<Condition> => {
        const { column = name, where } = members.get(name) ?? {};
        const isLinked = linked.get(name);
        if (isLinked) return isLinked(session, value as string | readonly string[]);
        return where ? where(value, given, session) : { [column]: value };
      }),
    );
    if (term) {
      const { in: fields, plates, custom } = filter.term;
      const key = plates && plateKey(term);
      const searched: TermCondition = {
        ...{ fields, term: escapeLike(term) },
        plates: key === undefined ? undefined : { fields: plates ?? [], key },
        custom:
          custom && given.termInCustomFields !== false
            ? escapeLike(JSON.stringify(term).slice(1, -1))
            : undefined,
      };
      conditions.push({ searched });
    }
    return { AND: only ? [only(session, sent as Record<string, unknown>), ...conditions] : conditions };
  };
}

type Several = NonNullable<ListedResource['manyOf']>[string];

/** Returns the members of a filter that take several ids, such as `teamIds` for `teamId`. */
function manyOf(filter: ListFilter, fields: Fields, columns: Columns): Pick<ListedResource, 'manyOf'> {
  const ids = membersOf(filter).flatMap((member) => {
    const [name, { type = '', many }] = member;
    const isLinked = type.startsWith('[') ? undefined : linkedBy(member, fields, columns);
    const several: Several | undefined = many ?? (isLinked && ((ids, session) => isLinked(session, ids)));
    return several ? [[`${name}s`, several] as const] : [];
  });
  return ids.length === 0 ? {} : { manyOf: Object.fromEntries(ids) };
}

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
  /** Right beyond writing that all of its writes ask for. */
  readonly writing?: Right;
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
  'filterRule' | 'where' | 'rows' | 'ranges' | 'links' | 'manyOf' | 'customFields'
>;

/** Facts of any declaration that its lists follow from. */
interface Listed<Model extends ModelName, Fields> extends Doors {
  readonly fields: Fields & FieldsOf<Model, Fields>;
  /** Columns that filters have ranges of. */
  readonly ranges?: readonly (keyof RowOf<Model> & string)[];
  /** Sort keys besides columns and the names of linked records. */
  readonly orderKeys?: ListedResource['orderKeys'];
  /** Lists below its records that it may lack, besides its links. */
  readonly hasNone?: Readonly<Record<string, NoLink>>;
  /** Returns the condition of all records that a list has, given its filter. */
  only?(session: Session, filter: Readonly<Record<string, unknown>>): Condition;
}

/** Declaration of a resource that callers only read. */
interface ListDeclaration<Model extends ModelName, Fields, Row extends Identified>
  extends Listed<Model, Fields>,
    Pick<ListedResource, 'indexed'> {
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
    writing,
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
    ...(writing && { writing }),
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
  const filterRule = rulesOf(filter, columns);
  return {
    ...derived,
    ...(orderKeys && { orderKeys: { ...derived.orderKeys, ...orderKeys } }),
    ...manyOf(filter, fields, columns),
    ...(ranges && {
      ranges: Object.fromEntries(ranges.map((name) => [name, columns[name]?.type as RangeType])),
    }),
    filterRule,
    where: whereOf(filter, filterRule, fields, columns, only),
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
>(model: Model, declaration: ListDeclaration<Model, Fields, Row>): ListedResource<Row> & Declared {
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
