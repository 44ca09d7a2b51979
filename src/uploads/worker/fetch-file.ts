import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { isIP } from 'node:net';
import { largestFile } from '../../domain/files.js';
import { readUrl } from '../../domain/text/formats.js';
import { isPublicAddress } from './fetch-addresses.js';
import {
  download,
  type FetchedFile,
  FetchFailure,
  permanentFailure,
  transientFailure,
} from './fetch-download.js';
import { withTimeout } from './guarded-request.js';

export { type FetchedFile, FetchFailure };

/** Maximum characters of a host name (RFC 1035 section 2.3.4, written with dots). */
const longestName = 253;

/** Finds the addresses of a host. */
type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Options of fetching files: allowed hosts and limits. */
export interface FetchOptions {
  /** `name`, `name:port` or `*.name`, like the setting `uploadHosts`. If it is empty, nothing is fetched. */
  readonly hosts: readonly string[];
  /** Maximum bytes of a file. */
  readonly maxBytes?: number;
  /** Timeout in milliseconds, from the look-up to the last byte. */
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
  /** Decides which addresses may be connected to. */
  readonly isAllowedAddress?: (address: string) => boolean;
  /** Certificates in PEM to trust instead of those of Node.js. */
  readonly ca?: string;
}

/**
 * Fetches the file at a URL.
 * @param signal aborts it
 * @throws FetchFailure if the file must not be or could not be fetched; the signal's reason if it is aborted
 */
export type FileFetcher = (url: string, signal?: AbortSignal) => Promise<FetchedFile>;

/**
 * Creates the function that fetches files of upload notifications, safe against SSRF. Anybody may have chosen
 * their URLs (docs/use/uploads.md). It fetches over https, only from the listed hosts and public addresses,
 * without redirects, credentials or compression, and within limits of size and time.
 */
export function createFileFetcher({
  hosts,
  maxBytes = largestFile,
  timeoutMs = 60_000,
  lookup = (hostname) => lookUp(hostname, { all: true }),
  isAllowedAddress = isPublicAddress,
  ca,
}: FetchOptions): FileFetcher {
  return (text, signal) =>
    withTimeout(timeoutMs, lateAfter(timeoutMs), signal, async (stop) => {
      const url = listedUrl(text, hosts);
      const addresses = await resolveAddresses(url.hostname, lookup);
      if (!addresses.every(({ address }) => isAllowedAddress(address)))
        throw permanentFailure(
          'HOST_NOT_ALLOWED',
          `The host ${url.hostname} has an address that is not on the public internet.`,
        );
      stop.throwIfAborted();
      return download({ url, addresses, maxBytes, ca, signal: stop });
    });
}

/** Creates the failure of a file that takes too long. */
function lateAfter(timeoutMs: number): FetchFailure {
  const seconds = timeoutMs / 1000;
  return transientFailure('HOST_SLOW', `The file did not arrive within ${seconds} seconds`, undefined);
}

/** Parses a URL once, so that the checked URL is the requested one. */
function listedUrl(text: string, hosts: readonly string[]): URL {
  const url = readUrl(text);
  if (!url) throw permanentFailure('ADDRESS_INVALID', 'The url is not a URL.');
  if (url.protocol !== 'https:')
    throw permanentFailure('ADDRESS_INVALID', 'The url must begin with https://.');
  if (url.username !== '' || url.password !== '')
    throw permanentFailure('ADDRESS_INVALID', 'The url must not contain a user name or password.');
  // Covers all spellings: URL reads `127.1` as 127.0.0.1. Node connects to an address without calling
  // `lookup`.
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw permanentFailure('ADDRESS_INVALID', 'The url must contain a host name, not an IP address.');
  if (!isAllowedHost(url, hosts))
    throw permanentFailure(
      'HOST_NOT_ALLOWED',
      `The host ${url.host.slice(0, longestName)} is not listed in UPLOAD_HOSTS.`,
    );
  return url;
}

/** Checks that a URL names an allowed host. Nothing is fetched from others. */
export function isListed(text: string, hosts: readonly string[]): boolean {
  const url = readUrl(text);
  return url !== undefined && isAllowedHost(url, hosts);
}

function isAllowedHost({ hostname, host }: URL, hosts: readonly string[]): boolean {
  return hostname.length <= longestName && hosts.some((entry) => matchesHost(entry, host));
}

/** Matches an entry of allowed hosts with a URL's `host`; both omit port 443. */
function matchesHost(entry: string, host: string): boolean {
  if (!entry.startsWith('*')) return entry === host;
  return host.endsWith(entry.slice(1)) && !host.startsWith('.');
}

async function resolveAddresses(hostname: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const what = `The name ${hostname} could not be looked up`;
  const addresses = await lookup(hostname).catch((error: unknown) => {
    throw transientFailure('HOST_NOT_FOUND', what, error);
  });
  if (addresses.length === 0) throw transientFailure('HOST_NOT_FOUND', what, undefined);
  return addresses;
}
