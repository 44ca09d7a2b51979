import { parse } from 'lossless-json';

/** What a number can be read as without being rounded: int64 has at most 19 digits, and no double holds them all. */
function parseNumber(text: string): number | bigint {
  const number = Number(text);
  return !Number.isSafeInteger(number) && /^-?\d{1,19}$/.test(text) ? BigInt(text) : number;
}

/**
 * Reads JSON like `JSON.parse`, but whole numbers beyond what a double holds exactly as BigInt.
 * @throws SyntaxError for what is not JSON, RangeError for what is nested too deeply
 */
export function parseLossless(text: string): unknown {
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}
