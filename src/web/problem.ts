import { STATUS_CODES } from 'node:http';
import { type FieldPath, formatPath, type GatewayError } from '../domain/errors.js';
import { memberName } from './parameters.js';

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
