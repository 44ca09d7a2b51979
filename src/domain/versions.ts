/**
 * A record's version: its time of change, which every write moves on (nextModified), in base 36. It is the first
 * half of the entity tag, the half that `If-Match` compares.
 */
export function versionOf(modified: Date): string {
  return modified.getTime().toString(36);
}
