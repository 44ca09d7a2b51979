import { GatewayError } from '../domain/errors.js';
import { exceededLimit, type OnText } from '../domain/text/json.js';

/** Limits of a JSON body. The nesting is several times that of any input. */
export const bodyLimits = {
  depth: 100,
  values: 20_000,
  /** An item with all that it may have needs as many. */
  valuesWithFiles: 100_000,
  bare: 4 * 1024 * 1024,
} as const;

/** Parses a text. Throws for invalid JSON. */
type Parse = (text: string) => unknown;

/** Creates the error for a body that cannot be parsed. */
export const notJson = () => new GatewayError('BAD_REQUEST', 'The body is not JSON in UTF-8.');

/**
 * Checks the limits of a JSON body before it is parsed.
 * @param onText called for each text, as `exceededLimit` does
 * @throws GatewayError BAD_REQUEST
 */
export function checkLimits(bytes: Uint8Array, values: number, onText?: OnText): void {
  if (bytes.byteLength === 0)
    throw new GatewayError('BAD_REQUEST', 'The body is empty; a JSON document is expected.');
  const { depth, bare } = bodyLimits;
  const exceeded = exceededLimit(bytes, { depth, values, bare }, onText);
  if (exceeded === undefined) return;
  const most = {
    depth: `${depth} levels of nested brackets`,
    values: `${values} values`,
    bare: `${bare} bytes outside of its texts`,
  };
  throw new GatewayError('BAD_REQUEST', `The body has more than ${most[exceeded]}.`);
}

/**
 * Parses a body as JSON. Its type has already been checked (`checkJsonType`).
 * @throws GatewayError BAD_REQUEST for anything but JSON in UTF-8, and beyond the limits
 */
export function readJson(
  bytes: Uint8Array,
  parse: Parse = JSON.parse,
  values: number = bodyLimits.values,
): unknown {
  checkLimits(bytes, values);
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw notJson();
  }
}
