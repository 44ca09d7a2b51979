import * as z from 'zod';

/**
 * Head of an event, as processes announce it to each other with NOTIFY. It says whom the event concerns; each
 * process reads from the database what happened.
 */
export interface EventHead {
  readonly id: string;
  readonly typeId: number;
  readonly organizationId: string;
  readonly teamId: string;
  /** The records that the event is about, main one first. */
  readonly entities: readonly EntityHead[];
  /** True if the event is about more records than `entities` lists. */
  readonly more: boolean;
}

/**
 * Type of the head of a settled delivery, which contains the delivery's id. The event log has no entry of
 * this type.
 */
export const deliverySettledType = 0;

/** A record that an event is about. */
export interface EntityHead {
  readonly id: string;
  readonly typeId: number;
}

/** PostgreSQL allows 7,999 bytes per notification; payloads are ASCII. */
const largestPayload = 7_999;

/** Records that a head lists. With this many, it fits into one notification. */
const namedEntities = 100;

/** Payload that replaces heads that could not be sent. Receivers then know that something is missing. */
const lost = '"lost"';

/** Serializes a head as an array, because member names would double its size. */
function pack({ id, typeId, organizationId, teamId, entities, more }: EventHead): string {
  const named = entities.slice(0, namedEntities).map((entity) => [entity.typeId, entity.id]);
  return JSON.stringify([id, typeId, organizationId, teamId, named, more || entities.length > named.length]);
}

const packed = z.array(
  z.tuple([z.guid(), z.int32(), z.guid(), z.guid(), z.array(z.tuple([z.int32(), z.guid()])), z.boolean()]),
);

/**
 * Encodes heads as payloads of NOTIFY, in order and as few as possible.
 * @param isLost true if earlier heads were lost
 */
export function encodeHeads(heads: readonly EventHead[], isLost: boolean): string[] {
  const payloads: string[] = [];
  let open: string[] = [];
  let size = 0;
  const close = () => {
    if (open.length > 0) payloads.push(`[${open.join(',')}]`);
    open = [];
    size = '[]'.length;
  };
  close();
  for (const text of heads.map(pack)) {
    if (size + text.length > largestPayload) close();
    open.push(text);
    size += text.length + ','.length;
  }
  close();
  return isLost ? [lost, ...payloads] : payloads;
}

/**
 * Decodes the payload of a notification.
 * @returns undefined if heads were lost, or if `encodeHeads` did not create the payload
 */
export function decodeHeads(payload: string): EventHead[] | undefined {
  try {
    return packed.parse(JSON.parse(payload)).map(([id, typeId, organizationId, teamId, entities, more]) => ({
      id,
      typeId,
      organizationId,
      teamId,
      entities: entities.map(([type, entityId]) => ({ id: entityId, typeId: type })),
      more,
    }));
  } catch {
    return undefined;
  }
}
