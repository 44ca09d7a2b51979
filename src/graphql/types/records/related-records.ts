import type { Session } from '../../../db/connection/session.js';
import { entityKinds, entityTypeText, eventTypes } from '../../../domain/events.js';
import { load } from '../../../records/loaders.js';
import type { NoteRelation as Relation } from '../../../resources/notes.js';
import { builder, graphqlOnly, typeOf } from '../../builder.js';
import { withTypeName } from './node.js';
import { RecordKind } from './record-kinds.js';

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
    kind: t.field({ type: RecordKind, description: 'The kind of record.', resolve: ({ typeId }) => typeId }),
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
      type: RecordKind,
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
      type: RecordKind,
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
export const RelatedRecord = builder.unionType('RelatedRecord', {
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
