import type { VirtualItem, Virtualizer, VirtualizerOptions } from '@tanstack/virtual-core';
import { options } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * The most rows that the page has at once. Up to here the browser finds text in all of them; from here on it
 * has those near the window.
 */
export const mostInPage = 500;
/** Rows that are shown until the library is there. */
const atFirst = 60;
/** The height of a row in pixels, until it is measured. */
const usualHeight = 53;

type Library = typeof import('@tanstack/virtual-core');

let library: Library | undefined;
/** Heights of rows, by which a list is where it was when somebody comes back. */
const heights = new Map<string, VirtualItem[]>();

/** The rows that the page has, and the room of the others in pixels. */
export interface Shown {
  readonly from: number;
  readonly until: number;
  readonly above: number;
  readonly below: number;
  /** Follows the height of a row. It needs the row's position in `data-index`. */
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  readonly reveal: (at: number) => void;
}

/** Runs something after which the page is complete at once, as before it is printed. */
function atOnce(change: () => void): void {
  const { debounceRendering } = options;
  options.debounceRendering = (render) => render();
  change();
  if (debounceRendering) options.debounceRendering = debounceRendering;
  else delete options.debounceRendering;
}

/** Returns whether the page is being printed, which needs all rows. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => atOnce(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/**
 * Chooses the rows that the page has. A long list has those near the window.
 * @param body returns the part of the table that has the rows
 */
export function useShown(name: string, ids: readonly string[], body: () => HTMLElement | null): Shown {
  const [, draw] = useState(0);
  const isPrinting = useIsPrinting();
  const virtual = useRef<Virtualizer<Window, HTMLTableRowElement> | undefined>(undefined);
  const isLong = ids.length > mostInPage && !isPrinting;
  useEffect(() => {
    if (!isLong || library) return;
    import('@tanstack/virtual-core').then((loaded) => {
      library = loaded;
      draw((turn) => turn + 1);
    });
  }, [isLong]);
  if (isLong && library) {
    const settings: VirtualizerOptions<Window, HTMLTableRowElement> = {
      count: ids.length,
      estimateSize: () => usualHeight,
      getItemKey: (at: number) => ids[at] ?? at,
      overscan: 10,
      scrollMargin: marginOf(body()),
      getScrollElement: () => window,
      observeElementRect: library.observeWindowRect,
      observeElementOffset: library.observeWindowOffset,
      scrollToFn: library.windowScroll,
      initialRect: { width: window.innerWidth, height: window.innerHeight },
      initialOffset: () => window.scrollY,
      initialMeasurementsCache: heights.get(name) ?? [],
      onChange: () => draw((turn) => turn + 1),
    };
    virtual.current ??= new library.Virtualizer(settings);
    virtual.current.setOptions(settings);
  }
  const isVirtual = isLong && virtual.current !== undefined;
  useLayoutEffect(() => {
    if (!isVirtual) return;
    const stop = virtual.current?._didMount();
    return () => {
      if (virtual.current) heights.set(name, virtual.current.takeSnapshot());
      stop?.();
      virtual.current = undefined;
    };
  }, [isVirtual]);
  useLayoutEffect(() => {
    if (isVirtual) virtual.current?._willUpdate();
  });
  const reveal = (at: number) => virtual.current?.scrollToIndex(at);
  const all = { from: 0, until: ids.length, above: 0, below: 0, measure: undefined, reveal };
  if (!isLong) return all;
  const rows = isVirtual ? virtual.current?.getVirtualItems() : undefined;
  const [first, last] = [rows?.[0], rows?.at(-1)];
  if (!virtual.current || !first || !last) {
    return { ...all, until: atFirst, below: (ids.length - atFirst) * usualHeight };
  }
  const margin = virtual.current.options.scrollMargin;
  return {
    from: first.index,
    until: last.index + 1,
    above: first.start - margin,
    below: virtual.current.getTotalSize() - (last.end - margin),
    measure: virtual.current.measureElement,
    reveal,
  };
}

/** Returns how far something is from the top of the page. */
function marginOf(element: HTMLElement | null): number {
  return element ? Math.round(element.getBoundingClientRect().top + window.scrollY) : 0;
}
