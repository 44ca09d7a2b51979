import { type FieldNode, GraphQLError, Kind } from 'graphql';
import { unavailableOf } from '../db/connection/errors.js';
import {
  type ErrorCode,
  errorKinds,
  type FieldPath,
  GatewayError,
  internalError,
  messageOf,
  truncateMessage,
} from '../domain/errors.js';
import { AnswerRefused } from './limits/answer-size.js';

/** Returns a field's name unchanged: GraphQL shows its own names. REST translates them. */
const unchangedName = (field: string) => field;

function findOriginalError(error: GraphQLError): Error | undefined {
  const { originalError } = error;
  return originalError instanceof GraphQLError
    ? findOriginalError(originalError)
    : (originalError ?? undefined);
}

/** Copies an error with another message and other extensions, without its cause. */
function copyError(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}

/** The codes of what is refused with a status of its own. */
const codes: Readonly<Record<number, ErrorCode>> = Object.fromEntries(
  Object.entries(errorKinds).map(([code, { status }]) => [status, code as ErrorCode]),
);

/** Rewords an error of graphql-js or yoga about a document or its variables. */
function rewordRefusal(error: GraphQLError): GraphQLError {
  // Yoga reads the answer's status and headers from here, and takes them out. By its `spec`, old clients would be
  // told 200 of a request that holds no document; that is for documents that are refused (GraphQL over HTTP).
  const { spec, ...kept } = (error.extensions.http ?? {}) as { spec?: boolean; status?: number };
  const http = error.source && spec ? { ...kept, spec } : kept;
  const code = codes[http.status ?? 400] ?? 'BAD_REQUEST';
  return copyError(error, truncateMessage(error.message), { code, http });
}

/**
 * Returns the place of a violation in a field's arguments. What an input is told by has a path inside it.
 * @param sent names of the arguments that were sent
 */
function placeOf(path: FieldPath, sent: ReadonlySet<string>): FieldPath {
  return sent.has('input') && !sent.has(String(path[0])) ? ['input', ...path] : path;
}

/** Lists the arguments that a document has for the field of an error. */
function argumentsOf({ nodes }: Pick<GraphQLError, 'nodes'>): ReadonlySet<string> {
  const fields = (nodes ?? []).filter((node): node is FieldNode => node.kind === Kind.FIELD);
  return new Set(fields.flatMap(({ arguments: args = [] }) => args.map(({ name }) => name.value)));
}

/**
 * Writes an error's `extensions`. They have the code, field at fault, violations, version of the record and seconds to
 * wait.
 * @param sent names of the arguments that its field was sent
 */
export function errorExtensions(
  { code, fieldPath, headers, current, violations }: GatewayError,
  sent: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const field = fieldPath.join('.');
  const wait = headers['Retry-After'];
  return {
    code,
    ...(field !== '' && { field }),
    ...(violations.length > 0 && {
      violations: violations.map(({ path, message, rule }) => ({ path: placeOf(path, sent), message, rule })),
    }),
    ...current,
    ...(wait !== undefined && { retryAfter: Number(wait) }),
  };
}

/**
 * Turns an error into the one that GraphQL answers, with its code in the extensions. A fault of ours is reported, and its message kept back.
 * @param report told of faults of ours
 */
export function publicError(error: GraphQLError, report: (fault: Error) => void): GraphQLError {
  const original = findOriginalError(error);
  if (!original) return rewordRefusal(error);
  const known = original instanceof GatewayError ? original : unavailableOf(original);
  if (known !== original) report(original);
  const shown = known ?? internalError;
  const extensions = errorExtensions(shown, argumentsOf(error));
  // There is no answer at all, for reasons that are not the document's: HTTP has a status for that.
  const isShed = original instanceof AnswerRefused && original.code === 'UNAVAILABLE';
  const http = isShed ? { status: shown.status, headers: shown.headers } : error.extensions.http;
  return copyError(error, messageOf(shown, unchangedName), { ...extensions, ...(http ? { http } : {}) });
}
