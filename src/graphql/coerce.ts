import { coerceInputValue, type GraphQLError, type GraphQLInputType } from 'graphql';
import { badField, type FieldPath } from '../domain/errors.js';

/** What graphql-js says of a value, as a sentence that follows the field's name. */
function expectation(error: GraphQLError): string {
  return error.message.replace(/^Expected type "\w+"\. /, '').replace(/\.$/, '');
}

/**
 * Reads a JSON value as a type of the schema, the way a variable of that type is read.
 * @throws GatewayError BAD_REQUEST naming the first member of the wrong type
 */
export function coerce(value: unknown, type: GraphQLInputType): unknown {
  return coerceInputValue(value, type, (path: FieldPath, _value, error) => {
    throw badField(path, expectation(error));
  });
}
