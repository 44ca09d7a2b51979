import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { UploadReason } from '../../domain/uploads/reasons.js';
import { requestFrom } from './guarded-request.js';

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
export function permanentFailure(reason: UploadReason, message: string): FetchFailure {
  return new FetchFailure(reason, message, { final: true });
}

/** Creates a failure of the network, which may be temporary. */
export function transientFailure(reason: UploadReason, what: string, cause: unknown): FetchFailure {
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

/** Request for a file: its URL, addresses and limits. */
export interface Download {
  /** URL with a host name, which the addresses belong to. */
  readonly url: URL;
  /** Tried in turn; at least one. */
  readonly addresses: readonly LookupAddress[];
  /** Maximum bytes of the file. */
  readonly maxBytes: number;
  /** Certificates in PEM to trust instead of those of Node.js. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Downloads a file over its own TLS connection, only from the given addresses.
 * @throws FetchFailure unless the answer is exactly one complete file, or if the connection fails
 */
export async function download(asked: Download): Promise<FetchedFile> {
  const { host } = asked.url;
  try {
    const response = await requestFrom(asked);
    try {
      checkHead(response, host, asked.maxBytes);
      const bytes = await read(response, asked.maxBytes);
      return { bytes, contentType: response.headers['content-type'] ?? null };
    } finally {
      response.destroy();
    }
  } catch (error) {
    throw error instanceof FetchFailure
      ? error
      : transientFailure('HOST_UNREACHABLE', `The connection to ${host} failed`, error);
  }
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
