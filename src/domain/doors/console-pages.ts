import type { EntityKind } from '../models.js';

/** Folders of the console with a page for each record of a kind. */
const folders = {
  expirationItem: 'items',
  vehicle: 'vehicles',
  contact: 'contacts',
  company: 'companies',
  location: 'locations',
  category: 'types',
  reminderPolicy: 'reminders',
  uploadNotification: 'inbox',
} as const satisfies Partial<Record<EntityKind, string>>;

/** A kind of records that have a page in the console. */
export type KindWithPage = keyof typeof folders;

/** Kinds of records that have a page in the console. */
export const kindsWithPage = Object.keys(folders) as readonly KindWithPage[];

/** Tells whether the records of a kind have a page in the console. */
export const hasPage = (kind: string | undefined): kind is KindWithPage =>
  kind !== undefined && Object.hasOwn(folders, kind);

/** Returns the address of the console's list of a kind. @param origin the gateway's public address */
export const listPage = (origin: string, kind: KindWithPage): string => `${origin}/${folders[kind]}`;

/** Returns the address of a record's page in the console. @param origin the gateway's public address */
export const recordPage = (origin: string, kind: KindWithPage, id: string): string =>
  `${listPage(origin, kind)}/${id}`;
