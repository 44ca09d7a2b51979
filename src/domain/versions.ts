/**
 * Returns a record's version: its time of change, in base 36. Every write moves that on (nextModified). The
 * version is the first half of the entity tag, the half that conditions on writes compare.
 */
export function recordVersion(modified: Date): string {
  return modified.getTime().toString(36);
}

/** Times of which the first that a record has is its version. What is never changed has that of its making. */
export const versionTimes = ['modified', 'created', 'deletedAt'] as const;

/** The times of a record that its version is made of. */
export type Versioned = { readonly [Time in (typeof versionTimes)[number]]?: Date };

/** Returns the version of any record. */
export function versionOf(record: Versioned): string {
  const changed = versionTimes.map((time) => record[time]).find((time) => time !== undefined);
  if (!changed) throw new Error('A record has neither a time of change nor one of its making.');
  return recordVersion(changed);
}

/** The header or argument in which a caller has written a condition. */
export type ConditionName = 'If-Match' | 'If-None-Match' | 'ifVersion' | 'ifVersions';

/**
 * Tells which condition a record's version does not meet; undefined when it meets all. A record that is not there has the
 * version undefined, which no condition names.
 */
export type Precondition = (version: string | undefined, id: string) => ConditionName | undefined;

/** Makes the condition that the record which is changed has a version. */
export const expectVersion =
  (expected: string): Precondition =>
  (version) =>
    version === expected ? undefined : 'ifVersion';

/**
 * Makes the condition that records have versions, each its own.
 * @param versions as many as ids; an id that comes twice must have both
 */
export function expectVersions(ids: readonly string[], versions: readonly string[]): Precondition {
  const expected = new Map<string, Set<string | undefined>>();
  for (const [at, id] of ids.entries()) {
    const own = id.toLowerCase();
    expected.set(own, new Set([...(expected.get(own) ?? []), versions[at]]));
  }
  return (version, id) => {
    const wanted = expected.get(id);
    return wanted?.size === 1 && wanted.has(version) ? undefined : 'ifVersions';
  };
}
