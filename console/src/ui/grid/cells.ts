/** A place in a grid. The first row and column are 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Cells from one corner to the other, both included. */
export interface Area {
  readonly from: Cell;
  readonly until: Cell;
}

/** Returns the area between two cells. */
export const areaOf = (one: Cell, other: Cell): Area => ({
  from: { row: Math.min(one.row, other.row), column: Math.min(one.column, other.column) },
  until: { row: Math.max(one.row, other.row), column: Math.max(one.column, other.column) },
});

interface Sizes {
  /** The rows of a page. */
  readonly page: number;
  readonly rows: number;
  readonly columns: number;
}

/**
 * Returns the cell that a key leads to, which may be beyond the grid. The keys are those of the ARIA practices.
 * @returns undefined for a key that leads nowhere
 */
export function moved(
  key: string,
  { row, column }: Cell,
  isControl: boolean,
  sizes: Sizes,
): Cell | undefined {
  const lastRow = sizes.rows - 1;
  const lastColumn = sizes.columns - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: isControl ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: isControl ? lastRow : row + 1, column };
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isBack = (key === 'ArrowLeft') !== (document.dir === 'rtl');
      if (isControl) return { row, column: isBack ? 0 : lastColumn };
      return { row, column: column + (isBack ? -1 : 1) };
    }
    case 'Home':
      return { row: isControl ? 0 : row, column: 0 };
    case 'End':
      return { row: isControl ? lastRow : row, column: lastColumn };
    case 'PageUp':
      return { row: row - sizes.page, column };
    case 'PageDown':
      return { row: row + sizes.page, column };
    default:
      return undefined;
  }
}

interface Window {
  /** The beginning and the length of the window, in pixels. */
  readonly from: number;
  readonly length: number;
  readonly ahead: number;
  readonly count: number;
  /** One that is always there, because it has the focus. */
  readonly also: number;
  readonly first?: number;
}

/**
 * Lists the rows or columns that are near the window.
 * @param startOf returns where one begins
 */
export function windowOf(
  { from, length, ahead, count, also, first = 0 }: Window,
  startOf: (index: number) => number,
): readonly number[] {
  /** Finds the last one that begins before a place. */
  const lastBefore = (place: number) => {
    let [low, high] = [first, count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (startOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  if (count <= first) return [];
  const begin = Math.max(first, lastBefore(from) - ahead);
  const end = Math.min(count - 1, lastBefore(from + Math.max(0, length)) + ahead);
  const shown = Array.from({ length: end - begin + 1 }, (_, index) => begin + index);
  if (also < first || also >= count || (also >= begin && also <= end)) return shown;
  return also < begin ? [also, ...shown] : [...shown, also];
}

/** Reads cells that a spreadsheet has copied. A cell with tabs or lines is in quotes. */
export function readTable(text: string): readonly (readonly string[])[] {
  const table: string[][] = [];
  let line: string[] = [];
  // A cell in quotes, with doubled ones inside, or any other; and what ends it.
  const cells = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy;
  for (;;) {
    const found = cells.exec(text);
    if (!found) break;
    const [, quoted, plain = '', end] = found;
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\t') continue;
    table.push(line);
    line = [];
    // The last line of a spreadsheet ends like all others.
    if (end === '' || cells.lastIndex === text.length) break;
  }
  return text === '' ? [] : table;
}

/** Writes cells as spreadsheets take them. */
export const writeTable = (table: readonly (readonly string[])[]): string =>
  table
    .map((line) =>
      line.map((text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\t'),
    )
    .join('\n');
