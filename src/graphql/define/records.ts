import type { InputFieldMap } from '@pothos/core';
import type { ModelColumn } from '../../db/sql/columns.js';
import type { RecordKind } from '../../db/sql/models.js';
import { badField } from '../../domain/errors.js';
import { kindOf } from '../../domain/models.js';
import { limits } from '../../domain/rules.js';
import { camelCase, pluralOf } from '../../domain/text/names.js';
import type { Declared } from '../../records/declare/declare.js';
import type {
  ColumnField,
  ComputedField,
  Field,
  LinkField,
  PartField,
} from '../../records/declare/fields.js';
import { kindNamed } from '../../records/declare/links.js';
import { byColumn } from '../../records/links.js';
import type { Readable } from '../../records/lists/readable.js';
import { loadBatched } from '../../records/loaders.js';
import type { Resource } from '../../records/resource.js';
import { builder, graphqlOnly, Node, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { linkTo } from './links.js';
import { nest } from './nested.js';
import { defineReads, type List } from './reads.js';
import { defineWrites } from './writes.js';

/** A resource that is declared, whether or not callers write it. */
export type DeclaredResource = (Readable | Resource) & Declared;

/** A row of any model. */
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns the type of a column's values in GraphQL, by its name. */
function typeName(name: string, field: ColumnField, column: ModelColumn): string {
  if (field.type) return field.type;
  if (column.list) return `[${column.type}]`;
  return column.type === 'UUID' && (name === 'id' || kindNamed(field, column)) ? 'ID' : column.type;
}

/** Returns a type as Pothos takes it: a list's is in brackets. */
const typeParameter = (name: string) => (name.startsWith('[') ? [name.slice(1, -1)] : name);

/** Returns the type of an input. One of our own has the name of what is shown, and `Input`. */
const inputParameter = (name: string, isOwn: boolean) =>
  typeParameter(isOwn ? name.replace(/\w+/, '$&Input') : name);

/** Tells if a rule takes texts of the longest kind. What shows them weighs more. */
const isLong = ({ rule }: ColumnField) =>
  [limits.line + 1, limits.text].every((length) => rule?.safeParse('x'.repeat(length)).success === true);

// Pothos compares its options with the model; here the declaration was compared with it (`declareResource`).
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Builder = any;

function showColumn(t: Builder, name: string, field: ColumnField, column: ModelColumn) {
  const { description, deprecated } = field;
  const options = {
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
    ...(column.type === 'String' && isLong(field) && weighing(limits.text)),
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

function showComputed(t: Builder, { type, description, from, resolve }: ComputedField) {
  return t.field({ type, nullable: true, description, ...needs({ fields: from }), resolve });
}

/** Finds the kind of records that a link leads to. */
function linkedKind({ fields, columns }: Declared, { column }: LinkField): RecordKind {
  const kind = kindNamed(fields[column] as ColumnField, columns[column] as ModelColumn);
  if (!kind) throw new Error(`${column} names no record.`);
  return kind;
}

/** Returns the fields that show a record. Its file in `graphql/types` adds the special ones. */
function shownFields(resource: DeclaredResource, t: Builder) {
  const show = (name: string, field: Field) => {
    if (field.door === 'hidden' || field.kind === 'special') return [];
    if (field.kind === 'column') return [showColumn(t, name, field, resource.columns[name] as ModelColumn)];
    if (field.kind === 'part') return [showPart(t, name, field)];
    if (field.kind === 'computed') return [showComputed(t, field)];
    return [t.field(linkTo(linkedKind(resource, field), field.column, field.description))];
  };
  return Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, field]) => show(name, field).map((made) => [name, made])),
  );
}

/** Returns the fields of an input. They are those with a rule, written links, and words for numbers. */
function inputFields({ fields, columns }: Declared, t: Builder, whole: boolean): InputFieldMap {
  const take = (name: string, field: Field): object | undefined => {
    if (field.kind === 'link') return field.written && { type: 'UserReference' };
    if (field.kind === 'computed') return field.words && { type: field.type, ...graphqlOnly };
    if (field.kind === 'part') return { type: [`${field.type}Input`] };
    if (field.kind !== 'column' || !field.rule || field.door === 'hidden') return undefined;
    const { sent = field.description, deprecated, rule, door } = field;
    const column = columns[name] as ModelColumn;
    return {
      type: inputParameter(typeName(name, field, column), column.type === 'Json'),
      required: whole && !rule.safeParse(undefined).success,
      ...(sent && { description: sent }),
      ...(deprecated && { deprecationReason: deprecated.sent }),
      ...(door === 'graphql' && graphqlOnly),
    };
  };
  const taken = Object.entries(fields).flatMap(([name, field]) => {
    const options = take(name, field);
    return options ? [[name, t.field(options)] as const] : [];
  });
  return Object.fromEntries(taken);
}

/** Makes the values of a record from an input. Words become numbers, and named records their ids. */
function toValues({ fields, fromInput }: Declared) {
  return (sent: object): object => {
    const values: Record<string, unknown> = { ...(fromInput?.(sent) ?? sent) };
    for (const [name, field] of Object.entries(fields)) {
      const value = values[name];
      if (field.kind !== 'link' && !(field.kind === 'computed' && field.words)) continue;
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

/** Defines the enums of words that stand for numbers. */
function defineWords({ fields }: Declared): void {
  for (const field of Object.values(fields)) {
    if (field.kind !== 'computed' || !field.words) continue;
    const values = Object.entries(field.words).map(([word, value]) => [
      word,
      { value, description: `Its number is ${value}.` },
    ]);
    builder.enumType(field.type, {
      ...(field.about && { description: field.about }),
      values: Object.fromEntries(values),
    });
  }
}

/** Defines the input of a list's filter. */
function defineFilter({ model, noun, filter, columns, fields }: DeclaredResource) {
  return builder.inputRef<object>(`${model}Filter`).implement({
    description: `Filters a list of ${pluralOf(noun)}.`,
    fields: (t: Builder) => {
      const members = Object.entries(filter).map(([name, member]) => {
        const { description, type, deprecated } =
          typeof member === 'string'
            ? { description: member }
            : ({ ...member } as { description: string; type?: string; deprecated?: string });
        const column = columns[name];
        const known = column && typeName(name, fields[name] as ColumnField, column);
        const options = {
          type: typeParameter(type ?? known ?? 'String'),
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
  const { model, fields, order, ownership } = resource;
  const kind = kindOf(model) as RecordKind;
  const type = typeOf(kind);
  defineWords(resource);
  builder.prismaObject(model as 'Vehicle', {
    interfaces: [Node],
    fields: (t) => shownFields(resource, t),
  });
  if ('rules' in resource) {
    defineWrites({
      type,
      resource,
      ...(ownership && { ownership }),
      inputFields: (t, whole) => inputFields(resource, t, whole),
      toValues: toValues(resource),
    });
  }
  const plural = camelCase(resource.list);
  const list = defineReads({ type, resource, names: [kind, plural], filter: defineFilter(resource), order });
  lists.set(kind, list);
  for (const field of Object.values(fields)) {
    if (field.kind !== 'link' || !field.list) continue;
    nest({
      on: typeOf(linkedKind(resource, field)),
      field: field.listName ?? plural,
      description: field.list,
      link: byColumn(field.column),
      list: { ...list, kind },
    });
  }
}
