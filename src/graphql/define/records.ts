import type { InputFieldMap } from '@pothos/core';
import { enumValues, type ModelColumn } from '../../db/sql/conditions.js';
import { modelName } from '../../db/sql/models.js';
import { partsOf, pointer } from '../../db/sql/tree.js';
import type { Right } from '../../domain/caller.js';
import { badField } from '../../domain/errors.js';
import { kindOf, type RecordKind } from '../../domain/models.js';
import { limits } from '../../domain/rules.js';
import { camelCase, capitalized, pluralOf } from '../../domain/text/names.js';
import { type Declared, kindNamed, membersOf } from '../../records/declare/declare.js';
import type { ColumnField, ComputedField, Field, PartField } from '../../records/declare/fields.js';
import { byColumn, byJoin } from '../../records/links.js';
import { loadBatched, loadJoined } from '../../records/loaders.js';
import type { ListedResource, Resource } from '../../records/resource.js';
import { builder, graphqlOnly, Node, requiredInGraphql, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { nest, nestContained } from './nested.js';
import { defineReads, type List } from './reads.js';
import { defineWrites } from './writes.js';

/** Returns the type of a column's values in GraphQL, by its name. */
function typeName(name: string, field: Field | undefined, column: ModelColumn): string {
  const own = field?.kind === 'column' ? field : undefined;
  if (own?.type) return own.type;
  if (column.list) return `[${column.type}]`;
  return column.type === 'UUID' && (name === 'id' || own?.to || column.to) ? 'ID' : column.type;
}

/** Returns a type as Pothos takes it: a list's is in brackets. */
const typeParameter = (name: string) => (name.startsWith('[') ? [name.slice(1, -1)] : name);

// Pothos compares its options with the model; here the declaration was compared with it (`declareResource`).
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Builder = any;

/** Finds the kind of records that a column leads to. */
function linkedKind({ fields, columns }: Declared, column: string): RecordKind {
  const kind = kindNamed(fields[column] as ColumnField, columns[column] as ModelColumn);
  if (!kind) throw new Error(`${column} names no record.`);
  return kind;
}

/** Makes fields of a type of those of a resource. What gives nothing is left out. */
const fieldsWith = <Made>({ fields }: Declared, make: (name: string, field: Field) => Made | undefined) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const made = make(name, field);
      return made ? [[name, made] as const] : [];
    }),
  );

/** Returns the type of an input. One of our own has the name of what is shown, and `Input`. */
const inputParameter = (name: string, isOwn: boolean) =>
  typeParameter(isOwn && name !== 'JSON' ? name.replace(/\w+/, '$&Input') : name);

/** Returns the fields of an input. They are those with a rule, written links, and words for numbers. */
function inputFields(resource: Declared, t: Builder, whole: boolean): InputFieldMap {
  const take = (name: string, field: Field): object | undefined => {
    if (field.kind === 'link')
      return field.written && { type: `${modelName(linkedKind(resource, field.column))}Reference` };
    if (field.kind === 'links') return { type: [`${modelName(field.join.kind)}Reference`] };
    if (field.kind === 'contained')
      return 'rule' in field ? { type: [`${modelName(field.to)}Input`] } : undefined;
    if (field.kind === 'computed') return field.words ? { type: field.type, ...graphqlOnly } : field.input;
    if (field.kind === 'part') return { type: [`${field.type}Input`] };
    if (field.kind === 'special')
      return 'rule' in field
        ? { type: typeParameter(field.input), description: field.sent, ...graphqlOnly }
        : undefined;
    if (field.kind !== 'column' || !field.rule || field.door === 'hidden') return undefined;
    const { sent = field.description, deprecated, rule, door, required } = field;
    const column = resource.columns[name] as ModelColumn;
    return {
      type: inputParameter(typeName(name, field, column), column.type === 'Json'),
      required: whole && (required !== undefined || !rule.safeParse(undefined).success),
      ...(sent && { description: sent }),
      ...(deprecated?.sent && { deprecationReason: deprecated.sent }),
      ...(door === 'graphql' && graphqlOnly),
      ...(required === 'graphql' && requiredInGraphql),
    };
  };
  return fieldsWith(resource, (name, field) => {
    const options = take(name, field);
    return options && t.field(options);
  });
}

