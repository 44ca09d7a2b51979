import type { IncomingMessage } from 'node:http';
import { requestFrom, withTimeout } from '../uploads/worker/guarded-request.js';
import { version } from '../version.js';
import { AddressRefused, type Lookup, type PrivateHosts, readAddress, resolveAddress } from './address.js';
import { createLookup } from './look-up.js';

/** Result of one attempt to send a message. */
export interface PostResult {
  /** Status of the answer; null if there was none. */
  readonly status: number | null;
  /** Reason why there is no answer, without details of the network. */
  readonly error: string | null;
  /** Milliseconds until the answer, or until the failure. */
  readonly ms: number;
  /** True if there was no answer in time. */
  readonly isLate: boolean;
  /** Beginning of the answer's body. */
  readonly responseStart: string;
  /** The header `Retry-After`, as sent. */
  readonly retryAfter: string | null;
}

/** Returns whether a receiver accepted a message. */
export const isAccepted = ({ status }: Pick<PostResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** Sends a message to the address of an endpoint. It never throws, unless the signal aborts it. */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
) => Promise<PostResult>;

/** Limits of sending, and which receivers are allowed. */
export interface PostOptions {
  readonly privateHosts: PrivateHosts;
  /** Milliseconds from the look-up to the end of the answer. */
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
  /** Certificates in PEM to trust instead of those of Node.js. */
  readonly ca?: string;
}

/** Bytes of an answer that are read. What follows is not waited for. */
const mostRead = 16 * 1_024;

/** Characters of an answer that are kept for admins. */
const mostKept = 1_024;

/** Reads the beginning of an answer's body. What has come is in the list, even if the rest fails. */
async function readStart(response: IncomingMessage, chunks: Uint8Array[]): Promise<void> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= mostRead) break;
  }
}

/** Returns the text that is kept of a body. PostgreSQL cannot store NUL characters. */
const keptOf = (chunks: readonly Uint8Array[]) =>
  Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, mostKept);

/** Says what prevented an answer. An error's code reveals nothing about where it happened. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return `The url ${error.message}.`;
  if (error instanceof TooLate) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `The connection failed (${code}).` : 'The connection failed.';
}

/** Error of a receiver that does not answer in time. */
class TooLate extends Error {}

/**
 * Creates the function that sends messages, safe against SSRF. Administrators choose the addresses, but the
 * network that the gateway runs in may not be theirs. It follows no redirects, sends no cookies, ignores
 * proxies, and connects only to addresses that were checked for this attempt.
 */
export function createPost(options: PostOptions): Post {
  const { privateHosts, timeoutMs = 15_000, ca } = options;
  const { lookup = createLookup(privateHosts) } = options;
  return async (text, headers, body, signal) => {
    const started = performance.now();
    const late = new TooLate(`There was no answer within ${timeoutMs / 1_000} seconds.`);
    const spent = () => Math.round(performance.now() - started);
    let answered: Pick<PostResult, 'status' | 'retryAfter'> | undefined;
    const chunks: Uint8Array[] = [];
    try {
      await withTimeout(timeoutMs, late, signal, async (stop) => {
        const url = readAddress(text, privateHosts);
        const addresses = await resolveAddress(url, privateHosts, lookup);
        stop.throwIfAborted();
        const sent = {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': `expiration-gateway/${version}`,
        };
        const head = { ...sent, ...headers };
        const response = await requestFrom({
          ...{ url, addresses, ca, body, method: 'POST', headers: head, signal: stop },
        });
        try {
          const { statusCode = 0, headers: fields } = response;
          answered = { status: statusCode, retryAfter: fields['retry-after'] ?? null };
          await readStart(response, chunks);
        } finally {
          response.destroy();
        }
      });
    } catch (error) {
      // The status decides. A body that breaks off or never ends changes nothing.
      if (!answered) {
        if (signal?.aborted) throw error;
        const none = { status: null, responseStart: '', retryAfter: null };
        return { ...none, error: reasonOf(error), isLate: error instanceof TooLate, ms: spent() };
      }
    }
    const responseStart = keptOf(chunks);
    return {
      status: null,
      retryAfter: null,
      ...answered,
      responseStart,
      error: null,
      isLate: false,
      ms: spent(),
    };
  };
}
