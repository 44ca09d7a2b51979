import { lookup as lookUp } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { largestFile } from '../../domain/files.js';
import { readUrl } from '../../domain/text/formats.js';
import type { UploadReason } from '../../domain/uploads/upload.js';
import {
  type AddressPolicy,
  AddressRefused,
  guardedRequest,
  isPublicAddress,
  type Lookup,
  refuseIp,
} from '../../outbound/outbound.js';

/** Error of fetching a file, in technical words. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** Code of what is wrong, for the people who wait for the file. */
  readonly reason: UploadReason;
  /** True if another attempt would fail in the same way. */
  readonly final: boolean;

  constructor(reason: UploadReason, message: string, options: { final: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.final = options.final;
  }
}

/** Creates a failure that another attempt would not change. */
function permanentFailure(reason: UploadReason, message: string): FetchFailure {
  return new FetchFailure(reason, message, { final: true });
}

/** Creates a failure of the network, which may be temporary. */
function transientFailure(reason: UploadReason, what: string, cause: unknown): FetchFailure {
  return new FetchFailure(reason, `${what}${errorCode(cause)}.`, { final: false, cause });
}

/** Returns an error's code in brackets, which reveals nothing about where it happened. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

export interface FetchedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Content type as the host sent it, of any length; null if it sent none. */
  readonly contentType: string | null;
}

/** Finds the reason for a status that comes in place of a file. */
function reasonOfStatus(status: number): UploadReason {
  if (status === 404 || status === 410) return 'FILE_GONE';
  if (status === 401 || status === 403) return 'FILE_LOCKED';
  return mayPass(status) ? 'HOST_BUSY' : 'HOST_REFUSED';
}

/** Returns whether a status may be temporary (RFC 9110 section 15, RFC 8470, RFC 6585). */
function mayPass(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

function checkHead({ statusCode = 0, headers }: IncomingMessage, host: string, maxBytes: number): void {
  if (statusCode !== 200) {
    const hint = statusCode >= 300 && statusCode < 400 ? '; redirects are not followed' : '';
    const message = `The host ${host} returned status ${statusCode}, not 200${hint}.`;
    throw new FetchFailure(reasonOfStatus(statusCode), message, { final: !mayPass(statusCode) });
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw permanentFailure(
      'FILE_UNREADABLE',
      `The host ${host} sent a compressed file, although it was asked not to.`,
    );
  // The end of such a body looks the same as a lost connection (RFC 9112 section 8).
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    throw permanentFailure(
      'FILE_UNREADABLE',
      `The host ${host} sent neither the length of the file nor its end.`,
    );
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): FetchFailure {
  return permanentFailure('FILE_TOO_LARGE', `The file is larger than ${maxBytes} bytes.`);
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Maximum characters of a host name (RFC 1035 section 2.3.4, written with dots). */
const longestName = 253;

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
  const policy: AddressPolicy = {
    protocols: ['https:'],
    checkHost(url, host) {
      refuseIp(host);
      if (!isAllowedHost(url, hosts))
        throw permanentFailure(
          'HOST_NOT_ALLOWED',
          `The host ${url.host.slice(0, longestName)} is not listed in UPLOAD_HOSTS.`,
        );
    },
    checkAddress(address, { hostname }) {
      if (!isAllowedAddress(address))
        throw permanentFailure(
          'HOST_NOT_ALLOWED',
          `The host ${hostname} has an address that is not on the public internet.`,
        );
    },
    async lookup(hostname) {
      const what = `The name ${hostname} could not be looked up`;
      const addresses = await lookup(hostname).catch((error: unknown) => {
        throw transientFailure('HOST_NOT_FOUND', what, error);
      });
      if (addresses.length === 0) throw transientFailure('HOST_NOT_FOUND', what, undefined);
      return addresses;
    },
  };
  return async (url, signal) => {
    const host = readUrl(url)?.host;
    if (host === undefined) throw permanentFailure('ADDRESS_INVALID', 'The url is not a URL.');
    const late = lateAfter(timeoutMs);
    try {
      return await guardedRequest({ url, policy, timeoutMs, late, ca, signal }, async (response) => {
        checkHead(response, host, maxBytes);
        const bytes = await read(response, maxBytes);
        return { bytes, contentType: response.headers['content-type'] ?? null };
      });
    } catch (error) {
      if (error instanceof FetchFailure) throw error;
      if (error instanceof AddressRefused)
        throw permanentFailure('ADDRESS_INVALID', `The url ${error.message}.`);
      signal?.throwIfAborted();
      throw transientFailure('HOST_UNREACHABLE', `The connection to ${host} failed`, error);
    }
  };
}

/** Creates the failure of a file that takes too long. */
function lateAfter(timeoutMs: number): FetchFailure {
  const seconds = timeoutMs / 1000;
  return transientFailure('HOST_SLOW', `The file did not arrive within ${seconds} seconds`, undefined);
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
