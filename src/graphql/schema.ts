import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import './types/calendar/calendar-feeds.js';
import './types/imports-exports/exports.js';
import './types/imports-exports/imports.js';
import './types/imports-exports/team-exports.js';
import './types/items/acknowledgements.js';
import './types/items/attachments.js';
import './types/items/categories.js';
import './types/items/expiration-items.js';
import './types/items/summary.js';
import './types/items/watches.js';
import './types/live/record-changes.js';
import './types/live/subscriptions.js';
import './types/organization/access-tokens.js';
import './types/organization/gateway-health.js';
import './types/organization/go-live.js';
import './types/organization/me.js';
import './types/organization/organization.js';
import './types/organization/people.js';
import './types/organization/personal-data.js';
import './types/records/bin.js';
import './types/records/custom-fields.js';
import './types/records/node.js';
import './types/records/reasons.js';
import './types/records/record-kinds.js';
import './types/records/related-records.js';
import './types/records/resources.js';
import './types/records/search.js';
import './types/reminders/channels.js';
import './types/reminders/deliveries.js';
import './types/reminders/mail-settings.js';
import './types/reminders/reminder-health.js';
import './types/reminders/reminder-policies.js';
import './types/reminders/reminders.js';
import './types/reminders/suppressions.js';
import './types/reminders/upcoming-reminders.js';
import './types/sign-in/passkey-types.js';
import './types/sign-in/sign-in-factors.js';
import './types/sign-in/sign-in-policy.js';
import './types/sign-in/sign-in.js';
import './types/uploads/upload-notifications.js';
import './types/uploads/upload-suggestions.js';
import './types/webhooks/webhooks.js';
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
