import type { Transaction } from '../../db/connection/transaction.js';
import type { Identified } from '../../db/sql/query.js';
import { readRows } from '../../db/sql/select.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import type { ImportKind } from '../../imports/imports.js';
import { matchByKey, matchItems } from '../../imports/matching.js';
import type { Resource } from '../../records/resource.js';
import { entriesIn } from './cells.js';
import type { ParsedRow } from './read-rows.js';

/** The record of a row: its id if it exists, and whether there are several. */
export interface Match {
  readonly id?: string | undefined;
  readonly isAmbiguous?: boolean;
  /** Identifies the record in the file; undefined if the row has nothing that does. */
  readonly key: string | undefined;
}

/** Columns that identify records without an id. */
const keyColumns: Partial<Record<ImportKind, readonly [column: string, field: string]>> = {
  CONTACTS: ['email', 'email'],
  VEHICLES: ['vin', 'vin'],
  COMPANIES: ['tax_id', 'taxId'],
  TYPES: ['name', 'name'],
};

const textOf = ({ cells }: ParsedRow, column: string) => cells.get(column)?.trim() || null;

const keyOf = (...parts: readonly (string | null)[]) =>
  JSON.stringify(parts.map((part) => folded(part ?? '')));

/** Returns the address of an item's main contact, as a row names it. */
const mainEmail = (row: ParsedRow) =>
  textOf(row, 'contact_email') ??
  entriesIn(row.cells.get('contacts') ?? '').find((entry) => !isUuid(entry)) ??
  null;

/** Finds the records of rows by the natural keys of their kind. */
async function matchNatural(
  tx: Transaction,
  kind: ImportKind,
  resource: Resource,
  rows: readonly ParsedRow[],
): Promise<Match[]> {
  if (rows.length === 0) return [];
  const found = (ids: readonly string[] = [], key: string | undefined): Match => ({
    id: ids[0],
    isAmbiguous: ids.length > 1,
    key,
  });
  if (kind === 'ITEMS') {
    const keys = rows.map((row) => ({
      name: textOf(row, 'name') && (row.cells.get('name') ?? null),
      category: textOf(row, 'category_name'),
      email: mainEmail(row),
    }));
    const matches = await matchItems(tx, keys);
    return keys.map(({ name, category, email }, at) =>
      found(matches.get(at), name === null ? undefined : keyOf(name, category, email)),
    );
  }
  const [column, field] = keyColumns[kind] ?? [];
  if (column === undefined || field === undefined) return rows.map(() => ({ key: undefined }));
  const keys = rows.map((row) => textOf(row, column));
  const matches = await matchByKey(tx, resource, field, keys);
  return keys.map((key, at) => found(matches.get(at), key === null ? undefined : keyOf(key)));
}

/**
 * Finds the records of rows: by id, else by the natural key of their kind. Locations are found by their paths
 * elsewhere.
 */
export async function matchRows(
  tx: Transaction,
  kind: ImportKind,
  resource: Resource,
  rows: readonly ParsedRow[],
): Promise<Match[]> {
  const idIn = (row: ParsedRow) => textOf(row, 'id')?.toLowerCase();
  const ids = [...new Set(rows.flatMap((row) => idIn(row) ?? []))].filter(isUuid);
  const where = { id: { in: ids } };
  const records = ids.length === 0 ? [] : await readRows(tx, resource.rows.model, { where });
  const known = new Set((records as readonly object[] as readonly Identified[]).map(({ id }) => id));
  const natural = await matchNatural(
    tx,
    kind,
    resource,
    rows.filter((row) => idIn(row) === undefined),
  );
  let next = 0;
  return rows.map((row): Match => {
    const id = idIn(row);
    if (id === undefined) return natural[next++] ?? { key: undefined };
    return { id: known.has(id) ? id : undefined, key: id };
  });
}
