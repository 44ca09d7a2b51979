import type { InputFieldMap } from '@pothos/core';
import { enumValues, type ModelColumn } from '../../db/sql/columns.js';
import type { RecordKind } from '../../db/sql/models.js';
import { partsOf } from '../../db/sql/selection.js';
import { kindOf } from '../../domain/models.js';
import type { Right } from '../../domain/roles.js';
import { limits } from '../../domain/rules.js';
import { camelCase, capitalized, pluralOf } from '../../domain/text/names.js';
import type { Declared } from '../../records/declare/declare.js';
import type { ColumnField, ComputedField, Field, PartField } from '../../records/declare/fields.js';
import { membersOf } from '../../records/declare/filter.js';
import { byColumn, byJoin } from '../../records/links.js';
import type { Readable } from '../../records/lists/readable.js';
import { loadBatched } from '../../records/loaders.js';
import type { Resource } from '../../records/resource.js';
import { builder, Node, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { nestHeld } from './held-list.js';
import {
  type Builder,
  fieldsWith,
  inputFields,
  linkedKind,
  toValues,
  typeName,
  typeParameter,
} from './inputs.js';
import { idOf, linkTo } from './links.js';
import { nest } from './nested.js';
import { defineReads, type List } from './reads.js';
import { defineWrites } from './writes.js';

/** A resource that is declared, whether or not callers write it. */
export type DeclaredResource = (Readable | Resource) & Declared;

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
  const { model, fields, order, right, ownership, bounds, about } = resource;
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
    if (field.kind === 'held') {
      const { to, description, orders, owner, rows } = field;
      const parts = owner === undefined ? undefined : partsOf(name, to, owner, orders ?? []);
      nestHeld({ on: typeOf(kind), field: name, description, list: listOf(to), orders, parts, rows });
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
