import { GraphQLError } from 'graphql';
import { GatewayError, internalError, messageOf } from '../domain/errors.js';

/** GraphQL shows its own names. */
const asNamed = (field: string) => field;

function originalOf(error: GraphQLError): Error | undefined {
  const { originalError } = error;
  return originalError instanceof GraphQLError ? originalOf(originalError) : (originalError ?? undefined);
}

/**
 * An error as GraphQL answers it: with `extensions.code` from the one table of errors, and the name of the field
 * at fault in `extensions.field`. A fault of ours is reported, and its message kept back.
 * @param report told of faults of ours
 */
export function publicError(error: GraphQLError, report: (fault: Error) => void): GraphQLError {
  const original = originalOf(error);
  // graphql-js' own: a document that does not parse, validate, or fit its variables.
  if (!original) {
    error.extensions.code ??= 'BAD_REQUEST';
    return error;
  }
  if (!(original instanceof GatewayError)) report(original);
  const shown = original instanceof GatewayError ? original : internalError;
  const { nodes, source, positions, path } = error;
  const field = shown.path.join('.');
  return new GraphQLError(messageOf(shown, asNamed), {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions: { code: shown.code, ...(field !== '' && { field }) },
  });
}
