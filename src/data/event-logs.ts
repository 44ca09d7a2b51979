import { type EntityKind, type EventName, entityTypes, eventTypes } from '../domain/events.js';
import { snakeCase } from '../domain/names.js';
import { newId } from '../domain/rules.js';
import type { Session, Transaction } from './scope.js';

/** What happened, to be written with the change it tells of. */
export interface Event {
  readonly type: EventName;
  readonly teamId: string;
  readonly description: string;
  readonly details: Changes | null;
  readonly entities: readonly { readonly kind: EntityKind; readonly id: string }[];
}

/** A record's changed fields, in the REST contract's names. */
export type Changes = Record<string, { readonly before: unknown; readonly after: unknown }>;

/** Compares two states of a record; one that did not exist, or does no more, is empty. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const changes: Changes = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[field] ?? null, after[field] ?? null];
    if (JSON.stringify(was) !== JSON.stringify(is)) changes[snakeCase(field)] = { before: was, after: is };
  }
  return changes;
}

/** Writes an event in the transaction of the change it tells of. */
export function logEvent(tx: Transaction, session: Session, event: Event): Promise<void> {
  return logEvents(tx, session, [event]);
}

/** Writes events, however many, with two statements. */
export async function logEvents(
  tx: Transaction,
  { caller, now }: Session,
  events: readonly Event[],
): Promise<void> {
  if (events.length === 0) return;
  const entries = events.map((event) => ({ id: newId(), event }));
  await tx.eventLog.createMany({
    data: entries.map(({ id, event }) => ({
      id,
      organizationId: caller.organizationId,
      teamId: event.teamId,
      typeId: eventTypes[event.type],
      description: event.description,
      details: event.details && JSON.stringify(event.details),
      userId: caller.user.id,
      userName: caller.user.name,
      created: now,
    })),
  });
  const related = entries.flatMap(({ id, event }) =>
    event.entities.map((entity, position) => ({
      eventId: id,
      entityId: entity.id,
      typeId: entityTypes[entity.kind],
      position,
    })),
  );
  if (related.length > 0) await tx.eventLogEntity.createMany({ data: related });
}
