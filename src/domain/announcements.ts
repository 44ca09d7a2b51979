import * as z from 'zod';

/**
 * Head of an event, as processes announce it to each other with NOTIFY. It says whom the event concerns; what
 * happened, each process reads from the database for itself.
 */
export interface EventHead {
  readonly id: string;
  readonly typeId: number;
  readonly organizationId: string;
  readonly teamId: string;
  /** The records that it is about, the main one first. */
  readonly entities: readonly EntityHead[];
  /** The event is about more records than `entities` names. */
  readonly more: boolean;
}

/** Type of the head of a settled delivery, which has the delivery's id. The event log has no entry of this type. */
export const deliverySettledType = 0;

/** A record that an event is about. */
export interface EntityHead {
  readonly id: string;
  readonly typeId: number;
}

/** PostgreSQL takes 7,999 bytes with a notification; what is written here is ASCII. */
const largestPayload = 7_999;

/** Records that a head names; with as many, it fits into one notification. */
const namedEntities = 100;

/** Payload that stands for heads that could not be sent: nobody knows what is missing. */
const lost = '"lost"';

/** Serializes a head as an array: names of members would double its size. */
function pack({ id, typeId, organizationId, teamId, entities, more }: EventHead): string {
  const named = entities.slice(0, namedEntities).map((entity) => [entity.typeId, entity.id]);
  return JSON.stringify([id, typeId, organizationId, teamId, named, more || entities.length > named.length]);
}

const packed = z.array(
  z.tuple([z.guid(), z.int32(), z.guid(), z.guid(), z.array(z.tuple([z.int32(), z.guid()])), z.boolean()]),
);

/**
 * Encodes heads as payloads of NOTIFY, in order and as few as possible.
 * @param isLost whether other heads before these were lost
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
 * Reads the payload of a notification.
 * @returns undefined when heads were lost, or when it is none of `encodeHeads`', whatever it says then
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
