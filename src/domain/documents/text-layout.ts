/** A part of a text, from one place to another. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Words of a line up to where another column of a table begins: after a tab, or two spaces or more. */
export interface Cell extends Place {
  readonly row: number;
  readonly column: number;
}

/** The lines of a text that are not empty, each in its cells. */
export function rowsOf(text: string): Cell[][] {
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

/** Where in a sorted list the first one is that does not start before a place; its length when there is none. */
export function indexFrom(places: readonly Place[], start: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.start ?? start) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
