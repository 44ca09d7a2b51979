import { setSearch } from '../app/router';

/** The order of a list, as the gateway takes it. */
export interface Order {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

/** Reads the order from the address: `sort=-city`. An unknown one is replaced by name. */
export function readOrder(search: URLSearchParams, known: readonly (string | undefined)[]): Order {
  const text = search.get('sort') ?? '';
  const field = text.replace(/^-/, '').toUpperCase();
  if (!known.includes(field)) return { field: 'NAME', direction: 'ASC' };
  return { field, direction: text.startsWith('-') ? 'DESC' : 'ASC' };
}

/** Orders the list by a column, or reverses its order. */
export function toggleOrder(now: Order, field: string): void {
  const turns = now.field === field && now.direction === 'ASC';
  const name = field.toLowerCase();
  setSearch({ sort: turns ? `-${name}` : field === 'NAME' ? undefined : name });
}
