import { GatewayError } from './errors.js';

/** Reason for which the bytes of a file cannot be read. */
export type FileProblem = 'missing' | 'damaged' | 'unavailable';

const problemTexts: Readonly<Record<FileProblem, string>> = {
  missing: 'The bytes of this file are missing from the place where they were stored.',
  damaged: 'The bytes of this file are damaged: they are not those that were stored.',
  unavailable: 'Files cannot be read or stored now; try again.',
};

/** Error for a file that exists, but whose bytes cannot be read or stored. */
export class FileError extends GatewayError {
  readonly problem: FileProblem;

  constructor(problem: FileProblem, cause?: unknown) {
    const isPassing = problem === 'unavailable';
    super(isPassing ? 'UNAVAILABLE' : 'GONE', problemTexts[problem], {
      cause,
      headers: isPassing ? { 'Retry-After': '5' } : {},
    });
    this.problem = problem;
  }
}

/**
 * Bytes of a file on their way to the database. In JSON they are undefined, so that the event log leaves them
 * out.
 */
export class FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  toJSON(): undefined {
    return undefined;
  }
}

/** Kinds of characters in base64, by their codes. .NET knows this white space. */
const kinds = new Uint8Array(128);
const [letter, whiteSpace, padding] = [1, 2, 3];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (const [characters, kind] of [
  [letters, letter],
  [' \t\r\n', whiteSpace],
  ['=', padding],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;

/** Checks base64 in one walk. Removing white space from a large file would take a second. */
function isBase64(text: string): boolean {
  let [length, padded] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind === whiteSpace) continue;
    if (kind === padding) padded++;
    else if (kind !== letter || padded > 0) return false;
    length++;
  }
  return length % 4 === 0 && padded <= 2;
}

/**
 * Decodes base64 (RFC 4648 §4), ignoring white space as .NET does.
 * @returns undefined if it is not base64
 */
export function decodeBase64(text: string): FileContent | undefined {
  if (!isBase64(text)) return undefined;
  // Node.js ignores white space, too.
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64');
  return new FileContent(new Uint8Array(buffer, byteOffset, length));
}

/** Encodes a file's bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Returns the length of a number of bytes in base64 (RFC 4648, section 4). */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/**
 * The beginning of a reference. It contains a character that no caller's text can have, so that no text can
 * be taken for one.
 */
const referenceMark = '\u0000file:';

/** Represents a stored file's bytes in an answer until the answer is sent. */
export const fileReference = (id: string): string => referenceMark + id;

/** References as JSON writes them; the id is captured. */
export const writtenReferences = /"\\u0000file:([0-9a-f-]{36})"/g;

/** Maximum bytes of a file. */
export const largestFile = 16 * 1024 * 1024;

/**
 * Unsafe characters of a file name. They are path separators, control characters, and those that make
 * `gpj.exe` look like `exe.jpg`.
 */
const unsafe = /[/\\\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a file name that cannot lead out of a folder. */
function safeName(name: string | null, otherwise: string): string {
  const written = name?.trim().replace(unsafe, '_') ?? '';
  return /^\.*$/.test(written) ? otherwise : written;
}

/** Further characters that Windows allows in no file name. */
const unsafeOnDisks = /[<>:"|?*]/g;

/** The most characters of a name in a path, besides its extension. */
const longestOnDisk = 80;

/**
 * Returns a name for a file or folder that every system can write. A long one keeps its extension.
 * @param otherwise the name if there is none
 */
export function diskName(name: string | null, otherwise: string): string {
  const safe = safeName(name, otherwise).toWellFormed().replace(unsafeOnDisks, '_');
  const extension = /\.[\w-]{1,10}$/.exec(safe)?.[0] ?? '';
  const stem = [...safe.slice(0, safe.length - extension.length)].slice(0, longestOnDisk).join('');
  // Windows drops dots and spaces at the end.
  return `${stem}${extension}`.replace(/[. ]+$/, '') || otherwise;
}

/**
 * Formats the `Content-Disposition` header for saving a file (RFC 6266). It contains the name in ASCII, and
 * unchanged in the encoding of RFC 8187. No name can lead out of a folder, or look like another one.
 */
export function contentDisposition(name: string | null): string {
  const safe = safeName(name, 'attachment');
  const ascii = safe.replace(/[^ -~]|["%]/g, '_');
  // encodeURIComponent leaves these unencoded, but RFC 8187 (section 3.2.1) does not allow them.
  const encoded = encodeURIComponent(safe.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Returns a caller's media type if it is valid, else `application/octet-stream` (RFC 9110, section 8.3.1).
 */
export function validMediaType(text: string | null): string {
  const token = "[\\w!#$%&'*+.^`|~-]+";
  const parameter = `\\s*;\\s*${token}=(${token}|"[\\w !#-\\[\\]-~]*")`;
  const type = text?.trim() ?? '';
  return new RegExp(`^${token}/${token}(${parameter})*$`).test(type) ? type : 'application/octet-stream';
}
