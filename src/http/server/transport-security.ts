import type { ServerResponse } from 'node:http';
import { isLoopback, ownOrigin } from '../session/cookies.js';

/** Settings of the header `Strict-Transport-Security`. */
export interface TransportSettings {
  readonly publicUrl: string | undefined;
  /** Days for which browsers use only https; Infinity if they are not told to. */
  readonly hstsDays: number;
}

/**
 * Returns the function that tells browsers to use only https for a host (RFC 6797). It is called for answers over
 * https. Other programs on this machine may use plain http, also at other ports, so `localhost` is left out.
 */
export function transportSecurity({ publicUrl, hstsDays }: TransportSettings) {
  const value = `max-age=${hstsDays * 86_400}`;
  /** @param asked the origin that the request was sent to */
  return (response: ServerResponse, asked: string): void => {
    if (hstsDays === Number.POSITIVE_INFINITY) return;
    const { protocol, hostname } = new URL(ownOrigin(asked, publicUrl));
    if (protocol === 'https:' && !isLoopback(hostname))
      response.setHeader('Strict-Transport-Security', value);
  };
}
