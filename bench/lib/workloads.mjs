// The measured workloads: their parameters, chosen by a seeded random number generator.
import { idOf, makes, models } from './data.mjs';

/** The members of a vehicle that a list shows, in GraphQL's names. */
export const vehicleMembers =
  `id name vin licensePlate year make model trim color bodyType registrationProvince msrp
  primaryMeterTypeId primaryMeterReading ownershipId statusId folderId locationId typeId vehicleFuelTypeId
  assignedToContactId teamId isArchived modified`.split(/\s+/);

/** The members of a new contact that are compared, in GraphQL's names. */
export const contactMembers =
  'name email timezone mobile phone typeId contactId locationId teamId isActive'.split(' ');

/** Returns a day in the years from `year` on, as text. */
const dayFrom = (year, days) => new Date(Date.UTC(year, 0, 1 + days)).toISOString().slice(0, 10);

/** Returns the changes of an item of a kind, different each time. */
const changed = (kind) => (random, size, unique) => {
  const n = 1 + random(size.writable);
  return {
    id: idOf(kind, n),
    name: `Permit ${n}`,
    expirationDate: dayFrom(2026, random(730)),
    details: `Details of permit ${n}, revision ${unique()}`,
    categoryId: idOf('category', size.categories + 1),
    assignedToId: idOf('user', 1 + (n % size.users)),
  };
};

/** Returns consecutive numbers of some records of a kind. */
const some = (random, count, each) => {
  const first = random(count);
  return Array.from({ length: each }, (_, at) => 1 + ((first + at) % count));
};

const items = {
  title: 'GraphQL: 20 items with category, user, contacts, locations, tags',
  parameters: (random, size) => ({
    category: idOf('category', 1 + random(size.categories)),
    offset: random(100),
  }),
};

const item = {
  title: 'GraphQL: one item, the same nested',
  parameters: (random, size) => ({ id: idOf('item', 1 + random(size.items)) }),
};

export const workloads = {
  W1: items,
  W1a: { ...items, title: 'GraphQL: W1 as Apollo Client sends it, with `__typename` everywhere' },
  W1d: { ...items, title: 'GraphQL: W1 with `@include(if: $x)` on contacts and tags, x is true' },
  W1p: { ...items, title: 'GraphQL: W1 by the hash of its document' },
  W2: item,
  W2a: { ...item, title: 'GraphQL: W2 as Apollo Client sends it' },
  W2d: { ...item, title: 'GraphQL: W2 with `@include(if: $x)` on contacts and tags, x is true' },
  W3: {
    title: 'REST: 50 of 20,000 vehicles, `term` and `sort`',
    parameters: (random) => ({
      term: `${makes[random(makes.length)]} ${models[random(models.length)]}`,
      sort: ['name', 'year'][random(2)],
      direction: ['asc', 'desc'][random(2)],
      page: 1 + random(2),
    }),
  },
  W4: {
    title: 'REST: an item is updated, with its event',
    counted: { event_logs: 1, event_log_entities: 1 },
    echoed: 'details',
    parameters: changed('writable'),
  },
  W5: {
    title: 'REST: an upload notification is received',
    counted: { upload_notifications: 1 },
    parameters: (_random, _size, unique) => ({ notificationId: unique() }),
  },
  W6: { ...items, title: 'GraphQL: W1, a new document each time' },
  W7: {
    title: 'REST: a contact is created, with its event',
    counted: { contacts: 1, event_logs: 1, event_log_entities: 1 },
    echoed: 'email',
    parameters: (random, _size, unique) => {
      const n = unique();
      const mobile = `+1 647 ${String(random(10_000_000)).padStart(7, '0')}`;
      return { name: `Person ${n}`, email: `person${n}@example.com`, mobile };
    },
  },
  W8: {
    title: 'GraphQL: an item is created, with a new contact by e-mail and two tags by name',
    counted: {
      expiration_items: 1,
      contacts: 1,
      expiration_item_contacts: 1,
      expiration_item_tags: 2,
      event_logs: 2,
      event_log_entities: 2,
    },
    echoed: 'details',
    parameters: (random, size, unique) => {
      const n = unique();
      return {
        name: 'New permit',
        // Later than what W10 lists, so that its lists keep their length.
        expirationDate: dayFrom(2100, random(730)),
        details: `Details of a new permit, revision ${n}`,
        categoryId: idOf('category', size.categories + 1),
        assignedToId: idOf('user', 1 + random(size.users)),
        email: `person${n}@example.com`,
        tags: some(random, size.tags, 2).map((tag) => `tag ${tag}`),
      };
    },
  },
  W9: {
    title: 'REST: W4, and the item gets three other contacts and tags',
    counted: { event_logs: 1, event_log_entities: 1 },
    echoed: 'details',
    parameters: (random, size, unique) => ({
      ...changed('relinked')(random, size, unique),
      contactIds: some(random, size.contacts, 3).map((n) => idOf('contact', n)),
      tagIds: some(random, size.tags, 3).map((n) => idOf('tag', n)),
    }),
  },
  W10: {
    title: 'REST: 50 of 14,000 items by `status`, a page chosen at random',
    parameters: (random) => {
      const [status, pages] = [
        ['expired', 80],
        ['notifying', 8],
      ][random(2)];
      return { status, page: 1 + random(pages) };
    },
  },
  W12: {
    title: 'REST: whether a vehicle has what it must have, 5 requirements and 10 documents',
    parameters: (random, size) => ({ id: idOf('holder', 1 + random(size.holders)) }),
  },
  W12v: {
    title: 'REST: the same vehicle itself',
    parameters: (random, size) => ({ id: idOf('holder', 1 + random(size.holders)) }),
  },
  W13: {
    title: 'REST: the first 50 of 22,000 vehicles by compliance, the worst first',
    parameters: () => ({}),
  },
};

/** Returns the body of a notification, as an upload service sends it. */
export const notification = ({ notificationId: id }) => ({
  id,
  action: 'fp.upload',
  timestamp: 1_795_000_000,
  text: {
    container: 'scans',
    url: `https://cdn.example.com/${id}`,
    filename: `permit ${id}.pdf`,
    client: 'Computer',
    key: `scans/${id}`,
    type: 'application/pdf',
    status: 'Stored',
    size: 1000,
    upload_Tags: { expiration_date: '2031-07-15' },
  },
});
