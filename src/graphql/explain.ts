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
