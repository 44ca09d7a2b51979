import { type GlobalOptions, type Io, isLive, terminalWidth } from './io.js';
import { truncate } from './table.js';

/** A line at the bottom of a terminal that tells how far a command is. */
export interface ProgressLine {
  /** Writes the line anew, at most ten times a second. */
  show(text: () => string): void;
  /** Takes the line away. */
  clear(): void;
}

/** Milliseconds between two lines, at least. */
const INTERVAL = 100;
const ERASE = '\r\u001b[K';

/** Makes a progress line on stderr. It is never seen if that is no terminal, or all is to be quiet. */
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
