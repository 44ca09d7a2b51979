import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import type { JsonObject } from './json.js';

/** What a number is read as without loss: a double that is written alike, an int64, or its text. */
function parseNumber(text: string): number | bigint | LosslessNumber {
  const number = Number(text);
  if (String(number) === text) return number;
  return /^-?[1-9]\d{0,18}$/.test(text) ? BigInt(text) : new LosslessNumber(text);
}

/** What a number may have that a double is not written with: many digits or zeros, an exponent, a last zero, a minus zero. */
const uncommon = /[\d.]{16}|\.000000|\d[eE]|\.\d*0(?!\d)|-0/;

/**
 * Reads JSON like `JSON.parse`, but numbers that it would change as BigInt or as LosslessNumber.
 * @throws SyntaxError for what is not JSON, RangeError for what is nested too deeply
 */
export function parseExact(text: string): unknown {
  // What has no such number is read alike by both, and by the engine ten times as fast.
  if (!uncommon.test(text)) return JSON.parse(text);
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** JSON text of a value that `parseExact` has read, each number as it was written. */
export function exactText(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** The text of a number that was read without loss; undefined for anything else. */
export function textOfNumber(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

/** Whether a number is one that all JSON readers agree on (RFC 8259 §6): neither endless nor nothing to a double. */
function isAgreed(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && (number !== 0 || /^-?[0.]+(?:[eE]|$)/.test(text));
}

/** Whether all numbers in a value are ones that JSON readers agree on. */
export function isReadable(value: unknown): boolean {
  const number = textOfNumber(value);
  if (number !== undefined) return isAgreed(number);
  return typeof value !== 'object' || value === null || Object.values(value).every(isReadable);
}

/** A JSON object whose numbers are doubles, as JSON readers have them, where it was read with exact ones. */
export function rounded(value: JsonObject): JsonObject {
  return JSON.parse(exactText(value));
}
