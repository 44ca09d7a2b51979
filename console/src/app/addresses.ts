import type { RecordKind } from '../generated/types';

/** Paths of the screens of records, by the kind of record. */
const folders = {
  EXPIRATION_ITEM: '/items',
  CATEGORY: '/types',
  COMPANY: '/companies',
  CONTACT: '/contacts',
  LOCATION: '/locations',
  VEHICLE: '/vehicles',
  REMINDER_POLICY: '/reminders',
  UPLOAD_NOTIFICATION: '/inbox',
} satisfies Partial<Record<RecordKind, string>>;

/** Parameters that narrow the list of items to those of a record without a screen. */
const filters: Partial<Record<RecordKind, string>> = { TAG: 'tag', TEAM: 'team' };

type KindWithScreen = keyof typeof folders;

const hasScreen = (kind: RecordKind): kind is KindWithScreen => kind in folders;

/** Returns the address of a record's screen. */
export function addressOf(kind: KindWithScreen, id: string): string;
/** Returns the address of a record's screen, or else of the list of its items. */
export function addressOf(kind: RecordKind, id: string): string | undefined;
/** Implements both. */
export function addressOf(kind: RecordKind, id: string): string | undefined {
  if (hasScreen(kind)) return `${folders[kind]}/${encodeURIComponent(id)}`;
  const filter = filters[kind];
  return filter && itemsAddress({ [filter]: id });
}

/** Returns the address of the list of items with some filters. */
export function itemsAddress(filter: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(filter).toString();
  return search ? `/items?${search}` : '/items';
}
