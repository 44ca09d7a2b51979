import { type GraphQLInputObjectType, type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { builder } from './builder.js';
import './users.js';
import './teams.js';
import './locations.js';
import './contacts.js';
import './contact-types.js';
import './companies.js';
import './tags.js';
import './categories.js';
import './event-logs.js';
import './notes.js';
import './upload-notifications.js';
import './vehicles.js';
import './expiration-items.js';
import './renewals.js';
import './bulk.js';
import './summary.js';
import './inverse-links.js';
import './related-records.js';
import './node.js';

/** A field that callers write says what the field that shows it says, unless it has words of its own. */
function describeInputs(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const shown =
      isInputObjectType(type) &&
      schema.getType(type.name.replace(/^(Create|Update|Replace)(.+)Input$/, '$2'));
    if (!isObjectType(shown)) continue;
    for (const field of Object.values((type as GraphQLInputObjectType).getFields())) {
      field.description ??= shown.getFields()[field.name]?.description;
    }
  }
  return schema;
}

/** The gateway's schema: every resolver of both doors. */
export const schema = describeInputs(builder.toSchema());
