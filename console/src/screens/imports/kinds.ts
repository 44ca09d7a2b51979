import { imports } from '../../generated/resources';
import type { ImportKind, ImportState } from '../../generated/types';
import { type Key, t } from '../../i18n/i18n';
import { labelOf } from '../../records/labels';

/** Kinds of records that files have, with their lists. */
export const importKinds = {
  ITEMS: { folder: '/items', label: 'items.title' },
  CONTACTS: { folder: '/contacts', label: 'contacts.title' },
  VEHICLES: { folder: '/vehicles', label: 'vehicles.title' },
  LOCATIONS: { folder: '/locations', label: 'locations.title' },
  COMPANIES: { folder: '/companies', label: 'companies.title' },
  TYPES: { folder: '/types', label: 'types.title' },
  WORKSPACE: { folder: '/items', label: 'imports.workspace' },
} as const satisfies Record<ImportKind, { folder: string; label: Key }>;

/** Returns the text for a column. Columns without one are shown by their names. */
export function columnText(kind: ImportKind, column: string): string {
  const label = kind === 'WORKSPACE' ? undefined : labelOf(imports[kind].of, column);
  return label ?? column.replace(/^custom:/, '');
}

/** The columns of a workspace, which is no single file. */
const noColumns = { columns: [], hasCustomFields: false };

/** Lists the columns to choose from for a header. `chosen` is always among them. */
export function columnChoices(kind: ImportKind, header: string, chosen: string) {
  const custom = chosen.startsWith('custom:') ? chosen : `custom:${header.trim()}`;
  const { columns, hasCustomFields } = kind === 'WORKSPACE' ? noColumns : imports[kind];
  const known = columns.map((value) => ({ value, label: columnText(kind, value) }));
  const isOther = chosen !== '' && chosen !== custom && !known.some(({ value }) => value === chosen);
  return [
    { value: '', label: t('imports.leave_out') },
    ...known,
    ...(isOther ? [{ value: chosen, label: chosen }] : []),
    ...(hasCustomFields ? [{ value: custom, label: t('imports.custom') }] : []),
  ];
}

/** Returns whether a worker has an import in hand. */
export const isWorking = (state: ImportState): boolean => state === 'READING' || state === 'RUNNING';
