import { signal } from '@preact/signals';
import { keep, readKept } from '../../data/storage';

/** A list as somebody has filtered and ordered it, under a name of their choice. */
export interface View {
  readonly name: string;
  /** The part of the address after `/items?`. */
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

/** Views that this browser has stored. */
export const views = signal<readonly View[]>(read());

function write(next: readonly View[]): void {
  views.value = next;
  keep('localStorage', storage, JSON.stringify(next));
}

/** Stores a view; one of the same name is replaced. */
export const saveView = (view: View): void =>
  write(
    [...views.value.filter(({ name }) => name !== view.name), view].sort((a, b) =>
      a.name.localeCompare(b.name),
    ),
  );

/** Deletes a view. */
export const dropView = (name: string): void => write(views.value.filter((view) => view.name !== name));
