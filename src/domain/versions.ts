/**
 * Returns a record's version: its modification time, in base 36. Every write advances it (nextModified). The
 * version is the first half of the entity tag, the half that conditions on writes compare.
 */
export function recordVersion(modified: Date): string {
  return modified.getTime().toString(36);
}

/**
 * Candidates for a record's version. The first that a record has is used; records that never change have only
 * their creation time.
 */
export const versionTimes = ['modified', 'created', 'deletedAt'] as const;

/** The times of a record that its version is derived from. */
export type Versioned = { readonly [Time in (typeof versionTimes)[number]]?: Date };

/** Returns the version of any record. */
export function versionOf(record: Versioned): string {
  const changed = versionTimes.map((time) => record[time]).find((time) => time !== undefined);
  if (!changed) throw new Error('A record has neither a time of change nor one of its making.');
  return recordVersion(changed);
}

/** The header or argument of a caller's condition. */
export type ConditionName = 'If-Match' | 'If-None-Match' | 'ifVersion' | 'ifVersions';

/** A condition that a version does not meet, with its place in a list. */
export type Unmet = readonly [condition: ConditionName, ...at: number[]];

/**
 * Returns the condition that a record's version does not meet; undefined if it meets all. A missing record
 * has the version undefined, which no condition names.
 */
export type Precondition = (version: string | undefined, id: string) => Unmet | undefined;

/** Creates the condition that the changed record has a version. */
export const expectVersion =
  (expected: string): Precondition =>
  (version) =>
    version === expected ? undefined : ['ifVersion'];

/**
 * Creates the condition that records have versions, each its own.
 * @param versions as many as ids; a repeated id must match all of its versions
 */
export function expectVersions(ids: readonly string[], versions: readonly string[]): Precondition {
  const expected = new Map<string, Set<string | undefined>>();
  for (const [at, id] of ids.entries()) {
    const own = id.toLowerCase();
    expected.set(own, new Set([...(expected.get(own) ?? []), versions[at]]));
  }
  return (version, id) => {
    const wanted = expected.get(id);
    if (wanted?.size === 1 && wanted.has(version)) return undefined;
    const at = ids.findIndex((one, index) => one.toLowerCase() === id && versions[index] !== version);
    return at === -1 ? ['ifVersions'] : ['ifVersions', at];
  };
}
