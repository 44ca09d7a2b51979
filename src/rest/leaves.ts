import { type GraphQLEnumType, type GraphQLLeafType, GraphQLScalarType, isEnumType } from 'graphql';

/**
 * The contract writes int64 as JSON numbers, where GraphQL has strings. Numbers beyond the safe integers stay
 * exact as BigInts.
 */
const Int64 = new GraphQLScalarType({
  name: 'Int64',
  serialize: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(String(value))),
});

/** The contract writes enum values in lower case. */
const Word = new GraphQLScalarType({ name: 'Word', serialize: (value) => String(value).toLowerCase() });

/** Returns the contract's type of a scalar or an enum of the gateway. */
export function contractLeaf(type: GraphQLLeafType): GraphQLLeafType {
  if (isEnumType(type)) return Word;
  return type.name === 'BigInt' ? Int64 : type;
}

/**
 * Returns the gateway's spelling of an enum value. REST accepts any letter case; unknown values are
 * undefined.
 */
export function gatewayWord(value: unknown, type: GraphQLEnumType): string | undefined {
  if (typeof value !== 'string') return undefined;
  const wanted = value.toLowerCase();
  return type.getValues().find(({ name }) => name.toLowerCase() === wanted)?.name;
}
