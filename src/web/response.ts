import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import type { TimeSlices } from '../db/connection/bounds.js';
import { type FieldPath, formatPath, type GatewayError } from '../domain/errors.js';
import { exactText } from '../domain/text/json.js';
import { memberName } from './parameters.js';

/** Possible bodies of an answer; null stands for none. */
type AnswerBody = string | Uint8Array | Readable | null;

/** Content codings that answers are sent in (RFC 9110 section 8.4.1). */
export type Coding = 'br' | 'gzip';

/** An HTTP answer before it is sent, whichever part of the gateway creates it. */
export interface HttpResponse<Body extends AnswerBody = AnswerBody> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it arrives. Its length is in the headers, if it is known. */
  readonly body: Body;
  /** Returns the precompressed body. Without it, the body is gzipped for each request. */
  readonly compressed?: (coding: Coding) => Promise<Uint8Array>;
}

/** An answer with a text body, which can be stored and sent again. */
export type TextResponse = HttpResponse<string | null>;

export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' } as const;

/**
 * Headers of an answer that the caller may cache but must revalidate by ETag. A 304 has the headers of the
 * 200, which may be compressed (RFC 9110 §15.4.5).
 */
export const revalidated = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin, Accept-Encoding, Cookie',
} as const;

/**
 * Headers of every answer. By default, an answer is for its caller and this moment only, and browsers must
 * not guess another media type.
 */
export const alwaysSent = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

const entries = Object.entries(alwaysSent);

/** Sets these headers on an answer. Headers that are set later replace them. */
export function setAlwaysSent(response: ServerResponse): void {
  for (const [name, value] of entries) response.setHeader(name, value);
}

/** Values that are written at once. That takes a hundredth of a millisecond. */
const valuesAtOnce = 200;

/** Characters of text that take as long as one other value. */
const charactersOfValue = 128;

/** Subtracts the number of nested values from a budget. @returns the rest; below zero, counting stops */
function spend(value: unknown, budget: number): number {
  let left = budget - 1;
  if (typeof value === 'string') return left - value.length / charactersOfValue;
  if (typeof value !== 'object' || value === null) return left;
  for (const name in value) {
    left = spend((value as Readonly<Record<string, unknown>>)[name], left);
    if (left < 0) break;
  }
  return left;
}

const writesItself = (value: { readonly toJSON?: unknown }) => typeof value.toJSON === 'function';

/** Writes JSON in parts. A value that is too large to be written at once is split into its members. */
function* jsonParts(value: unknown): Generator<string> {
  const isWhole = typeof value !== 'object' || value === null || writesItself(value);
  if (isWhole || spend(value, valuesAtOnce) >= 0) {
    yield exactText(value);
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const element of value) {
      yield before;
      yield* jsonParts(element);
      before = ',';
    }
    yield ']';
  } else {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** Writes JSON in time slices. */
async function writeInSlices(value: unknown, slices: TimeSlices): Promise<string> {
  let text = '';
  for (const part of jsonParts(value)) {
    if (slices.isOver) await slices.next();
    text += part;
  }
  return text;
}

/** Writes an answer as JSON. If the request is large, it does so in time slices. */
export function writeJson(value: unknown, slices: TimeSlices): string | Promise<string> {
  return slices.isDivided ? writeInSlices(value, slices) : exactText(value);
}

/** The media type of problem details (RFC 9457). */
export const problemMediaType = 'application/problem+json';

/** The header of an answer with problem details. */
export const problemType = { 'Content-Type': problemMediaType } as const;

/** Reads the weights of the media ranges in an `Accept` header (RFC 9110 section 12.5.1). */
function weightsIn(accept: string): ReadonlyMap<string, number> {
  const ranges = accept.split(',').map((part): [string, number] => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    return [range, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
  });
  return new Map(ranges);
}

/**
 * Returns whether `Accept` names problem details, with at least the weight of plain JSON. A wildcard
 * does not ask for them, because clients of the contract send some.
 */
export function prefersProblem(accept: string | null): boolean {
  const asked = accept?.toLowerCase() ?? '';
  if (!asked.includes(problemMediaType)) return false;
  const weights = weightsIn(asked);
  const own = weights.get(problemMediaType) ?? 0;
  const json = ['application/json', 'application/*', '*/*'].find((range) => weights.has(range));
  return own > 0 && own >= (weights.get(json ?? '') ?? 0);
}

/** Writes a path in a JSON body as a URI fragment (RFC 6901 section 6). */
function pointerTo(path: FieldPath): string {
  // A JSON Patch is a list by itself.
  const steps = path[0] === 'operations' ? path.slice(1) : path;
  const tokens = steps.map((step) =>
    typeof step === 'number' ? `${step}` : memberName(step).replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  return `#${tokens.map((token) => `/${encodeURIComponent(token.toWellFormed())}`).join('')}`;
}

/** The problems of a request that an error names, as REST calls its parts. */
type Faults = Pick<GatewayError, 'code' | 'violations' | 'parameters'>;

/** Lists the faults of an error: of members by pointer, of parameters by name. */
function listFaults({ violations, parameters }: Faults, hasMembers: boolean): readonly object[] {
  return [
    ...parameters.map(({ name, message }) => ({ parameter: name, detail: message })),
    ...violations.map(({ path, message, rule }) => {
      const place = hasMembers ? { pointer: pointerTo(path) } : { parameter: formatPath(path, memberName) };
      return { ...place, detail: message, rule };
    }),
  ];
}

/**
 * Writes an error as problem details (RFC 9457). The type is `about:blank`, which says no more than the status;
 * the member `code` says more.
 * @param detail the message in the names of REST
 */
export function problem(
  faults: Faults,
  detail: string,
  { status, id, hasMembers = false }: { status: number; id?: string; hasMembers?: boolean },
): object {
  const errors = listFaults(faults, hasMembers);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    ...(id !== undefined && { instance: `urn:uuid:${id}` }),
    code: faults.code,
    ...(errors.length > 0 && { errors }),
  };
}
