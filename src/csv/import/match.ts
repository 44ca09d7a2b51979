import type { Session } from '../../db/connection/session.js';
import type { Identified } from '../../db/sql/conditions.js';
import { readRows } from '../../db/sql/select.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import {
  findTakenIds,
  findValueHolders,
  type LocationPath,
  matchByKey,
  matchItems,
  type ValueHolder,
} from '../../imports/matches.js';
import type { ImportOptions, ListKind } from '../../imports/options.js';
import type { Resource } from '../../records/resource.js';
import { memberName } from '../../web/parameters.js';
import { entriesIn, type ParsedRow } from './rows.js';

/** The record of a row: its id if it exists, and whether there are several. */
interface Match {
  readonly id?: string | undefined;
  readonly isAmbiguous?: boolean;
  /** True if the row makes a new record where another row has taken this one. */
  readonly isLoose?: boolean;
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
const textOf = ({ cells }: ParsedRow, column: string): string | null => cells.get(column)?.trim() || null;

/** Returns the id that a row names, in lower case. */
export const idIn = (row: ParsedRow): string | undefined => textOf(row, 'id')?.toLowerCase();

const keyOf = (...parts: readonly (string | null)[]) =>
  JSON.stringify(parts.map((part) => folded(part ?? '')));

/** Returns the address of an item's main contact, as a row names it. */
const mainEmail = (row: ParsedRow) =>
  textOf(row, 'contact_email') ??
  entriesIn(row.cells.get('contacts') ?? '').find((entry) => !isUuid(entry)) ??
  null;

/** Returns the ids of the holders that a row surely names. Null if it has no such column. */
const holdersOf = ({ holders }: ParsedRow): string[] | null =>
  holders
    ? holders.entries
        .flatMap(({ candidates: [only, ...others] }) => (only && others.length === 0 ? only.id : []))
        .sort()
    : null;

/** Finds the records of rows by the natural keys of their kind. */
async function matchNatural(
  session: Session,
  kind: ListKind,
  resource: Resource,
  rows: readonly ParsedRow[],
  made: ReadonlySet<string>,
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
      holders: holdersOf(row),
      kinds: [...(row.holders?.kinds ?? [])],
    }));
    const matches = await matchItems(session, keys, made);
    return keys.map(({ name, category, email, holders }, at) => {
      const told = [...(holders ?? []), ...(rows[at]?.holders?.leftOut ?? [])];
      return {
        ...found(matches.get(at), name === null ? undefined : keyOf(name, category, email, ...told)),
        isLoose: holders !== null,
      };
    });
  }
  const [column, field] = keyColumns[kind] ?? [];
  if (column === undefined || field === undefined) return rows.map(() => ({ key: undefined }));
  const keys = rows.map((row) => textOf(row, column));
  const matches = await matchByKey(session, resource, field, keys, {}, made);
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
  made: ReadonlySet<string>,
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
    made,
  );
  let next = 0;
  return rows.map((row): Match => {
    const id = idIn(row);
    if (id === undefined) return natural[next++] ?? { key: undefined };
    return { id: known.has(id) ? id : undefined, key: id };
  });
}

/** The record of a row, or why the row cannot be written. An id that is missing means a new record. */
export type RowIdentity =
  | {
      readonly id: string | undefined;
      /** The line of an earlier row with the same natural key, which becomes another record. */
      readonly looksLike?: number;
    }
  | { readonly problem: string };

/**
 * Finds out which records the rows of a file are about, before anything is written. So the outcome of a row
 * depends neither on the limits of batches nor on what other rows write.
 */
export class Identifier {
  readonly #kind: ListKind;
  readonly #resource: Resource;
  readonly #options: Pick<ImportOptions, 'mode' | 'skipRepeats'>;
  readonly #made: ReadonlySet<string>;
  /** Lines of the rows so far, by what identifies their records. */
  readonly #lines = new Map<string, number>();

  /** @param made records that earlier attempts at the import have made, which were not there when it began */
  constructor(
    kind: ListKind,
    resource: Resource,
    options: Pick<ImportOptions, 'mode' | 'skipRepeats'>,
    made: ReadonlySet<string> = new Set(),
  ) {
    this.#kind = kind;
    this.#resource = resource;
    this.#options = options;
    this.#made = made;
  }

