import type { ListKind } from '../../imports/options.js';
import type { RecordBase } from '../../records/resource.js';
import { fieldName } from '../../web/parameters.js';
import { listSeparator } from '../columns.js';
import type { ParsedRow } from './read-rows.js';

/** A record that exists, with the ids of what it links to. */
export type Row = RecordBase & Readonly<Record<string, unknown>>;

/** A custom field as it is stored. */
export interface StoredField {
  readonly id: string;
  readonly name: string | null;
  readonly value: string | null;
}

/** Sets custom fields by name, and keeps the others. An empty cell adds no field. */
export function withCustom(
  stored: readonly StoredField[],
  custom: ReadonlyMap<string, string>,
): readonly object[] {
  const fields: object[] = [...stored];
  for (const [name, value] of custom) {
    const at = stored.findIndex((field) => field.name === name);
    if (at === -1) {
      if (value !== '') fields.push({ name, value });
    } else if ((stored[at]?.value ?? '') !== value) {
      fields[at] = { ...stored[at], value: value === '' ? null : value };
    }
  }
  return fields;
}

/** Lists of linked records in items, with their columns and the keys in cells. */
export const linkLists = [
  { column: 'contacts', field: 'contactIds', model: 'Contact', key: 'email' },
  { column: 'locations', field: 'locationIds', model: 'Location', key: 'name' },
  { column: 'tags', field: 'tagIds', model: 'Tag', key: 'name' },
] as const;

/** Returns whether a cell says what the record has already. */
export function isKept(
  kind: ListKind,
  record: Row,
  column: string,
  value: unknown,
  { cells }: ParsedRow,
  names: ReadonlyMap<string, string>,
): boolean {
  const list = linkLists.find((known) => known.column === column && kind === 'ITEMS');
  if (list) {
    const shown = (record[list.field] as string[]).map((id) => names.get(id) ?? id).join(listSeparator);
    return shown === cells.get(column)?.trim();
  }
  if (column === 'custom_fields' && kind === 'TYPES') {
    const stored = record.customFields as readonly { readonly name: string | null }[];
    return (
      stored.map(({ name }) => (name ?? '').replaceAll(';', ',')).join(listSeparator) === cells.get(column)
    );
  }
  if (value !== null) return false;
  const field = column === 'assigned_to' ? 'assignedToId' : fieldName(column);
  const had = record[field];
  return had === null || had === undefined || (typeof had === 'string' && had.trim() === '');
}
