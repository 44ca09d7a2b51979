import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { builder } from './builder.js';
import { rejectInsteadOfThrowing } from './rejecting.js';
import './types/users.js';
import './types/teams.js';
import './types/locations.js';
import './types/contacts.js';
import './types/contact-types.js';
import './types/companies.js';
import './types/tags.js';
import './types/categories.js';
import './types/event-logs.js';
import './types/notes.js';
import './types/upload-notifications.js';
import './types/vehicles.js';
import './types/expiration-items.js';
import './types/renewals.js';
import './types/access-tokens.js';
import './types/subscriptions.js';
import './types/bulk.js';
import './types/summary.js';
import './types/inverse-links.js';
import './types/related-records.js';
import './types/node.js';

/** Finds the description of a field, or of the record that its id leads to. */
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

/** The gateway's schema: every resolver of both doors. */
export const schema = rejectInsteadOfThrowing(describeLikeShown(builder.toSchema()));
