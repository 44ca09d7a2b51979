import { typeBrandKey } from '@pothos/core';
import type { Session } from '../../db/connection/session.js';
import { modelName } from '../../db/sql/models.js';
import { badField } from '../../domain/errors.js';
import {
  type EntityKind,
  entityKinds,
  entityNames,
  entityTypes,
  entityTypeText,
  eventTypes,
  type EntityKind as Kind,
  kindOf,
  type RecordKind,
} from '../../domain/models.js';
import { maxPageSize } from '../../domain/paging.js';
import type { ItemDate } from '../../domain/reminders/policy.js';
import { notNotifiedReasons } from '../../domain/reminders/reasons.js';
import type { CustomField as CustomFieldShape } from '../../domain/rules.js';
import { capitalized, snakeCase, withArticle } from '../../domain/text/names.js';
import { unreadReasons, uploadReasons } from '../../domain/uploads/upload.js';
import { purgeEntry } from '../../records/bin.js';
import type { Declared } from '../../records/declare/declare.js';
import { eventsAbout, notesAbout } from '../../records/links.js';
import { type Found, maxMatchesPerKind, searchAll } from '../../records/lists/search.js';
import { findAny, type Linked, load } from '../../records/loaders.js';
import type { ListedResource } from '../../records/resource.js';
import type { NoteRelation as Relation } from '../../resources/notes.js';
import { builder, graphqlOnly, Node, typeOf } from '../builder.js';
import { connectionTypes } from '../define/connection.js';
import { connectContained, nest } from '../define/nested.js';
import { type DeclaredResource, defineLists, defineRecords, listOf } from '../define/records.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { resources } from '../resources.js';

builder.mutationFields((t) => ({
  purgeBinEntry: t.field({
    type: typeOf('binEntry'),
    nullable: true,
    description: 'Permanently deletes an entry in the bin with its files and returns it as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The entry's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => purgeEntry(session, id)),
  }),
}));

/** A field of a caller's own making on a record. */
builder.objectRef<CustomFieldShape>('CustomField').implement({
  description: 'A custom field: a name and a value chosen by the caller.',
  fields: (t) => ({
    definitionId: t.exposeID('id', {
      description: 'The id of its definition, which it shares with the field of that name in other records.',
    }),
    id: t.exposeID('id', {
      description: "The custom field's id.",
      deprecationReason:
        'Ask for `definitionId`. Caches take an `id` for that of the object, and show one value in all records. It goes in version 1.0.',
    }),
    name: t.exposeString('name', { nullable: true, description: "The custom field's name." }),
    value: t.exposeString('value', { nullable: true, description: "The custom field's value." }),
  }),
});

/** A custom field on input. */
builder.inputType('CustomFieldInput', {
  description: 'A custom field: a name and a value chosen by the caller.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id. If omitted, the server generates one." }),
    name: t.string({ description: "The custom field's name, at most 255 characters." }),
    value: t.string({ description: "The custom field's value, at most 4096 characters." }),
  }),
});

/** Adds a record's type name, by which GraphQL resolves interfaces and unions. */
export function withTypeName<Kind extends RecordKind>(kind: Kind, record: Linked<Kind>) {
  return { ...record, [typeBrandKey]: modelName(kind) };
}

async function loadNode(session: Session, id: string) {
  const found = await findAny(session, id);
  return found && withTypeName(found.kind, found.record);
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description:
      'Returns the record with this id, whatever its type, or null if it does not exist or the caller may not see it.',
    args: { id: t.arg.id({ required: true, description: "The record's id." }) },
    resolve: (_root, { id }, { session }) => loadNode(session, id),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'Returns the records with these ids, in the same order, with null for those that do not exist or that the caller may not see.',
    args: {
      ids: t.arg.idList({ required: true, description: `The records' ids, at most ${maxPageSize}.` }),
    },
    resolve: async (_root, { ids }, { session }) => {
      if (ids.length > maxPageSize)
        throw badField(['ids'], `must have at most ${maxPageSize} entries`, 'entries');
      return Promise.all(ids.map((id) => loadNode(session, id)));
    },
  }),
}));

/** Makes the values of an enum out of codes with their descriptions. */
const valuesOf = <Code extends string>(codes: Readonly<Record<Code, string>>) =>
  Object.fromEntries(
    Object.entries<string>(codes).map(([code, description]) => [code, { value: code, description }]),
  ) as Record<Code, { value: Code; description: string }>;

