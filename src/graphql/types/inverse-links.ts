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
import { listOf } from '../define/records.js';
import './resources.js';
import { eventLogList } from './event-logs.js';
import { itemList } from './expiration-items.js';

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
  [typeOf('category'), byColumn('categoryId'), 'The items of the document type.'],
  [typeOf('contact'), itemsOfContact, 'The items with the contact, as the main one or as one of several.'],
  [
    typeOf('location'),
    itemsAtLocation,
    'The items directly at the location. To include the locations inside it, filter the list `expirationItems` by `locationId`.',
  ],
  [typeOf('tag'), itemsWithTag, 'The items with the tag.'],
  [typeOf('team'), byColumn('teamId'), 'The items of the workspace.'],
  [typeOf('user'), byColumn('assignedToId'), 'The items assigned to the user.'],
]);

/** Kinds without lists of the notes and events about them. A workspace has lists of all that are in it. */
const withoutHistory: readonly EntityKind[] = ['team', 'attachment', 'uploadNotification'];

for (const kind of entityKinds.values()) {
  if (withoutHistory.includes(kind)) continue;
  const on = typeOf(kind);
  listBelow('notes', 'note', listOf('note'), [
    [on, notesAbout(kind), `Notes about the ${entityNames[kind]}.`],
  ]);
  listBelow('eventLogs', 'eventLog', eventLogList, [
    [on, eventsAbout(kind), `The history of the ${entityNames[kind]}.`],
  ]);
}
listBelow('eventLogs', 'eventLog', eventLogList, [
  [typeOf('team'), byColumn('teamId'), 'What happened in the workspace.'],
  [typeOf('user'), byColumn('userId'), 'What the user did.'],
]);
