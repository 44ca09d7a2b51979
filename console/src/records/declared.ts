import { caller, hasTeams } from '../app/session';
import {
  contactOption,
  type Find,
  findCategories,
  findContacts,
  findContactTypes,
  findLocations,
  findPolicies,
  findTags,
  findTeams,
  findUsers,
} from '../data/options';
import { resources } from '../generated/resources';
import type { RecordKind } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { formatNumber, hasText, type Key } from '../i18n/i18n';
import { type Column, type Filter, nameOf } from '../list/declare';
import type { Option } from '../ui/combobox';
import { type CustomValue, draftOf, type Rules, wordsOf } from './form/draft';
import { keyOf } from './labels';
import type { DeclaredField, FieldSpec } from './record-type';

/** A kind of records that the gateway declares. */
export type DeclaredKind = keyof typeof resources & RecordKind;

/** The name of a field that callers write. */
export type FieldName<Kind extends DeclaredKind> = keyof (typeof resources)[Kind]['fields'] & string;

/** Facts about a kind and its lists, as the gateway declares them. */
interface KindFacts {
  readonly filters: Readonly<Record<string, string>>;
  readonly none: readonly string[];
  readonly orders: readonly string[];
  readonly fields: Readonly<Record<string, Rules>>;
}

const factsOf = (kind: DeclaredKind): KindFacts => resources[kind];

const finders: Readonly<Record<string, Find>> = {
  CATEGORY: findCategories,
  CONTACT: findContacts,
  CONTACT_TYPE: findContactTypes,
  LOCATION: findLocations,
  REMINDER_POLICY: findPolicies,
  TAG: findTags,
  TEAM: findTeams,
  USER: findUsers,
};

/** A linked record, as a document selects it. */
type Linked =
  | { readonly id: string; readonly name: string | null; readonly email?: string }
  | null
  | undefined;

/** Returns the option of a linked record. */
const optionOf = ({ id, name, email }: NonNullable<Linked>): Option =>
  email === undefined ? { id, label: name ?? '' } : contactOption({ id, name, email });

/** Returns the option of the record that a row links to. */
function linkedIn<Row>(row: Row, field: string): Option | undefined {
  const linked = (row as Readonly<Record<string, Linked>>)[field.replace(/Id$/, '')];
  return linked ? optionOf(linked) : undefined;
}

/** Lists the options of the records that a row links to. */
const allIn = <Row>(row: Row, field: string): readonly Option[] =>
  ((row as Readonly<Record<string, readonly NonNullable<Linked>[]>>)[field] ?? []).map(optionOf);

/** The addresses that a text may be, by the names of fields. */
const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  mobile: 'tel',
  phone: 'tel',
  website: 'url',
};

/** Returns how a field is filled in, as follows from its type. */
function specOf(kind: RecordKind & DeclaredKind, texts: string, name: string): FieldSpec<unknown> {
  const { type, to, isList, values } = factsOf(kind).fields[name] ?? {};
  const find = to && finders[to];
  if (find && isList) return { type: 'records', name, find, chosen: (row) => allIn(row, name) };
  if (find) {
    const isReference = !name.endsWith('Id');
    const nobody = to === 'USER' || (to === 'CONTACT' && /Contact/.test(name));
    return {
      ...{ type: 'record', name, find, chosen: (row) => linkedIn(row, name) },
      ...(isReference && { isReference }),
      ...(nobody && { empty: 'common.nobody' }),
    };
  }
  if (values) {
    const choices = values.flatMap((value) => {
      const label = `${texts}.${value}`;
      return hasText(label) ? [{ value, label }] : [];
    });
    return { type: 'choice', name, choices };
  }
  // People see what is out of use, not what is in use.
  if (name === 'isActive') return { type: 'check', name, label: 'fields.isArchived', values: [false, true] };
  if (name === 'name') return { type: 'text', name, control: { autoComplete: 'off' } };
  if (name === 'customFields') return { type: 'custom', name };
  switch (type) {
    case 'Boolean':
      return { type: 'check', name };
    case 'Int':
      return { type: 'number', name };
    case 'Float':
      return { type: 'number', name, control: { step: 'any', inputMode: 'decimal' } };
    case 'Date':
      return { type: 'date', name };
    default:
      return { type: 'text', name, ...(inputTypes[name] && { control: { type: inputTypes[name] } }) };
  }
}

