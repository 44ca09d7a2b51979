import type { Session } from '../../db/connection/session.js';
import { entityKinds } from '../../domain/events.js';
import { load } from '../../records/loaders.js';
import { builder, typeOf } from '../builder.js';
import { RelatedEntity } from './event-logs.js';
import { withTypeName } from './node.js';
import { NoteRelation } from './notes.js';

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
