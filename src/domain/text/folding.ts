/**
 * A text as searches compare it: in Unicode NFC and folded case, `ß` as `ss` and the final sigma as any other. It
 * mirrors the database's function `folded`, which decides what is found.
 */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}
