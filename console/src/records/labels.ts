import type { RecordKind } from '../generated/types';
import { hasText, type Key, t } from '../i18n/i18n';
import { labelNames } from './label-names';
import type { FieldSpec } from './record-type';

/** Finds the label of a field by the names that it may have. */
export const keyOf = (kind: RecordKind | undefined, field: string): Key | undefined =>
  labelNames(kind, field)
    .map((name) => `fields.${name}`)
    .find(hasText);

/** Returns the label of a field; undefined if it has none. */
export function labelOf(kind: RecordKind | undefined, field: string): string | undefined {
  const key = keyOf(kind, field);
  return key && t(key);
}

/** Returns the label of a form's field: its own, or that of its name. */
export const labelOfField = <Row>(kind: RecordKind | undefined, { label, name }: FieldSpec<Row>): string =>
  label ? t(label) : (labelOf(kind, name) ?? name);