  /** Finds the records of rows that come next in the file. */
  async identify(session: Session, rows: readonly ParsedRow[]): Promise<RowIdentity[]> {
    const matches = await matchRows(session, this.#kind, this.#resource, rows, this.#made);
    return rows.map((row, at) => this.claim(row, matches[at] ?? { key: undefined }));
  }

  /** Checks that a row may be written, and claims its record for it. */
  claim(row: ParsedRow, { id: found, isAmbiguous, isLoose, key }: Match): RowIdentity {
    const { mode, skipRepeats } = this.#options;
    if (isAmbiguous) return { problem: 'matches several records: add their ids' };
    const ofKey = key === undefined ? undefined : this.#lines.get(key);
    const ofId = found === undefined ? undefined : this.#lines.get(found);
    const id = isLoose && ofKey === undefined && ofId !== undefined ? undefined : found;
    const line = ofKey ?? (id === undefined ? undefined : ofId);
    // Two rows with the same words may be two papers. What has a unique value cannot be there twice.
    const mayRepeat =
      mode === 'CREATE_ONLY' && !skipRepeats && !this.#resource.uniqueBy && idIn(row) === undefined;
    if (line !== undefined && !mayRepeat) return { problem: `is the same record as line ${line}` };
    const claimed = [key, id].filter((one) => one !== undefined);
    if (line === undefined) this.note(claimed, row.line);
    if (mode === 'CREATE_ONLY' && id !== undefined) return { problem: `exists already, with the id ${id}` };
    if (mode === 'UPDATE_ONLY' && id === undefined) return { problem: 'matches no record that exists' };
    return { id, ...(line !== undefined && { looksLike: line }) };
  }

  /** True if each row is a new record. */
  get onlyCreates(): boolean {
    return this.#options.mode === 'CREATE_ONLY';
  }

  /** Notes that a row is about a record. */
  note(keys: readonly string[], line: number): void {
    for (const key of keys) this.#lines.set(key, line);
  }
}

/** Splits a path into its names: `Plant 1 / Hall 2`. */
const namesIn = (path: string): string[] =>
  path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const placeKeyOf = (parentId: string | null, name: string | null) =>
  `${parentId ?? ''} ${folded(name?.trim() ?? '')}`;

/** The locations of an organization, by their places in one another. */
export class LocationTree {
  readonly #byKey = new Map<string, string[]>();
  readonly #parents = new Map<string, string | null>();
  readonly #names = new Map<string, string>();
  readonly #added = new Set<string>();

  constructor(places: readonly LocationPath[]) {
    for (const place of places) {
      this.#parents.set(place.id, place.parentLocationId);
      if (place.isVisible) this.#index(place);
    }
  }

  #index({ id, name, parentLocationId }: Omit<LocationPath, 'isVisible'>): void {
    const key = placeKeyOf(parentLocationId, name);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), id]);
    this.#names.set(id, name ?? '');
  }

  /** Adds a location that a row creates. */
  add(place: Omit<LocationPath, 'isVisible'>): void {
    this.#index(place);
    this.#parents.set(place.id, place.parentLocationId);
    this.#added.add(place.id);
  }

  /** Returns whether a row creates a location. */
  isAdded(id: string): boolean {
    return this.#added.has(id);
  }

  /** Moves a location. Paths go on leading to it as they did before. */
  move(id: string, parentLocationId: string | null): void {
    this.#parents.set(id, parentLocationId);
  }

  /** Returns the path of a name inside a location. It begins below what the caller does not see. */
  pathOf(parentId: string | null, name: string): string {
    const [names, seen] = [[name], new Set<string>()];
    for (let at = parentId; at !== null && !seen.has(at); at = this.#parents.get(at) ?? null) {
      const known = this.#names.get(at);
      if (known === undefined) break;
      seen.add(at);
      names.unshift(known);
    }
    return names.join(' / ');
  }

  /** Returns whether a location is another one or lies in it, at any depth. */
  isWithin(id: string | null, other: string): boolean {
    const seen = new Set<string>();
    for (let at = id; at !== null && !seen.has(at); at = this.#parents.get(at) ?? null) {
      if (at === other) return true;
      seen.add(at);
    }
    return false;
  }

  /** Finds locations by name inside another one. */
  inside(parentId: string | null, name: string): readonly string[] {
    return this.#byKey.get(placeKeyOf(parentId, name)) ?? [];
  }

  /** Finds the locations of a path. It begins outside of any other location. */
  at(names: readonly string[]): readonly string[] {
    return names.reduce<readonly string[]>(
      (parents, name) => parents.flatMap((parent) => this.inside(parent || null, name)),
      [''],
    );
  }
}