/** The dates of items that reminders are about. */
export const ItemDateEnum = builder.enumType('ItemDate', {
  description: 'A date of an item that reminders are about.',
  values: {
    EXPIRATION: { description: 'The day it expires.' },
    NOTICE: { description: 'The last day to give notice.' },
  } satisfies Record<ItemDate, object>,
});

/** Reasons for which somebody was not told. */
export const NotNotifiedReasonEnum = builder.enumType('NotToldReason', {
  description: 'Codes for why somebody was not notified, for programs and translations.',
  values: valuesOf(notNotifiedReasons),
});

builder.enumType('UnreadReason', {
  description: 'Codes for why a document is not read, or not all of it, for programs and translations.',
  values: valuesOf(unreadReasons),
});

builder.enumType('UploadReason', {
  description: 'Codes for why an upload was not filed, for programs and translations.',
  values: valuesOf(uploadReasons),
});

/** Kinds of records, as an enum. Their values are the numbers that the contract has for them. */
const RecordKindEnum = builder.enumType('RecordKind', {
  description: 'The kind of a record.',
  values: Object.fromEntries(
    Object.entries(entityTypes).map(([kind, value]) => [
      snakeCase(kind).toUpperCase(),
      {
        value,
        description: `${capitalized(withArticle(entityNames[kind as EntityKind]))}. Its number is ${value}.`,
      },
    ]),
  ),
});

/** Kinds of events, as an enum. */
export const EventType = builder.enumType('EventType', {
  description: 'The kind of an event.',
  values: Object.fromEntries(
    Object.entries(eventTypes).map(([name, value]) => [
      name.toUpperCase().replace(/[ -]/g, '_'),
      { value: value as number, description: `Its number is ${value}.` },
    ]),
  ),
});

/** Relation of an event to a record. */
const RelatedEntity = builder.objectRef<{ id: string; typeId: number }>('RelatedEntity').implement({
  description: 'A record that an event is about. It may no longer exist.',
  fields: (t) => ({
    recordId: t.exposeID('id', { description: "The record's id." }),
    id: t.exposeID('id', {
      description: "The record's id.",
      deprecationReason:
        'Ask for `recordId`. Caches take an `id` for that of the object, which has none. It goes in version 1.0.',
    }),
    typeId: t.exposeInt('typeId', {
      description: entityTypeText,
      deprecationReason: 'Ask for `kind`. It goes in version 1.0.',
    }),
    kind: t.field({
      type: RecordKindEnum,
      description: 'The kind of record.',
      resolve: ({ typeId }) => typeId,
    }),
  }),
});

/** Relation of a note to a record. */
const NoteRelation = builder.objectRef<Relation>('NoteRelation').implement({
  description: 'A record that a note is about.',
  fields: (t) => ({
    entityId: t.exposeID('entityId', { description: "The record's id." }),
    entityType: t.exposeInt('entityType', {
      description: entityTypeText,
      deprecationReason: 'Ask for `kind`. It goes in version 1.0.',
    }),
    kind: t.field({
      type: RecordKindEnum,
      description: 'The kind of record.',
      resolve: ({ entityType }) => entityType,
    }),
  }),
});

builder.inputType('NoteRelationInput', {
  description: 'A record that a note is about.',
  fields: (t) => ({
    entityId: t.id({ required: true, description: "The record's id. Stored as sent." }),
    kind: t.field({
      type: RecordKindEnum,
      description: 'The kind of record. Either this or `entityType` is required.',
      extensions: { ...graphqlOnly.extensions, insteadOf: 'entityType' },
    }),
    entityType: t.int({
      description: entityTypeText,
      deprecationReason: 'Send `kind`. It goes in version 1.0.',
    }),
  }),
});

/** Records that notes and events are about, as a union. */
const RelatedRecord = builder.unionType('RelatedRecord', {
  description: 'A record that notes and events can be about.',
  types: [...entityKinds.values()].map(typeOf),
});

const description = 'The record itself. Null if it no longer exists or the caller may not see it.';

async function loadRecord(session: Session, type: number, id: string) {
  const kind = entityKinds.get(type);
  const record = kind ? await load(session, kind, id) : null;
  return kind && record ? withTypeName(kind, record) : null;
}

builder.objectField(NoteRelation, 'record', (t) =>
  t.field({
    type: RelatedRecord,
    nullable: true,
    description,
    resolve: ({ entityId, entityType }, _args, { session }) => loadRecord(session, entityType, entityId),
  }),
);

