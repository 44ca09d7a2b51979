import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { expect } from 'vitest';
import { decodePosition } from '../../src/db/changes/changes.js';
import { exactText } from '../../src/domain/text/json.js';
import { publicError } from '../../src/graphql/errors.js';

/** An answer as a caller reads it. */
export interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** Returns the answer that a caller reads of a result, with the codes of its errors. */
export function answerOf({ data, errors }: ExecutionResult): Answer {
  const shown = errors?.map((error) => publicError(error, () => {}).toJSON());
  return { ...(data !== undefined && { data }), ...(shown && { errors: shown }) };
}

type Path = readonly (string | number)[];

/** Returns the place of the null that an error has led to, as far as the path goes. */
function nullOf(data: unknown, path: Path): string {
  let [at, depth] = [data, 0];
  while (at !== null && at !== undefined && depth < path.length)
    at = (at as unknown[])[path[depth++] as number];
  expect(at ?? null, `what the error at ${path.join('.')} is of`).toBeNull();
  return path.slice(0, depth).join('.');
}

/** Everything that an error says, as a text. Only our executor finds the argument with the id of no record. */
const told = ({
  message,
  locations,
  path,
  extensions: { http: _http, violations, ...extensions } = {},
}: GraphQLFormattedError) =>
  JSON.stringify({
    ...{ message, locations, path, extensions },
    violations: extensions.code === 'NOT_FOUND' ? [] : violations,
  });

/** Returns the errors of an answer by the places of the nulls that they have led to. */
function byPlace({ data = null, errors = [] }: Answer): Map<string, GraphQLFormattedError[]> {
  const places = new Map<string, GraphQLFormattedError[]>();
  for (const error of errors) {
    const place = nullOf(data, error.path ?? []);
    places.set(place, [...(places.get(place) ?? []), error]);
  }
  return places;
}

/** Counts the errors that have led to a null above their own place, which takes none, and those below the root. */
export function countNulls({ data = null, errors = [] }: Answer): { carried: number; nested: number } {
  const places = errors.map(({ path = [] }) => [nullOf(data, path), path.join('.')] as const);
  return {
    carried: places.filter(([place, path]) => place !== path).length,
    nested: places.filter(([place]) => place.includes('.')).length,
  };
}

const cursors = /"(Wy[\w-]+)"/g;

/** Reads a cursor as one of the feed of changes, whose end moves with whatever is written anywhere. */
function isPosition(cursor: string): boolean {
  try {
    decodePosition(cursor);
    return true;
  } catch {
    return false;
  }
}

/** Secrets: of links to files and calendars, and of webhooks. They are another text each time. */
const secrets = /([?&]link=|\/calendar\/|whsec_|egw_)[\w+/=-]+/g;

/** Origin of the gateway in links. They are relative where an operation has come by no address. */
const origins = /(?<=")http:\/\/127\.0\.0\.1:\d+(?=\/(v1\/export|calendar)\/)/g;

/** Returns the data of an answer as a text, without positions in the feed of changes, origins and secrets of links. */
const settled = (data: unknown) =>
  exactText(data)
    .replace(cursors, (all, cursor: string) => (isPosition(cursor) ? '"a position"' : all))
    .replace(origins, '')
    .replace(secrets, '$1');

/**
 * Expects that two answers are the same as far as GraphQL says what they are: data, errors, and of these everything.
 * It leaves open the order of errors, and which of those that have led to one null are told (sections 6.4.4 and 7.1.2).
 */
export function expectSame(ours: Answer, theirs: Answer, text: string): void {
  expect(settled(ours.data), text).toBe(settled(theirs.data));
  // Nothing was executed, and errors have no paths.
  if (ours.data === undefined) expect(ours.errors?.map(told), text).toEqual(theirs.errors?.map(told));
  if (ours.data === undefined) return;
  const [here, there] = [byPlace(ours), byPlace(theirs)];
  expect([...here.keys()].sort(), text).toEqual([...there.keys()].sort());
  for (const [place, errors] of here) {
    const expected = there.get(place) ?? [];
    const paths = errors.map(({ path }) => String(path));
    expect(new Set(paths).size, text).toBe(paths.length);
    const isOpen = [...errors, ...expected].some(({ path }) => (path ?? []).join('.') !== place);
    const known = new Map(expected.map((error) => [String(error.path), told(error)]));
    for (const error of errors) {
      const other = known.get(String(error.path));
      if (other !== undefined || !isOpen) expect(told(error), text).toBe(other);
    }
  }
}
