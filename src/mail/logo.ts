import { crc32 } from 'node:zlib';
import { rules } from '../domain/rules.js';

/** The most bytes of a logo. Each mail has them. */
export const largestLogo = 100_000;

/** The most pixels of a logo's sides. */
const longestSide = 1_000;

/** A picture that mails show above their text. */
export interface Logo {
  readonly type: 'png' | 'jpeg';
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Logo, 'width' | 'height'>;

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Reads the size of a PNG picture. @returns undefined unless all of its chunks are whole */
function pngSize(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, 8).equals(pngStart)) return undefined;
  let size: Size | undefined;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      return undefined;
    if ((at === 8) !== (type === 'IHDR')) return undefined;
    if (type === 'IHDR') {
      if (length !== 13) return undefined;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND') return hasPixels && end + 4 === bytes.length ? size : undefined;
    at = end + 4;
  }
  return undefined;
}

/** Checks for a JPEG marker of a frame, which says how large the picture is. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Reads the size of a JPEG picture. @returns undefined unless all of its segments are whole */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return undefined;
  let size: Size | undefined;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return undefined;
    // What follows the start of the scan are the pixels.
    if (marker === 0xda) return size;
    if (isFrame(marker)) {
      if (length < 8) return undefined;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
  }
  return undefined;
}

/** Readers of the formats that all mail programs show. */
const readers = { png: pngSize, jpeg: jpegSize } as const;

/**
 * Reads a logo from a data URL, such as `data:image/png;base64,iVBORw0…`.
 * @returns the logo, or what is wrong with it
 */
export function readLogo(url: string): Logo | string {
  const [, type, content = ''] = /^data:image\/(png|jpeg);base64,([a-z\d+/]+={0,2})$/i.exec(url) ?? [];
  if (!type) return 'must be a data URL of a PNG or JPEG picture, in base64';
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > largestLogo) return `must have at most ${largestLogo} bytes`;
  const known = type.toLowerCase() as Logo['type'];
  const size = readers[known](bytes);
  if (!size?.width || !size.height) return `must be a whole ${known.toUpperCase()} picture`;
  if (Math.max(size.width, size.height) > longestSide)
    return `must be at most ${longestSide} pixels wide and high, and is ${size.width} × ${size.height}`;
  return { type: known, bytes, ...size };
}

/** The most characters of a logo's data URL. */
const longestLogo = 'data:image/jpeg;base64,'.length + 4 * Math.ceil(largestLogo / 3);

/** Rule of a logo's data URL. */
export const logoRule = rules
  .textWithin(longestLogo)
  .superRefine((url, context) => {
    const read = url ? readLogo(url) : undefined;
    if (typeof read === 'string')
      context.addIssue({ code: 'custom', message: read, params: { rule: 'format' } });
  })
  .transform((url) => url || null);