builder.objectField(RelatedEntity, 'record', (t) =>
  t.field({
    type: RelatedRecord,
    nullable: true,
    description,
    resolve: ({ id, typeId }, _args, { session }) => loadRecord(session, typeId, id),
  }),
);

/** A resource whose records are found. */
type Searched = ListedResource & Declared & { readonly searchPlace: number };

/** The searched resources. Kinds with equally good matches are answered in this order. */
const searched = (resources as readonly object[])
  .filter((resource): resource is Searched => 'searchPlace' in resource)
  .sort((one, other) => one.searchPlace - other.searchPlace)
  .map((resource) => [kindOf(resource.model) as Kind, resource] as const);

function chooseKinds(
  types: readonly number[] | null | undefined,
): readonly (readonly [Kind, ListedResource])[] {
  if (!types || types.length === 0) return searched.filter(([, { searchedIfNamed }]) => !searchedIfNamed);
  const chosen = searched.filter(([kind]) => types.includes(entityTypes[kind]));
  for (const [index, type] of types.entries()) {
    if (!chosen.some(([kind]) => entityTypes[kind] === type))
      throw badField(['kinds', index], 'is not searched');
  }
  return chosen;
}

const SearchResult = builder.objectRef<Found>('SearchResult').implement({
  description: 'A record found by a search, and what matches.',
  fields: (t) => ({
    kind: t.field({
      type: RecordKindEnum,
      description: 'The kind of record.',
      resolve: ({ kind }) => entityTypes[kind],
    }),
    field: t.exposeString('field', {
      description: "The name of the record's field that matches best.",
    }),
    snippet: t.exposeString('snippet', { description: 'The text of the field around the match.' }),
    record: t.field({
      type: RelatedRecord,
      nullable: true,
      description: 'The record itself. Null if it was deleted in the meantime.',
      ...needs({}),
      resolve: async ({ kind, id }, _args, { session }) => {
        const record = await load(session, kind, id);
        return record && withTypeName(kind, record);
      },
    }),
  }),
});

/** The best first. */
const orders = [
  { field: 'rank', direction: 'asc' },
  { field: 'place', direction: 'asc' },
  { field: 'title', direction: 'asc' },
] as const;
const [connection, edge] = connectionTypes('SearchResult');
const SearchConnection = builder.connectionObject({ type: SearchResult, ...connection }, edge);

builder.queryField('search', (t) =>
  t.connection(
    {
      type: SearchResult,
      // It takes a statement for each kind.
      extensions: { cost: 20_000 },
      description: `Searches records of all kinds, in the texts that lists search by \`term\`. The best matches come first: texts equal to the term, then those that begin with it, those with a word that begins with it, and those that contain it. At most ${maxMatchesPerKind} records of each kind are found: the first by name, or the newest.`,
      args: {
        term: t.arg.string({
          required: true,
          description: 'Part of a text, ignoring case. It needs at least three letters or digits.',
        }),
        kinds: t.arg({
          type: [RecordKindEnum],
          description:
            'Searches only records of these kinds. Default: all kinds except upload notifications.',
        }),
      },
      resolve: (_root, { term, kinds, ...args }, { session }) => {
        const chosen = chooseKinds(kinds);
        return connectContained(args, {
          list: 'SearchResult',
          orders,
          rows: () => searchAll(session, chosen, term),
        });
      },
    },
    SearchConnection,
  ),
);

/** Tells if a resource declares its fields. The others declare endpoints alone, and have a file of their own here. */
const isDeclared = (resource: object): resource is DeclaredResource =>
  'fields' in resource && 'filter' in resource;

const declared = (resources as readonly object[]).filter(isDeclared);
for (const resource of declared) defineRecords(resource);
for (const resource of declared) defineLists(resource);

/** Kinds without lists of the notes and events about them. A workspace has lists of all that are in it. */
const withoutHistory: readonly EntityKind[] = ['team', 'attachment', 'uploadNotification'];

for (const kind of entityKinds.values()) {
  if (withoutHistory.includes(kind)) continue;
  const [on, name] = [typeOf(kind), entityNames[kind]];
  const [notes, events] = [
    { ...listOf('note'), kind: 'note' },
    { ...listOf('eventLog'), kind: 'eventLog' },
  ] as const;
  nest({ on, field: 'notes', description: `Notes about the ${name}.`, list: notes, link: notesAbout(kind) });
  nest({
    on,
    field: 'eventLogs',
    description: `The history of the ${name}.`,
    list: events,
    link: eventsAbout(kind),
  });
}
