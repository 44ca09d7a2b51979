// What is measured: for each workload its parameters, chosen by a seeded random number generator.
import { idOf, makes, models } from './data.mjs';

/** The members of a vehicle that a list shows, in GraphQL's names. */
export const vehicleMembers =
  `id name vin licensePlate year make model trim color bodyType registrationProvince msrp
  primaryMeterTypeId primaryMeterReading ownershipId statusId folderId locationId typeId vehicleFuelTypeId
  assignedToContactId teamId isArchived modified`.split(/\s+/);

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
    counted: 'SELECT count(*)::int AS count FROM event_logs WHERE type_id = 2',
    parameters: (random, size, unique) => {
      const n = 1 + random(size.writable);
      return {
        id: idOf('writable', n),
        name: `Permit ${n}`,
        expirationDate: new Date(Date.UTC(2026, 0, 1 + random(730))).toISOString().slice(0, 10),
        details: `Details of permit ${n}, revision ${unique()}`,
        categoryId: idOf('category', size.categories + 1),
        assignedToId: idOf('user', 1 + (n % size.users)),
      };
    },
  },
  W5: {
    title: 'REST: an upload notification is received',
    counted: 'SELECT count(*)::int AS count FROM upload_notifications',
    parameters: (_random, _size, unique) => ({ notificationId: unique() }),
  },
  W6: { ...items, title: 'GraphQL: W1, a new document each time' },
};

/** The body of a notification, as an upload service sends it. */
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
