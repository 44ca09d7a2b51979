import { formatDate } from '../domain/dates.js';
import { type EventEntity, type EventName, entityNames } from '../domain/events.js';
import { type Changes, changesBetween, type Event } from './event-logs.js';
import {
  type RecordBase,
  type RecordValues,
  type Resource,
  writableFields,
  writableValues,
} from './resource.js';

/** The part of a resource that its events need. */
type Described = Pick<Resource, 'kind' | 'writable' | 'references' | 'eventNames' | 'related' | 'title'>;

/** Renames fields to their public names, for the event log. */
function withPublicNames({ references, eventNames }: Described, values: object): Record<string, unknown> {
  const nested = references.filter(({ path }) => path.length > 1).map(({ field, path }) => [field, path[0]]);
  const names: Record<string, string> = { ...Object.fromEntries(nested), ...eventNames };
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      names[field] ?? field,
      value instanceof Date ? formatDate(value) : value,
    ]),
  );
}

function describe(resource: Described, what: string, title: string | null): string {
  const name = entityNames[resource.kind];
  const subject = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return title ? `${subject} "${title}" ${what}` : `${subject} ${what}`;
}

/**
 * Lists the records that an event is about. They are the record itself, and its former and present relations.
 */
function eventEntities(resource: Described, id: string, ...states: RecordValues[]): EventEntity[] {
  const related = states.flatMap((values) => resource.related?.(values) ?? []);
  const entities: EventEntity[] = [{ kind: resource.kind, id }, ...related];
  return [...new Map(entities.map((entity) => [`${entity.kind} ${entity.id}`, entity])).values()];
}

/** Creates the event of a new record. */
export function createdEvent(resource: Described, row: RecordBase): Event {
  return {
    type: 'created',
    teamId: row.teamId,
    description: describe(resource, 'was created', resource.title(row)),
    details: changesBetween({}, withPublicNames(resource, writableFields(resource, row))),
    entities: eventEntities(resource, row.id, writableValues(resource, row)),
  };
}

/** Returns the name of an update's event. Retiring a record, or putting it back into use, has its own. */
function updateEventName({ retired }: Resource, before: RecordValues, after: RecordValues): EventName {
  if (!retired || before[retired.field] === after[retired.field]) return 'updated';
  return after[retired.field] === retired.when ? 'archived' : 'restored';
}

/** Compares two states of a record, using public names. */
export function changesIn(resource: Resource, before: RecordValues, after: RecordValues): Changes {
  return changesBetween(withPublicNames(resource, before), withPublicNames(resource, after));
}

/**
 * Creates the event of a changed record.
 * @param changes result of `changesIn` for the two states
 * @param type name of the event, if it is more than an update
 */
export function changedEvent(
  resource: Resource,
  row: RecordBase,
  [before, after]: readonly [RecordValues, RecordValues],
  changes: Changes,
  type: EventName = updateEventName(resource, before, after),
): Event {
  return {
    type,
    teamId: after.teamId,
    description: describe(resource, `was ${type}: ${Object.keys(changes).join(', ')}`, resource.title(row)),
    details: changes,
    entities: eventEntities(resource, row.id, after, before),
  };
}

/** Creates the event of a copy. It is about the original as well. */
export function copiedEvent<Row extends RecordBase>(resource: Resource<Row>, row: Row, original: Row): Event {
  const event = createdEvent(resource, row);
  const title = resource.title(original);
  const from = title === null ? original.id : `"${title}"`;
  return {
    ...event,
    description: describe(resource, `was copied from ${from}`, resource.title(row)),
    details: { ...event.details, copied_from: { before: null, after: original.id } },
    entities: [...event.entities, { kind: resource.kind, id: original.id }],
  };
}

/** Creates the event of a record that was restored from the bin. */
export function restoredEvent(resource: Resource, row: RecordBase): Event {
  return {
    ...createdEvent(resource, row),
    type: 'restored',
    description: describe(resource, 'was restored from the bin', resource.title(row)),
  };
}

/** Creates the event of a record that is about to be deleted. */
export function deletedEvent(resource: Resource, row: RecordBase): Event {
  return {
    type: 'deleted',
    teamId: row.teamId,
    description: describe(resource, 'was deleted', resource.title(row)),
    details: changesBetween(withPublicNames(resource, writableFields(resource, row)), {}),
    entities: eventEntities(resource, row.id, writableValues(resource, row)),
  };
}
