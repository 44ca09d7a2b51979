/**
 * Folds a text for case-insensitive search: Unicode NFC, lower case, `ß` as `ss`. The final sigma is as any
 * other. It mirrors the database's function `folded`, which decides what is found.
 */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}
