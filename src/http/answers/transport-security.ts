import type { IncomingMessage } from 'node:http';
import { askedOrigin } from '../request/request.js';
import { isLoopback, ownOrigin } from '../session/cookies.js';

/** Settings of the header `Strict-Transport-Security`. */
export interface TransportSettings {
  readonly publicUrl: string | undefined;
  /** Days for which browsers use only https; Infinity if they are not told to. */
  readonly hstsDays: number;
  /** Number of proxies in front (address.ts). */
  readonly trustProxy: number;
}

/**
 * Returns the headers that an answer has because of how it was asked for.
 * @param request undefined for bytes that could not be read as one
 */
export type TransportHeaders = (request: IncomingMessage | undefined) => Readonly<Record<string, string>>;

const none: Readonly<Record<string, string>> = {};

/**
 * Returns the headers that tell browsers to use only https for a host (RFC 6797). Only answers over https have
 * them. Other programs on this machine may use plain http, also at other ports, so `localhost` is left out.
 */
export function transportSecurity({ publicUrl, hstsDays, trustProxy }: TransportSettings): TransportHeaders {
  if (hstsDays === Number.POSITIVE_INFINITY) return () => none;
  const strict = { 'Strict-Transport-Security': `max-age=${hstsDays * 86_400}` };
  return (request) => {
    const origin = request ? ownOrigin(askedOrigin(request, trustProxy), publicUrl) : publicUrl;
    if (origin === undefined) return none;
    const { protocol, hostname } = new URL(origin);
    return protocol === 'https:' && !isLoopback(hostname) ? strict : none;
  };
}
