import { hasPage, recordPage } from '../../domain/doors/console-pages.js';
import { entityKinds } from '../../domain/events.js';
import type { EntityKind } from '../../domain/models.js';

/** An event of the log, with the records that it is about. */
export interface LoggedEvent {
  readonly id: string;
  readonly teamId: string;
  readonly typeId: number;
  readonly description: string;
  /** The changed fields before and after the change, as JSON. */
  readonly details: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly created: Date;
  readonly entities: readonly { readonly id: string; readonly typeId: number }[];
}

/** A record as REST answers it. */
export interface ShownRecord {
  readonly version: string | undefined;
  /** The contract's model, as JSON. Files are without their bytes. */
  readonly body: string;
}

/** Bytes of a message up to which it has the record. */
export const mostWithRecord = 20_000;

/** Bytes that no message exceeds. Above them, it only names the changed fields. */
export const mostBytes = 64_000;

/** Returns the address of a record's page in the console. Null for a record without one. */
function linkOf(origin: string | undefined, event: LoggedEvent, record: ShownRecord | undefined) {
  const [first] = event.entities;
  const kind = kindOfEvent(event);
  return origin && first && record && hasPage(kind) ? recordPage(origin, kind, first.id) : null;
}

type Detail = { readonly before: unknown; readonly after: unknown };

/** Reads the changed fields of an event. */
export const readDetails = ({ details }: Pick<LoggedEvent, 'details'>): Readonly<Record<string, Detail>> =>
  details === null ? {} : JSON.parse(details);

/** Returns the kind of the first record that an event is about. */
export const kindOfEvent = ({ entities }: Pick<LoggedEvent, 'entities'>): EntityKind | undefined =>
  entities[0] && entityKinds.get(entities[0].typeId);

/**
 * Writes the body of a message. These bytes are signed and sent at each attempt.
 * @param record undefined if there is none
 * @param origin the gateway's public address, for the link to the console
 */
export function messageBody(
  event: LoggedEvent,
  type: string,
  record: ShownRecord | undefined,
  isThin: boolean,
  origin: string | undefined,
): string {
  const { userId, userName, entities } = event;
  const [first, ...others] = entities.map(({ id, typeId }) => ({ kind: entityKinds.get(typeId), id }));
  const changes = Object.entries(readDetails(event)).map(([field, change]) => ({ field, ...change }));
  const data = {
    id: first?.id ?? null,
    kind: first?.kind ?? null,
    workspace_id: event.teamId,
    version: record?.version ?? null,
    link: linkOf(origin, event, record),
    description: event.description,
    actor: { type: userId === null ? 'gateway' : 'user', id: userId, name: userName },
    related: others,
  };
  const write = (more: object) =>
    JSON.stringify({ type, timestamp: event.created.toISOString(), data: { ...data, ...more } });
  const thin = write({ changes });
  if (Buffer.byteLength(thin) > mostBytes) {
    return write({ changes: changes.map(({ field }) => ({ field })), truncated: true });
  }
  if (isThin) return thin;
  // The record's text is inserted as it is: parsing it would lose digits of large numbers.
  const full = `${thin.slice(0, -2)},"record":${record?.body ?? 'null'}}}`;
  return Buffer.byteLength(full) > mostWithRecord ? write({ changes, truncated: true }) : full;
}
