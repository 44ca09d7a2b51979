import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { MIMEType } from 'node:util';
import Negotiator from 'negotiator';
import { GatewayError } from '../../domain/errors.js';
import { readUrl } from '../../domain/text/formats.js';

/** The target of a request as it was sent. */
interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** A host of a URI, and maybe a port (RFC 3986, sections 3.2.2 and 3.2.3). */
const authority = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i;

/** Checks the value of a `Host`: no user and no path (RFC 9110, section 7.2). */
export const isAuthority = (text: string) => authority.test(text) && readUrl(`http://${text}`) !== undefined;

/** Returns the authority in the absolute form of a request's target (RFC 9112, section 3.2.2). */
export function targetAuthority({ url = '' }: IncomingMessage): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
}

/** Splits a request's target at its first `?`. An absolute one (RFC 9112 §3.2.2) loses its origin. */
export function splitTarget({ url = '' }: IncomingMessage): RequestTarget {
  const target = url.startsWith('/') ? url : toOriginForm(url);
  const at = target.indexOf('?');
  return at === -1 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

function toOriginForm(url: string): string {
  const target = readUrl(url);
  return target ? target.pathname + target.search : url;
}

/** Normalizes a path for comparison: lower case, without a trailing slash. */
export function normalizePath(path: string): string {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(0, end).toLowerCase();
}

/** Returns a header by its lower-case name; null if it was not sent. */
export type ReadHeader = (name: string) => string | null;

/** The part of a request that authentication and content negotiation read. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly header: ReadHeader;
  /** True for an operation over a WebSocket. Its headers are those that opened the connection. */
  readonly isUpgrade?: boolean;
}

/**
 * Reads a request's headers. If one was sent several times, Node keeps the first or joins them, depending on
 * the header.
 */
export function headerReader({ headers }: IncomingMessage): ReadHeader {
  return (name) => {
    const value = headers[name];
    return value === undefined ? null : String(value);
  };
}

/** Number of `Accept` headers to cache. Callers send the same few over and over. */
const maxParsedHeaders = 200;

const parsedHeaders = new Map<string, readonly string[]>();

/** Drops the media ranges that ask for a charset other than UTF-8. */
function inUtf8(accept: string): string {
  const charset = /;\s*charset\s*=\s*"?([\w-]+)"?/i;
  return accept
    .split(',')
    .filter((range) => (charset.exec(range)?.[1] ?? 'utf-8').toLowerCase() === 'utf-8')
    .join(',');
}

/**
 * Lists the media types of an `Accept` header by preference (RFC 9110 section 12.5.1).
 * @returns lower-case types without parameters; a wildcard for anything if the header was not sent
 */
export function acceptedTypes(accept: string | null): readonly string[] {
  const header = accept || '*/*';
  const known = parsedHeaders.get(header);
  if (known) return known;
  const types = new Negotiator({ headers: { accept: inUtf8(header.toLowerCase()) } }).mediaTypes();
  if (parsedHeaders.size >= maxParsedHeaders) parsedHeaders.clear();
  parsedHeaders.set(header, types);
  return types;
}

/** Checks that an `Accept` header allows a media type, by name or wildcard. */
export function accepts(accept: string | null, mediaType: string): boolean {
  const wildcard = mediaType.replace(/\/.*/, '/*');
  return acceptedTypes(accept).some((type) => type === mediaType || type === wildcard || type === '*/*');
}

/** Returns whether `Accept` prefers HTML. This tells a browser that opens a page from a program. */
export function prefersPage(accept: string | null): boolean {
  return accept !== null && acceptedTypes(accept)[0] === 'text/html';
}

/**
 * Returns the address by which a sender is counted. It is an IPv4 address or the /64 network of an IPv6
 * address, as one host has that whole network. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function groupAddress(address: string): string {
  const [, mapped = ''] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (isIPv4(mapped)) return mapped;
  return isIPv6(address) ? `${ipv6Network(address)}::/64` : address;
}

/** Returns the network part of an IPv6 address: its first 64 bits (RFC 4291 §2.2). */
function ipv6Network(address: string): string {
  const [left = '', right] = address.replace(/%.*$/, '').split('::');
  const groups = left === '' ? [] : left.split(':');
  const others = right ? right.split(':').length + (right.includes('.') ? 1 : 0) : 0;
  const missing = right === undefined ? 0 : 8 - groups.length - others;
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(right ?? '').split(':')];
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':');
}

