import { resources } from '../../generated/resources';
import type { RecordKind } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import type { Option } from '../../ui/combobox';
import { choiceText, type Draft, type FieldSpec, type Input } from '../record-type';

/** A custom field as it is filled in. */
export interface CustomValue {
  readonly id?: string;
  readonly name: string;
  readonly value: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Prefix of an option's id that stands for a record to be created. */
export const newPrefix = 'new:';

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
    case 'records':
      return row === undefined ? [] : field.chosen(row);
    case 'files':
      return [];
    case 'choices':
      return value ?? [];
    case 'time':
      return textOf(value).slice(0, 'HH:mm'.length);
    case 'check':
      return value === (field.values?.[0] ?? true);
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
    case 'choices':
      return value;
    case 'password':
      return value || null;
    case 'records':
      return (value as readonly Option[]).map((option) => {
        const { id, label } = option;
        if (id.startsWith(newPrefix)) return { name: label };
        return field.sent ? field.sent(option) : { id };
      });
    case 'files':
      return (value as readonly File[]).length > 0 ? value : null;
    case 'check':
      return (field.values ?? [true, false])[value ? 0 : 1];
    case 'custom':
      return (value as readonly CustomValue[])
        .filter(({ name, value: own }) => (!field.isValuesOnly && name.trim()) || own.trim())
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
  if (field.type === 'choices') {
    const chosen = field.choices.filter((choice) => (value as readonly string[]).includes(choice.value));
    return chosen.map(choiceText).join(', ');
  }
  if (field.type === 'check') return value ? '✓' : '–';
  if (field.type === 'date') return value ? formatDay(String(value)) : '';
  if (field.type === 'records') return (value as readonly Option[]).map(({ label }) => label).join(', ');
  if (field.type === 'custom') {
    const filled = (value as readonly CustomValue[]).filter(({ value: own }) => field.isNamesOnly || own);
    return filled.map(({ name, value: own }) => (field.isNamesOnly ? name : `${name}: ${own}`)).join(', ');
  }
  if (typeof value === 'object' && value !== null) return (value as Option).label;
  return textOf(value);
}

/** Rules that the gateway declares of a field, and which records it names. */
export interface Rules {
  readonly to?: string;
  /** Its type in the gateway's schema. Text, if left out. */
  readonly type?: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
  readonly isList?: boolean;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/** Returns the rules of a field, as the gateway and the form declare them. */
export function rulesOf<Row>(kind: RecordKind | undefined, field: FieldSpec<Row>): Rules {
  const declared: Readonly<Record<string, { readonly fields: Readonly<Record<string, Rules>> }>> = resources;
  const own = 'control' in field ? field.control : undefined;
  return {
    ...declared[kind ?? '']?.fields[field.name],
    ...(own?.required === true && { required: true }),
    ...(typeof own?.maxLength === 'number' && { maxLength: own.maxLength }),
    ...(field.type === 'number' && own?.min !== undefined && { minimum: Number(own.min) }),
    ...(field.type === 'number' && own?.max !== undefined && { maximum: Number(own.max) }),
  };
}

/** Returns what is wrong with a value; undefined if the rules allow it. */
function wrongValue(value: unknown, isNumber: boolean, rules: Rules): string | undefined {
  const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '');
  if (isEmpty) return rules.required ? t('fault.rule_required') : undefined;
  if (typeof value !== 'string') return undefined;
  const { maxLength = Number.POSITIVE_INFINITY, minimum, maximum } = rules;
  // Characters are code points, as the gateway counts them.
  if ([...value.trim()].length > maxLength) return t('fault.rule_at_most', { n: maxLength });
  const number = Number(value);
  if (!isNumber || minimum === undefined || maximum === undefined) return undefined;
  if (number >= minimum && number <= maximum) return undefined;
  return t('fault.rule_between', { least: formatNumber(minimum), most: formatNumber(maximum) });
}

/** Lists what is wrong in a form, by field. Values that were there before are the gateway's to judge. */
export function wrongIn<Row>(
  kind: RecordKind | undefined,
  fields: readonly FieldSpec<Row>[],
  before: Draft | undefined,
  draft: Draft,
): ReadonlyMap<string, string> {
  const changed = fields.filter(
    ({ name }) => !before || JSON.stringify(before[name]) !== JSON.stringify(draft[name]),
  );
  return new Map(
    changed.flatMap((field) => {
      const wrong = wrongValue(draft[field.name], field.type === 'number', rulesOf(kind, field));
      return wrong === undefined ? [] : [[field.name, wrong] as const];
    }),
  );
}
