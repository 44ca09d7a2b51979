import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { folded } from '../../domain/text/names.js';
import type { Match } from './match-rows.js';
import type { ParsedRow } from './read-rows.js';

/** A location, as far as paths need it. */
interface Place {
  readonly id: string;
  readonly name: string | null;
  readonly parentLocationId: string | null;
}

/** Splits a path into its names: `Plant 1 / Hall 2`. */
const namesIn = (path: string): string[] =>
  path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const keyOf = (parentId: string | null, name: string | null) =>
  `${parentId ?? ''} ${folded(name?.trim() ?? '')}`;

/** The locations that a caller sees, by their places in one another. */
export class Places {
  readonly #byKey = new Map<string, string[]>();

  /** Reads all locations. */
  static async read(tx: Transaction): Promise<Places> {
    const places = new Places();
    for (const place of (await readRows(tx, 'Location', { where: {} })) as readonly Place[])
      places.add(place);
    return places;
  }

  /** Adds a location. */
  add({ id, name, parentLocationId }: Place): void {
    const key = keyOf(parentLocationId, name);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), id]);
  }

  /** Finds locations by name inside another one. */
  inside(parentId: string | null, name: string): readonly string[] {
    return this.#byKey.get(keyOf(parentId, name)) ?? [];
  }

  /** Finds the locations of a path. It begins outside of any other location. */
  at(names: readonly string[]): readonly string[] {
    return names.reduce<readonly string[]>(
      (parents, name) => parents.flatMap((parent) => this.inside(parent || null, name)),
      [''],
    );
  }
}

/** A place of a row: the location there, if any, its name, and its parent. */
type Found = Match & { readonly name: string | null; readonly body: Readonly<Record<string, unknown>> };

/** Finds the place of a row, by its path or by its name and parent. */
export function findPlace(
  places: Places,
  row: ParsedRow,
): Found | { readonly problem: [string, string | null, string] } {
  const path = row.cells.get('path')?.trim() ?? '';
  const own = row.cells.get('name')?.trim() || null;
  const parent = row.cells.get('parent_location_id')?.trim().toLowerCase() || null;
  if (path === '') {
    const ids = own === null ? [] : places.inside(parent, own);
    const key = own === null ? undefined : JSON.stringify([parent, own.toLowerCase()]);
    return { id: ids[0], isAmbiguous: ids.length > 1, key, name: own, body: {} };
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
  return {
    id: ids[0],
    isAmbiguous: ids.length > 1,
    key: JSON.stringify([parentId, name?.toLowerCase()]),
    name,
    body,
  };
}