/** The place of a row, with the location there if there is one. */
type Found = Match & { readonly body: Readonly<Record<string, unknown>> };

/** Finds the place of a row, by its path or by its name and parent. */
export function findLocation(
  places: LocationTree,
  row: ParsedRow,
): Found | { readonly problem: [string, string | null, string] } {
  const path = textOf(row, 'path') ?? '';
  const own = textOf(row, 'name');
  const parent = textOf(row, 'parent_location_id')?.toLowerCase() ?? null;
  if (path === '') {
    const ids = own === null ? [] : places.inside(parent, own);
    const key = own === null ? undefined : JSON.stringify([parent, folded(own)]);
    return { id: ids[0], isAmbiguous: ids.length > 1, key, body: {} };
  }
  const names = namesIn(path);
  const name = names.at(-1) ?? null;
  const parents = places.at(names.slice(0, -1));
  if (names.length > 1 && parents.length !== 1) {
    const message = parents.length === 0 ? 'lies in no location that exists' : 'lies in several locations';
    return { problem: ['path', path, message] };
  }
  const parentId = names.length > 1 ? (parents[0] ?? null) : null;
  const ids = name === null ? [] : places.inside(parentId, name);
  const body = { name: own ?? name, ...(parentId !== null && { parent_location_id: parentId }) };
  const key = JSON.stringify([parentId, folded(name ?? '')]);
  return { id: ids[0], isAmbiguous: ids.length > 1, key, body };
}

/**
 * Ids and unique values that records or earlier rows of the file use. A value that a row gives
 * up stays in use until the import ends, so that records can be written in any order.
 */
export class UniqueValues {
  readonly #resource: Resource;
  readonly #holders = new Map<string, string>();
  readonly #takenIds = new Set<string>();

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /** Reads who has the ids and values of rows. */
  async load(session: Session, rows: readonly ParsedRow[]): Promise<void> {
    const [field = ''] = this.#resource.uniqueBy ?? [];
    const values = rows.flatMap((row) => textOf(row, memberName(field)) ?? []);
    this.add(await findValueHolders(session, this.#resource, [...new Set(values)]));
    const ids = [...new Set(rows.flatMap((row) => idIn(row) ?? []))].filter(isUuid);
    for (const id of await findTakenIds(session, this.#resource, ids)) this.#takenIds.add(id);
  }

  /** Adds records that have values. */
  add(holders: readonly ValueHolder[]): void {
    for (const { id, value, within } of holders) {
      const key = valueKeyOf(value, within);
      if (key !== undefined) this.#holders.set(key, id);
    }
  }

  /**
   * Takes the values of a record for a row.
   * @returns the field whose value is in use already, if there is one
   */
  take(id: string, values: Readonly<Record<string, unknown>>, isNew: boolean): string | undefined {
    if (isNew && this.#takenIds.has(id)) return 'id';
    const [field, ...within] = this.#resource.uniqueBy ?? [];
    if (field === undefined) return undefined;
    const key = valueKeyOf(
      values[field],
      within.map((name) => values[name]),
    );
    if (key === undefined) return undefined;
    if ((this.#holders.get(key) ?? id) !== id) return field;
    this.#holders.set(key, id);
    return undefined;
  }
}

/** Returns what a value is compared by, as in unique indexes. Undefined if it is no key. */
function valueKeyOf(value: unknown, within: readonly unknown[]): string | undefined {
  const text = typeof value === 'string' ? folded(value.trim()) : '';
  return text === '' ? undefined : JSON.stringify([text, ...within.map((other) => other ?? null)]);
}
