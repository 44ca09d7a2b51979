/**
 * Folds a text for case-insensitive search. The result is in Unicode NFC and lower case, with `ß` as `ss`,
 * and the final sigma like any other. It mirrors the database function `folded`, which decides what is found.
 */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}
