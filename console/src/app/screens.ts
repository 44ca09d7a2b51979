import type { Screen } from './screen';

/** All screens, in the order of the navigation. A new screen is one file and its line here. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    load: () => import('../screens/start'),
    navigation: { label: 'common.nav_start', icon: 'home', group: 'work', isMain: true },
  },
  {
    path: '/items',
    load: () => import('../screens/items'),
    navigation: { label: 'common.nav_items', icon: 'items', group: 'work', isMain: true },
  },
  { path: '/items/:id', load: () => import('../screens/item') },
  {
    path: '/calendar',
    load: () => import('../screens/calendar'),
    navigation: { label: 'calendar.title', icon: 'calendar', group: 'work', isMain: true },
  },
  {
    path: '/inbox',
    load: () => import('../screens/inbox'),
    navigation: { label: 'inbox.title', icon: 'inbox', group: 'work', isMain: true },
  },
  { path: '/inbox/:id', load: () => import('../screens/inbox') },
  {
    path: '/contacts',
    load: () => import('../screens/contacts'),
    navigation: { label: 'contacts.title', icon: 'people', group: 'records' },
  },
  { path: '/contacts/:id', load: () => import('../screens/contacts') },
  {
    path: '/companies',
    load: () => import('../screens/companies'),
    navigation: { label: 'companies.title', icon: 'company', group: 'records' },
  },
  { path: '/companies/:id', load: () => import('../screens/companies') },
  {
    path: '/locations',
    load: () => import('../screens/locations'),
    navigation: { label: 'locations.title', icon: 'location', group: 'records' },
  },
  { path: '/locations/:id', load: () => import('../screens/locations') },
  {
    path: '/vehicles',
    load: () => import('../screens/vehicles'),
    navigation: { label: 'vehicles.title', icon: 'vehicle', group: 'records' },
  },
  { path: '/vehicles/:id', load: () => import('../screens/vehicles') },
  {
    path: '/types',
    load: () => import('../screens/types'),
    navigation: { label: 'types.title', icon: 'types', group: 'setup' },
  },
  { path: '/types/:id', load: () => import('../screens/types') },
  {
    path: '/imports',
    load: () => import('../screens/imports'),
    navigation: { label: 'imports.title', icon: 'upload', group: 'setup' },
    permission: 'WRITE',
  },
  { path: '/imports/:id', load: () => import('../screens/imports'), permission: 'WRITE' },
  {
    path: '/reminders',
    load: () => import('../screens/reminders'),
    navigation: { label: 'reminders.title', icon: 'bell', group: 'setup' },
  },
  { path: '/reminders/:id', load: () => import('../screens/reminders') },
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
