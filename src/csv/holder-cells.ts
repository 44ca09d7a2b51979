import { importLimits } from '../imports/options.js';
import { type HolderKind, holderKinds } from '../items/holders.js';

/** A record as cells know it. */
type Known = Readonly<Record<string, unknown>>;

/** Columns that name whose paper an item is. Those of a kind have no word before the names. */
export const holderColumns = {
  holders: null,
  holder_vehicle: 'vehicle',
  holder_contact: 'contact',
  holder_company: 'company',
  holder_location: 'location',
} as const satisfies Readonly<Record<string, HolderKind | null>>;

/** A column that names holders. */
export type HolderColumn = keyof typeof holderColumns;

/** Returns whether a column names holders. */
export const isHolderColumn = (column: string | undefined): column is HolderColumn =>
  column !== undefined && Object.hasOwn(holderColumns, column);

/** Fields by which cells name a holder, the first that there is. */
const shownFields = {
  vehicle: ['licensePlate', 'vin', 'name'],
  contact: ['email', 'name'],
  company: ['name'],
  location: ['name'],
} as const satisfies Record<HolderKind, readonly string[]>;

/** Returns what GraphQL is asked for to show holders. */
export const holderSelection = `__typename ${holderKinds
  .map((kind) => {
    const type = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    return `... on ${type} { id ${shownFields[kind].join(' ')} }`;
  })
  .join(' ')}`;

/** Returns the text of a holder in a cell. What looks like several is replaced by the id. */
export function holderText(kind: HolderKind, record: Known, column: HolderColumn = 'holders'): string {
  const texts = shownFields[kind].map((field) => String(record[field] ?? '').trim());
  const text = texts.find((one) => one !== '') ?? '';
  const shown = text === '' || text.includes(';') ? String(record.id) : text;
  return column === 'holders' ? `${kind}: ${shown}` : shown;
}

/** A holder as a cell names it. Without a word for its kind, it may be of any. */
export interface NamedHolderText {
  readonly kind: HolderKind | null;
  readonly text: string;
}

/** A holder that cells of a file name, with the first header. */
export interface HolderInFile extends NamedHolderText {
  readonly header: string;
}

/** Reads the holders that a cell names. What is beyond the limit is passed over. */
export function holdersInCell(column: HolderColumn, cell: string): NamedHolderText[] {
  const entries = cell.split(';', importLimits.entries).flatMap((entry) => entry.trim() || []);
  return entries.map((entry) => {
    const [, word = '', text = ''] = /^(\w+)\s*:\s*(.+)$/s.exec(entry) ?? [];
    const said = holderKinds.find((kind) => kind === word.toLowerCase());
    return said && (holderColumns[column] ?? said) === said
      ? { kind: said, text }
      : { kind: holderColumns[column], text: entry };
  });
}