/** Removes the port that proxies may append to an address in `X-Forwarded-For`. */
function withoutPort(text: string): string {
  return text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
}

/**
 * Returns the client address of a request, as rate limits count it.
 * @param proxies number of proxies in front; each appends the address it was called from to
 * `X-Forwarded-For`, and anybody can forge the entries left of those
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? '';
  if (proxies === 0) return groupAddress(direct);
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map(withoutPort);
  const forwardedAddress = forwarded.at(-proxies) ?? forwarded[0] ?? '';
  return groupAddress(isIPv4(forwardedAddress) || isIPv6(forwardedAddress) ? forwardedAddress : direct);
}

/**
 * Returns the origin that a request was sent to, such as `https://gateway.example.com`. It is used in links
 * back to the gateway.
 * @param proxies number of proxies in front; they may have terminated TLS, and then say so in
 * `X-Forwarded-Proto`
 */
export function askedOrigin(request: IncomingMessage, proxies: number): string {
  const { headers, socket } = request;
  const forwarded = String(headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1);
  const scheme = proxies > 0 && forwarded?.trim().toLowerCase() === 'https' ? 'https' : 'http';
  const { localAddress = 'localhost', localPort } = socket;
  const direct = `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
  // The target's own authority takes precedence over `Host`.
  const host = targetAuthority(request) ?? headers.host ?? direct;
  return isAuthority(host) ? new URL(`${scheme}://${host}`).origin : `http://${direct}`;
}

/** Creates the error for a form that is not as it should be. */
export function badForm(message: string): GatewayError {
  return new GatewayError('BAD_REQUEST', message);
}

/** Recognizes the media type `multipart/form-data`, which carries files. */
export function isMultipart(contentType: string | null): contentType is string {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? '');
}

/** Bytes that a multipart body may contain besides a file of the largest size. */
export const multipartOverheadBytes = 64 * 1024;

/** The most files in a request, and bytes of the headers of each. */
const formLimits = { files: 100, head: 4_096 };

const malformedForm = () => badForm('The body is not multipart/form-data.');

/**
 * Reads the boundary between the parts of a body (RFC 2046, section 5.1.1).
 * @throws GatewayError BAD_REQUEST
 */
function boundaryIn(contentType: string): string {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (boundary === null || !/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) throw malformedForm();
  return boundary;
}

/**
 * Finds the delimiters of a form. A few bytes suffice for a part, and each is slow to parse.
 * @throws GatewayError BAD_REQUEST for too many parts, or too many headers of one
 */
function findDelimiters(bytes: Buffer, delimiter: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    found.push(at);
    // Besides the files there are "operations", "map", and the end.
    if (found.length > formLimits.files + 3)
      throw badForm(`The body may have at most ${formLimits.files} files.`);
    const head = bytes.subarray(at, at + formLimits.head);
    if (head.length === formLimits.head && !head.includes('\r\n\r\n')) {
      throw badForm(`The headers of a part may have at most ${formLimits.head} bytes.`);
    }
  }
  return found;
}

/** Returns a view of a body, not a copy. */
const asBuffer = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);

/**
 * Returns a form's bytes without its boundaries, which differ when it is sent again. A zero is in the place of each.
 * @throws GatewayError BAD_REQUEST for what is no form, or has too many parts
 */
export function partsWithoutBoundary(contentType: string, bytes: Uint8Array): Uint8Array[] {
  const boundary = boundaryIn(contentType);
  const body = asBuffer(bytes);
  const dashes = '--';
  let from = 0;
  const parts = findDelimiters(body, dashes + boundary).flatMap((at) => {
    const end = at + dashes.length;
    const part = body.subarray(from, end);
    from = end + boundary.length;
    return [part, Buffer.from([0])];
  });
  return [...parts, body.subarray(from)];
}

/** Reads a form. @throws GatewayError BAD_REQUEST for what is none, or has too many parts */
export async function formIn(contentType: string, bytes: Uint8Array): Promise<FormData> {
  const boundary = boundaryIn(contentType);
  const body = asBuffer(bytes);
  findDelimiters(body, `--${boundary}`);
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` };
  try {
    // Node's own Response parses a body from memory, and as strictly as RFC 7578 demands.
    return await new Response(body, { headers }).formData();
  } catch {
    throw malformedForm();
  }
}
