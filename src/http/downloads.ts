import { Readable } from 'node:stream';
import { type GatewayAddress, readFeed } from '../calendar/feed.js';
import type { Caller } from '../domain/caller.js';
import { paths } from '../domain/doors/paths.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { contentDisposition, validMediaType } from '../domain/files.js';
import { FairQueue } from '../domain/load/shares.js';
import { fileSlices, findFile, readFileRange, readWholeFile } from '../items/attachment-files.js';
import { drawPage } from '../uploads/reading/read-document.js';
import { ReaderEnded } from '../uploads/reading/reader-process.js';
import { errorResponse } from '../web/errors.js';
import { checkMatch, matchesNone } from '../web/etag.js';
import { readParameters } from '../web/parameters.js';
import { type HttpResponse, revalidated } from '../web/response.js';
import { noFeed, noSession } from './auth/auth.js';
import type { Endpoint, Handle, Incoming } from './routing/endpoint.js';

/** The bytes of a file. */
interface StoredFile {
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
async function* partSlices({ read, whole, size }: StoredFile, { first, last }: ByteRange) {
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

const noSuchRange = ({ header }: Incoming, { size }: StoredFile): HttpResponse => {
  const problem = new GatewayError('BAD_REQUEST', 'The range is outside the file.', {
    headers: { 'Content-Range': `bytes */${size}` },
  });
  return errorResponse(problem, { accept: header('accept'), status: 416 });
};

/**
 * Answers with a file or a range of it. It is read slice by slice.
 * @param isHead true if only the head is sent
 */
export async function sendStoredFile(
  request: Incoming,
  file: StoredFile,
  isHead: boolean,
): Promise<HttpResponse> {
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
  const slices = partSlices(file, part);
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

/** Pages that are drawn at once, each in a process of its own. */
const places = 2;

/** The most pages that wait for an organization and for a person. */
const maxWaiting = { organization: 32, person: 8 };

/** A file whose pages are drawn. */
interface DrawnFile extends Pick<StoredFile, 'id'> {
  /** Reads all bytes. */
  readonly read: () => Promise<Uint8Array>;
  /** Takes the memory for the file and its copy on the way to the program. @throws GatewayError if there is none */
  readonly takeMemory: () => void;
}

/** Reads the number of a page. @returns null if it is none that a file could have */
function pageNumberIn(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
}

/** Creates the error for a page that cannot even wait. */
const tooMany = () =>
  new GatewayError('UNAVAILABLE', 'Too many pages are being drawn; try again.', {
    headers: { 'Retry-After': '2' },
  });

/** Creates the 503 for a page whose drawing process somebody else has ended. */
const ended = (cause: ReaderEnded) =>
  new GatewayError('UNAVAILABLE', 'The page cannot be drawn now; try again.', {
    cause,
    headers: { 'Retry-After': '1' },
  });

/** Draws pages of files. Organizations take turns, and so do the people of each. */
class PageDrawer {
  readonly #queue = new FairQueue(places, { ...maxWaiting, refusal: tooMany });

  /**
   * Answers with the picture of a page (JPEG). A file never changes, so its id and the page are the version.
   * @throws GatewayError NOT_FOUND if the file has no such page, or it cannot be drawn; UNAVAILABLE if too many wait
   *   already, or the drawing process was ended from outside
   */
  async answer(
    { header }: Incoming,
    { id, read, takeMemory }: DrawnFile,
    page: number,
    { organizationId, user, tokenId }: Caller,
    isHead: boolean,
  ): Promise<HttpResponse> {
    const caching = { ETag: `"${id}-${page}"`, ...revalidated };
    if (matchesNone(header('if-none-match'), caching.ETag))
      return { status: 304, headers: caching, body: null };
    const draw = async () => {
      takeMemory();
      return drawPage(await read(), page).catch((error) => {
        throw error instanceof ReaderEnded ? ended(error) : error;
      });
    };
    const drawn = await this.#queue.run({ organizationId, personId: user.id ?? tokenId }, draw);
    if (!drawn) throw new GatewayError('NOT_FOUND', `The file has no page ${page} that can be shown.`);
    const { jpeg, count } = drawn;
    const headers = {
      ...caching,
      'Content-Type': 'image/jpeg',
      'Content-Length': String(jpeg.length),
      'X-Page-Count': String(count),
      // A link is a secret, which nothing may pass on.
      'Referrer-Policy': 'no-referrer',
    };
    return { status: 200, headers, body: isHead ? null : new Uint8Array(jpeg) };
  }
}

/**
 * Creates the endpoint `/attachments/{id}`, which answers with a file or a range of it. A link may replace
 * the token (`downloadUrl(expiresIn:)`). With `page`, it answers with the picture of a page.
 */
export function attachmentEndpoint(): Endpoint {
  const drawer = new PageDrawer();
  const handle: Handle = async (request, { session = noSession(), headOnly, memory }) => {
    const id = request.id ?? '';
    const found = await findFile(session, id);
    if (!found) throw notFound('attachment', id);
    const read = (first: number, length: number) => readFileRange(session, found, first, length);
    const whole = (sliceBytes: number) => fileSlices(session, found, sliceBytes);
    const file = { ...found, id: found.version, read, whole };
    const wanted = readParameters(request.query).get('page');
    if (wanted === null) return sendStoredFile(request, file, headOnly);
    const page = pageNumberIn(wanted);
    if (page === null) throw new GatewayError('BAD_REQUEST', 'page: must be the number of a page, from 1');
    const takeMemory = () => {
      if (!memory.tryGrow(2 * file.size, 'stream')) throw memory.refusal();
    };
    return drawer.answer(
      request,
      { ...file, read: () => readWholeFile(session, found), takeMemory },
      page,
      session.caller,
      headOnly,
    );
  };
  return {
    path: paths.attachment,
    door: 'attachment',
    methods: {
      GET: {
        access: 'read',
        linked: ({ id = '' }) => ({ kind: 'attachment', id: id.toLowerCase() }),
        handle,
      },
    },
  };
}

interface CalendarFeedOptions {
  /** The gateway's address, if it is set. */
  readonly publicUrl: string | undefined;
  readonly hasConsole: boolean;
}

/** Creates the endpoint of calendar feeds. Calendar programs send no headers, so its path is the secret. */
export function calendarFeedEndpoint({ publicUrl, hasConsole }: CalendarFeedOptions): Endpoint {
  const handle: Handle = async ({ header }, { session = noSession(), headOnly, origin }) => {
    const place: GatewayAddress = { origin: publicUrl ?? origin(), hasConsole };
    const feed = await readFeed(session, place);
    // It was deleted after it was looked up.
    if (!feed) throw noFeed();
    const headers = {
      ETag: feed.tag,
      'Last-Modified': feed.modified.toUTCString(),
      'Cache-Control': 'private, max-age=300',
      'Referrer-Policy': 'no-referrer',
    };
    if (matchesNone(header('if-none-match'), feed.tag)) return { status: 304, headers, body: null };
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': 'text/calendar; charset=utf-8' },
      body: headOnly ? null : Readable.from(feed.parts(), { objectMode: false }),
    };
  };
  return {
    path: paths.calendarFeed,
    door: 'page',
    isSecret: true,
    methods: { GET: { access: 'read', isFeed: true, handle } },
  };
}
