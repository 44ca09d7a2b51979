import { hash } from 'node:crypto';
import { GatewayError } from '../domain/errors.js';
import { type Precondition, recordVersion } from '../domain/versions.js';

/**
 * Creates the strong entity tag of a single record (RFC 9110 §8.8.3). It consists of the version, which
 * `If-Match` compares, and a hash of the shown JSON, because nested records change without the version.
 */
export function entityTag(record: Record<string, unknown>, body: string): string {
  return `"${shownVersion(record) ?? ''}-${hashOf(body)}"`;
}

/** Returns the version of a record as REST shows it. It is undefined for a record shown without times. */
export function shownVersion({ modified, created }: Record<string, unknown>): string | undefined {
  const changed = modified ?? created;
  return changed === undefined ? undefined : recordVersion(new Date(String(changed)));
}

/** Creates the weak entity tag of a list. A list has no version, so it is a hash of the shown JSON. */
export function listTag(body: string): string {
  return `W/"${hashOf(body)}"`;
}

const hashOf = (body: string) => hash('sha1', body, 'base64url').slice(0, 16);

const withoutWeakness = (tag: string) => tag.replace(/^W\//, '');

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
}

/** Checks whether `If-None-Match` names the tag, with weak comparison (RFC 9110 §13.1.2). */
export function matchesNone(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return tagsIn(header).some((sent) => sent === '*' || withoutWeakness(sent) === withoutWeakness(tag));
}

/**
 * Checks `If-Match` against an entity tag (RFC 9110 §13.1.1). The comparison is strong, so a weak tag matches
 * nothing.
 * @param tag of the requested resource; undefined if it has none
 * @param version of the record, which may be sent in place of its tag
 * @throws GatewayError PRECONDITION_FAILED
 */
export function checkMatch(header: string | null, tag: string | undefined, version?: string): void {
  const isMet = (sent: string) =>
    sent === '*' ||
    (sent === tag && !tag.startsWith('W/')) ||
    (version !== undefined && sent === `"${version}"`);
  if (header === null || tagsIn(header).some(isMet)) return;
  throw new GatewayError('PRECONDITION_FAILED', '`If-Match` does not match the current version of this.');
}

/** Reads the versions in entity tags, dropping hashes. */
function versionsIn(tags: readonly string[]): Set<string | undefined> {
  return new Set(tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1).split('-')[0]));
}

/** Methods that change the resource they name. `If-None-Match` protects versions from them. */
const conditional = new Set(['PUT', 'PATCH']);

/**
 * Reads a request's conditions on what it changes (RFC 9110 §13.2.2): `If-Match`, then `If-None-Match`. Both
 * compare only versions.
 * @returns a function that returns the header which a version does not meet; undefined if there are no
 *   conditions
 */
export function readPrecondition({ method, header }: Conditional): Precondition | undefined {
  const [match, none] = [header('if-match'), conditional.has(method) ? header('if-none-match') : null];
  if (match === null && none === null) return undefined;
  const [some, others] = [tagsIn(match ?? '*'), tagsIn(none ?? '').map(withoutWeakness)];
  const [wanted, known] = [versionsIn(some), versionsIn(others)];
  return (version) => {
    // `*` matches any existing version.
    if (version === undefined) return match === null ? undefined : ['If-Match'];
    if (!some.includes('*') && !wanted.has(version)) return ['If-Match'];
    return others.includes('*') || known.has(version) ? ['If-None-Match'] : undefined;
  };
}

/** The part of a request that contains its conditions. */
interface Conditional {
  readonly method: string;
  readonly header: (name: string) => string | null;
}
