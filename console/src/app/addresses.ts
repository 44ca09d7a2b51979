import type { RecordKind } from '../generated/operations';
import { findScreen } from './screens';

const folders: Partial<Record<RecordKind, string>> = {
  EXPIRATION_ITEM: '/items',
  CATEGORY: '/types',
  COMPANY: '/companies',
  CONTACT: '/contacts',
  LOCATION: '/locations',
  VEHICLE: '/vehicles',
  REMINDER_POLICY: '/reminders',
  UPLOAD_NOTIFICATION: '/inbox',
};

/** Parameters by which the list of items is narrowed to what belongs to a record. */
const filters: Partial<Record<RecordKind, string>> = {
  CATEGORY: 'type',
  CONTACT: 'contact',
  LOCATION: 'location',
  TAG: 'tag',
  TEAM: 'team',
};

/** Returns the address of a record's screen: its own, or the list of its items. */
export function addressOf(kind: RecordKind, id: string): string | undefined {
  const folder = folders[kind];
  const own = folder && `${folder}/${encodeURIComponent(id)}`;
  if (own && findScreen(own)) return own;
  const filter = filters[kind];
  return filter && itemsAddress({ [filter]: id });
}

/** Returns the address of the list of items with some filters. */
export function itemsAddress(filter: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(filter).toString();
  return search ? `/items?${search}` : '/items';
}
