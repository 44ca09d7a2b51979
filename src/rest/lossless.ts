import { parse } from 'lossless-json';

/** What a number can be read as without being rounded: int64 has at most 19 digits, and no double holds them all. */
function parseNumber(text: string): number | bigint {
  const number = Number(text);
  return !Number.isSafeInteger(number) && /^-?\d{1,19}$/.test(text) ? BigInt(text) : number;
}

/** The fewest digits of a whole number that a double cannot hold exactly. */
const long = /\d{16}/;

/**
 * Reads JSON like `JSON.parse`, but whole numbers beyond what a double holds exactly as BigInt.
 * @throws SyntaxError for what is not JSON, RangeError for what is nested too deeply
 */
export function parseLossless(text: string): unknown {
  // What has no such number is read alike by both, and by the engine ten times as fast.
  if (!long.test(text)) return JSON.parse(text);
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}
