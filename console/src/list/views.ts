import { signal } from '@preact/signals';
import { keep, readKept } from '../data/storage';

/** A list as somebody has filtered and ordered it, under a name of their choice. */
export interface View {
  readonly name: string;
  /** The name of the list. Views of before have none, and are of items. */
  readonly list?: string;
  /** The part of the address after the question mark. */
  readonly search: string;
}

const storage = 'expiration-gateway.views';

function read(): readonly View[] {
  try {
    const views: unknown = JSON.parse(readKept('localStorage', storage) ?? '[]');
    if (!Array.isArray(views)) return [];
    return views.filter((view) => typeof view?.name === 'string' && typeof view?.search === 'string');
  } catch {
    return [];
  }
}

const views = signal<readonly View[]>(read());

function write(next: readonly View[]): void {
  views.value = next;
  keep('localStorage', storage, JSON.stringify(next));
}

const listOf = ({ list = 'items' }: View): string => list;

/** Lists the views of a list that this browser has stored. */
export const viewsOf = (list: string): readonly View[] => views.value.filter((view) => listOf(view) === list);

const others = ({ name, ...view }: View): readonly View[] =>
  views.value.filter((one) => one.name !== name || listOf(one) !== listOf({ name, ...view }));

/** Stores a view; one of the same name is replaced. */
export const saveView = (view: View): void =>
  write([...others(view), view].sort((a, b) => a.name.localeCompare(b.name)));

/** Deletes a view. */
export const dropView = (view: View): void => write(others(view));
