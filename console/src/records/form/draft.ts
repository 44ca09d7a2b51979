import type { Option } from '../../ui/combobox';
import { choiceText, type FieldSpec, type Input } from '../record-type';

/** A custom field as it is filled in. */
export interface CustomValue {
  readonly id?: string;
  readonly name: string;
  readonly value: string;
}

/** Values of a form as they are filled in, by the names of its fields. */
export type Draft = Readonly<Record<string, unknown>>;

type Values = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

function filledIn<Row>(field: FieldSpec<Row>, row: Row | undefined): unknown {
  const value = (row as Values | undefined)?.[field.name];
  switch (field.type) {
    case 'record':
      return row === undefined ? undefined : field.chosen(row);
    case 'own':
      return field.read(row);
    case 'choice':
      return textOf(value) || (field.isNeeded ? (field.choices[0]?.value ?? '') : '');
    case 'check':
      return field.isTurned ? value === false : value === true;
    case 'custom':
      return ((value ?? []) as readonly { id: string; name: string | null; value?: string | null }[]).map(
        (own): CustomValue => ({ id: own.id, name: own.name ?? '', value: own.value ?? '' }),
      );
    default:
      return textOf(value);
  }
}

/** Fills a form with a record's values, or with none for a new one. */
export const draftOf = <Row>(fields: readonly FieldSpec<Row>[], row: Row | undefined): Draft =>
  Object.fromEntries(fields.map((field) => [field.name, filledIn(field, row)]));

function inputValue<Row>(field: FieldSpec<Row>, value: unknown): unknown {
  switch (field.type) {
    case 'record': {
      const id = (value as Option | undefined)?.id;
      return id === undefined ? null : field.isReference ? { id } : id;
    }
    case 'own':
      return field.send(value);
    case 'check':
      return field.isTurned ? !value : Boolean(value);
    case 'custom':
      return (value as readonly CustomValue[])
        .filter(({ name, value: own }) => name.trim() || own.trim())
        .map(({ id, name, value: own }) => ({
          ...(id && { id }),
          name: name.trim(),
          ...(!field.isNamesOnly && { value: own.trim() || null }),
        }));
    case 'number':
      return textOf(value).trim() === '' ? null : Number(value);
    default:
      return textOf(value).trim() || null;
  }
}

/** Creates the input with the values that differ from the earlier ones. Without those, it has all values. */
export function changesOf<Row>(
  fields: readonly FieldSpec<Row>[],
  before: Draft | undefined,
  draft: Draft,
): Input {
  const entries = fields
    .map((field) => ({
      name: field.name,
      old: before && inputValue(field, before[field.name]),
      now: inputValue(field, draft[field.name]),
    }))
    .filter(({ old, now }) => (before ? JSON.stringify(old) !== JSON.stringify(now) : now !== null))
    .map(({ name, now }) => [name, now]);
  return Object.fromEntries(entries);
}

/** Merges somebody's input into the current values of the record. */
export const mergedDraft = (before: Draft, mine: Draft, theirs: Draft): Draft =>
  Object.fromEntries(
    Object.entries(mine).map(([name, value]) => {
      const isMine = JSON.stringify(value) !== JSON.stringify(before[name]);
      return [name, isMine ? value : theirs[name]];
    }),
  );

/** Formats a form's value, to show what somebody else has entered. */
export function wordsOf<Row>(field: FieldSpec<Row>, value: unknown): string {
  if (field.type === 'own') return field.words(value);
  if (field.type === 'choice') {
    const choice = field.choices.find((one) => one.value === value);
    return choice ? choiceText(choice) : textOf(value);
  }
  if (Array.isArray(value))
    return (value as readonly CustomValue[]).map(({ name, value: own }) => `${name}: ${own}`).join(', ');
  if (typeof value === 'object' && value !== null) return (value as Option).label;
  return typeof value === 'boolean' ? (value ? '✓' : '–') : textOf(value);
}
