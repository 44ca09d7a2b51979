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

/** What a person calls each kind of record, in messages and in the event log. */
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
