import { TimeSlices } from '../db/connection/time-slices.js';
import { GatewayError } from '../domain/errors.js';
import { bodyLimits, checkLimits, notJson, readJson } from './json-body.js';

/** Bytes from which a body, or a text in it, is large. */
const largeBytes = 64 * 1024;

/** Bytes that are decoded in one turn of the event loop. */
const bytesPerTurn = 1024 * 1024;

/** Parses a text in one or more turns. Throws for invalid JSON. */
type Parse = (text: string, nextTurn: () => Promise<void>) => unknown;

/** Prefix of the texts that stand for long ones. It is random, so nobody can send it. */
const mark = `${crypto.randomUUID()}:`;

/** The place of a text among the bytes of a body, with its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [tab, lineFeed, carriageReturn, space, quote] = [0x09, 0x0a, 0x0d, 0x20, 0x22];
const [colon, backslash, unicodeEscape] = [0x3a, 0x5c, 0x75];
const whiteSpace: ReadonlySet<number | undefined> = new Set([tab, lineFeed, carriageReturn, space]);

/** Returns whether a text is the name of a member. */
function isName(bytes: Uint8Array, { end }: Span): boolean {
  let next = end;
  while (whiteSpace.has(bytes[next])) next++;
  return bytes[next] === colon;
}

/**
 * Finds the long texts of a body, and checks its limits.
 * @throws GatewayError BAD_REQUEST also for a long name, which no input has
 */
function findLongTexts(bytes: Uint8Array): Span[] {
  const found: Span[] = [];
  checkLimits(bytes, bodyLimits.valuesWithFiles, (start, end) => {
    if (end - start > largeBytes) found.push({ start, end });
  });
  if (found.some((span) => isName(bytes, span)))
    throw new GatewayError('BAD_REQUEST', `The body has a name of more than ${largeBytes} bytes.`);
  return found;
}

/** Returns where a part of a text can end. That is not inside an escape sequence or a character. */
function partEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < start + bytesPerTurn && at < bytes.length)
    at += bytes[at] !== backslash ? 1 : bytes[at + 1] === unicodeEscape ? 6 : 2;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return Math.min(at, bytes.length);
}

/** Decodes a text in turns, from its bytes without the quotes. */
async function decodeText(bytes: Uint8Array, slices: TimeSlices): Promise<string> {
  // A byte order mark inside a text is a character of it.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let [at, end] = [0, 0]; at < bytes.length; at = end) {
    await slices.next();
    end = partEnd(bytes, at);
    text += JSON.parse(`"${decoder.decode(bytes.subarray(at, end))}"`);
  }
  return text;
}

/** Returns a body with a short text in the place of each long one. */
function withMarks(bytes: Uint8Array, long: readonly Span[]): Uint8Array {
  if (long.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const [index, { start, end }] of long.entries()) {
    pieces.push(bytes.subarray(copied, start), Buffer.from(`"${mark}${index}"`));
    copied = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}

/** Puts the long texts into a parsed value. */
function withTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const read = withTexts(member, texts);
    if (read !== member) members[name] = read;
  }
  return members;
}

/** Decodes UTF-8 in turns. */
async function decode(bytes: Uint8Array, slices: TimeSlices): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    await slices.next();
    text += decoder.decode(bytes.subarray(at, at + bytesPerTurn), { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Parses the body of a door that takes files. A large one takes many turns of the event loop, and large ones are read
 * one after the other: decoding 16 MiB alone can take a tenth of a second. Long texts are decoded by themselves, so
 * that nothing else has to copy or search them.
 * @param parse takes the body without its long texts
 * @throws GatewayError like `readJson`
 */
export async function readLargeJson(
  bytes: Uint8Array,
  parse: Parse = (text) => JSON.parse(text),
): Promise<unknown> {
  const values = bodyLimits.valuesWithFiles;
  const slices = new TimeSlices();
  const nextTurn = () => slices.next();
  if (bytes.byteLength <= largeBytes) {
    const text = readJson(bytes, (text) => text, values) as string;
    try {
      return await parse(text, nextTurn);
    } catch {
      throw notJson();
    }
  }
  await nextTurn();
  const long = findLongTexts(bytes);
  try {
    const texts: string[] = [];
    for (const { start, end } of long) {
      if (bytes[end - 1] !== quote) throw notJson();
      texts.push(await decodeText(bytes.subarray(start + 1, end - 1), slices));
    }
    const rest = await decode(withMarks(bytes, long), slices);
    await nextTurn();
    const value = await parse(rest, nextTurn);
    await nextTurn();
    return texts.length > 0 ? withTexts(value, texts) : value;
  } catch {
    throw notJson();
  }
}
