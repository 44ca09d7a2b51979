import { type FieldPath, GatewayError } from '../errors.js';

/** The unescaped reference tokens of a JSON Pointer. An empty list is the whole document. */
export type JsonPointer = readonly string[];

/**
 * Maximum depth of a JSON Pointer and of a patched document. It exceeds any model, and is shallow enough to
 * recurse.
 */
export const MAX_DEPTH = 64;

/** Maximum characters of a JSON Pointer. A patch has as many pointers as operations, and each is unescaped. */
const MAX_LENGTH = 1_000;

const QUOTED_LENGTH = 100;

/**
 * Parses a JSON Pointer (RFC 6901). Unlike in the RFC, the leading slash may be missing, as ASP.NET Core
 * allows.
 *
 * @throws GatewayError BAD_REQUEST for a `~` that is not `~0` or `~1`, and beyond MAX_LENGTH characters or
 *   MAX_DEPTH tokens
 */
export function parsePointer(text: string): JsonPointer {
  if (text === '') return [];
  if (text.length > MAX_LENGTH) {
    throw new GatewayError('BAD_REQUEST', `${quote(text)} has more than ${MAX_LENGTH} characters.`);
  }
  if (/~(?![01])/.test(text)) {
    throw new GatewayError('BAD_REQUEST', `${quote(text)} has a "~" that is neither "~0" nor "~1".`);
  }
  const tokens = (text.startsWith('/') ? text.slice(1) : text).split('/');
  if (tokens.length > MAX_DEPTH) {
    throw new GatewayError('BAD_REQUEST', `${quote(text)} is deeper than ${MAX_DEPTH} levels.`);
  }
  // The order matters: "~01" is "~1", not "/" (RFC 6901 §4).
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Parses an array index (RFC 6901 §4); undefined if it is invalid. Leading zeros, signs and `-` are invalid.
 */
export function parseIndex(token: string): number | undefined {
  return /^(?:0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined;
}

/** Formats a location for a message: its pointer, or "the document". */
export function describePath(path: FieldPath): string {
  if (path.length === 0) return 'the document';
  const escaped = path.map((token) => String(token).replaceAll('~', '~0').replaceAll('/', '~1'));
  return quote(escaped.map((token) => `/${token}`).join(''));
}

/** Quotes a caller's text for a message, and truncates it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);
}
