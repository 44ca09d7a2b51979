import { isMoment, momentExpected, parseMoment } from '../../domain/dates.js';
import { GatewayError } from '../../domain/errors.js';
import { isNil, isUuid } from '../../domain/rules.js';

const largestInt32 = 2 ** 31 - 1;

/** Makes the error of a query parameter. It says what is expected. */
export function badParameter(name: string, expected: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${name}: ${expected}`);
}

/** Reads a query parameter as it was sent. Its name counts in any letter case. */
export function sentParameter(query: URLSearchParams, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const [key, again] = [...query.keys()].filter((key) => key.toLowerCase() === wanted);
  if (again !== undefined) throw badParameter(name, 'is sent more than once');
  return key === undefined ? undefined : (query.get(key) ?? undefined);
}

/** Reads a query parameter, of which an empty one counts as absent. */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  return sentParameter(query, name) || undefined;
}

/** Reads a query parameter that is a whole number of 32 bits. */
export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= largestInt32))
    throw badParameter(name, `must be a whole number, not ${JSON.stringify(text.slice(0, 32))}`);
  return value;
}

/** Reads a query parameter that is an id. The nil UUID counts as absent. */
export function readId(query: URLSearchParams, name: string): string | undefined {
  const text = readParameter(query, name);
  if (text === undefined || isNil(text)) return undefined;
  if (!isUuid(text)) throw badParameter(name, 'must be a UUID');
  return text;
}

/** A time with more than milliseconds. */
const finer = /\.\d{3}\d*[1-9]/;

/**
 * Reads a query parameter that is the earliest time of something, as text for GraphQL. What is stored has
 * milliseconds, so that a part of one counts as the next. The `+` of an offset may come as the space that forms take
 * it for.
 */
export function readSince(query: URLSearchParams, name: string): string | undefined {
  const text = readParameter(query, name)?.replace(/ (?=\d{2}:\d{2}$)/, '+');
  if (text === undefined) return undefined;
  const cut = parseMoment(text);
  const since = cut && new Date(cut.getTime() + (finer.test(text) ? 1 : 0));
  if (!since || !isMoment(since)) throw badParameter(name, momentExpected);
  return since.toISOString();
}

/**
 * Reads `includeFileContent` (docs/rest.md).
 * @param standard what it is when it is not sent
 * @throws GatewayError BAD_REQUEST for what is neither true nor false
 */
export function wantsFileContent(query: URLSearchParams, standard: boolean): boolean {
  const text = readParameter(query, 'includeFileContent')?.toLowerCase() ?? String(standard);
  if (text !== 'true' && text !== 'false') throw badParameter('includeFileContent', 'must be true or false');
  return text === 'true';
}
