import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GatewayError } from '../domain/errors.js';
import type { MemoryHold } from './memory-budget.js';

const none = new Uint8Array();

/**
 * Bytes of memory that a byte of a body takes until its request is answered: itself, its text, the values in it, and
 * what is sent of them to the database.
 */
const memoryPerByte = 4;

/** Bytes that memory is asked for at a time, where a body does not say how long it is. */
const step = 256 * 1024;

/** Content codings of bodies that are read. */
const codings = 'gzip, identity';

/** Says that a request has a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`);
}

/**
 * Checks what a request's head says of its body, before any of it is read.
 * @throws GatewayError PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE for a content coding other than gzip
 */
export function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== 'gzip') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The body may be compressed by gzip alone.', {
      headers: { 'Accept-Encoding': codings },
    });
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/** The bytes of a body as its content coding leaves them, and what its end tells. */
function decoded(request: IncomingMessage): Readable {
  if (request.headers['content-encoding']?.trim().toLowerCase() !== 'gzip') return request;
  const gunzip = createGunzip();
  request.once('error', (error) => gunzip.destroy(error));
  request.once('close', () => {
    if (!request.complete) gunzip.destroy(new Error('The request was aborted.'));
  });
  return request.pipe(gunzip);
}

/**
 * Reads a request's body up to a limit, in bytes after unpacking. It is read no faster than there is memory for it.
 * @throws GatewayError PAYLOAD_TOO_LARGE as soon as it is known to be larger; BAD_REQUEST for one that ends early or is
 *   not gzip though it says so; UNAVAILABLE when there is no memory for it in time
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  memory: MemoryHold,
): Promise<Uint8Array> {
  if (!hasBody(request)) return none;
  const source = decoded(request);
  const announced = source === request ? Number(request.headers['content-length'] ?? 0) : 0;
  let room = announced;
  let held = 0;
  /** Asks for the memory of so many bytes; the largest body takes what a caller may hold, and not more than that. */
  const hold = (bytes: number) => {
    const more = Math.min(bytes * memoryPerByte, memory.most - held);
    held += more;
    return more > 0 ? memory.grow(more, 'body') : undefined;
  };
  if (announced > 0) await hold(announced);
  if (request.destroyed && !request.complete) throw endedEarly();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let packed = 0;
    const stop = (error: unknown) => {
      source.off('data', take);
      request.off('data', takePacked);
      if (source !== request) request.unpipe();
      request.resume();
      if (source !== request) source.destroy();
      reject(error);
    };
    /** Asks for the memory of the next bytes; pauses until it is there. */
    const makeRoom = () => {
      room += step;
      try {
        const wait = hold(step);
        if (!wait) return;
        source.pause();
        wait.then(() => source.resume(), stop);
      } catch (error) {
        stop(error);
      }
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return stop(tooLarge(limit));
      chunks.push(chunk);
      if (size > room) makeRoom();
    };
    /** Bounds what comes packed, too: gzip can go on for ever without unpacking to anything. */
    const takePacked = (chunk: Buffer) => {
      packed += chunk.length;
      if (packed > limit) stop(tooLarge(limit));
    };
    if (source !== request) request.on('data', takePacked);
    source.on('data', take);
    source.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // Every request closes in the end; an error is slow to make.
    request.once('close', () => {
      if (!request.complete) reject(endedEarly());
    });
    source.once('error', () =>
      stop(request.complete || source === request ? notGzip(source === request) : endedEarly()),
    );
  });
}

function endedEarly(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'The body ended early.');
}

function notGzip(isPlain: boolean): GatewayError {
  return isPlain
    ? endedEarly()
    : new GatewayError('BAD_REQUEST', 'The body is not gzip, as `Content-Encoding` says.');
}
