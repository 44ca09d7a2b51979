import type { TimeSlices } from '../db/connection/time-slices.js';
import { exactText } from '../domain/text/exact-json.js';

/** Members of a list from which on each is written by itself. */
const longList = 16;

/** Writes JSON at once. A number that a double would round is a BigInt, which `JSON.stringify` refuses. */
function jsonText(value: unknown): string {
  try {
    // What JSON has no value for is null in a list, and is not written in an object.
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof TypeError) return exactText(value);
    throw error;
  }
}

/** Writes JSON in parts: the members of objects, and the elements of long lists. */
function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    const isLong = value.length > longList;
    let before = '[';
    for (const element of value) {
      yield before;
      if (isLong) yield jsonText(element);
      else yield* jsonParts(element);
      before = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield jsonText(value);
  }
}

/** Writes JSON in time slices. */
async function writeInSlices(value: unknown, slices: TimeSlices): Promise<string> {
  let text = '';
  for (const part of jsonParts(value)) {
    if (slices.isOver) await slices.next();
    text += part;
  }
  return text;
}

/** Writes an answer as JSON. That of a large request is written in time slices. */
export function writeJson(value: unknown, slices: TimeSlices): string | Promise<string> {
  return slices.isDivided ? writeInSlices(value, slices) : jsonText(value);
}
