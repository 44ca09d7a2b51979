import * as z from 'zod';
import type { RowOf } from '../db/sql/conditions.js';
import { oneOrMany } from '../db/sql/models.js';
import { readRows } from '../db/sql/select.js';
import { entityKinds, entityTypeText, eventTypeText } from '../domain/models.js';
import { limits, rules } from '../domain/rules.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposed, link, unexposed } from '../records/declare/fields.js';
import { aboutRecord } from '../records/list.js';
import { type BatchLoader, groupByKey, loadBatched } from '../records/loaders.js';

const typeIds = z
  .array(z.int32())
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish();

/** Rules of what narrows the stream of events. */
export const liveEventRules = z.object({ typeIds, types: typeIds, entityId: rules.uuid });

/** Loads the records that each event is about, in the order written. */
export const entitiesByEvent: BatchLoader<{ id: string; typeId: number }[]> = async (session, eventIds) => {
  const where = { eventId: { among: eventIds } };
  const rows = await readRows(session, 'EventLogEntity', { where, orderBy: [{ position: 'asc' }] });
  return groupByKey(eventIds, rows, ({ eventId }) => eventId).map((entities) =>
    entities.map(({ entityId, typeId }) => ({ id: entityId, typeId })),
  );
};

const about = aboutRecord('entities', 'typeId');

/** Events: what happened to records, when, and who did it. */
export const eventLogs = declareList('EventLog', {
  fields: {
    description: exposed(),
    details: exposed(undefined, { long: true }),
    created: exposed(),
    id: exposed(),
    typeId: exposed(undefined, {
      description: eventTypeText,
      deprecated: { shown: 'Ask for `type`. It goes in version 1.0.' },
    }),
    type: computed('EventType!', ['typeId'], 'The kind of event.', ({ typeId }: RowOf<'EventLog'>) => typeId),
    userId: unexposed(),
    user: link('userId', 'The user who did it. Null if that user no longer exists.', {
      door: 'both',
      hasNone: false,
      list: 'What the user did.',
    }),
    userName: unexposed(),
    relatedEntities: computed(
      '[RelatedEntity]!',
      [],
      'The records that it is about.',
      ({ id }: RowOf<'EventLog'>, session) => loadBatched(session, entitiesByEvent, id),
      { door: 'both' },
    ),
    teamId: unexposed(undefined, { to: 'team' }),
    team: link('teamId', 'The workspace where it happened.', { list: 'What happened in the workspace.' }),
  },
  filter: {
    term: {
      in: ['description', 'details', 'userName'],
      description: "Part of the description, the details or the user's name, ignoring case.",
    },
    types: {
      type: '[EventType]',
      description: 'Events of these kinds.',
      rule: typeIds,
      where: (types) => ({ typeId: oneOrMany(types) }),
    },
    typeIds: {
      type: '[Int]',
      description: 'Events of these kinds, by their numbers.',
      deprecated: 'Send `types`. It goes in version 1.0.',
      rule: typeIds,
      where: (types) => ({ typeId: oneOrMany(types) }),
    },
    entityId: { type: 'ID', description: 'Events about this record.', where: about.entityId },
    entityKind: {
      type: 'RecordKind',
      description: 'Events about records of this kind.',
      rule: rules.int,
      where: about.entityKind,
    },
    entityType: {
      type: 'Int',
      description: `Events about records of this kind. ${entityTypeText}`,
      deprecated: 'Send `entityKind`. It goes in version 1.0.',
      rule: rules.between(1, entityKinds.size),
      where: about.entityType,
    },
    userId: 'Events caused by this user.',
    teamId: 'Events in this workspace.',
    createdAfter: {
      type: 'DateTime',
      description: 'Events after this time.',
      where: (moment) => ({ created: { gt: moment } }),
    },
    createdBefore: {
      type: 'DateTime',
      description: 'Events before this time.',
      where: (moment) => ({ created: { lt: moment } }),
    },
  },
  sortable: ['id', 'typeId', 'description', 'details', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
  rest: {
    tag: 'Event logs',
    about: 'Events: what happened to records, when, and who did it.',
    model: 'EventLogModel',
    models: { EntityRelationModel: { type: 'RelatedEntity', members: ['id', 'typeId'] } },
    records: { '/v1/eventlogs': { kind: 'event', name: 'Expiration item "Cargo insurance" was renewed' } },
    term: 'renewed',
    routes: {
      'GET /v1/eventlogs/{id}': {
        origin: 'contract',
      },
      'GET /v1/eventlogs': {
        origin: 'contract',
        list: 'eventlogs',
        parameters: ['term', 'type', 'page', 'sort', 'sortDirection'],
      },
    },
  },
});
