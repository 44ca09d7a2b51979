import { Readable } from 'node:stream';
import { Response } from '@whatwg-node/fetch';
import type { Logger } from 'pino';
import { findFile, readPart, type StoredFile } from '../data/item-files.js';
import type { Session } from '../data/scope.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { contentDisposition, mediaTypeOf } from '../domain/files.js';
import { type ByteRange, rangeIn } from '../domain/ranges.js';
import { may } from '../domain/roles.js';
import { revalidated } from '../rest/answer.js';
import { checkMatch, matchesNone } from '../rest/etag.js';
import { readParameters } from '../rest/parameters.js';
import type { Authenticate } from './auth.js';
import type { GatewayPlugin } from './exchange.js';
import { askedOf } from './request.js';

const methods = 'GET, HEAD, OPTIONS';

/** Bytes that are read, and kept in memory, at a time. */
const slice = 1024 * 1024;

/** The bytes of a file, slice by slice; those of the first are there already. */
async function* slicesOf(
  session: Session,
  { id }: StoredFile,
  { first, last }: ByteRange,
  begin: Uint8Array,
) {
  yield begin;
  for (let at = first + slice; at <= last; at += slice) {
    yield await readPart(session, id, at, Math.min(slice, last - at + 1));
  }
}

/**
 * A stream that reads ahead by no more than a slice. One of Node's: the adapter leaves the errors of streams to
 * those who made them, and one that nobody hears ends the process.
 */
function streamOf(slices: AsyncIterable<Uint8Array>, onError: (error: unknown) => void): BodyInit {
  const stream = Readable.from(slices, { objectMode: false, highWaterMark: slice });
  stream.on('error', onError);
  // The Fetch adapter takes a stream of Node's as a body, which the type of bodies does not say.
  return stream as unknown as BodyInit;
}

/** A file never changes, so its id is its version (RFC 9110, section 8.8.3). */
const tagOf = ({ id }: StoredFile) => `"${id}"`;

/** The range that is asked for, unless it is of another version of the file (`If-Range`, RFC 9110 §13.1.5). */
function wantedRange({ headers }: Request, file: StoredFile): ByteRange | null | undefined {
  const version = headers.get('if-range');
  return version !== null && version !== tagOf(file) ? undefined : rangeIn(headers.get('range'), file.size);
}

/** What is asked for, and whether no more than the headers of its answer are. */
interface Asked {
  readonly request: Request;
  readonly session: Session;
  readonly file: StoredFile;
  readonly head: boolean;
  /** Told that the answer cannot be completed. */
  readonly onError: (error: unknown) => void;
}

async function answer({ request, session, file, head, onError }: Asked) {
  const etag = tagOf(file);
  checkMatch(request.headers.get('if-match'), etag);
  const caching = { ETag: etag, ...revalidated };
  if (matchesNone(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: caching });
  }
  const headers = {
    ...caching,
    'Accept-Ranges': 'bytes',
    'Content-Type': mediaTypeOf(file.contentType),
    'Content-Disposition': contentDisposition(file.name),
    // What callers upload is never run, whoever opens it.
    'Content-Security-Policy': "sandbox; default-src 'none'",
  };
  // Only GET has parts (RFC 9110 §14.2).
  const range = head ? undefined : wantedRange(request, file);
  if (range === null) {
    const problem = new GatewayError('BAD_REQUEST', 'The file does not reach this range.');
    return new Response(JSON.stringify({ message: problem.message, ok: false, code: problem.code }), {
      status: 416,
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Range': `bytes */${file.size}` },
    });
  }
  const part = range ?? { first: 0, last: file.size - 1 };
  const length = part.last - part.first + 1;
  const own = { ...headers, 'Content-Length': String(length) };
  if (head || length === 0) return new Response(null, { headers: own });
  const begin = await readPart(session, file.id, part.first, Math.min(slice, length));
  const body = streamOf(slicesOf(session, file, part, begin), onError);
  if (!range) return new Response(body, { headers: own });
  const contentRange = `bytes ${part.first}-${part.last}/${file.size}`;
  return new Response(body, { status: 206, headers: { ...own, 'Content-Range': contentRange } });
}

/** `/attachments/{id}`: the bytes of an attachment, whole or in part, for those who may see it. */
export function useAttachments(authenticate: Authenticate, log: Logger): GatewayPlugin {
  return {
    async onRequest({ request, url, serverContext: { exchange }, endResponse }) {
      const [, id] = /^\/attachments\/([^/]+)$/.exec(url.pathname) ?? [];
      if (id === undefined) return;
      if (request.method === 'OPTIONS') {
        endResponse(new Response(null, { status: 204, headers: { Allow: methods } }));
        return;
      }
      if (request.method !== 'GET') {
        const headers = { Allow: methods };
        throw new GatewayError('METHOD_NOT_ALLOWED', `This path takes ${methods}.`, { headers });
      }
      const session = await authenticate(askedOf(request), exchange);
      // It takes none, and says so of those that cannot be read.
      readParameters(url.search.slice(1));
      const { role } = session.caller;
      if (!may(role, 'read')) {
        throw new GatewayError('FORBIDDEN', `A token with the role ${role} may not do this.`);
      }
      const file = await findFile(session, id);
      if (!file) throw notFound('attachment', id);
      const onError = (err: unknown) => {
        log.warn({ err, id: exchange.id }, 'a download broke off');
        exchange.cut();
      };
      endResponse(await answer({ request, session, file, head: exchange.headOnly, onError }));
    },
  };
}
