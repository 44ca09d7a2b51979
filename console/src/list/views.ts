import { keep, readKept } from '../data/browser';
import { request } from '../data/client';
import { CreateSavedView } from '../generated/operations/list';
import type { SavedViewFragment } from '../generated/types';
import { today } from '../i18n/dates';

/** A view of a list, as the gateway keeps it. */
export type View = SavedViewFragment;

/** The columns, filters and order of a list. */
export type Chosen = Pick<View, 'columns' | 'filters' | 'sort'>;

/** Parameters of a list's address that are no filters. `open` is of trees. */
export const notFilters = ['columns', 'open', 'sort', 'view'];

/** Returns what an address shows. @param columns names of the columns, if somebody has chosen them */
export function chosenIn(search: URLSearchParams, columns: readonly string[] = []): Chosen {
  const filters = [...search]
    .filter(([name]) => !notFilters.includes(name))
    .map(([name, value]) => ({ name, value }));
  return { columns: [...columns], filters, sort: search.get('sort') };
}

/** Returns whether two show the same. */
export function isSame(one: Chosen, other: Chosen): boolean {
  const textOf = ({ columns, filters, sort }: Chosen) =>
    JSON.stringify([columns, filters.map(({ name, value }) => `${name}=${value}`).sort(), sort]);
  return textOf(one) === textOf(other);
}

/** Returns the address of a view. */
export function addressOfView(path: string, { id, columns, filters, sort }: View): string {
  const search = new URLSearchParams(filters.map(({ name, value }) => [name, value]));
  if (sort) search.set('sort', sort);
  if (columns.length > 0) search.set('columns', columns.join());
  search.set('view', id);
  return `${path}?${search}`;
}

const storage = 'expiration-gateway.views';

/** A view that an earlier version of the console kept in the browser. */
interface KeptView {
  readonly name: string;
  /** The name of the list; of items, if left out. */
  readonly list?: string;
  /** The part of the address after the question mark. */
  readonly search: string;
}

function keptViews(): readonly KeptView[] {
  try {
    const views: unknown = JSON.parse(readKept('localStorage', storage) ?? '[]');
    if (!Array.isArray(views)) return [];
    return views.filter((view) => typeof view?.name === 'string' && typeof view?.search === 'string');
  } catch {
    return [];
  }
}

/** Gives the gateway the views of a list that only this browser has. Those that it refuses stay. */
export async function handOverViews(list: string): Promise<void> {
  for (const view of keptViews().filter((kept) => (kept.list ?? 'items') === list)) {
    const search = new URLSearchParams(view.search);
    const input = { list, ...chosenIn(search, search.get('columns')?.split(',')) };
    // A view of the name that is there already stays as well.
    for (const name of [view.name, `${view.name} ${today()}`]) {
      const { ok } = await request(CreateSavedView, { input: { ...input, name } });
      if (!ok) continue;
      const others = keptViews().filter((kept) => kept.name !== view.name || kept.list !== view.list);
      keep('localStorage', storage, JSON.stringify(others));
      break;
    }
  }
}
