import type { Session } from '../../db/sql/scope.js';
import { entityKinds } from '../../domain/events.js';
import { load } from '../../records/loaders.js';
import { builder, typeOf } from '../builder.js';
import { RelatedEntity } from './event-logs.js';
import { typed } from './node.js';
import { NoteRelation } from './notes.js';

const RelatedRecord = builder.unionType('RelatedRecord', {
  description: 'What notes and events are about.',
  types: [...entityKinds.values()].map(typeOf),
});

const description = 'The record itself; null when it is gone, or not for the caller to see.';

async function recordOf(session: Session, type: number, id: string) {
  const kind = entityKinds.get(type);
  const record = kind ? await load(session, kind, id) : null;
  return kind && record ? typed(kind, record) : null;
}

builder.objectField(NoteRelation, 'record', (t) =>
  t.field({
    type: RelatedRecord,
    nullable: true,
    description,
    resolve: ({ entityId, entityType }, _args, { session }) => recordOf(session, entityType, entityId),
  }),
);

builder.objectField(RelatedEntity, 'record', (t) =>
  t.field({
    type: RelatedRecord,
    nullable: true,
    description,
    resolve: ({ id, typeId }, _args, { session }) => recordOf(session, typeId, id),
  }),
);
