import { categories } from './categories.js';
import { contacts } from './contacts.js';
import { locations } from './locations.js';
import type { NamedKind } from './named.js';
import { tags } from './tags.js';

// The rules of each resource give its rows; `createMany` of another resource's rows does not type-check, which
// is lost in Values, so the one cast of each stands beside the model it goes to.

/** Contacts, by their e-mail addresses. */
export const namedContacts: NamedKind = {
  resource: contacts,
  key: 'email',
  inWorkspace: false,
  createMany: ({ tx }, data) => tx.contact.createMany({ data: data as never, skipDuplicates: true }),
};

/** Locations, by their names; an unknown one is made outside of any other. */
export const namedLocations: NamedKind = {
  resource: locations,
  key: 'name',
  inWorkspace: false,
  createMany: ({ tx }, data) => tx.location.createMany({ data: data as never, skipDuplicates: true }),
};

/** Tags, by their names in a workspace. */
export const namedTags: NamedKind = {
  resource: tags,
  key: 'name',
  inWorkspace: true,
  createMany: ({ tx }, data) => tx.tag.createMany({ data: data as never, skipDuplicates: true }),
};

/** Document types, by their names in a workspace. */
export const namedCategories: NamedKind = {
  resource: categories,
  key: 'name',
  inWorkspace: true,
  createMany: ({ tx }, data) => tx.category.createMany({ data: data as never, skipDuplicates: true }),
};
