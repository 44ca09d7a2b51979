import Negotiator from 'negotiator';

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
