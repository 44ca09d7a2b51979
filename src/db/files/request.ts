import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** A signed request to a store. */
export interface StoreRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** The most bytes of an answer; a longer one is an error. */
  readonly most: number;
}

/** Answer of a store. */
export interface StoreAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Time limits of requests to a store, in milliseconds. */
export interface StoreTimeouts {
  /** Limit for a silence of the connection. */
  readonly silence: number;
  /** Limit for a whole request with its repetition. */
  readonly whole: number;
}

export const defaultStoreTimeouts: StoreTimeouts = { silence: 5_000, whole: 15_000 };

/** Milliseconds before a request is repeated. */
const pause = 100;

/** Connections stay open for the next request. */
const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

async function readBody(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw new Error('The answer of the store is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

function sendOnce(request: StoreRequest, silence: number, signal: AbortSignal): Promise<StoreAnswer> {
  const { method, url, headers, body, most } = request;
  const protocol = url.protocol === 'http:' ? 'http:' : 'https:';
  const { request: start } = protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal, agent: agents[protocol], timeout: silence };
    const sent = start(url, options, (response) => {
      readBody(response, most).then(
        (read) => resolve({ status: response.statusCode ?? 0, body: read }),
        (error) => {
          sent.destroy();
          reject(error);
        },
      );
    });
    sent.on('timeout', () =>
      sent.destroy(Object.assign(new Error('The store does not answer.'), { code: 'ETIMEDOUT' })),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Statuses of a store that has a fault or is busy. */
const isFault = ({ status }: StoreAnswer) => status >= 500 || status === 429;

/**
 * Sends a request to a store, and repeats it once after a fault. All requests to stores can be repeated.
 * @throws {Error} if there is no answer in time, or one that is too long
 */
export async function sendToStore(
  request: StoreRequest,
  { silence, whole }: StoreTimeouts,
): Promise<StoreAnswer> {
  const signal = AbortSignal.timeout(whole);
  try {
    const answer = await sendOnce(request, silence, signal);
    if (!isFault(answer)) return answer;
  } catch (error) {
    // A connection that was kept open may have been closed at this moment.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
  await sleep(pause, undefined, { signal });
  return sendOnce(request, silence, signal);
}
