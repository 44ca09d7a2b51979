/**
 * Returns a record's version: its time of change, in base 36. Every write moves that on (nextModified). The
 * version is the first half of the entity tag, the half that conditions on writes compare.
 */
export function recordVersion(modified: Date): string {
  return modified.getTime().toString(36);
}

/** Tells which header's condition a record's version does not meet; undefined when it meets all. */
export type Precondition = (version: string) => 'If-Match' | 'If-None-Match' | undefined;
