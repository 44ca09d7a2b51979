import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GatewayError } from '../../domain/errors.js';
import type { MemoryHold } from '../load/memory.js';
import { late } from './wire.js';

export const emptyBody = new Uint8Array();

/**
 * Number of chunks that is always allowed, and the minimum average size beyond it. Each chunk takes some
 * microseconds however small it is: in chunks of one byte, the largest body would take minutes.
 */
const [uncheckedChunks, minAverageChunkBytes] = [64 * 1024, 16];

/** Size in bytes from which a chunk of a body is kept without being copied. */
const minUncopiedBytes = 4 * 1024;

/** Largest block, in bytes, into which small chunks are copied. Blocks grow with the body. */
const maxBlockBytes = 64 * 1024;

/**
 * Collects the chunks of a body. Small chunks are copied together, because each Buffer costs some hundred
 * bytes however small it is, and a caller may send its body in chunks of one byte.
 */
class BodyChunks {
  #whole: Buffer[] = [];
  #block = Buffer.alloc(0);
  #filled = 0;
  size = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    // Most bodies arrive in one chunk.
    if (piece.length >= minUncopiedBytes || this.size === piece.length) {
      this.#endBlock();
      this.#whole.push(piece);
      return;
    }
    if (this.#filled + piece.length > this.#block.length) {
      this.#endBlock();
      this.#block = Buffer.allocUnsafe(Math.min(maxBlockBytes, Math.max(minUncopiedBytes, this.size)));
    }
    this.#filled += piece.copy(this.#block, this.#filled);
  }

  #endBlock(): void {
    if (this.#filled > 0) this.#whole.push(this.#block.subarray(0, this.#filled));
    this.#block = this.#block.subarray(this.#filled);
    this.#filled = 0;
  }

  whole(): Uint8Array {
    this.#endBlock();
    const [first = emptyBody] = this.#whole;
    return this.#whole.length === 1 ? first : Buffer.concat(this.#whole);
  }

  drop(): void {
    this.#whole = [];
    this.#block = Buffer.alloc(0);
    this.#filled = 0;
  }
}

const codings = 'gzip, identity';

/** Returns whether a request has a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`);
}

/**
 * Checks what a request's head announces about its body, before any of it is read.
 * @throws GatewayError PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE for a content coding other than gzip
 */
export function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== 'gzip') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The body can only be compressed with gzip.', {
      headers: { 'Accept-Encoding': codings },
    });
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/** Decompresses a body by its `Content-Encoding`. */
function decoded(request: IncomingMessage): Readable {
  if (request.headers['content-encoding']?.trim().toLowerCase() !== 'gzip') return request;
  const gunzip = createGunzip();
  // A client can cut the connection after the compressed bytes, when nobody reads them any more.
  gunzip.on('error', () => {});
  request.once('error', (error) => gunzip.destroy(error));
  request.once('close', () => {
    if (!request.complete) gunzip.destroy(new Error('The request was aborted.'));
  });
  return request.pipe(gunzip);
}

/**
 * Reads a request's body up to a limit, which counts bytes after decompression. Reading waits while there is
 * no memory for more (backpressure). Memory is taken as bytes arrive, so a body that is only announced takes
 * none from others.
 * @throws GatewayError PAYLOAD_TOO_LARGE as soon as the body is known to be larger; BAD_REQUEST if it ends
 *   early, comes in too many small chunks or is not the gzip that it claims to be, or 408 if it is late while
 *   others wait for its memory; UNAVAILABLE if no memory becomes free in time
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  memory: MemoryHold,
): Promise<Uint8Array> {
  if (!hasBody(request)) return emptyBody;
  if (request.destroyed && !request.complete) throw endedEarly();
  const source = decoded(request);
  return new Promise((resolve, reject) => {
    const pieces = new BodyChunks();
    let sent = 0;
    let chunks = 0;
    /**
     * Removes all listeners. The request object lives as long as its stream, and the listeners would keep the
     * body in memory.
     */
    const removeListeners = () => {
      source.off('data', take).off('end', finish).off('error', fail);
      request.off('data', count).off('close', abort);
    };
    const stop = (error: unknown) => {
      removeListeners();
      source.on('error', () => {});
      if (source !== request) request.unpipe();
      request.resume();
      if (source !== request) source.destroy();
      pieces.drop();
      memory.received();
      memory.drop('body');
      reject(error);
    };
    const giveUp = () => stop(late);
    /**
     * Limits the bytes and chunks that arrive. A gzip stream can go on for ever and decompress to nothing.
     */
    const count = (chunk: Buffer): boolean => {
      sent += chunk.length;
      chunks += 1;
      const isPieced = chunks > uncheckedChunks && sent < chunks * minAverageChunkBytes;
      if (sent > limit) stop(tooLarge(limit));
      else if (isPieced) stop(tooManyChunks());
      return sent <= limit && !isPieced;
    };
    const take = (chunk: Buffer) => {
      if (source === request && !count(chunk)) return;
      if (pieces.size + chunk.length > limit) return stop(tooLarge(limit));
      pieces.add(chunk);
      try {
        const wait = memory.receive(chunk.length, giveUp);
        if (!wait) return;
        source.pause();
        wait.then(() => source.resume(), stop);
      } catch (error) {
        stop(error);
      }
    };
    const finish = () => {
      removeListeners();
      // What follows the compressed bytes is dropped; unread, it would hold the connection up.
      if (source !== request) request.unpipe().resume();
      memory.received();
      resolve(pieces.whole());
    };
    const fail = () =>
      stop(request.complete || source === request ? notGzip(source === request) : endedEarly());
    // Every request emits "close" in the end, so check first: creating an error is slow.
    const abort = () => {
      if (!request.complete) stop(endedEarly());
    };
    if (source !== request) request.on('data', count);
    source.on('data', take).once('end', finish).once('error', fail);
    request.once('close', abort);
  });
}

function tooManyChunks(): GatewayError {
  return new GatewayError(
    'BAD_REQUEST',
    `The body has too many chunks: above ${uncheckedChunks}, they must have at least ${minAverageChunkBytes} bytes on average.`,
  );
}

function endedEarly(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'The body ended early.');
}

function notGzip(isPlain: boolean): GatewayError {
  return isPlain
    ? endedEarly()
    : new GatewayError('BAD_REQUEST', 'The body is not gzip, as `Content-Encoding` says.');
}
