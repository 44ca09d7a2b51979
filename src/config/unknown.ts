import { fileVariable, secretNames } from './secret-files.js';
import { table } from './table.js';

const names = [...Object.keys(table), ...secretNames.map(fileVariable)];

/**
 * Counts the edits between two words (Damerau-Levenshtein distance): letters added, removed, replaced,
 * swapped.
 */
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

/**
 * Returns the most edits by which a name may differ from a setting's. A short name soon becomes another word
 * (HOST, HOME).
 */
const tolerance = (name: string) => (name.length < 8 ? 1 : 2);

/** Finds the setting that a misspelt name probably means, if any. */
function findMeantSetting(name: string): string | undefined {
  if (names.includes(name)) return undefined;
  const upper = name.toUpperCase();
  // Most differ by more than that even in length.
  return names.find(
    (known) =>
      Math.abs(name.length - known.length) <= tolerance(known) && distance(upper, known) <= tolerance(known),
  );
}

/** Finds misspelt settings in the environment, such as PORTT, and what they probably mean. */
export function unknownSettings(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  return Object.keys(env).flatMap((name) => {
    const meant = findMeantSetting(name);
    return meant === undefined ? [] : [{ name, meant }];
  });
}
