import type { Session } from '../../db/sql/scope.js';
import { entityKinds } from '../../domain/events.js';
import { load } from '../../records/loaders.js';
import { builder } from '../builder.js';
import { Attachment } from './attachments.js';
import { Category } from './categories.js';
import { Company } from './companies.js';
import { ContactType } from './contact-types.js';
import { Contact } from './contacts.js';
import { RelatedEntity } from './event-logs.js';
import { ExpirationItem } from './expiration-items.js';
import { Location } from './locations.js';
import { withTypeName } from './node.js';
import { Note, NoteRelation } from './notes.js';
import { Tag } from './tags.js';
import { Team } from './teams.js';
import { UploadNotification } from './upload-notifications.js';
import { Vehicle } from './vehicles.js';

const RelatedRecord = builder.unionType('RelatedRecord', {
  description: 'What notes and events are about.',
  types: [
    ...[Attachment, Category, Company, Contact, ContactType, ExpirationItem],
    ...[Location, Note, Tag, Team, UploadNotification, Vehicle],
  ],
});

const description = 'The record itself; null when it is gone, or not for the caller to see.';

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
