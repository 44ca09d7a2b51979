import { resources } from '../../generated/resources';
import type { RecordKind } from '../../generated/types';
import { formatNumber, t } from '../../i18n/i18n';
import type { Draft, FieldSpec } from '../record-type';

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