/** Makes the values of a record from an input. Words become numbers, and named records their ids. */
export function toValues({ fields, fromInput }: Declared) {
  return (sent: object): object => {
    const values: Record<string, unknown> = { ...(fromInput?.(sent) ?? sent) };
    for (const [name, field] of Object.entries(fields)) {
      const value = values[name];
      const isId = field.kind === 'link' && field.written === true;
      if (!isId && !(field.kind === 'computed' && field.words)) continue;
      delete values[name];
      if (value === undefined) continue;
      const column = field.kind === 'link' ? field.column : (field.from[0] as string);
      const given = field.kind === 'link' ? ((value as { id?: string } | null)?.id ?? null) : value;
      if (field.kind === 'computed' && values[column] !== undefined && values[column] !== given)
        throw badField([name], `is another one than ${column}`);
      values[column] = given;
    }
    return values;
  };
}

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
function idOf<Kind extends RecordKind, Column extends string>(
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

/** A resource that is declared, whether or not callers write it. */
export type DeclaredResource = (ListedResource | Resource) & Declared;

/** A row of any model. */
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns the options of a field that asks for a further right. */
const guarded = ({ right }: { readonly right?: Right | undefined }) =>
  right && { authScopes: { [right]: true } };

/** Tells if a rule takes texts of the longest kind. What shows them weighs more. */
const isLong = ({ rule }: ColumnField) =>
  [limits.line + 1, limits.text].every((length) => rule?.safeParse('x'.repeat(length)).success === true);

function showColumn(t: Builder, name: string, field: ColumnField, column: ModelColumn) {
  const { description, deprecated } = field;
  const options = {
    ...guarded(field),
    type: typeParameter(typeName(name, field, column)),
    nullable: column.nullable === true,
    ...(description && { description }),
    ...(deprecated && { deprecationReason: deprecated.shown }),
  };
  // What is in a JSON column is let into it by its rule alone.
  if (column.type === 'Json')
    return t.field({ ...options, ...needs({ fields: [name] }), resolve: (row: Row) => row[name] });
  return t.expose(name, {
    ...options,
    ...(column.type === 'String' && (field.long || isLong(field)) && weighing(limits.text)),
  });
}

function showPart(t: Builder, name: string, { type, description, load }: PartField) {
  return t.field({
    type: [type],
    description,
    ...needs({}),
    resolve: (row: Row, _args: object, { session }: Context) =>
      row[name] ?? loadBatched(session, load, row.id),
  });
}

function showComputed(t: Builder, field: ComputedField) {
  const { type, description, from, joins, long, deprecated, input, resolve } = field;
  const { extensions } = needs({ fields: from, ...(joins && { joins }) });
  return t.field({
    ...guarded(field),
    type: typeParameter(type.replace(/!$/, '')),
    nullable: !type.endsWith('!'),
    description,
    ...(deprecated && { deprecationReason: deprecated }),
    extensions: {
      ...extensions,
      ...(long && weighing(limits.text).extensions),
      ...(input && { follows: true }),
    },
    resolve: (row: Row, _args: object, { session }: Context) => resolve(row, session),
  });
}

/** Returns the fields that show a record. Its file in `graphql/types` adds the special ones. */
function shownFields(resource: DeclaredResource, t: Builder) {
  const show = (name: string, field: Field) => {
    if (field.door === 'hidden') return undefined;
    switch (field.kind) {
      case 'column':
        return showColumn(t, name, field, resource.columns[name] as ModelColumn);
      case 'id':
        return t.id({
          ...idOf(linkedKind(resource, field.column), field.column, field.description),
          ...guarded(field),
        });
      case 'link':
        return t.field({
          ...linkTo(linkedKind(resource, field.column), field.column, field.description),
          ...guarded(field),
        });
      case 'links':
        return t.field({
          type: [typeOf(field.join.kind)],
          description: field.description,
          ...needs({ shows: field.join }),
          resolve: (row: Row, _args: object, { session }: Context) => field.load(session, row),
        });
      case 'part':
        return showPart(t, name, field);
      case 'computed':
        return showComputed(t, field);
      default:
        return undefined;
    }
  };
  return fieldsWith(resource, show);
}

/** Defines the enums of a resource. They are those of its columns, and words that stand for numbers. */
function defineEnums({ fields, columns }: Declared): void {
  const define = (name: string, about: string | undefined, values: [string, object][]) =>
    builder.enumType(name, { ...(about && { description: about }), values: Object.fromEntries(values) });
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'computed' && field.words) {
      const values = Object.entries(field.words).map(([word, value]): [string, object] => [
        word,
        { value, description: `Its number is ${value}.` },
      ]);
      define(field.type, field.about, values);
    } else if (field.kind === 'column' && field.enum) {
      const { about, values } = field.enum;
      const type = columns[name]?.type ?? '';
      const described = (enumValues(type) ?? []).map((word): [string, object] => {
        if (!values[word]) throw new Error(`Nothing describes ${word} of ${type}.`);
        return [word, { description: values[word] }];
      });
      define(type, about, described);
    }
  }
}

