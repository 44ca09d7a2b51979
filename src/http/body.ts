import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../domain/errors.js';

const none = new Uint8Array();

/**
 * Reads a request's body up to a limit, in bytes.
 * @throws GatewayError PAYLOAD_TOO_LARGE as soon as the body is known to be larger. What still comes of it is
 *   thrown away, so that the caller can finish sending and read the answer.
 */
export function readBody(request: IncomingMessage, largestBody: number): Promise<Uint8Array> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return Promise.resolve(none);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else refuse();
    };
    const refuse = () => {
      request.off('data', collect);
      request.resume();
      reject(new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${largestBody} bytes.`));
    };
    // An error is slow to make, and every request closes in the end.
    const endEarly = () => {
      if (!request.readableEnded) reject(new GatewayError('BAD_REQUEST', 'The body ended early.'));
    };
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('close', endEarly);
    // A caller who gives up is no fault of ours.
    request.once('error', endEarly);
    if (Number(headers['content-length']) > largestBody) refuse();
    else request.on('data', collect);
  });
}

/**
 * A body that was read, in the form in which the Fetch adapter takes one: given the bytes themselves, it would
 * make a list of their indexes to see whether there are any.
 */
export function asStream(bytes: Uint8Array) {
  return {
    bytes,
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
