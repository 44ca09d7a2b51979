import { createHash } from 'node:crypto';
import { versionOf } from '../domain/versions.js';

/**
 * The strong entity tag of a single record (RFC 9110 §8.8.3): its version, which `If-Match` compares, and a hash
 * of what is shown, since nested records change without it.
 */
export function entityTag(record: Record<string, unknown>, body: string): string {
  const changed = new Date(String(record.modified ?? record.created));
  const hash = createHash('sha1').update(body).digest('base64url').slice(0, 16);
  return `"${versionOf(changed)}-${hash}"`;
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
}

/** Whether `If-None-Match` names the tag; weak comparison (RFC 9110 §13.1.2). */
export function matchesNone(header: string | null, tag: string): boolean {
  return header !== null && tagsIn(header).some((sent) => sent === '*' || sent.replace(/^W\//, '') === tag);
}

/**
 * Reads `If-Match` (RFC 9110 §13.1.1): strong comparison, so a weak tag matches nothing.
 * @returns whether a version may be changed; undefined when the header is absent
 */
export function preconditionOf(header: string | null): ((version: string) => boolean) | undefined {
  if (header === null) return undefined;
  const tags = tagsIn(header);
  if (tags.includes('*')) return undefined;
  const versions = new Set(
    tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1).split('-')[0]),
  );
  return (version) => versions.has(version);
}
