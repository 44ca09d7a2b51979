import { isIPv4 } from 'node:net';
import { sessionTimes } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import type { Asked, ReadHeader } from '../request/request.js';

/** The cookies of people who sign in. */
type CookieName = 'session' | 'device';

/** Seconds for which browsers keep the cookies. No browser keeps one for longer than 400 days. */
const maxAge: Readonly<Record<CookieName, number>> = {
  session: sessionTimes.lifetime / 1_000,
  device: 400 * 86_400,
};

/** Settings that cookies depend on. */
export interface CookieSettings {
  readonly publicUrl: string | undefined;
  /** True if cookies are allowed without https everywhere. */
  readonly insecureCookies: boolean;
}

/** The cookies of an origin. */
export interface Cookies {
  /** The origin as browsers see it. */
  readonly origin: string;
  /** False where anybody on the way can read them. */
  readonly isSecure: boolean;
  /** Reads a cookie of a request. */
  read(header: ReadHeader, name: CookieName): string | undefined;
  /** Returns the `Set-Cookie` that sets a cookie, or with null removes it. */
  set(name: CookieName, value: string | null): string;
}

/** Returns the origin as browsers see it. Behind a proxy that ends TLS, only PUBLIC_URL may tell the scheme. */
export function ownOrigin(asked: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return asked;
  const known = new URL(publicUrl);
  return new URL(asked).hostname === known.hostname && known.protocol === 'https:' ? known.origin : asked;
}

/** Returns whether a host of an address is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

/**
 * Finds a cookie of a header (RFC 6265, section 4.2.1). Only spaces and tabs are trimmed: a name that begins with
 * another kind of space can be set by another host, and must not become ours. Of two that differ, somebody else
 * has set one, so neither counts.
 */
function findCookie(sent: string | null, name: string): string | undefined {
  const start = `${name}=`;
  const found = new Set<string>();
  for (const pair of sent?.split(';') ?? []) {
    const trimmed = pair.replace(/^[ \t]+|[ \t]+$/g, '');
    if (trimmed.startsWith(start)) found.add(trimmed.slice(start.length));
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/**
 * Returns how cookies are set at an origin. Without https they are refused, except on this machine or where
 * `INSECURE_COOKIES` allows it. The prefix `__Host-` keeps other hosts of the domain from setting them.
 * @param asked the origin that a request was sent to
 * @returns undefined where there are none
 */
export function cookiesAt(
  asked: string,
  { publicUrl, insecureCookies }: CookieSettings,
): Cookies | undefined {
  const origin = ownOrigin(asked, publicUrl);
  const { protocol, hostname } = new URL(origin);
  const isHttps = protocol === 'https:';
  if (!isHttps && !isLoopback(hostname) && !insecureCookies) return undefined;
  const prefix = isHttps ? '__Host-' : '';
  return {
    origin,
    isSecure: isHttps || isLoopback(hostname),
    read: (header, name) => findCookie(header('cookie'), `${prefix}${name}`),
    set: (name, value) =>
      [
        `${prefix}${name}=${value ?? ''}`,
        `Path=/; HttpOnly; SameSite=Lax; Max-Age=${value === null ? 0 : maxAge[name]}`,
        ...(isHttps ? ['Secure'] : []),
      ].join('; '),
  };
}

/** The 403 for a request with a cookie that another site sent. Its visitor did not, so it does not count. */
export class ForeignRequest extends GatewayError {
  constructor() {
    super('FORBIDDEN', "Requests with a session are accepted only from the gateway's own pages.");
  }
}

/**
 * Checks that one of the gateway's own pages sent a request. Browsers also send cookies with the requests of
 * other pages. They tell them apart in `Sec-Fetch-Site`. Old ones do not, and none does without https:
 * then the origin must be ours, and there must be a header that no other page can send.
 * @param origin of the gateway, as browsers see it
 * @param isDownload true where a person may open the address itself
 * @throws ForeignRequest
 */
export function checkSameOrigin(
  { method, header, isUpgrade = false }: Asked,
  origin: string,
  isDownload = false,
): void {
  const isRead = method === 'GET' || method === 'HEAD';
  const site = header('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin' || (site === 'none' && isDownload && isRead)) return;
    throw new ForeignRequest();
  }
  const sender = header('origin');
  // Browsers add no header of a page to the request for a WebSocket, and always the page's origin.
  if (isUpgrade && sender === origin) return;
  // Reads of the same origin have no `Origin`.
  const isOwn = sender === origin || (sender === null && isRead);
  if (isUpgrade || !isOwn || header('x-requested-with') === null) throw new ForeignRequest();
}
