import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';

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

/** A number that a double would change. It makes `JSON.stringify` throw, as a BigInt does. */
class ExactNumber extends LosslessNumber {
  toJSON(): never {
    throw new TypeError('`exactText` alone writes this number as it was read.');
  }
}

const endOfNumber = String.raw`(?=[\s,\]}]|$)`;

/**
 * Signs of a number that a double would change. They are many digits, an exponent, a trailing zero or a minus
 * zero.
 */
const uncommon = new RegExp(
  String.raw`(?:^|[\s:,[])-?(?:[\d.]{16}|0\.000000|[\d.]+[eE][+-]?\d+${endOfNumber}|\d+\.\d*0${endOfNumber}|(?<=-)0${endOfNumber})`,
);

/** A token outside of texts that begins like a number. */
const token = /-?\d[\d.eE+-]*/g;

/** A number as JSON writes it (RFC 8259 §6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const changesAsDouble = (text: string) => String(Number(text)) !== text && jsonNumber.test(text);

/** Prefix of the texts that represent exact numbers. It is random, so nobody can send it. */
const mark = `${crypto.randomUUID()}:`;

/** Returns the index after a quoted text. It is the document's end if the closing quote is missing. */
function afterText(json: string, start: number): number {
  const end = json.indexOf('"', start + 1);
  if (end === -1) return json.length;
  if (json[end - 1] !== '\\') return end + 1;
  // Searching anew after each escaped quote would take longer: there may be millions.
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, json.length);
}

/** Replaces numbers that a double would change by marked texts. Returns the text itself if there are none. */
function withMarks(json: string): string {
  let marked = '';
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const end = quote === -1 ? json.length : quote;
    const between = json.slice(at, end);
    if (uncommon.test(between)) {
      marked += json.slice(copied, at);
      marked += between.replace(token, (text) => (changesAsDouble(text) ? `"${mark}${text}"` : text));
      copied = end;
    }
    at = quote === -1 ? end : afterText(json, quote);
  }
  return marked + json.slice(copied);
}

/** Converts a marked text to an int64, or else to a number with its digits. */
function readMarked(text: string): unknown {
  const number = text.slice(mark.length);
  return /^-?[1-9]\d{0,18}$/.test(number) ? BigInt(number) : new ExactNumber(number);
}

/** Replaces the marked texts in a parsed value. A reviver of `JSON.parse` takes five times as long. */
function withoutMarks(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? readMarked(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const read = withoutMarks(member);
    if (read !== member) members[name] = read;
  }
  return members;
}

/**
 * Parses JSON like `JSON.parse`, except that numbers it would change become BigInt or LosslessNumber. The
 * engine does most of the work, because parsers in JavaScript take seconds for a file in base64.
 * @throws SyntaxError for invalid JSON, RangeError for too deep nesting
 */
export function parseExact(text: string): unknown {
  const marked = withMarks(text);
  return marked === text ? JSON.parse(text) : withoutMarks(JSON.parse(marked));
}

/**
 * Parses JSON like `parseExact`, in several turns of the event loop.
 * @param nextTurn waits for the next one
 */
export async function parseExactInTurns(text: string, nextTurn: () => Promise<void>): Promise<unknown> {
  const marked = withMarks(text);
  await nextTurn();
  const value = JSON.parse(marked);
  if (marked === text) return value;
  await nextTurn();
  return withoutMarks(value);
}

/** Serializes a value like `JSON.stringify`, with the numbers of `parseExact` as they were written. */
export function exactText(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  try {
    // Values without a JSON form become null in a list, and are left out of an object.
    return JSON.stringify(value, replacer) ?? 'null';
  } catch (error) {
    if (error instanceof TypeError) return stringify(value, replacer) ?? 'null';
    throw error;
  }
}

/** Recognizes a number that a double would change. */
export const isExactNumber = (value: unknown): boolean =>
  typeof value === 'bigint' || isLosslessNumber(value);

/** Returns the text of a number read without loss; undefined for anything else. */
export function textOfNumber(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

const zero = '0'.charCodeAt(0);

/** Splits off the zeros at the end of digits. A regular expression would look for them from every zero. */
function withoutZeros(digits: string): readonly [kept: string, zeros: number] {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === zero) end--;
  return [digits.slice(0, end), digits.length - end];
}

/** Digits of the largest 64-bit integers. */
const maxDigits = 19;

/**
 * Returns the integer that a number of JSON stands for. It may be written with a fraction or an exponent (`1.0`, `1e3`).
 * @returns undefined for anything else, and for an integer of more than 19 digits
 */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  // The text of a double is what was written. Its value need not be: 4611686018427388000 is none.
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(textOfNumber(value) ?? '') ?? [];
  if (whole === '') return undefined;
  const [kept, zeros] = withoutZeros(`${whole}${fraction}`);
  const significant = kept.replace(/^0+/, '');
  if (significant === '') return 0n;
  const scale = zeros - fraction.length + Number(exponent);
  if (scale < 0 || significant.length + scale > maxDigits) return undefined;
  return BigInt(`${sign}${significant}${'0'.repeat(scale)}`);
}

/**
 * Checks that all JSON parsers agree on a number (RFC 8259 §6). As a double, it must neither be infinite nor
 * underflow to zero.
 */
function isAgreed(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && (number !== 0 || /^-?[0.]+(?:[eE]|$)/.test(text));
}

/** Checks that JSON parsers agree on all numbers of a value. */
export function isReadable(value: unknown): boolean {
  const number = textOfNumber(value);
  if (number !== undefined) return isAgreed(number);
  return typeof value !== 'object' || value === null || Object.values(value).every(isReadable);
}

/** Recognizes an object that can come from JSON, unlike files and others. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Finds out whether a value has numbers that a double would change. Nothing is copied for that. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  if (Array.isArray(value)) return value.some(hasExactNumbers);
  if (isLosslessNumber(value)) return true;
  for (const name in value) {
    if (hasExactNumbers((value as Readonly<Record<string, unknown>>)[name])) return true;
  }
  return false;
}

/** Rounds the exact numbers in a value to doubles, like most JSON parsers. Others are not copied. */
export const roundNumbers = (value: unknown): unknown => (hasExactNumbers(value) ? rounded(value) : value);

function rounded(value: unknown): unknown {
  if (isExactNumber(value)) return Number(textOfNumber(value));
  if (Array.isArray(value)) return value.map(rounded);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}
