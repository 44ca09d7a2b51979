import type { LookupAddress } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';

/** Request to a host whose addresses have been checked. */
export interface GuardedRequest {
  /** URL with a host name, which the addresses belong to. */
  readonly url: URL;
  /** Tried in turn; at least one. */
  readonly addresses: readonly LookupAddress[];
  /** Certificates in PEM to trust instead of those of Node.js. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Option that tries all addresses in turn (happy eyeballs). It makes `lookup` return all addresses instead of
 * one; the types of https omit it.
 */
const inTurn = { autoSelectFamily: true } satisfies Partial<TcpNetConnectOpts>;

/** Sends a request over its own connection, only to the given addresses. It follows no redirects. */
export function requestFrom(asked: GuardedRequest): Promise<IncomingMessage> {
  const { url, addresses, ca, signal, method = 'GET', headers, body } = asked;
  // Use the checked addresses, because another lookup of the name might return different ones (DNS
  // rebinding).
  const checked: LookupFunction = (_hostname, _options, done) => done(null, [...addresses]);
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    request(url, {
      method,
      // Use a separate direct connection, whatever pool or proxy the process has.
      agent: false,
      lookup: checked,
      ...inTurn,
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
      rejectUnauthorized: true,
      ca,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      // An answer that switches protocols emits only this event.
      .on('close', () => reject(new Error('The connection was closed without a response.')))
      .end(body);
  });
}

/**
 * Runs work with a timeout and a signal, even if it cannot be stopped. It avoids combining
 * `AbortSignal.timeout` and `AbortSignal.any`, which may be garbage-collected before they fire.
 * @param late error of work that takes too long
 */
export async function withTimeout<T>(
  timeoutMs: number,
  late: Error,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  const timer = setTimeout(() => stop.abort(late), timeoutMs);
  const giveUp = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp);
  try {
    return await Promise.race([stopped, work(stop.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
