import type { Session } from '../../db/connection/session.js';
import type { Identified } from '../../db/sql/query.js';
import { readRows } from '../../db/sql/select.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { matchByKey, matchItems } from '../../imports/matching.js';
import type { ImportOptions, ListKind } from '../../imports/options.js';
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
export const keyColumns: Partial<Record<ListKind, readonly [column: string, field: string]>> = {
  CONTACTS: ['email', 'email'],
  VEHICLES: ['vin', 'vin'],
  COMPANIES: ['tax_id', 'taxId'],
  TYPES: ['name', 'name'],
};

/** Returns the text of a cell without surrounding white space; null if it is empty. */
export const textOf = ({ cells }: ParsedRow, column: string): string | null =>
  cells.get(column)?.trim() || null;

/** Returns the id that a row names, in lower case. */
export const idIn = (row: ParsedRow): string | undefined => textOf(row, 'id')?.toLowerCase();

const keyOf = (...parts: readonly (string | null)[]) =>
  JSON.stringify(parts.map((part) => folded(part ?? '')));

/** Returns the address of an item's main contact, as a row names it. */
const mainEmail = (row: ParsedRow) =>
  textOf(row, 'contact_email') ??
  entriesIn(row.cells.get('contacts') ?? '').find((entry) => !isUuid(entry)) ??
  null;

/** Finds the records of rows by the natural keys of their kind. */
async function matchNatural(
  session: Session,
  kind: ListKind,
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
    const matches = await matchItems(session, keys);
    return keys.map(({ name, category, email }, at) =>
      found(matches.get(at), name === null ? undefined : keyOf(name, category, email)),
    );
  }
  const [column, field] = keyColumns[kind] ?? [];
  if (column === undefined || field === undefined) return rows.map(() => ({ key: undefined }));
  const keys = rows.map((row) => textOf(row, column));
  const matches = await matchByKey(session, resource, field, keys);
  return keys.map((key, at) => found(matches.get(at), key === null ? undefined : keyOf(key)));
}

/**
 * Finds the records of rows: by id, else by the natural key of their kind. Locations are found by their paths
 * elsewhere.
 */
async function matchRows(
  session: Session,
  kind: ListKind,
  resource: Resource,
  rows: readonly ParsedRow[],
): Promise<Match[]> {
  const ids = [...new Set(rows.flatMap((row) => idIn(row) ?? []))].filter(isUuid);
  const where = { id: { in: ids } };
  const records = ids.length === 0 ? [] : await readRows(session, resource.rows.model, { where });
  const known = new Set((records as readonly object[] as readonly Identified[]).map(({ id }) => id));
  const natural = await matchNatural(
    session,
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

/** The record of a row, or why the row cannot be written. An id that is missing means a new record. */
export type RowIdentity = { readonly id: string | undefined } | { readonly problem: string };

/**
 * Finds out which records the rows of a file are about, before anything is written. So the outcome of a row
 * depends neither on the limits of batches nor on what other rows write.
 */
export class Identifier {
  readonly #kind: ListKind;
  readonly #resource: Resource;
  readonly #mode: ImportOptions['mode'];
  /** Lines of the rows so far, by what identifies their records. */
  readonly #lines = new Map<string, number>();

  constructor(kind: ListKind, resource: Resource, { mode }: Pick<ImportOptions, 'mode'>) {
    this.#kind = kind;
    this.#resource = resource;
    this.#mode = mode;
  }

  /** Finds the records of rows that come next in the file. */
  async identify(session: Session, rows: readonly ParsedRow[]): Promise<RowIdentity[]> {
    const matches = await matchRows(session, this.#kind, this.#resource, rows);
    return rows.map((row, at) => this.claim(row, matches[at] ?? { key: undefined }));
  }

  /** Checks that a row may be written, and claims its record for it. */
  claim(row: ParsedRow, { id, isAmbiguous, key }: Match): RowIdentity {
    if (isAmbiguous) return { problem: 'matches several records: add their ids' };
    const claimed = [key, id].filter((one) => one !== undefined);
    const line = claimed.map((one) => this.#lines.get(one)).find((one) => one !== undefined);
    if (line !== undefined) return { problem: `is the same record as line ${line}` };
    this.note(claimed, row.line);
    if (this.#mode === 'CREATE_ONLY' && id !== undefined)
      return { problem: `exists already, with the id ${id}` };
    if (this.#mode === 'UPDATE_ONLY' && id === undefined) return { problem: 'matches no record that exists' };
    return { id };
  }

  /** Notes that a row is about a record. */
  note(keys: readonly string[], line: number): void {
    for (const key of keys) this.#lines.set(key, line);
  }
}
