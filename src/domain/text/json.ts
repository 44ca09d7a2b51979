import { isLosslessNumber } from 'lossless-json';

/** A parsed JSON text. It is read-only, because patched documents share structure with their originals. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object, as RFC 8259 §4 calls it. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Checks for a JSON array. `Array.isArray` alone does not narrow read-only arrays. */
export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Checks for a JSON object, which is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object's own member, if any. Inherited properties are not members. */
export function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Compares two JSON values by RFC 6902 §4.6. Numbers are compared by value, arrays in order, objects without
 * order. An undefined value equals only another one.
 */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  if (!isObject(a)) return a === b;
  const names = Object.keys(a);
  return (
    isObject(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && jsonEqual(a[name], b[name]))
  );
}

/**
 * Finds a name, either exactly or else in any case, as the original service does. It is undefined if there is
 * none.
 */
export function matchName(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted;
  const lower = wanted.toLowerCase();
  // Of many names, few are as long as the wanted one.
  return names.find((name) => name.length === lower.length && name.toLowerCase() === lower);
}

/**
 * Checks that PostgreSQL can store a JSON value. This includes its texts and names, with at most `depth`
 * levels.
 */
export function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return true;
  return (
    depth > 0 &&
    Object.entries(value).every(([name, inner]) => isStorable(name, 0) && isStorable(inner, depth - 1))
  );
}

// Bytes of JSON in UTF-8. None of them is part of another character.
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Finds the closing quote of a JSON string, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(quote, start + 1);
  if (end === -1) return bytes.length;
  // The search above is the fastest, but starts anew after each escaped quote, of which there may be millions.
  if (bytes[end - 1] !== backslash) return end;
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Limits of a JSON text. */
export interface JsonLimits {
  /** Levels of nested lists and objects. */
  readonly depth: number;
  /** Commas and opening brackets. An empty list or object counts as two values. */
  readonly values: number;
  /** Bytes outside of texts: white space, numbers, brackets. Only texts, such as files, can be long. */
  readonly bare: number;
}

/** Is told where a text begins and ends, with its quotes. The closing one is missing at the end of cut bytes. */
export type OnText = (start: number, end: number) => void;

/**
 * Finds the limit that a JSON text exceeds, before it is parsed. A byte or two can make a value, which takes a
 * hundred when it is parsed; and parsing takes time proportional to the square of the depth. Nothing behind
 * the first excess is read.
 */
export function exceededLimit(
  bytes: Uint8Array,
  { depth, values, bare }: JsonLimits,
  onText?: OnText,
): keyof JsonLimits | undefined {
  let [open, counted, texts, inTexts] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = endOfText(bytes, at);
      inTexts += end + 1 - at;
      onText?.(at, Math.min(end + 1, bytes.length));
      at = end;
      texts++;
    } else if (byte === comma) counted++;
    else if (byte === openList || byte === openObject) {
      open++;
      counted++;
      if (open > depth) return 'depth';
    } else if (byte === closeList || byte === closeObject) open--;
    // Without commas between them, texts are no JSON, but finding out takes as long. A value and its name are two.
    if (counted > values || texts > 2 * values + 1) return 'values';
    if (at + 1 - inTexts > bare) return 'bare';
  }
  return undefined;
}
