import { type GlobalOptions, type Io, isLive, terminalWidth } from './io.js';
import { truncate } from './table.js';

/** A progress line at the bottom of a terminal. */
export interface ProgressLine {
  /** Rewrites the line, at most ten times a second. */
  show(text: () => string): void;
  /** Removes the line. */
  clear(): void;
}

/** Minimum milliseconds between two updates. */
const INTERVAL = 100;
const ERASE = '\r\u001b[K';

/** Creates a progress line on stderr. It is invisible if that is no terminal, or with --quiet. */
export function createProgress(io: Io, { quiet }: GlobalOptions): ProgressLine {
  if (quiet || !isLive(io.stderr, io.env)) return { show() {}, clear() {} };
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (now - last < INTERVAL) return;
      last = now;
      io.stderr.write(ERASE + truncate(text(), terminalWidth(io.stderr) - 1));
    },
    clear() {
      if (last > Number.NEGATIVE_INFINITY) io.stderr.write(ERASE);
    },
  };
}
