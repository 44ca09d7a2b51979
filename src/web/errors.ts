import { type FieldPath, GatewayError, messageOf, type Violation } from '../domain/errors.js';
import { movedViolations } from '../domain/input/violations.js';
import { errorExtensions } from '../graphql/errors.js';
import { jsonType, type TextAnswer } from './answer.js';
import { memberName } from './parameters.js';

/** Returns the path of an argument as REST names it. Parameters of lists have no `filter` around them. */
function parameterPath([first, ...rest]: FieldPath): FieldPath {
  if (first === undefined || first === 'filter') return rest;
  return first === 'after' ? ['cursor'] : [first, ...rest];
}

/** Spells the fields that a message names in code as this API does. */
const withMemberNames = (message: string) =>
  message.replace(/`([a-z]+[A-Z]\w*)`/g, (_, field: string) => `\`${memberName(field)}\``);

/**
 * Writes an error as `{message, ok, code}` (section 7). A 304 has no body, so its code is in a header.
 * @param showsReason adds the reason, which the REST contract does not have
 */
export function errorAnswer(error: GatewayError, showsReason = false): TextAnswer {
  const { headers, status, code } = error;
  const reason = showsReason ? error.reason : undefined;
  if (status === 304) return { status, headers: { ...headers, 'X-Error-Code': code }, body: null };
  const place = ({ path, ...what }: Violation) => ({ ...what, path: parameterPath(path) });
  const placed =
    error.violations.length > 0
      ? movedViolations(error, place)
      : new GatewayError(code, error.message, { path: parameterPath(error.fieldPath) });
  const message = withMemberNames(messageOf(placed, memberName));
  return {
    status,
    headers: { ...jsonType, ...headers },
    body: JSON.stringify({ message, ok: false, code, reason }),
  };
}

/** Writes an error as a GraphQL response, for a request that never became an operation. */
export function graphqlErrorAnswer(error: GatewayError, mediaType: string): TextAnswer {
  const { message, status, headers } = error;
  return {
    status,
    headers: { 'Content-Type': `${mediaType}; charset=utf-8`, ...headers },
    body: JSON.stringify({ errors: [{ message, extensions: errorExtensions(error) }] }),
  };
}
