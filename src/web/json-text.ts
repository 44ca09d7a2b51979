import type { TimeSlices } from '../db/connection/time-slices.js';
import { exactText } from '../domain/text/exact-json.js';

/** Values that are written at once. That takes a hundredth of a millisecond. */
const valuesAtOnce = 200;

/** Characters of text that take as long as one other value. */
const charactersOfValue = 128;

/** Subtracts the number of nested values from a budget. @returns the rest; below zero, counting stops */
function spend(value: unknown, budget: number): number {
  let left = budget - 1;
  if (typeof value === 'string') return left - value.length / charactersOfValue;
  if (typeof value !== 'object' || value === null) return left;
  for (const name in value) {
    left = spend((value as Readonly<Record<string, unknown>>)[name], left);
    if (left < 0) break;
  }
  return left;
}

const writesItself = (value: { readonly toJSON?: unknown }) => typeof value.toJSON === 'function';

/** Writes JSON in parts. A value that is too large to be written at once is split into its members. */
function* jsonParts(value: unknown): Generator<string> {
  const isWhole = typeof value !== 'object' || value === null || writesItself(value);
  if (isWhole || spend(value, valuesAtOnce) >= 0) {
    yield exactText(value);
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const element of value) {
      yield before;
      yield* jsonParts(element);
      before = ',';
    }
    yield ']';
  } else {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
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

/** Writes an answer as JSON. If the request is large, it does so in time slices. */
export function writeJson(value: unknown, slices: TimeSlices): string | Promise<string> {
  return slices.isDivided ? writeInSlices(value, slices) : exactText(value);
}
