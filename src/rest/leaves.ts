import { type GraphQLEnumType, type GraphQLLeafType, GraphQLScalarType, isEnumType } from 'graphql';

/** The contract writes int64 as JSON numbers, where GraphQL has strings. One that a double would round stays exact. */
const Int64 = new GraphQLScalarType({
  name: 'Int64',
  serialize: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(String(value))),
});

/** The contract writes the words of an enum in small letters. */
const Word = new GraphQLScalarType({ name: 'Word', serialize: (value) => String(value).toLowerCase() });

/** Returns the contract's type of a scalar or an enum of the gateway. */
export function contractLeaf(type: GraphQLLeafType): GraphQLLeafType {
  if (isEnumType(type)) return Word;
  return type.name === 'BigInt' ? Int64 : type;
}

/** Returns the gateway's spelling of an enum's word. REST takes it in any letter case; others are undefined. */
export function gatewayWord(value: unknown, type: GraphQLEnumType): string | undefined {
  if (typeof value !== 'string') return undefined;
  const wanted = value.toLowerCase();
  return type.getValues().find(({ name }) => name.toLowerCase() === wanted)?.name;
}
