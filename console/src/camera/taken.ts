import { effect, signal } from '@preact/signals';
import { caller } from '../app/session';
import type { Page } from './picture';
import type { KeptDocument } from './sending';
import { findKept, isLosable, type Kept, keep, ownerOf } from './store';

/** The place of a page, and what is changed about it. Photos are beside it, because they are written once. */
interface KeptPage extends Kept, Omit<Page, 'photo'> {
  /** The item that the page is for; none for the inbox. */
  readonly itemId: string | undefined;
  /** Its place among the pages. */
  readonly at: number;
}

interface KeptPhoto extends Kept {
  readonly photo: Blob;
}

/** Pages that were taken and not sent, by the item they are for. */
const taken = signal<ReadonlyMap<string | undefined, readonly Page[]>>(new Map());

effect(() => {
  if (!caller.value) taken.value = new Map();
});

/** Returns the pages for an item, or for the inbox, in order. */
export const pagesFor = (itemId: string | undefined): readonly Page[] => taken.value.get(itemId) ?? [];

/** Returns whether closing this browser page loses pages. */
export const isAnyLosable = (pages: readonly Page[]): boolean => {
  const ids = pages.map(({ id }) => id);
  return isLosable('pages', ids) || isLosable('photos', ids);
};

/** Changes are written in the order in which they are made. */
let written: Promise<unknown> = Promise.resolve();

/** Reads what the caller has taken. */
export function findTaken(): Promise<void> {
  const read = async () => {
    const [pages, photos] = await Promise.all([findKept<KeptPage>('pages'), findKept<KeptPhoto>('photos')]);
    const byId = new Map(photos.map(({ id, photo }) => [id, photo]));
    const found = new Map<string | undefined, Page[]>();
    for (const { id, itemId, turns, crop } of [...pages].sort((one, other) => one.at - other.at)) {
      const photo = byId.get(id);
      if (photo) found.set(itemId, [...(found.get(itemId) ?? []), { id, photo, turns, crop }]);
    }
    taken.value = found;
  };
  const reading = written.then(read);
  written = reading;
  return reading;
}

/**
 * Changes the pages for an item, or for the inbox, and keeps them here.
 * @param document the document that was made of them, which is kept in their place
 */
export function arrange(
  itemId: string | undefined,
  pages: readonly Page[],
  document?: KeptDocument,
): Promise<unknown> {
  const owner = ownerOf();
  const before = pagesFor(itemId);
  taken.value = new Map(taken.peek()).set(itemId, pages);
  const isIn = (list: readonly Page[], page: Page) => list.some(({ id }) => id === page.id);
  const photos = pages.filter((page) => !isIn(before, page));
  const gone = before.filter((page) => !isIn(pages, page));
  const change = () =>
    keep(
      [
        ...(document ? [['documents', document] as const] : []),
        ...photos.map(({ id, photo }) => ['photos', { id, owner, photo }] as const),
        ...pages.map(({ photo: _, ...page }, at) => ['pages', { ...page, owner, itemId, at }] as const),
      ],
      gone.flatMap(({ id }) => [['pages', id] as const, ['photos', id] as const]),
    );
  written = written.then(change);
  return written;
}
