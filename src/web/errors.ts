import {
  type ErrorCode,
  type FieldPath,
  type GatewayError,
  messageOf,
  movedViolations,
  type Violation,
} from '../domain/errors.js';
import { errorExtensions } from '../graphql/errors.js';
import { memberName } from './parameters.js';
import { jsonType, prefersProblem, problem, problemType, type TextResponse } from './response.js';

/** Returns the path of an argument as REST names it. Parameters of lists have no `filter` around them. */
function parameterPath([first, ...rest]: FieldPath): FieldPath {
  if (first === undefined || first === 'filter') return rest;
  return first === 'after' ? ['cursor'] : [first, ...rest];
}

/** Spells the fields that a message names in code as this API does. */
const withMemberNames = (message: string) =>
  message.replace(/`([a-z]+[A-Z]\w*)`/g, (_, field: string) => `\`${memberName(field)}\``);

/** Errors about what a request's address and headers name. Their code says all. */
const outsideBody: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'PRECONDITION_FAILED']);

/** Returns the faults of an error, as this API names them. */
const faultsOf = ({ code, parameters }: GatewayError, { violations }: GatewayError) => ({
  parameters,
  violations: outsideBody.has(code)
    ? []
    : violations.map((one) => ({ ...one, message: withMemberNames(one.message) })),
});

/** A request whose answer is an error, as far as it is known. */
export interface Refused {
  /** Its header `Accept`. */
  readonly accept?: string | null;
  /** Its id, which the log has. */
  readonly id?: string;
  /** True if its violations are in the members of a JSON body. Otherwise they are in its parameters. */
  readonly hasMembers?: boolean;
  /** True if the answer has the error's reason, which the REST contract does not have. */
  readonly showsReason?: boolean;
  /** The status, if HTTP has a more exact one than the error's code. */
  readonly status?: number;
}

/**
 * Writes an error as `{message, ok, code}`, or as problem details if `Accept` asks. A 304 has
 * no body, so its code is in a header.
 */
export function errorResponse(error: GatewayError, refused: Refused = {}): TextResponse {
  const { headers, code } = error;
  const { status = error.status, showsReason = false, accept = null } = refused;
  const reason = showsReason ? error.reason : undefined;
  if (status === 304) return { status, headers: { ...headers, 'X-Error-Code': code }, body: null };
  const place = ({ path, ...what }: Violation) => ({ ...what, path: parameterPath(path) });
  const placed = movedViolations(error, place);
  const message = withMemberNames(messageOf(placed, memberName));
  const isProblem = prefersProblem(accept);
  const body = isProblem
    ? { ...problem({ code, ...faultsOf(error, placed) }, message, { ...refused, status }), reason }
    : { message, ok: false, code, reason };
  const type = isProblem ? problemType : jsonType;
  return { status, headers: { Vary: 'Accept', ...type, ...headers }, body: JSON.stringify(body) };
}

/** Writes an error as a GraphQL response, for a request that never became an operation. */
export function graphqlErrorResponse(error: GatewayError, mediaType: string): TextResponse {
  const { message, status, headers } = error;
  return {
    status,
    headers: { 'Content-Type': `${mediaType}; charset=utf-8`, ...headers },
    body: JSON.stringify({ errors: [{ message, extensions: errorExtensions(error) }] }),
  };
}
