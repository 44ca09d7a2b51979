/** The kinds of records by the number that `entity_type` and `related_entities[].type_id` carry. */
export const entityTypes = {
  expirationItem: 1,
  category: 2,
  vehicle: 3,
  company: 4,
  contact: 5,
  contactType: 6,
  location: 7,
  note: 8,
  team: 9,
  tag: 10,
  attachment: 11,
  uploadNotification: 12,
} as const;
export type EntityKind = keyof typeof entityTypes;

/** Names of the kinds of records, in messages and in the event log. */
export const entityNames: Record<EntityKind, string> = {
  expirationItem: 'expiration item',
  category: 'document type',
  vehicle: 'vehicle',
  company: 'company',
  contact: 'contact',
  contactType: 'contact type',
  location: 'location',
  note: 'note',
  team: 'workspace',
  tag: 'tag',
  attachment: 'attachment',
  uploadNotification: 'upload notification',
};

/** Description of the numbers of the kinds of records. */
export const entityTypeText = `The kind of record: ${Object.entries(entityTypes)
  .map(([kind, type]) => `${type} ${entityNames[kind as EntityKind]}`)
  .join(', ')}.`;

/** The kinds of events by the number that an event log's `type_id` carries. */
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
} as const;
export type EventName = keyof typeof eventTypes;

/** Description of the numbers of the kinds of events. */
export const eventTypeText = `The kind of event: ${Object.entries(eventTypes)
  .map(([name, type]) => `${type} ${name}`)
  .join(', ')}.`;

/** The kinds of records by their numbers: the way back. */
export const entityKinds: ReadonlyMap<number, EntityKind> = new Map(
  Object.entries(entityTypes).map(([kind, type]) => [type, kind as EntityKind]),
);

/**
 * Finds the number of a kind of event.
 * @param text the number itself, or the name, in any letter case
 * @returns undefined for what is neither
 */
export function parseEventType(text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  return Object.entries(eventTypes).find(([name, type]) => name === wanted || String(type) === wanted)?.[1];
}

/** A record that an event is about. */
export interface EventEntity {
  readonly kind: EntityKind;
  readonly id: string;
}
