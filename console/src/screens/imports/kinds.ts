import type { ImportKind, ImportState } from '../../generated/types';
import { type Key, t } from '../../i18n/i18n';

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

/** Columns that people may choose, by the kind of records, with their texts. */
const columns: Readonly<Record<ImportKind, Readonly<Record<string, Key>>>> = {
  ITEMS: {
    name: 'common.name',
    expiration_date: 'items.expires',
    category_name: 'items.type',
    details: 'item.details',
    contact_email: 'item.main_contact',
    contacts: 'item.contacts',
    locations: 'item.locations',
    tags: 'item.tags',
    assigned_to: 'items.assigned',
    is_active: 'items.in_use',
    team_id: 'items.team',
  },
  CONTACTS: {
    name: 'common.name',
    email: 'records.email',
    phone: 'records.phone',
    mobile: 'records.mobile',
    timezone: 'records.timezone',
    assigned_to: 'records.assigned',
    is_active: 'items.in_use',
    team_id: 'items.team',
  },
  VEHICLES: {
    name: 'common.name',
    license_plate: 'vehicles.plate',
    vin: 'vehicles.vin',
    make: 'vehicles.make',
    model: 'vehicles.model',
    trim: 'vehicles.trim',
    year: 'vehicles.year',
    color: 'vehicles.color',
    body_type: 'vehicles.body',
    primary_meter_reading: 'vehicles.meter',
    msrp: 'vehicles.price',
    assigned_to: 'records.assigned',
    team_id: 'items.team',
  },
  LOCATIONS: { name: 'common.name', path: 'locations.lies_in', team_id: 'items.team' },
  COMPANIES: {
    name: 'common.name',
    doing_business_as: 'companies.trade_name',
    website: 'companies.website',
    phone: 'records.phone',
    address_line_1: 'companies.address',
    city: 'records.city',
    province: 'companies.province',
    postal_code: 'companies.postal_code',
    tax_id: 'companies.tax_id',
    team_id: 'items.team',
  },
  TYPES: { name: 'common.name', custom_fields: 'types.fields', team_id: 'items.team' },
  WORKSPACE: {},
};

/** Kinds whose records have custom fields. */
const withCustom: readonly ImportKind[] = ['ITEMS', 'CONTACTS', 'VEHICLES'];

/** Returns the text for a column. Columns without one are shown by their names. */
export function columnText(kind: ImportKind, column: string): string {
  const label = columns[kind][column];
  return label ? t(label) : column.replace(/^custom:/, '');
}

/** Lists the columns to choose from for a header. `chosen` is always among them. */
export function columnChoices(kind: ImportKind, header: string, chosen: string) {
  const custom = chosen.startsWith('custom:') ? chosen : `custom:${header.trim()}`;
  const known = Object.keys(columns[kind]).map((value) => ({ value, label: columnText(kind, value) }));
  const isOther = chosen !== '' && chosen !== custom && !known.some(({ value }) => value === chosen);
  return [
    { value: '', label: t('imports.leave_out') },
    ...known,
    ...(isOther ? [{ value: chosen, label: chosen }] : []),
    ...(withCustom.includes(kind) ? [{ value: custom, label: t('imports.custom') }] : []),
  ];
}

/** Returns whether a worker has an import in hand. */
export const isWorking = (state: ImportState): boolean => state === 'READING' || state === 'RUNNING';
