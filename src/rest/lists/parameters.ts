import { isMoment, momentExpected, parseMoment } from '../../domain/dates.js';
import { GatewayError } from '../../domain/errors.js';
import { beyondInt32, isNil, isUuid } from '../../domain/rules.js';

const largestInt32 = 2 ** 31 - 1;

/** Creates the error for an invalid query parameter. It says what is expected. */
export function badParameter(name: string, expected: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${name}: ${expected}`, {
    parameters: [{ name, message: expected }],
  });
}

/** Reads a query parameter as it was sent. Its name matches in any letter case. */
export function sentParameter(query: URLSearchParams, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const [key, again] = [...query.keys()].filter((key) => key.toLowerCase() === wanted);
  if (again !== undefined) throw badParameter(name, 'is sent more than once');
  return key === undefined ? undefined : (query.get(key) ?? undefined);
}

/** Reads a query parameter. An empty one counts as absent. */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  return sentParameter(query, name) || undefined;
}

/** Reads a query parameter that is a 32-bit integer. */
export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badParameter(name, `must be a whole number, not ${JSON.stringify(text.slice(0, 32))}`);
  const value = Number(text);
  if (value > largestInt32 || value < -largestInt32 - 1) throw badParameter(name, beyondInt32(value < 0));
  return value;
}

/** Reads a query parameter that is an id. The nil UUID counts as absent. */
export function readId(query: URLSearchParams, name: string): string | undefined {
  const text = readParameter(query, name);
  if (text === undefined || isNil(text)) return undefined;
  if (!isUuid(text)) throw badParameter(name, 'must be a UUID');
  return text;
}

/** A time with a finer resolution than milliseconds. */
const finer = /\.\d{3}\d*[1-9]/;

/**
 * Reads a query parameter with an earliest time, as text for GraphQL. Stored times have milliseconds, so
 * fractions of one are rounded up. The `+` of an offset may arrive as a space, because forms decode it so.
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
 * Reads a query parameter that is true or false.
 * @param standard the default
 * @throws GatewayError BAD_REQUEST for anything else
 */
export function readFlag(query: URLSearchParams, name: string, standard: boolean): boolean {
  const text = readParameter(query, name)?.toLowerCase() ?? String(standard);
  if (text !== 'true' && text !== 'false') throw badParameter(name, 'must be true or false');
  return text === 'true';
}

/**
 * Reads `includeFileContent` (docs/use/rest.md).
 * @param standard the default
 */
export const wantsFileContent = (query: URLSearchParams, standard: boolean): boolean =>
  readFlag(query, 'includeFileContent', standard);
