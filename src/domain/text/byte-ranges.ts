/** A part of a file: its first and last byte, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2) with a single range of bytes.
 * @param size of the file, in bytes
 * @returns undefined if the header is to be ignored: missing, invalid, several ranges, other units; null for
 *   a range beyond the end of the file
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
