import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { readUrl } from '../../domain/text/formats.js';

/** What a request asks for, as it was sent. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** The target of a request: its path and what follows the first `?`; of an absolute one (RFC 9112 §3.2.2), its path. */
export function targetOf({ url = '' }: IncomingMessage): Target {
  const target = url.startsWith('/') ? url : originOf(url);
  const at = target.indexOf('?');
  return at === -1 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

function originOf(url: string): string {
  const target = readUrl(url);
  return target ? target.pathname + target.search : url;
}

/** Reads a header by its name in lower case; null when it was not sent. */
export type ReadHeader = (name: string) => string | null;

/** What of a request tells who sends it, and what for. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly header: ReadHeader;
}

/** Reads a request's headers. Of one that was sent several times, node keeps the first or joins all, by its kind. */
export function headerOf({ headers }: IncomingMessage): ReadHeader {
  return (name) => {
    const value = headers[name];
    return value === undefined ? null : String(value);
  };
}

/** What of a Fetch request tells who sends it, and what for. */
export function askedOf({ method, url, headers }: Request): Asked {
  return { method, path: new URL(url).pathname, header: (name) => headers.get(name) };
}

/**
 * Tells a browser that shows a page from a program: HTML is named by `Accept`, and nothing else is liked better.
 * @param accept the header; of types of the same quality, the first counts
 */
export function prefersPage(accept: string | null): boolean {
  if (!accept?.toLowerCase().includes('text/html')) return false;
  return new Negotiator({ headers: { accept } }).mediaTypes()[0] === 'text/html';
}
