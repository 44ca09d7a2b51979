/** A part of a text, from one position to another. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Cell of a text table: words of a line up to the next column. A column begins after a tab, or after two or
 * more spaces.
 */
export interface Cell extends TextSpan {
  readonly row: number;
  readonly column: number;
}

/** Splits a text into its non-empty lines, and each line into cells. */
export function splitRows(text: string): Cell[][] {
  const lines = [...text.matchAll(/[^\n\v\f\r\u0085\u2028\u2029]+/g)];
  return lines
    .filter(([line]) => line.trim() !== '')
    .map((line, row) =>
      [...line[0].matchAll(/\S+(?: \S+)*/g)].map((words, column) => {
        const start = line.index + words.index;
        return { start, end: start + words[0].length, row, column };
      }),
    );
}

/**
 * Finds the first span in a sorted list from `start` on (binary search). Returns the list's length if there
 * is none.
 */
export function indexFrom(places: readonly TextSpan[], start: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.start ?? start) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
