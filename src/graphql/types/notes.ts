import { entityTypeText } from '../../domain/events.js';
import type { NoteRelation as Relation } from '../../resources/notes.js';
import { builder, graphqlOnly } from '../builder.js';
import { RecordKind } from './record-kinds.js';

/** Relation of a note to a record. */
export const NoteRelation = builder.objectRef<Relation>('NoteRelation').implement({
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
      ...graphqlOnly,
    }),
    entityType: t.int({
      description: entityTypeText,
      deprecationReason: 'Send `kind`. It goes in version 1.0.',
    }),
  }),
});
