import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../domain/errors.js';
import { exceededLimit } from '../domain/text/json.js';

/** Limits of a JSON body. The nesting is several times that of any input. */
export const bodyLimits = {
  depth: 100,
  values: 20_000,
  /** An item with all that it may have needs as many. */
  valuesWithFiles: 100_000,
  bare: 4 * 1024 * 1024,
} as const;

/** Bytes that one turn of the event loop reads, or decodes of a larger body. */
const turnBytes = { body: 64 * 1024, slice: 2 * 1024 * 1024 };

/** Parses a text. Throws for invalid JSON. */
type Parse = (text: string) => unknown;

const notJson = () => new GatewayError('BAD_REQUEST', 'The body is not JSON in UTF-8.');

/** Checks the limits of a JSON body before it is parsed. @throws GatewayError BAD_REQUEST */
function checkLimits(bytes: Uint8Array, values: number): void {
  if (bytes.byteLength === 0)
    throw new GatewayError('BAD_REQUEST', 'The body is empty; a JSON document is expected.');
  const { depth, bare } = bodyLimits;
  const exceeded = exceededLimit(bytes, { depth, values, bare });
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

/**
 * Parses the body of a door that takes files. A large one takes several turns of the event loop: decoding 16 MiB alone
 * can take a tenth of a second.
 * @throws GatewayError like `readJson`
 */
export async function readLargeJson(bytes: Uint8Array, parse: Parse = JSON.parse): Promise<unknown> {
  const { valuesWithFiles } = bodyLimits;
  if (bytes.byteLength <= turnBytes.body) return readJson(bytes, parse, valuesWithFiles);
  checkLimits(bytes, valuesWithFiles);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (let at = 0; at < bytes.byteLength; at += turnBytes.slice) {
      await nextTurn();
      text += decoder.decode(bytes.subarray(at, at + turnBytes.slice), { stream: true });
    }
    text += decoder.decode();
    await nextTurn();
    const value = parse(text);
    await nextTurn();
    return value;
  } catch {
    throw notJson();
  }
}
