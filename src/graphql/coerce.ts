import { coerceInputValue, type GraphQLError, type GraphQLInputType } from 'graphql';
import { badField, type FieldPath, type GatewayError } from '../domain/errors.js';

/** What graphql-js says of a value, with the field at fault and a sentence that follows its name. */
function refusal(path: FieldPath, { message }: GraphQLError): GatewayError {
  const missing = /^Field "(\w+)" of required type/.exec(message)?.[1];
  if (missing !== undefined) return badField([...path, missing], 'is required');
  if (message.startsWith('Expected non-nullable type')) return badField(path, 'must not be null');
  return badField(path, message.replace(/^Expected type "\w+"\. /, '').replace(/\.$/, ''));
}

/**
 * Reads a JSON value as a type of the schema, the way a variable of that type is read.
 * @throws GatewayError BAD_REQUEST naming the first member of the wrong type
 */
export function coerce(value: unknown, type: GraphQLInputType): unknown {
  const report = (path: FieldPath, _value: unknown, error: GraphQLError) => {
    throw refusal(path, error);
  };
  return coerceInputValue(value, type, report, true);
}