/**
 * Completes the fields of a kind from what the gateway declares of them.
 * @param texts the table with the texts of choices
 */
export function fieldsOf<Row, Name extends string>(
  kind: DeclaredKind,
  texts: string,
  fields: readonly DeclaredField<Row, Name>[],
): readonly FieldSpec<Row, Name>[] {
  return fields.map((field) => {
    if (typeof field === 'object' && field.type === 'own') return field;
    const { order, ...own } =
      typeof field === 'string' ? { name: field, order: undefined } : { order: undefined, ...field };
    // What the declaration says comes before what follows from the type.
    const follows = specOf(kind, texts, own.name);
    const inOrder = (value: string) => order?.indexOf(value) ?? 0;
    const choices =
      follows.type === 'choice'
        ? { choices: follows.choices.toSorted((a, b) => inOrder(a.value) - inOrder(b.value)) }
        : {};
    return { ...follows, ...choices, ...own } as unknown as FieldSpec<Row, Name>;
  });
}

/** Returns the column of a field. The list's document fetches its value if the column is shown. */
function columnOf<Row>(kind: DeclaredKind, field: FieldSpec<unknown>): Column<Row> | undefined {
  const { name, type } = field;
  const label = field.label ?? keyOf(kind, name);
  if (!label || type === 'own' || type === 'files') return undefined;
  const word = wordOf(name.replace(/Id$/, ''));
  // The order of ids means nothing to people.
  const words = type === 'record' ? [`${word}_NAME`] : [word, `${word}_NAME`];
  const order = words.find((known) => factsOf(kind).orders.includes(known));
  const valueIn = (row: Row) => (row as Readonly<Record<string, string | number | null>>)[name] ?? '';
  const column = { label, include: name, class: 'roomy', text: valueIn, ...(order && { order }) };
  if (type === 'date') {
    return { ...column, draw: (row) => valueIn(row) && formatDay(String(valueIn(row))) };
  }
  if (type === 'number') {
    const draw = (row: Row) => valueIn(row) !== '' && formatNumber(Number(valueIn(row)));
    return field.isPlain ? column : { ...column, draw };
  }
  const filledIn = (row: Row) => draftOf([field], row)[name];
  const plain = { ...column, text: (row: Row) => wordsOf(field, filledIn(row)) };
  if (type === 'check') return { ...plain, file: (row) => filledIn(row) === true };
  if (type === 'records') {
    return {
      ...plain,
      file: (row) => (filledIn(row) as readonly Option[]).map((one) => one.label).join('; '),
    };
  }
  if (type !== 'custom') return plain;
  const valuesOf = (row: Row) => filledIn(row) as readonly CustomValue[];
  if (field.isNamesOnly)
    return {
      ...plain,
      file: (row) =>
        valuesOf(row)
          .map((one) => one.name)
          .join('; '),
    };
  // As in the gateway's own files, each is a column.
  return {
    ...plain,
    fileColumns: (row) => Object.fromEntries(valuesOf(row).map((one) => [`custom:${one.name}`, one.value])),
  };
}

/**
 * Completes the columns of a kind's list. Fields that it does not name have columns to choose.
 * @param columns names of fields, and columns of what is no field
 */
export function columnsOf<Row, Field extends string>(
  kind: DeclaredKind,
  fields: readonly FieldSpec<never>[],
  columns: readonly (string | Column<Row, Field>)[],
): readonly Column<Row, Field>[] {
  const made = new Map(
    fields.flatMap((field) => {
      const column = columnOf<Row>(kind, field as FieldSpec<unknown>);
      // The names of orders are those of the kind's own enum.
      return column ? [[field.name as string, column as Column<Row, Field>] as const] : [];
    }),
  );
  const shown = columns.flatMap((column, place) => {
    if (typeof column !== 'string') return column;
    const found = made.get(column);
    // A phone has room for the one beside the names.
    return found ? (place === 1 ? { ...found, class: '' } : found) : [];
  });
  const named = new Set(shown.flatMap(({ label, of = [] }) => [label, ...of]));
  const others = [...made].filter(([name, { label }]) => !named.has(label) && !named.has(name));
  return ordered(kind, [...shown, ...others.map(([, column]) => ({ ...column, isOptional: true as const }))]);
}

