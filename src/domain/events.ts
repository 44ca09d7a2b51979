import { byKind, type EntityKind } from './models.js';

export type { EntityKind } from './models.js';

/** Numbers of the kinds of records, which `entity_type` and `related_entities[].type_id` contain. */
export const entityTypes = byKind<EntityKind, number>(({ entityType }) => entityType);

/** Public names of the kinds of records, in messages and in the event log. */
export const entityNames = byKind<EntityKind, string>(({ entityType, noun }) =>
  entityType ? noun : undefined,
);

export const entityTypeText = `The kind of record: ${Object.entries(entityTypes)
  .map(([kind, type]) => `${type} ${entityNames[kind as EntityKind]}`)
  .join(', ')}.`;

/** The event types by the number that an event log's `type_id` contains. */
export const eventTypes = {
  created: 1,
  updated: 2,
  renewed: 3,
  deleted: 4,
  archived: 5,
  restored: 6,
  'reminder sent': 7,
  'reminder failed': 8,
  acknowledged: 9,
  'scan received': 10,
  'scan filed': 11,
  'scan failed': 12,
  'token created': 13,
  'token revoked': 14,
  expired: 15,
  'became due': 16,
  'auto renewed': 17,
  'webhook disabled': 18,
  'user invited': 19,
  'user changed': 20,
  'user deactivated': 21,
  'member added': 22,
  'member removed': 23,
  'organization changed': 24,
  'token changed': 25,
  'signed in': 26,
  'sign-in failed': 27,
  'sign-in changed': 28,
  'signed out': 29,
  imported: 30,
  'person erased': 31,
} as const;
export type EventName = keyof typeof eventTypes;

/** Types of events about signing in. Only administrators see those of others. */
export const signInEventTypes: readonly number[] = [
  eventTypes['signed in'],
  eventTypes['sign-in failed'],
  eventTypes['sign-in changed'],
  eventTypes['signed out'],
];

export const eventTypeText = `The kind of event: ${Object.entries(eventTypes)
  .map(([name, type]) => `${type} ${name}`)
  .join(', ')}.`;

/** The kinds of records by their numbers. */
export const entityKinds: ReadonlyMap<number, EntityKind> = new Map(
  Object.entries(entityTypes).map(([kind, type]) => [type, kind as EntityKind]),
);

/**
 * Finds the number of an event type.
 * @param text the number itself, or the name in any letter case
 * @returns undefined if it is neither
 */
export function parseEventType(text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  return Object.entries(eventTypes).find(([name, type]) => name === wanted || String(type) === wanted)?.[1];
}

export interface EventEntity {
  readonly kind: EntityKind;
  readonly id: string;
}
