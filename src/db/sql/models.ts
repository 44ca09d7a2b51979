import { type EntityKind, entityNames } from '../../domain/events.js';
import type { Prisma } from '../../generated/prisma/client.js';

/** Every kind of record that has an id of its own. */
export type RecordKind = EntityKind | 'eventLog' | 'renewal' | 'user';

/** The table of each kind. Should records of two kinds have the same id, the id means the one that comes first. */
export const tables: Readonly<Record<RecordKind, string>> = {
  expirationItem: 'expiration_items',
  category: 'categories',
  vehicle: 'vehicles',
  company: 'companies',
  contact: 'contacts',
  contactType: 'contact_types',
  location: 'locations',
  note: 'notes',
  team: 'teams',
  tag: 'tags',
  attachment: 'attachments',
  uploadNotification: 'upload_notifications',
  eventLog: 'event_logs',
  renewal: 'renewals',
  user: 'users',
};

export const recordKinds = Object.keys(tables) as RecordKind[];

/** What a person calls each kind. */
export const recordNames: Readonly<Record<RecordKind, string>> = {
  ...entityNames,
  eventLog: 'event',
  renewal: 'renewal',
  user: 'user',
};

/** The name of a kind's model, which is the name of its GraphQL type as well. */
export function modelOf<Kind extends RecordKind>(kind: Kind): Capitalize<Kind> & Prisma.ModelName {
  // What the compiler knows of a text's first letter, it does not know of the code that changes it.
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}` as Capitalize<Kind> & Prisma.ModelName;
}
