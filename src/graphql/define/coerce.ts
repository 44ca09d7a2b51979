import { coerceInputValue, type GraphQLError, type GraphQLInputType } from 'graphql';
import { badField, type FieldPath, type GatewayError } from '../../domain/errors.js';

/** Messages for values that GraphQL's own scalars refuse. graphql-js would name the scalars. */
const expected: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Float: 'must be a number that a double can hold',
  ID: 'must be a UUID',
  Int: 'must be a whole number of 32 bits',
  String: 'must be a text',
};

/** Converts an error of graphql-js to the 400 for the wrong field. */
function refusal(path: FieldPath, { message }: GraphQLError): GatewayError {
  const missing = /^Field "(\w+)" of required type/.exec(message)?.[1];
  if (missing !== undefined) return badField([...path, missing], 'is required');
  if (message.startsWith('Expected non-nullable type')) return badField(path, 'must not be null');
  const [, scalar = ''] = /^(\w+) cannot represent/.exec(message) ?? [];
  if (Object.hasOwn(expected, scalar)) return badField(path, expected[scalar] as string);
  return badField(path, message.replace(/^Expected type "\w+"\. /, '').replace(/\.$/, ''));
}

/**
 * Coerces a JSON value to an input type, as a variable is.
 * @throws GatewayError BAD_REQUEST naming the first member of the wrong type
 */
export function coerce(value: unknown, type: GraphQLInputType): unknown {
  const report = (path: FieldPath, _value: unknown, error: GraphQLError) => {
    throw refusal(path, error);
  };
  return coerceInputValue(value, type, report, true);
}
