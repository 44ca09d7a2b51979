import type { KindWithScreen, ShownKind } from './addresses';
import { recordKinds } from './addresses';
import type { Screen } from './screen';

/**
 * Creates the screens of a kind of records: its list, and one record.
 * @param one loads the screen of one record, if it is not that of the list
 */
function ofRecords(kind: KindWithScreen, load: Screen['load'], one = load): readonly Screen[] {
  const { folder, icon, group, isMain }: ShownKind = recordKinds[kind];
  const label =
    `${folder.slice(1)}.title` as `${typeof folder extends `/${infer Name}` ? Name : never}.title`;
  return [
    { path: folder, load, navigation: { label, icon, group, isMain: isMain === true } },
    { path: `${folder}/:id`, load: one },
  ];
}

/** All screens, in the order of the navigation. A new screen is one file and its line here. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    load: () => import('../screens/start'),
    navigation: { label: 'common.nav_start', icon: 'home', group: 'work', isMain: true },
  },
  ...ofRecords(
    'EXPIRATION_ITEM',
    () => import('../screens/items'),
    () => import('../screens/item'),
  ),
  {
    path: '/calendar',
    load: () => import('../screens/calendar'),
    navigation: { label: 'calendar.title', icon: 'calendar', group: 'work', isMain: true },
  },
  ...ofRecords('UPLOAD_NOTIFICATION', () => import('../screens/inbox')),
  {
    path: '/compliance',
    load: () => import('../screens/compliance'),
    navigation: { label: 'compliance.title', icon: 'shield', group: 'work' },
  },
  ...ofRecords('DOCUMENT_REQUEST', () => import('../screens/requests')),
  ...ofRecords('CONTACT', () => import('../screens/contacts')),
  ...ofRecords('COMPANY', () => import('../screens/companies')),
  ...ofRecords('LOCATION', () => import('../screens/locations')),
  ...ofRecords('VEHICLE', () => import('../screens/vehicles')),
  ...ofRecords('CATEGORY', () => import('../screens/types')),
  ...ofRecords('REQUIREMENT', () => import('../screens/requirements')),
  {
    path: '/imports',
    load: () => import('../screens/imports'),
    navigation: { label: 'imports.title', icon: 'upload', group: 'setup' },
    permission: 'WRITE',
  },
  { path: '/imports/:id', load: () => import('../screens/imports'), permission: 'WRITE' },
  ...ofRecords('REMINDER_POLICY', () => import('../screens/reminders')),
  {
    path: '/deliveries',
    load: () => import('../screens/deliveries'),
    navigation: { label: 'deliveries.title', icon: 'send', group: 'setup' },
  },
  {
    path: '/settings',
    load: () => import('../screens/settings'),
    navigation: { label: 'settings.title', icon: 'settings', group: 'setup' },
  },
  { path: '/settings/:id', load: () => import('../screens/settings') },
];

/** Finds the screen of a path, and the value of `:id`. */
export function findScreen(path: string): { screen: Screen; id: string } | undefined {
  const parts = path.split('/');
  for (const screen of screens) {
    const wanted = screen.path.split('/');
    const isIt =
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part === ':id' && parts[at]));
    if (isIt) return { screen, id: screen.path.endsWith(':id') ? decode(parts.at(-1) ?? '') : '' };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
