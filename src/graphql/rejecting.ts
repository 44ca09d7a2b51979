import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLIsTypeOfFn,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  isAbstractType,
  isObjectType,
} from 'graphql';

type Resolver = GraphQLFieldResolver<unknown, unknown>;

const rejecting = new WeakSet<object>();

function wrapResolver(resolve: Resolver | undefined): Resolver | undefined {
  if (!resolve || resolve === defaultFieldResolver || rejecting.has(resolve)) return resolve;
  const wrapped: Resolver = (source, args, context, info) => {
    try {
      return resolve(source, args, context, info);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  rejecting.add(wrapped);
  return wrapped;
}

/** Wraps a type resolver or an `isTypeOf`, which has the same arguments but the last. */
function wrapTypeResolver<
  Resolve extends GraphQLTypeResolver<unknown, unknown> | GraphQLIsTypeOfFn<unknown, unknown>,
>(resolve: Resolve | null | undefined): Resolve | undefined {
  if (!resolve || rejecting.has(resolve)) return resolve ?? undefined;
  const wrapped = (...args: Parameters<GraphQLTypeResolver<unknown, unknown>>) => {
    try {
      return resolve(...args);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  rejecting.add(wrapped);
  return wrapped as Resolve;
}

/**
 * Makes every resolver of a schema reject instead of throwing. An executor may abandon promises when it meets
 * an exception (graphql-js 16 does in lists), and the rejection of an abandoned promise ends the process.
 */
export function rejectInsteadOfThrowing(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) type.resolveType = wrapTypeResolver(type.resolveType);
    if (!isObjectType(type)) continue;
    type.isTypeOf = wrapTypeResolver(type.isTypeOf);
    for (const field of Object.values(type.getFields())) {
      field.resolve = wrapResolver(field.resolve);
      field.subscribe = wrapResolver(field.subscribe);
    }
  }
  return schema;
}
