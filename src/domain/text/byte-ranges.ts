/** A part of a file: its first and its last byte, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads `Range` (RFC 9110, section 14.2) where it asks for one range of bytes.
 * @param size of the file, in bytes
 * @returns undefined for what is to be ignored: no range, several, other units, or what is none; null for a range
 *   that the file does not reach
 */
export function rangeIn(header: string | null, size: number): ByteRange | null | undefined {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!match) return undefined;
  const [from, to] = [match[1] ?? '', match[2] ?? ''];
  if (from === '') {
    const suffix = Number(to);
    if (to === '') return undefined;
    return suffix === 0 || size === 0 ? null : { first: Math.max(0, size - suffix), last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Number(to)];
  if (to !== '' && last < first) return undefined;
  return first >= size ? null : { first, last: Math.min(last, size - 1) };
}