/** Returns a name as enums of the gateway have it: `LICENSE_PLATE`. */
const wordOf = (name: string) =>
  name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])/g, '_').toUpperCase();

/** Returns the kind of records that a field names; undefined for none. */
export function kindNamedBy(kind: RecordKind | undefined, field: string): RecordKind | undefined {
  if (!kind || !(kind in resources)) return undefined;
  return factsOf(kind as DeclaredKind).fields[field]?.to as RecordKind | undefined;
}

/** A filter of a kind's lists by another record. */
interface RecordFilter {
  /** Its name in the gateway's filter. With an `s`, it takes several. */
  readonly member: string;
  readonly label: Key;
  readonly find: Find;
  /** The kind of the other record. */
  readonly to: string;
}

/** Lists the filters by other records that the lists of a kind have. */
export const recordFilters = (
  kind: DeclaredKind,
  own: Readonly<Record<string, { readonly label?: Key }>> = {},
): readonly RecordFilter[] =>
  Object.entries(factsOf(kind).filters).flatMap(([member, to]) => {
    const [find, label] = [finders[to], own[member]?.label ?? keyOf(kind, member)];
    return find && label ? [{ member, label, find, to }] : [];
  });

/** Converts `name` or `name = value` to a condition about a custom field. */
function customIs(text: string): object | undefined {
  if (text.trim() === '') return {};
  const [name = '', ...rest] = text.split('=');
  const value = rest.join('=').trim();
  // While somebody types the value, all that have the field are shown.
  return name.trim() ? { customFields: [{ name: name.trim(), ...(value && { value }) }] } : undefined;
}

/**
 * Returns the filters by other records and custom fields of a kind's lists.
 * @param own names in the address and labels that do not follow from the filter's name
 */
export function filtersByRecords<Condition>(
  kind: DeclaredKind,
  own: Readonly<Record<string, { readonly name?: string; readonly label?: Key }>> = {},
): readonly Filter<Condition>[] {
  const { none, fields } = factsOf(kind);
  const byCustomField: Filter<Condition> = {
    ...{ type: 'text', name: 'custom', label: 'list.custom_field', hint: 'list.custom_field_hint' },
    where: (text) => customIs(text) as Condition | undefined,
  };
  const byRecords = recordFilters(kind, own).map(({ member, label, find, to }): Filter<Condition> => {
    const name = member.replace(/Id$/, '');
    const isUser = to === 'USER';
    const hasNone = isUser && none.includes(wordOf(name));
    const where = (value: string) => {
      const values = value.split(',').filter(Boolean);
      const ids = values
        .filter((one) => one !== 'none')
        .map((one) => (one === 'me' ? (caller.peek()?.me.id ?? '') : one));
      const parts = [
        ...(ids.length === 1 ? [{ [member]: ids[0] }] : ids.length > 1 ? [{ [`${member}s`]: ids }] : []),
        ...(values.includes('none') ? [{ hasNone: [wordOf(name)] }] : []),
      ];
      // The names are those of the kind's own filter.
      return (parts.length > 1 ? { or: parts } : (parts[0] ?? {})) as Condition;
    };
    return {
      ...{ type: 'record', name: own[member]?.name ?? name, label, find, where, isMany: true },
      ...(hasNone && { none: 'items.nobody' }),
      ...(isUser && { me: 'list.me' }),
      ...(to === 'TEAM' && { isShown: hasTeams }),
    };
  });
  return fields.customFields?.type === 'CustomFieldInput' ? [...byRecords, byCustomField] : byRecords;
}

/** Gives columns the orders that the gateway has for what they show. */
function ordered<Row, Field extends string>(
  kind: DeclaredKind,
  columns: readonly Column<Row, Field>[],
): readonly Column<Row, Field>[] {
  const { orders } = factsOf(kind);
  return columns.map((column) => {
    const word = wordOf(nameOf(column).replace(`${kind}_`, ''));
    const order = [word, `${word}_NAME`].find((known) => orders.includes(known));
    // The names of orders are those of the kind's own enum.
    return column.order || !order ? column : { ...column, order: order as Field };
  });
}
