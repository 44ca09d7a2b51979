import { table } from './table.js';

const names = Object.keys(table);

/** The changes that make one word of another: letters left out, added, exchanged, or two that changed places. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const kept = at(row - 1, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(kept, swapped, at(row - 1, column) + 1, (line[column - 1] ?? 0) + 1));
    }
  }
  return at(one.length, other.length);
}

/** Changes that a name may have and still be meant for a setting: a short one is soon another word (HOST, HOME). */
const tolerance = (name: string) => (name.length < 8 ? 1 : 2);

/** The setting that a name is meant for, unless it is one, or like none. */
function meantBy(name: string): string | undefined {
  if (names.includes(name)) return undefined;
  const upper = name.toUpperCase();
  // Most differ in length already by more than that.
  return names.find(
    (known) =>
      Math.abs(name.length - known.length) <= tolerance(known) && distance(upper, known) <= tolerance(known),
  );
}

/** Finds variables that look like a setting and are none, such as PORTT, and the settings that they look like. */
export function unknownSettings(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  return Object.keys(env).flatMap((name) => {
    const meant = meantBy(name);
    return meant === undefined ? [] : [{ name, meant }];
  });
}
