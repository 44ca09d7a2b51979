import type { RecordKind } from '../generated/types';
import type { IconName } from '../ui/icon';

/** A kind of records that has screens. */
export interface ShownKind {
  /** The address of its list; that of a record follows it. Texts and screens have this name, too. */
  readonly folder: string;
  readonly icon: IconName;
  readonly group: 'work' | 'records' | 'setup';
  /** True if it is among the few at the bottom of a phone. */
  readonly isMain?: true;
}

/** The kinds of records that have screens. Navigation, search, history and imports follow. */
export const recordKinds = {
  EXPIRATION_ITEM: { folder: '/items', icon: 'items', group: 'work', isMain: true },
  UPLOAD_NOTIFICATION: { folder: '/inbox', icon: 'inbox', group: 'work', isMain: true },
  DOCUMENT_REQUEST: { folder: '/requests', icon: 'send', group: 'work' },
  CONTACT: { folder: '/contacts', icon: 'people', group: 'records' },
  COMPANY: { folder: '/companies', icon: 'company', group: 'records' },
  LOCATION: { folder: '/locations', icon: 'location', group: 'records' },
  VEHICLE: { folder: '/vehicles', icon: 'vehicle', group: 'records' },
  CATEGORY: { folder: '/types', icon: 'types', group: 'setup' },
  REQUIREMENT: { folder: '/requirements', icon: 'check', group: 'setup' },
  REMINDER_POLICY: { folder: '/reminders', icon: 'bell', group: 'setup' },
} as const satisfies Partial<Record<RecordKind, ShownKind>>;

/** A kind of records with screens. */
export type KindWithScreen = keyof typeof recordKinds;

/** Parameters that narrow the list of items to those of a record without a screen. */
const filters: Partial<Record<RecordKind | 'USER', string>> = { TAG: 'tag', TEAM: 'team', USER: 'assigned' };

/** Checks that a kind of records has screens. */
export const hasScreen = (kind: RecordKind): kind is KindWithScreen => kind in recordKinds;

/** Returns the address of a record's screen. */
export function addressOf(kind: KindWithScreen, id: string): string;
/** Returns the address of a record's screen, or else of the list of its items. */
export function addressOf(kind: RecordKind, id: string): string | undefined;
/** Implements both. */
export function addressOf(kind: RecordKind, id: string): string | undefined {
  if (hasScreen(kind)) return `${recordKinds[kind].folder}/${encodeURIComponent(id)}`;
  const filter = filters[kind];
  return filter && itemsAddress({ [filter]: id });
}

/** Returns the address of the list of items with some filters. */
export function itemsAddress(filter: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(filter).toString();
  return search ? `/items?${search}` : '/items';
}
