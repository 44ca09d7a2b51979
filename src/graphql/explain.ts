import { RequestCache } from '@pothos/plugin-scope-auth';
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { GatewayError, Violation } from '../domain/errors.js';
import { badFields } from '../domain/input/violations.js';
import type { Context } from './context.js';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** True if the mutation can be undone. Its input's other mistakes are found by running it. */
    readonly checksInput?: boolean;
  }
}

/** A mutation that is refused for what its input holds. */
interface Refused {
  readonly field: GraphQLField<unknown, unknown>;
  /** Its arguments, the input without what could not be read. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Values that could not be read. */
  readonly violations: readonly Violation[];
}

/** Makes the info of a field's resolver without a document. Resolvers read whole records then. */
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
 * Finds all violations of a mutation's input, parts of which could not be read. Its resolver is run in a transaction
 * that is undone, as rules and references are checked nowhere else.
 * @returns the refusal
 */
export async function explainRefusal(
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