/** Defines the input of a list's filter. */
function defineFilter({ model, listName, noun, filter, columns, fields }: DeclaredResource) {
  return builder.inputRef<object>(`${listName ? capitalized(listName) : model}Filter`).implement({
    description: `Filters a list of ${pluralOf(noun)}.`,
    fields: (t: Builder) => {
      const members = membersOf(filter).map(([name, { column = name, description, type, deprecated }]) => {
        const stored = columns[column];
        const known = type ?? (stored && typeName(column, fields[column], stored)) ?? '';
        const options = {
          type: typeParameter(known),
          description,
          ...(deprecated && { deprecationReason: deprecated }),
        };
        return [name, t.field(options)];
      });
      return Object.fromEntries(members) as InputFieldMap;
    },
  });
}

const lists = new Map<RecordKind, List>();

/** Returns the list of a kind of records. Other types nest it. */
export function listOf(kind: RecordKind): List {
  const list = lists.get(kind);
  if (!list) throw new Error(`There is no list of the kind ${kind}.`);
  return list;
}

/** Defines the GraphQL type, inputs, filter, order, queries and mutations of a resource. */
export function defineRecords(resource: DeclaredResource): void {
  const { model, fields, order, right, ownership, writing, bounds, about } = resource;
  const kind = kindOf(model) as RecordKind;
  const type = typeOf(kind);
  defineEnums(resource);
  builder.prismaObject(model as 'Vehicle', {
    interfaces: [Node],
    ...(about && { description: about }),
    ...(bounds && { extensions: { rules: bounds } }),
    fields: (t) => shownFields(resource, t),
  });
  if ('rules' in resource) {
    defineWrites({
      type,
      resource,
      ...(ownership && { ownership }),
      ...(writing && { writing }),
      required: ({ isContract }) =>
        Object.keys(fields).filter((name) => {
          const { required } = fields[name] as ColumnField;
          return required === true || (required === 'graphql' && !isContract);
        }),
      inputFields: (t, whole) => inputFields(resource, t, whole),
      toValues: toValues(resource),
    });
  }
  const names = [kind, resource.listName ?? camelCase(resource.list)] as const;
  const filter = defineFilter(resource);
  lists.set(kind, defineReads({ type, resource, names, filter, order, ...(right && { right }) }));
}

/** Defines the lists that records have. They hold the rows themselves, or other records lead to them. */
export function defineLists(resource: DeclaredResource): void {
  const { model, fields } = resource;
  const kind = kindOf(model) as RecordKind;
  const list = { ...listOf(kind), kind };
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'contained') {
      const { to, description, orders, owner, rows } = field;
      const parts = owner === undefined ? undefined : partsOf(name, to, owner, orders ?? []);
      nestContained({ on: typeOf(kind), field: name, description, list: listOf(to), orders, parts, rows });
    } else if ((field.kind === 'link' || field.kind === 'links') && field.list) {
      const isOne = field.kind === 'link';
      nest({
        on: typeOf(isOne ? linkedKind(resource, field.column) : field.join.kind),
        field: field.listName ?? camelCase(resource.list),
        description: field.list,
        link: field.listBy ?? (isOne ? byColumn(field.column) : byJoin(field.join)),
        list,
      });
    }
  }
}
