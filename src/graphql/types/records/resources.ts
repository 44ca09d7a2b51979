import { type EntityKind, entityKinds, entityNames } from '../../../domain/events.js';
import { eventsAbout, notesAbout } from '../../../records/links.js';
import { typeOf } from '../../builder.js';
import { nest } from '../../define/nested.js';
import { type DeclaredResource, defineLists, defineRecords, listOf } from '../../define/records.js';
import { resources } from '../../resources.js';

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
