import { entityTypeText, eventTypes, eventTypeText } from '../../domain/events.js';
import { limits } from '../../domain/rules.js';
import {
  type EventLogFilter,
  entitiesByEvent,
  eventLogEndpoints,
  eventLogs,
} from '../../records/event-logs.js';
import { loadBatched } from '../../records/loaders.js';
import { builder, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { RecordKind } from './record-kinds.js';

/** Kinds of events, as an enum. */
export const EventType = builder.enumType('EventType', {
  description: 'The kind of an event.',
  values: Object.fromEntries(
    Object.entries(eventTypes).map(([name, value]) => [
      name.toUpperCase().replace(' ', '_'),
      { value: value as number, description: `Its number is ${value}.` },
    ]),
  ),
});

/** Relation of an event to a record. */
export const RelatedEntity = builder.objectRef<{ id: string; typeId: number }>('RelatedEntity').implement({
  description: 'A record that an event is about. It may no longer exist.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The record's id." }),
    typeId: t.exposeInt('typeId', {
      description: entityTypeText,
      deprecationReason: 'Ask for `kind`. It goes in version 1.0.',
    }),
    kind: t.field({ type: RecordKind, description: 'The kind of record.', resolve: ({ typeId }) => typeId }),
  }),
});

/** An event: what happened to a record. */
export const EventLog = builder.prismaObject('EventLog', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    typeId: t.exposeInt('typeId', {
      description: eventTypeText,
      deprecationReason: 'Ask for `type`. It goes in version 1.0.',
    }),
    type: t.field({
      type: EventType,
      description: 'The kind of event.',
      ...needs({ fields: ['typeId'] }),
      resolve: ({ typeId }) => typeId,
    }),
    description: t.exposeString('description'),
    details: t.exposeString('details', { nullable: true, ...weighing(limits.text) }),
    created: t.expose('created', { type: 'DateTime' }),
    user: t.field(linkTo('user', 'userId', 'The user who did it. Null if that user no longer exists.')),
    team: t.field(linkTo('team', 'teamId', 'The workspace where it happened.')),
    relatedEntities: t.field({
      type: [RelatedEntity],
      description: 'The records that it is about.',
      ...needs({}),
      resolve: ({ id }, _args, { session }) => loadBatched(session, entitiesByEvent, id),
    }),
  }),
});

const EventLogFilterInput = builder.inputRef<EventLogFilter>('EventLogFilter').implement({
  description: 'Filters the event log.',
  fields: (t) => ({
    term: t.string({
      description: "Part of the description, the details or the user's name, ignoring case.",
    }),
    types: t.field({ type: [EventType], description: 'Events of these kinds.' }),
    typeIds: t.intList({
      description: 'Events of these kinds, by their numbers.',
      deprecationReason: 'Send `types`. It goes in version 1.0.',
    }),
    entityId: t.id({ description: 'Events about this record.' }),
    entityKind: t.field({ type: RecordKind, description: 'Events about records of this kind.' }),
    entityType: t.int({
      description: `Events about records of this kind. ${entityTypeText}`,
      deprecationReason: 'Send `entityKind`. It goes in version 1.0.',
    }),
    userId: t.id({ description: 'Events caused by this user.' }),
    teamId: t.id({ description: 'Events in this workspace.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Events after this time.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Events before this time.' }),
  }),
});

/** The list of events. */
export const eventLogList = defineReads({
  type: EventLog,
  resource: eventLogs,
  names: ['eventLog', 'eventLogs'],
  filter: EventLogFilterInput,
  order: eventLogEndpoints.order,
});
