import type { ObjectRef } from '@pothos/core';
import type { RecordKind } from '../../db/sql/models.js';
import type { Identified } from '../../db/sql/query.js';
import { type EntityKind, entityKinds, entityNames } from '../../domain/events.js';
import {
  byColumn,
  eventsAbout,
  itemsAtLocation,
  itemsOfContact,
  itemsWithTag,
  type Link,
  notesAbout,
} from '../../records/links.js';
import { type builder, typeOf } from '../builder.js';
import { nest } from '../define/nested.js';
import type { List } from '../define/reads.js';
import { Category, categoryList } from './categories.js';
import { companyList } from './companies.js';
import { ContactType, contactTypeList } from './contact-types.js';
import { Contact, contactList } from './contacts.js';
import { eventLogList } from './event-logs.js';
import { itemList } from './expiration-items.js';
import { Location, locationList } from './locations.js';
import { noteList } from './notes.js';
import { reminderPolicyList } from './reminder-policies.js';
import { Tag, tagList } from './tags.js';
import { Team } from './teams.js';
import { User } from './users.js';
import { vehicleList } from './vehicles.js';
import { watchList } from './watches.js';

type Types = (typeof builder)['$inferSchemaTypes'];
type Type = ObjectRef<Types, Identified> & { readonly name: string };

/** Owner of a list: its type, the link to it, and the list's description. */
type Owner = readonly [on: Type, link: Link, description: string];

/**
 * Defines inverse lists: records get those that point at them. The lists have the name that the whole list
 * has at the root.
 */
function listBelow(field: string, kind: RecordKind, list: List, owners: readonly Owner[]): void {
  for (const [on, link, description] of owners) {
    nest({ on, field, description, link, list: { ...list, kind } });
  }
}

listBelow('expirationItems', 'expirationItem', itemList, [
  [Category, byColumn('categoryId'), 'The items of the document type.'],
  [Contact, itemsOfContact, 'The items with the contact, as the main one or as one of several.'],
  [
    Location,
    itemsAtLocation,
    'The items of the location itself; the filter of the whole list finds those of the locations in it, too.',
  ],
  [Tag, itemsWithTag, 'The items with the tag.'],
  [Team, byColumn('teamId'), 'The items of the workspace.'],
  [User, byColumn('assignedToId'), 'The items assigned to the user.'],
]);

listBelow('vehicles', 'vehicle', vehicleList, [
  [Contact, byColumn('assignedToContactId'), 'The vehicles assigned to the contact.'],
  [Location, byColumn('locationId'), 'The vehicles at the location itself.'],
  [Team, byColumn('teamId'), 'The vehicles of the workspace.'],
  [User, byColumn('assignedToId'), 'The vehicles assigned to the user.'],
]);

listBelow('contacts', 'contact', contactList, [
  [ContactType, byColumn('typeId'), 'The contacts of the type.'],
  [Location, byColumn('locationId'), 'The contacts at the location itself.'],
  [Team, byColumn('teamId'), 'The contacts of the workspace.'],
  [User, byColumn('assignedToId'), 'The contacts assigned to the user.'],
]);

listBelow('companies', 'company', companyList, [
  [Contact, byColumn('primaryContactId'), 'The companies whose primary contact it is.'],
  [Team, byColumn('teamId'), 'The companies of the workspace.'],
  [User, byColumn('assignedToId'), 'The companies assigned to the user.'],
]);

listBelow('watches', 'watch', watchList, [
  [Contact, byColumn('contactId'), 'The watches by which the contact is told.'],
  [Team, byColumn('teamId'), 'The watches of the workspace.'],
  [User, byColumn('userId'), 'The watches by which the user is told.'],
]);

listBelow('children', 'location', locationList, [
  [Location, byColumn('parentLocationId'), 'The locations that lie in this one, one level down.'],
]);
listBelow('locations', 'location', locationList, [
  [Team, byColumn('teamId'), 'The locations of the workspace.'],
]);
listBelow('categories', 'category', categoryList, [
  [Team, byColumn('teamId'), 'The document types of the workspace.'],
]);
listBelow('contactTypes', 'contactType', contactTypeList, [
  [Team, byColumn('teamId'), 'The contact types of the workspace.'],
]);
listBelow('reminderPolicies', 'reminderPolicy', reminderPolicyList, [
  [Team, byColumn('teamId'), 'The reminder policies of the workspace.'],
]);
listBelow('tags', 'tag', tagList, [[Team, byColumn('teamId'), 'The tags of the workspace.']]);

/** Kinds without lists of the notes and events about them. A workspace has lists of all that are in it. */
const withoutHistory: readonly EntityKind[] = ['team', 'attachment', 'uploadNotification'];

for (const kind of entityKinds.values()) {
  if (withoutHistory.includes(kind)) continue;
  const on = typeOf(kind);
  listBelow('notes', 'note', noteList, [[on, notesAbout(kind), `Notes about the ${entityNames[kind]}.`]]);
  listBelow('eventLogs', 'eventLog', eventLogList, [
    [on, eventsAbout(kind), `The history of the ${entityNames[kind]}.`],
  ]);
}
listBelow('notes', 'note', noteList, [[Team, byColumn('teamId'), 'The notes of the workspace.']]);
listBelow('eventLogs', 'eventLog', eventLogList, [
  [Team, byColumn('teamId'), 'What happened in the workspace.'],
  [User, byColumn('userId'), 'What the user did.'],
]);
