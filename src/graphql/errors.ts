import { RequestCache } from '@pothos/plugin-scope-auth';
import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql';
import { unavailableOf } from '../db/connection/errors.js';
import {
  argumentError,
  badFields,
  type ErrorCode,
  errorKinds,
  type FieldPath,
  GatewayError,
  internalError,
  messageOf,
  truncateMessage,
  type Violation,
} from '../domain/errors.js';
import type { Context } from './context.js';
import { argumentViolation } from './define/coerce.js';
import { ResponseRefused } from './limits/response-size.js';

/** Returns a field's name unchanged, because GraphQL shows its own names. REST translates them. */
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

/** Error codes by HTTP status. */
const codes: Readonly<Record<number, ErrorCode>> = Object.fromEntries(
  Object.entries(errorKinds).map(([code, { status }]) => [status, code as ErrorCode]),
);

/** Rewords an error of graphql-js or yoga about a document or its variables. */
function rewordRefusal(error: GraphQLError): GraphQLError {
  // Yoga reads the answer's status and headers from here, and removes them. With its `spec`, old clients
  // would get status 200 for a request without a document; that is only for rejected documents (GraphQL over
  // HTTP).
  const { spec, ...kept } = (error.extensions.http ?? {}) as { spec?: boolean; status?: number };
  const http = error.source && spec ? { ...kept, spec } : kept;
  const code = codes[http.status ?? 400] ?? 'BAD_REQUEST';
  const { violations = [argumentViolation(error.message) ?? []].flat() } = error.extensions;
  return copyError(error, truncateMessage(error.message), { code, violations, http });
}

/**
 * Returns the path of a violation in a field's arguments. Paths of input violations start inside the input.
 * @param sent names of the arguments that were sent
 */
function placeOf(path: FieldPath, sent: ReadonlySet<string>): FieldPath {
  return sent.has('input') && !sent.has(String(path[0])) ? ['input', ...path] : path;
}

/** Lists the arguments that a document gives to the field of an error. */
function argumentsOf({ nodes }: Pick<GraphQLError, 'nodes'>): ReadonlySet<string> {
  const fields = (nodes ?? []).filter((node): node is FieldNode => node.kind === Kind.FIELD);
  return new Set(fields.flatMap(({ arguments: args = [] }) => args.map(({ name }) => name.value)));
}

/**
 * Returns an error's `extensions`. They have the code, reason, invalid field, violations, version of the
 * record and seconds to wait. The violations are always a list; it is empty if nothing sent is to blame.
 * @param sent names of the arguments that its field was sent
 */
export function errorExtensions(
  { code, reason, fieldPath, headers, current, violations }: GatewayError,
  sent: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const field = fieldPath.join('.');
  const wait = headers['Retry-After'];
  return {
    code,
    ...(reason !== undefined && { reason }),
    ...(field !== '' && { field }),
    violations: violations.map(({ path, message, rule }) => ({ path: placeOf(path, sent), message, rule })),
    ...current,
    ...(wait !== undefined && { retryAfter: Number(wait) }),
  };
}

/**
 * Converts an error to the one that GraphQL answers, with its code in the extensions. An internal error is
 * reported, and its message hidden.
 * @param report is called with internal errors
 */
export function publicError(error: GraphQLError, report: (fault: Error) => void): GraphQLError {
  const original = findOriginalError(error);
  if (!original) return rewordRefusal(error);
  const known = original instanceof GatewayError ? original : unavailableOf(original);
  if (known !== original) report(original);
  const shown = known ?? internalError;
  const extensions = errorExtensions(shown, argumentsOf(error));
  // The whole request failed for a reason other than its document, which HTTP has a status for.
  const isShed = original instanceof ResponseRefused && original.code === 'UNAVAILABLE';
  const http = isShed ? { status: shown.status, headers: shown.headers } : error.extensions.http;
  return copyError(error, messageOf(shown, unchangedName), { ...extensions, ...(http ? { http } : {}) });
}

/** The most values of a field's arguments in which an id is looked for. */
const maxValues = 2_000;

/** Finds a text in a value, in any letter case. */
function pathOf(wanted: string, value: unknown, left: { values: number }): FieldPath | undefined {
  if (--left.values < 0) return undefined;
  if (typeof value === 'string') return value.toLowerCase() === wanted ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = pathOf(wanted, member, left);
    if (inner) return [Array.isArray(value) ? Number(name) : name, ...inner];
  }
  return undefined;
}

/** Names the argument with the id of no record in the error about it. */
export function withMissingArgument(
  error: unknown,
  { arguments: given = [] }: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof GatewayError) || error.missing === undefined) return error;
  const left = { values: maxValues };
  for (const { name, value } of given) {
    const inner = pathOf(error.missing.toLowerCase(), valueFromASTUntyped(value, variables), left);
    if (!inner) continue;
    const { code, message } = error;
    return argumentError(code, message, [name.value, ...inner], { rule: 'reference', cause: error });
  }
  return error;
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** True if the mutation can be rolled back. Running it then finds further faults of its input. */
    readonly checksInput?: boolean;
  }
}

/** A mutation that is rejected because of its input. */
interface Refused {
  readonly field: GraphQLField<unknown, unknown>;
  /** Its arguments, with the readable part of the input. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Values that could not be read. */
  readonly violations: readonly Violation[];
}

/** Creates the info of a field's resolver without a document. Resolvers then read whole records. */
function bareInfo(schema: GraphQLSchema, { name, type }: GraphQLField<unknown, unknown>): GraphQLResolveInfo {
  const parentType = schema.getMutationType();
  if (!parentType) throw new Error('There are no mutations.');
  const node: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } };
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.MUTATION,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [node] },
  };
  return {
    ...{ fieldName: name, fieldNodes: [node], returnType: type, parentType, schema, operation },
    ...{ path: { prev: undefined, key: name, typename: parentType.name }, fragments: {}, variableValues: {} },
    rootValue: undefined,
  };
}

/**
 * Finds all violations of a mutation's input that cannot be read completely. Its resolver runs in a
 * transaction that is rolled back, because only the resolver checks rules and references.
 * @returns the error
 */
export async function collectViolations(
  { field, args, violations }: Refused,
  context: Context,
): Promise<GatewayError> {
  const { resolve, extensions } = field;
  if (!resolve || !extensions.checksInput) return badFields(violations);
  try {
    return await context.session.refuse(violations, async () =>
      resolve(undefined, args, context, bareInfo(context.schema, field)),
    );
  } finally {
    RequestCache.clearForContext(context);
  }
}
