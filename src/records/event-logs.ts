import { createHash } from 'node:crypto';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { checkWriteScope } from '../db/sql/models.js';
import { raw, sql } from '../db/sql/sql.js';
import type { EventsSql } from '../db/sql/write.js';
import type { Caller } from '../domain/caller.js';
import { formatDate } from '../domain/dates.js';
import {
  type EventEntity,
  type EventHead,
  type EventName,
  entityNames,
  entityTypes,
  eventTypes,
} from '../domain/models.js';
import { limits, newId } from '../domain/rules.js';
import { snakeCase } from '../domain/text/names.js';
import {
  type RecordBase,
  type RecordValues,
  type Resource,
  writableFields,
  writableValues,
} from './resource.js';

/** An event, which is written in the transaction of the change it describes. */
export interface Event {
  readonly type: EventName;
  readonly teamId: string;
  readonly description: string;
  readonly details: Changes | null;
  readonly entities: readonly EventEntity[];
}

/** A record's changed fields, in the REST contract's names. */
export type Changes = Record<string, { readonly before: unknown; readonly after: unknown }>;

/** Converts the member names of a value to the REST contract's (snake_case), at any depth. */
function toContractNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toContractNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeCase(name), toContractNames(inner)]),
  );
}

/** Shows a value in an event. Of a long list it has the first entries, and how many there are besides. */
function shortened(value: unknown): unknown {
  const shown = toContractNames(value);
  if (!Array.isArray(shown) || shown.length <= limits.entries) return shown;
  return [...shown.slice(0, limits.entries), { more: shown.length - limits.entries }];
}

/** Compares two states of a record. The state before creation or after deletion is empty. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const changes: Changes = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // Values are compared and stored as JSON, which leaves out the bytes of files.
    const [was, is] = [JSON.stringify(before[field] ?? null), JSON.stringify(after[field] ?? null)];
    if (was === is) continue;
    changes[snakeCase(field)] = { before: shortened(JSON.parse(was)), after: shortened(JSON.parse(is)) };
  }
  return changes;
}

/** Creates the announcement of an event to other processes (`NOTIFY`). */
function toEventHead(id: string, organizationId: string, event: Event): EventHead {
  const entities = event.entities.map((entity) => ({ id: entity.id, typeId: entityTypes[entity.kind] }));
  return { id, typeId: eventTypes[event.type], organizationId, teamId: event.teamId, entities, more: false };
}

/**
 * Author and time of an event. They come from a session, or from a stand-in at the command line. Without a
 * user, the author is the gateway.
 */
interface Author extends Pick<Session, 'now'> {
  readonly caller: Pick<Caller, 'organizationId' | 'teamIds'> & {
    readonly user: { readonly id: string | null; readonly name: string | null };
  };
}

/** Writes an event in the transaction of the change it describes. */
export function logEvent(tx: Transaction, session: Author, event: Event): Promise<void> {
  return logEvents(tx, session, [event]);
}

/** Writes any number of events with one statement. They are announced when the transaction commits. */
export async function logEvents(tx: Transaction, session: Author, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const { ctes, announcements } = eventsSql(session, events);
  await tx.run(prepared('event_logs.insert', sql`WITH ${ctes} SELECT`));
  tx.pendingEvents.push(...announcements);
}

/**
 * CTE that notes new events for webhooks, behind the CTE `logged` that writes them. It is part of the same
 * statement, so an event and its note are committed together. Without endpoints it only looks into an index.
 */
export const outboxSql = raw(`
  outbox AS (
    INSERT INTO webhook_outbox (event_id, organization_id, team_id, due_at)
    SELECT id, organization_id, team_id, created FROM logged
    WHERE EXISTS (
      SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.organization_id = logged.organization_id AND endpoint.state <> 'DISABLED')
  )`);

/**
 * Creates the CTEs that write events. They become part of the statement that makes the change. The code that
 * runs the statement must announce the events afterwards (`pendingEvents`).
 * @param provided condition on which an event is written; `event.about` is the id of its first record
 */
