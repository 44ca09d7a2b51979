import type { NamedKind } from '../records/named/named-ids.js';
import { categories } from './categories.js';
import { contacts } from './contacts.js';
import { locations } from './locations.js';
import { tags } from './tags.js';

/** Contacts, by their e-mail addresses. */
export const namedContacts: NamedKind = {
  resource: contacts,
  key: 'email',
  inWorkspace: false,
};

/** Locations, by their names; an unknown one is made outside of any other. */
export const namedLocations: NamedKind = {
  resource: locations,
  key: 'name',
  inWorkspace: false,
};

/** Tags, by their names in a workspace. */
export const namedTags: NamedKind = {
  resource: tags,
  key: 'name',
  inWorkspace: true,
};

/** Document types, by their names in a workspace. */
export const namedCategories: NamedKind = {
  resource: categories,
  key: 'name',
  inWorkspace: true,
};
