/** Object or list of an answer while it is filled. Both are filled by key. */
export type Container = Record<string | number, unknown>;

/** A place in the answer, which is graphql-js' path to it as well. */
export interface Place {
  readonly prev: Place | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
  readonly container: Container;
  readonly nullable: boolean;
  /** An error has made it null. Errors at it and below are not told any more. */
  lost?: boolean;
}

/** Tells if an error has made a place null already, or one around it. */
export function isLost(place: Place | undefined): boolean {
  for (let at = place; at; at = at.prev) if (at.lost) return true;
  return false;
}

/** Returns the path of an error at a place (GraphQL, section 7.1.2). */
export function errorPath(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.prev) path.unshift(at.key);
  return path;
}
