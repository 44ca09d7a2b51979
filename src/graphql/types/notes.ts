import type { InputShapeFromFields } from '@pothos/core';
import { badField } from '../../domain/errors.js';
import { entityTypeText } from '../../domain/events.js';
import { limits } from '../../domain/rules.js';
import { loadBatched } from '../../records/loaders.js';
import {
  type NoteFilter,
  type NoteRow,
  notes,
  type NoteRelation as Relation,
  relationsByNote,
} from '../../resources/notes.js';
import { builder, graphqlOnly, type InputFields, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { RecordKind } from './record-kinds.js';
import { Team } from './teams.js';
import { User } from './users.js';

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

const NoteRelationInput = builder.inputType('NoteRelationInput', {
  description: 'A record that a note is about.',
  fields: (t) => ({
    entityId: t.id({ required: true, description: "The record's id, kept as sent." }),
    kind: t.field({
      type: RecordKind,
      description: 'The kind of record; it or `entityType` is needed.',
      ...graphqlOnly,
    }),
    entityType: t.int({
      description: entityTypeText,
      deprecationReason: 'Send `kind`. It goes in version 1.0.',
    }),
  }),
});

type SentRelation = (typeof NoteRelationInput)['$inferInput'];

/** Replaces the words of an input's relations by their numbers. @throws GatewayError BAD_REQUEST where they differ */
function wordsToNumbers(sent: readonly SentRelation[]) {
  return sent.map(({ kind, entityType, ...relation }, index) => {
    if (kind != null && entityType != null && kind !== entityType)
      throw badField(['relations', index, 'kind'], 'is another one than entityType');
    return { ...relation, entityType: kind ?? entityType };
  });
}

/** A note. */
export const Note = builder.prismaObject('Note', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    body: t.exposeString('body', { nullable: true, ...weighing(limits.text) }),
    bodyText: t.exposeString('bodyText', { nullable: true, ...weighing(limits.text) }),
    teamId: t.exposeID('teamId'),
    relations: t.field({
      type: [NoteRelation],
      description: 'The records that the note is about, in the order sent, each once.',
      ...needs({}),
      resolve: (note: NoteRow, _args, { session }) =>
        note.relations ?? loadBatched(session, relationsByNote, note.id),
    }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the note belongs to.')),
    author: t.field(
      linkTo(User, 'user', 'authorId', 'Who made the note; null for one of before authors were kept.'),
    ),
  }),
});

const inputFields = (t: InputFields) => ({
  name: t.string(),
  body: t.string({ description: 'The note as HTML; what is not plain formatting is left out of it.' }),
  bodyText: t.string({
    description: 'The note as plain text; made of the body when left out, or when only the body changes.',
  }),
  teamId: t.id(),
  relations: t.field({ type: [NoteRelationInput] }),
});

type NoteInput = InputShapeFromFields<ReturnType<typeof inputFields>>;

defineWrites({
  type: Note,
  resource: notes,
  inputFields,
  toValues: ({ relations, ...input }: Partial<NoteInput>) => ({
    ...input,
    ...(relations !== undefined && { relations: relations && wordsToNumbers(relations) }),
  }),
});

const NoteFilterInput = builder.inputRef<NoteFilter>('NoteFilter').implement({
  description: 'What a list of notes is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name or of the plain text, in any letter case.' }),
    teamId: t.id({ description: 'Notes of a workspace.' }),
    entityId: t.id({ description: 'Notes about a record.' }),
    entityKind: t.field({ type: RecordKind, description: 'Notes about records of a kind.' }),
    entityType: t.int({
      description: `Notes about records of a kind. ${entityTypeText}`,
      deprecationReason: 'Send `entityKind`. It goes in version 1.0.',
    }),
  }),
});

/** The list of notes. */
export const noteList = defineReads({
  type: Note,
  resource: notes,
  names: ['note', 'notes'],
  filter: NoteFilterInput,
  order: { field: 'modified', direction: 'desc' },
});
