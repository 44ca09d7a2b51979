import type { IncomingMessage } from 'node:http';
import { readUrl } from '../../domain/text/formats.js';

/** The target of a request as it was sent. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
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
