import type { InputFieldMap } from '@pothos/core';
import type { ModelColumn } from '../../db/sql/columns.js';
import { modelName, type RecordKind } from '../../db/sql/models.js';
import { badField } from '../../domain/errors.js';
import type { Declared } from '../../records/declare/declare.js';
import type { ColumnField, Field } from '../../records/declare/fields.js';
import { kindNamed } from '../../records/declare/links.js';
import { graphqlOnly, requiredInGraphql } from '../builder.js';

/** Returns the type of a column's values in GraphQL, by its name. */
export function typeName(name: string, field: Field | undefined, column: ModelColumn): string {
  const own = field?.kind === 'column' ? field : undefined;
  if (own?.type) return own.type;
  if (column.list) return `[${column.type}]`;
  return column.type === 'UUID' && (name === 'id' || own?.to || column.to) ? 'ID' : column.type;
}

/** Returns a type as Pothos takes it: a list's is in brackets. */
export const typeParameter = (name: string) => (name.startsWith('[') ? [name.slice(1, -1)] : name);

// Pothos compares its options with the model; here the declaration was compared with it (`declareResource`).
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Builder = any;

/** Finds the kind of records that a column leads to. */
export function linkedKind({ fields, columns }: Declared, column: string): RecordKind {
  const kind = kindNamed(fields[column] as ColumnField, columns[column] as ModelColumn);
  if (!kind) throw new Error(`${column} names no record.`);
  return kind;
}

/** Makes fields of a type of those of a resource. What gives nothing is left out. */
export const fieldsWith = <Made>(
  { fields }: Declared,
  make: (name: string, field: Field) => Made | undefined,
) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const made = make(name, field);
      return made ? [[name, made] as const] : [];
    }),
  );

/** Returns the type of an input. One of our own has the name of what is shown, and `Input`. */
const inputParameter = (name: string, isOwn: boolean) =>
  typeParameter(isOwn ? name.replace(/\w+/, '$&Input') : name);

/** Returns the fields of an input. They are those with a rule, written links, and words for numbers. */
export function inputFields(resource: Declared, t: Builder, whole: boolean): InputFieldMap {
  const take = (name: string, field: Field): object | undefined => {
    if (field.kind === 'link')
      return field.written && { type: `${modelName(linkedKind(resource, field.column))}Reference` };
    if (field.kind === 'links') return { type: [`${modelName(field.join.kind)}Reference`] };
    if (field.kind === 'held') return 'rule' in field ? { type: [`${modelName(field.to)}Input`] } : undefined;
    if (field.kind === 'computed') return field.words ? { type: field.type, ...graphqlOnly } : field.input;
    if (field.kind === 'part') return { type: [`${field.type}Input`] };
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
