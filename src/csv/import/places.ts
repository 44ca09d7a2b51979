import { folded } from '../../domain/text/names.js';
import type { LocationPlace } from '../../imports/matching.js';
import { type Match, textOf } from './match-rows.js';
import type { ParsedRow } from './read-rows.js';

/** Splits a path into its names: `Plant 1 / Hall 2`. */
const namesIn = (path: string): string[] =>
  path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const keyOf = (parentId: string | null, name: string | null) =>
  `${parentId ?? ''} ${folded(name?.trim() ?? '')}`;

/** The locations of an organization, by their places in one another. */
export class Places {
  readonly #byKey = new Map<string, string[]>();
  readonly #parents = new Map<string, string | null>();
  readonly #names = new Map<string, string>();
  readonly #added = new Set<string>();

  constructor(places: readonly LocationPlace[]) {
    for (const place of places) {
      this.#parents.set(place.id, place.parentLocationId);
      if (place.isVisible) this.#index(place);
    }
  }

  #index({ id, name, parentLocationId }: Omit<LocationPlace, 'isVisible'>): void {
    const key = keyOf(parentLocationId, name);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), id]);
    this.#names.set(id, name ?? '');
  }

  /** Adds a location that a row creates. */
  add(place: Omit<LocationPlace, 'isVisible'>): void {
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

/** The place of a row, with the location there if there is one. */
type Found = Match & { readonly body: Readonly<Record<string, unknown>> };

/** Finds the place of a row, by its path or by its name and parent. */
export function findPlace(
  places: Places,
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
