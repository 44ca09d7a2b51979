import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import '../generated/types.js';
import { builder } from './builder.js';
import { addFormerSpellings } from './define/former.js';
import { rejectInsteadOfThrowing } from './resolvers.js';

/** Finds the description of a field, or of the record that its id refers to. */
function findDescription(type: GraphQLNamedType | undefined, name: string): string | null | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  return (fields[name] ?? fields[name.replace(/Id$/, '')])?.description;
}

/** Copies descriptions of output fields to input fields and orders that have none. */
function describeLikeShown(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) {
      const shown = schema.getType(type.name.replace(/^(Create|Update|Replace)(.+)Input$/, '$2'));
      for (const field of Object.values(type.getFields()))
        field.description ??= findDescription(shown, field.name);
    } else if (isEnumType(type)) {
      const shown = schema.getType(type.name.replace(/OrderField$/, ''));
      for (const value of type.getValues()) value.description ??= findDescription(shown, String(value.value));
    }
  }
  return schema;
}

/** The gateway's schema, with the resolvers of both APIs. */
export const schema = rejectInsteadOfThrowing(addFormerSpellings(describeLikeShown(builder.toSchema())));
