import { signal } from '@preact/signals';
import { uniqueKey } from '../data/browser';
import { mayLeave } from './leaving';

/** An address within the console. */
export interface Place {
  readonly path: string;
  readonly search: URLSearchParams;
}

const read = (): Place => ({ path: location.pathname, search: new URLSearchParams(location.search) });

/** The current address. */
export const place = signal<Place>(read());

/** Scroll positions of pages, by the keys of the history's entries. */
const scrolled = new Map<string, number>();
const keyOf = (state: unknown): string => (state as { key?: string } | null)?.key ?? '';

/** Returns the number of a history entry. It is undefined for a new one that the browser created. */
const numberOf = (state: unknown): number | undefined => (state as { at?: number } | null)?.at;
/** The number of the current history entry. */
let shownAt = numberOf(history.state) ?? 0;

/** Numbers the current history entry, so that the distance to another one is known. */
const number = (): void => history.replaceState({ ...history.state, at: shownAt }, '');

function leave(): void {
  scrolled.set(keyOf(history.state), window.scrollY);
}

/** Navigates to an address of the console, even if there is unsaved input. */
export function navigate(
  address: string,
  { replace = false, keepScroll = false }: { readonly replace?: boolean; readonly keepScroll?: boolean } = {},
): void {
  leave();
  const key = replace ? keyOf(history.state) : uniqueKey();
  if (!replace) shownAt++;
  history[replace ? 'replaceState' : 'pushState']({ key, at: shownAt }, '', address);
  const before = place.peek().path;
  place.value = read();
  if (keepScroll) return;
  window.scrollTo(0, 0);
  // Screen readers and the keyboard continue at the new screen.
  if (before !== place.peek().path) document.getElementById('main')?.focus({ preventScroll: true });
}

/** Navigates to an address of the console, unless somebody wants to keep unsaved input. */
export function follow(address: string): void {
  const go = () => navigate(address);
  if (mayLeave(go)) go();
}

/** Changes parameters of the address; those without a value are removed. */
export function setSearch(
  changes: Readonly<Record<string, string | undefined>>,
  { replace = true } = {},
): void {
  const search = new URLSearchParams(place.peek().search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
  const text = search.toString();
  navigate(place.peek().path + (text && `?${text}`), { replace, keepScroll: true });
}

/** Finds the link of a click that should be followed here. Others open in another tab or program. */
function linkOf(event: MouseEvent): URL | undefined {
  const link = (event.target as Element | null)?.closest?.('a');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download'))
    return undefined;
  const address = new URL(link.href, location.href);
  const isWithinPage = address.hash !== '' && address.pathname === location.pathname;
  return address.origin === location.origin && !isWithinPage ? address : undefined;
}

/**
 * Starts to follow links and the history. @param isOurs returns whether the console has a screen at a path
 */
export function startRouter(isOurs: (path: string) => boolean): void {
  history.scrollRestoration = 'manual';
  number();
  document.addEventListener('click', (event) => {
    const address = linkOf(event);
    if (!address || !isOurs(address.pathname)) return;
    event.preventDefault();
    follow(address.pathname + address.search);
  });
  let isReturning = false;
  window.addEventListener('popstate', ({ state }) => {
    const next = read();
    const { path, search } = place.peek();
    const isElsewhere = next.path !== path || next.search.toString() !== search.toString();
    const at = numberOf(state);
    // A link within the page has added a history entry.
    if (at === undefined) {
      shownAt++;
      number();
      return;
    }
    const steps = at - shownAt;
    // The browser has already navigated, so go back to the form, and forward again if nobody objects.
    if (isElsewhere && !isReturning && !mayLeave(() => history.go(steps))) {
      isReturning = true;
      history.go(-steps);
      return;
    }
    isReturning = false;
    shownAt = at;
    place.value = next;
    const top = scrolled.get(keyOf(state)) ?? 0;
    // The cached page is rendered in the next frame, and can be scrolled after that.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, top)));
  });
}