export function eventsSql(
  { caller, now }: Author,
  events: readonly Event[],
  provided = sql`TRUE`,
): EventsSql {
  for (const { teamId } of events) checkWriteScope('EventLog', 'insert', { teamId }, caller);
  const entries = events.map((event) => ({ id: newId(), event }));
  const related = entries.flatMap(({ id, event }) =>
    event.entities.map((entity, position) => ({ id, position, entity })),
  );
  const of = <T>(value: (event: Event) => T) => events.map(value);
  const ctes = sql`
    logged AS (
      INSERT INTO event_logs
        (id, organization_id, team_id, type_id, description, details, user_id, user_name, created)
      SELECT id, ${caller.organizationId}::uuid, team_id, type_id, description, details, ${caller.user.id}::uuid,
        ${caller.user.name}, ${now}::timestamptz
      FROM unnest(${entries.map(({ id }) => id)}::uuid[], ${of(({ teamId }) => teamId)}::uuid[],
        ${of(({ type }) => eventTypes[type])}::int[], ${of(({ description }) => description)}::text[],
        ${of(({ details }) => details && JSON.stringify(details))}::text[],
        ${of(({ entities }) => entities[0]?.id ?? null)}::uuid[]
      ) AS event (id, team_id, type_id, description, details, about)
      WHERE ${provided}
      RETURNING id, organization_id, team_id, created
    ), ${outboxSql}, related AS (
      INSERT INTO event_log_entities (event_id, entity_id, type_id, position)
      SELECT * FROM unnest(${related.map(({ id }) => id)}::uuid[],
        ${related.map(({ entity }) => entity.id)}::uuid[],
        ${related.map(({ entity }) => entityTypes[entity.kind])}::int[],
        ${related.map(({ position }) => position)}::int[]) AS entity (event_id)
      WHERE entity.event_id IN (SELECT id FROM logged)
    )`;
  return {
    ctes,
    announcements: entries.map(({ id, event }) => toEventHead(id, caller.organizationId, event)),
  };
}

/** The part of a resource that its events need. */
type Described = Pick<
  Resource,
  'kind' | 'writable' | 'references' | 'eventNames' | 'digested' | 'related' | 'title' | 'retired' | 'usual'
>;

/** Returns what events show instead of a long value. */
const digestOf = (value: unknown) =>
  typeof value === 'string' ? `sha256:${createHash('sha256').update(value).digest('hex')}` : value;

/** Renames fields to their public names, for the event log. */
function withPublicNames(
  { references, eventNames, digested }: Described,
  values: object,
): Record<string, unknown> {
  const nested = references.filter(({ path }) => path.length > 1).map(({ field, path }) => [field, path[0]]);
  const names: Record<string, string> = { ...Object.fromEntries(nested), ...eventNames };
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      names[field] ?? field,
      value instanceof Date ? formatDate(value) : digested?.includes(field) ? digestOf(value) : value,
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

/**
 * Returns the values of a record that are not the usual ones. Empty lists, `false`, use and the workspace, which the event
 * has itself, say nothing, and each character of an event is indexed.
 */
function tellingValues(resource: Described, row: RecordBase): Record<string, unknown> {
  const { retired, usual } = resource;
  const { teamId: _, ...values } = writableFields(resource, row);
  const isTelling = ([field, value]: [string, unknown]) =>
    field === retired?.field
      ? value === retired.when
      : value !== false &&
        value !== (usual?.[field] ?? null) &&
        !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(isTelling));
}

/** Creates the event of a new record. */
export function createdEvent(resource: Described, row: RecordBase): Event {
  return {
    type: 'created',
    teamId: row.teamId,
    description: describe(resource, 'was created', resource.title(row)),
    details: changesBetween({}, withPublicNames(resource, tellingValues(resource, row))),
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
    details: changesBetween(withPublicNames(resource, tellingValues(resource, row)), {}),
    entities: eventEntities(resource, row.id, writableValues(resource, row)),
  };
}
