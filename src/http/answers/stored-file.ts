import { Readable } from 'node:stream';
import { GatewayError } from '../../domain/errors.js';
import { contentDisposition, validMediaType } from '../../domain/files.js';
import { type Answer, revalidated } from '../../web/answer.js';
import { errorAnswer } from '../../web/errors.js';
import { checkMatch, matchesNone } from '../../web/etag.js';
import type { Incoming } from '../routing/endpoint.js';

/** The bytes of a file. */
export interface StoredFile {
  /** Id of the bytes, which never change. If the file is replaced, its new bytes have another one. */
  readonly id: string;
  readonly name: string | null;
  readonly contentType: string | null;
  /** Size in bytes. */
  readonly size: number;
  /** Reads bytes from the index of the first one. */
  readonly read: (first: number, length: number) => Promise<Uint8Array>;
  /** Its SHA-256; null or undefined if it is not known. */
  readonly digest?: Uint8Array | null;
  /** Yields all bytes in slices. It throws before the last one if they are not those that were stored. */
  readonly whole?: (sliceBytes: number) => AsyncGenerator<Uint8Array>;
}

/** A part of a file: its first and last byte, counted from 0. */
interface ByteRange {
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

/** Bytes that are read, and kept in memory, at a time. */
const sliceBytes = 1024 * 1024;

/** Yields the bytes of a file's range, slice by slice. Those of the whole file are compared with its SHA-256. */
async function* fileSlices({ read, whole, size }: StoredFile, { first, last }: ByteRange) {
  if (whole && last - first + 1 === size) return yield* whole(sliceBytes);
  for (let at = first; at <= last; at += sliceBytes) {
    yield await read(at, Math.min(sliceBytes, last - at + 1));
  }
}

/** Yields what a generator yields. Its first value has been read already. */
async function* resumed(begin: Uint8Array, rest: AsyncGenerator<Uint8Array>) {
  yield begin;
  yield* rest;
}

/** Returns a file's entity tag (RFC 9110, section 8.8.3). It is the id of its bytes. */
const fileTag = ({ id }: StoredFile) => `"${id}"`;

/** Reads the requested byte range. `If-Range` may name another version (RFC 9110 section 13.1.5). */
function wantedRange({ header }: Incoming, file: StoredFile): ByteRange | null | undefined {
  const version = header('if-range');
  return version !== null && version !== fileTag(file) ? undefined : rangeIn(header('range'), file.size);
}

const noSuchRange = ({ header }: Incoming, { size }: StoredFile): Answer => {
  const problem = new GatewayError('BAD_REQUEST', 'The range is outside the file.', {
    headers: { 'Content-Range': `bytes */${size}` },
  });
  return errorAnswer(problem, { accept: header('accept'), status: 416 });
};

/**
 * Answers with a file or a range of it. It is read slice by slice.
 * @param isHead true if only the head is sent
 */
export async function answerStoredFile(
  request: Incoming,
  file: StoredFile,
  isHead: boolean,
): Promise<Answer> {
  const etag = fileTag(file);
  checkMatch(request.header('if-match'), etag);
  const caching = { ETag: etag, ...revalidated };
  if (matchesNone(request.header('if-none-match'), etag))
    throw new GatewayError('NOT_MODIFIED', 'The file has not changed.', { headers: caching });
  const headers = {
    ...caching,
    'Accept-Ranges': 'bytes',
    'Content-Type': validMediaType(file.contentType),
    'Content-Disposition': contentDisposition(file.name),
    // Uploaded files must never be executed, whoever opens them.
    'Content-Security-Policy': "sandbox; default-src 'none'",
    // A link is a secret, so neither the page that contains it nor the file may pass it on.
    'Referrer-Policy': 'no-referrer',
    // Of the whole file, also with a range (RFC 9530 section 3).
    ...(file.digest && { 'Repr-Digest': `sha-256=:${Buffer.from(file.digest).toString('base64')}:` }),
  };
  // Only GET supports ranges (RFC 9110 section 14.2).
  const range = isHead ? undefined : wantedRange(request, file);
  if (range === null) return noSuchRange(request, file);
  const part = range ?? { first: 0, last: file.size - 1 };
  const length = part.last - part.first + 1;
  const own = { ...headers, 'Content-Length': String(length) };
  if (isHead || length === 0) return { status: 200, headers: own, body: null };
  const slices = fileSlices(file, part);
  // If the bytes cannot be read, an error is the answer.
  const { value: begin = new Uint8Array() } = await slices.next();
  // Read ahead by one slice at most.
  const body = Readable.from(resumed(begin, slices), {
    objectMode: false,
    highWaterMark: sliceBytes,
  });
  if (!range) return { status: 200, headers: own, body };
  const contentRange = `bytes ${part.first}-${part.last}/${file.size}`;
  return { status: 206, headers: { ...own, 'Content-Range': contentRange }, body };
}
