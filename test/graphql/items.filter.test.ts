import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, type Status, statusIds, todayIn } from '../../src/domain/dates.js';
import { newId } from '../../src/domain/rules.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { dayAt, makeWorld, type World, type WorldItem } from './items.world.js';
import { ask, expectRefusal, refusal } from './support.js';

/** Returns the word of a status in GraphQL. */
const wordOf = (status: string) => (status === 'nodate' ? 'NO_DATE' : status.toUpperCase());

const gateway = useGateway();
let world: World;
/** The moments at which the workspaces' days are the same, and two moments at which they are not. */
const moments = ['2026-11-20T09:30:00Z', '2026-11-20T12:30:00Z', '2026-11-20T04:30:00Z'];
beforeAll(async () => {
  world = await makeWorld(gateway, 240);
});

/** A filter of items, as a caller writes it. */
interface Filter {
  readonly term?: string;
  readonly status?: string[];
  readonly categoryId?: string;
  readonly contactId?: string;
  readonly locationId?: string;
  readonly tagIds?: string[];
  readonly teamId?: string;
  readonly assignedToId?: string;
  readonly expiresAfter?: string;
  readonly expiresBefore?: string;
  readonly expiresWithinDays?: number;
  readonly isActive?: boolean;
  readonly categoryIds?: string[];
  readonly contactIds?: string[];
  readonly locationIds?: string[];
  readonly expirationDate?: { readonly gte?: string; readonly lt?: string };
  readonly hasNone?: ('TAGS' | 'CONTACTS' | 'ATTACHMENTS' | 'CONTACT')[];
  readonly and?: Filter[];
  readonly or?: Filter[];
  readonly not?: Filter;
}

/** What each member of a filter says of an item. */
const meanings: {
  [Member in keyof Filter]-?: (wanted: NonNullable<Filter[Member]>, item: WorldItem) => boolean;
} = {
  term: (term, { name, details }) =>
    [name, details].some((text) => text?.toLowerCase().includes(term.toLowerCase())),
  status: (wanted, item) => wanted.includes(wordOf(world.statusOf(item, gateway.clock.now))),
  categoryId: (id, item) => item.categoryId === id,
  contactId: (id, item) => item.contactId === id || item.contactIds.includes(id),
  locationId: (id, item) => item.locationIds.some((at) => world.within(id).includes(at)),
  tagIds: (ids, item) => item.tagIds.some((id) => ids.includes(id)),
  teamId: (id, item) => item.teamId === id,
  assignedToId: (id, item) => item.assignedToId === id,
  expiresAfter: (date, item) => item.expirationDate !== null && item.expirationDate > new Date(date),
  expiresBefore: (date, item) => item.expirationDate !== null && item.expirationDate < new Date(date),
  expiresWithinDays: (days, item) => {
    const today = todayIn(world.calendarOf(item).timezone, gateway.clock.now);
    const date = item.expirationDate;
    return date !== null && date >= today && date <= addDays(today, days);
  },
  isActive: (wanted, item) => item.isActive === wanted,
  categoryIds: (ids, item) => ids.includes(item.categoryId),
  contactIds: (ids, item) => ids.some((id) => meanings.contactId(id, item)),
  locationIds: (ids, item) => ids.some((id) => meanings.locationId(id, item)),
  expirationDate: ({ gte, lt }, { expirationDate: date }) =>
    (gte === undefined && lt === undefined) ||
    (date !== null && !(gte && date < new Date(gte)) && !(lt && date >= new Date(lt))),
  hasNone: (links, item) =>
    links.every((link) =>
      link === 'CONTACT'
        ? item.contactId === null
        : { TAGS: item.tagIds, CONTACTS: item.contactIds, ATTACHMENTS: [] }[link].length === 0,
    ),
  and: (all, item) => all.every((filter) => matches(filter, item)),
  or: (some, item) => some.some((filter) => matches(filter, item)),
  not: (filter, item) => saysNothing(filter) || !matches(filter, item),
};

/** Returns the members of a filter that say something. An empty list is as if it were left out. */
const given = (filter: Filter) =>
  Object.entries(filter).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );

/** Returns a filter that finds everything, whatever there is. */
const saysNothing = (filter: Filter): boolean =>
  given(filter).every(
    ([member, value]) =>
      (member === 'and' && value.every(saysNothing)) ||
      (member === 'or' && value.some(saysNothing)) ||
      (member === 'not' && saysNothing(value)) ||
      (member === 'expirationDate' && Object.keys(value).length === 0),
  );

function matches(filter: Filter, item: WorldItem): boolean {
  return given(filter).every(([member, value]) => meanings[member as keyof Filter](value as never, item));
}

function expected(filter: Filter): string[] {
  return world.items
    .filter((item) => matches(filter, item))
    .map(({ id }) => id)
    .sort();
}

const list = `query ($filter: ExpirationItemFilter, $first: Int, $after: String) {
  expirationItems(filter: $filter, first: $first, after: $after, orderBy: { field: EXPIRATION_DATE, direction: ASC }) {
    totalCount nodes { id status } pageInfo { hasNextPage endCursor }
  }
}`;

/** Returns all pages of a filtered list, with the total that each of them told. */
async function readAll(filter: Filter, size = 500, token = gateway.admin) {
  const ids: string[] = [];
  const totals = new Set<number>();
  for (let after: string | null = null, more = true; more; ) {
    const { expirationItems } = await ask(gateway, list, { filter, first: size, after }, token);
    ids.push(...expirationItems.nodes.map(({ id }: { id: string }) => id));
    totals.add(expirationItems.totalCount);
    ({ hasNextPage: more, endCursor: after } = expirationItems.pageInfo);
  }
  return { ids, totals: [...totals] };
}

const words = Object.keys(statusIds).map(wordOf);
const day = fc.integer({ min: -45, max: 405 }).map((days) => dayAt(days).toISOString().slice(0, 10));
const anyOf = (rows: () => readonly { id: string }[]) =>
  fc.nat().map((n) => {
    const all = rows();
    return all[n % all.length]?.id ?? '';
  });

/** Any filter without others in it: none, one or several of its members. */
const plainFilters: fc.Arbitrary<Filter> = fc.record(
  {
    term: fc.constantFrom('licence', 'LICENCE 1', '0%', 'item', 'no such'),
    status: fc.subarray(words),
    categoryId: anyOf(() => world.categories),
    contactId: anyOf(() => world.contacts),
    locationId: anyOf(() => world.locations),
    tagIds: fc.array(
      anyOf(() => world.tags),
      { maxLength: 3 },
    ),
    teamId: anyOf(() => world.teams),
    assignedToId: anyOf(() => [{ id: gateway.userId }]),
    expiresAfter: day,
    expiresBefore: day,
    expiresWithinDays: fc.integer({ min: 0, max: 40 }),
    isActive: fc.boolean(),
    categoryIds: fc.array(
      anyOf(() => world.categories),
      { maxLength: 2 },
    ),
    contactIds: fc.array(
      anyOf(() => world.contacts),
      { maxLength: 2 },
    ),
    locationIds: fc.array(
      anyOf(() => world.locations),
      { maxLength: 2 },
    ),
    expirationDate: fc.record({ gte: day, lt: day }, { requiredKeys: [] }),
    hasNone: fc.subarray(['TAGS', 'CONTACTS', 'ATTACHMENTS', 'CONTACT'] as const).map((all) => [...all]),
  },
  { requiredKeys: [] },
);

/** Returns the number of filters in a filter, itself included. */
const countFilters = ({ and = [], or = [], not }: Filter): number =>
  1 + [...and, ...or, ...(not ? [not] : [])].reduce((sum, filter) => sum + countFilters(filter), 0);

/** Any filter, with others in it; at most 50 are taken. */
const { filters: any } = fc.letrec<{ filters: Filter }>((tie) => {
  const several = fc.array(tie('filters'), { maxLength: 3 });
  const combined = fc
    .tuple(plainFilters, fc.record({ and: several, or: several, not: tie('filters') }, { requiredKeys: [] }))
    .map(([plain, others]) => ({ ...plain, ...others }));
  return {
    filters: fc.oneof({ maxDepth: 3, depthSize: 'small' }, plainFilters, combined) as fc.Arbitrary<Filter>,
  };
});

const filters = any.filter((filter) => countFilters(filter) <= 50);

describe('expirationItems(filter:)', () => {
  test.each(moments)('finds what its members mean, on all pages, at %s', async (moment) => {
    gateway.clock.now = new Date(moment);
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 20, max: 100 }), async (filter, size) => {
        const { ids, totals } = await readAll(filter, size);
        expect([...ids].sort()).toEqual(expected(filter));
        expect(totals).toEqual([ids.length]);
      }),
      { numRuns: 20 },
    );
  });

  test.each(moments)('status finds what shows that status, each item once, at %s', async (moment) => {
    gateway.clock.now = new Date(moment);
    const found: string[] = [];
    for (const status of words) {
      const { expirationItems } = await ask(gateway, list, { filter: { status: [status] }, first: 500 });
      expect(expirationItems.nodes.length).toBeGreaterThan(0);
      expect(new Set(expirationItems.nodes.map((node: { status: Status }) => node.status))).toEqual(
        new Set([status]),
      );
      found.push(...expirationItems.nodes.map(({ id }: { id: string }) => id));
    }
    expect(found.sort()).toEqual(expected({}));
  });

  test('a status alone is a list of one, as everywhere in GraphQL', async () => {
    const { expirationItems } = await ask(
      gateway,
      '{ expirationItems(filter: { status: MISSING }) { totalCount } }',
    );
    expect(expirationItems.totalCount).toBe(expected({ status: ['MISSING'] }).length);
  });

  test('a member sees nothing of other workspaces, whatever the filter', async () => {
    const { teamId, member } = gateway;
    for (const filter of [
      {},
      { status: words },
      { expiresWithinDays: 400 },
      { contactId: world.contacts[1]?.id ?? '' },
    ]) {
      expect((await readAll(filter, 500, member)).ids.sort()).toEqual(expected({ ...filter, teamId }));
    }
    expect((await readAll({ teamId: gateway.otherTeamId }, 500, member)).ids).toEqual([]);
  });

  test('another organization sees nothing, whatever ids it names', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const named = [
      { contactId: world.contacts[0]?.id ?? '' },
      { locationId: world.locations[0]?.id ?? '' },
      { tagIds: world.tags.map(({ id }) => id) },
      { teamId: gateway.teamId },
    ];
    for (const filter of [...named, { status: words }]) {
      expect(await readAll(filter, 500, foreign.admin)).toEqual({ ids: [], totals: [0] });
    }
  });

  test('a location that the caller does not see leads to none of its own', async () => {
    const { prisma } = gateway.database;
    const hidden = await prisma.location.create({
      data: {
        id: newId(),
        organizationId: gateway.organizationId,
        teamId: gateway.otherTeamId,
        name: 'Hidden',
      },
    });
    const [item] = world.items.filter(({ teamId }) => teamId === gateway.teamId);
    await prisma.expirationItemLocation.create({
      data: { itemId: item?.id ?? '', locationId: hidden.id, position: 9 },
    });
    expect((await readAll({ locationId: hidden.id })).ids).toEqual([item?.id]);
    expect((await readAll({ locationId: hidden.id }, 500, gateway.member)).ids).toEqual([]);
    await prisma.location.delete({ where: { id: hidden.id } });
  });

  test('takes the same statements, whatever the filter', async () => {
    const filter = { status: words, contactId: world.contacts[0]?.id, locationId: world.locations[0]?.id };
    const sent = await namesOf(gateway, () => ask(gateway, list, { filter }));
    // The items with their workspaces, and all workspaces for the filter.
    expect(sent.sort()).toEqual(['expiration_items.count', 'expiration_items.list + teams', 'teams.find']);
  });

  const uuid = '11111111-1111-4111-8111-111111111111';
  test.each<[string, object, string]>([
    ['an id that is none', { categoryId: 'x' }, 'categoryId'],
    ['a tag that is none', { tagIds: [uuid, 'x'] }, 'tagIds.1'],
    ['too many tags', { tagIds: Array(101).fill(uuid) }, 'tagIds'],
    ['too many statuses', { status: Array(101).fill('EXPIRED') }, 'status'],
    ['days that are past', { expiresWithinDays: -1 }, 'expiresWithinDays'],
    ['days beyond a calendar', { expiresWithinDays: 2_147_483_647 }, 'expiresWithinDays'],
    ['too long a term', { term: 'x'.repeat(256) }, 'term'],
    ['an id of several that is none', { contactIds: [uuid, 'x'] }, 'contactIds.1'],
    ['too many ids', { categoryIds: Array(101).fill(uuid) }, 'categoryIds'],
    ['too many filters in one another', { or: Array(50).fill({}) }, ''],
    [
      'filters too deep in one another',
      { not: { or: [{ and: [{ not: { not: {} } }] }] } },
      'not.or.0.and.0.not.not',
    ],
    ['a wrong filter in others', { or: [{}, { not: { contactIds: ['x'] } }] }, 'or.1.not.contactIds.0'],
    ['a custom field without a name', { customFields: [{ value: 'x' }] }, 'customFields.0'],
    ['a custom field by both', { customFields: [{ id: uuid, name: 'x' }] }, 'customFields.0'],
  ])('%s is refused by name', async (_, filter, field) => {
    await expectRefusal(
      refusal(gateway, list, { filter }),
      'BAD_REQUEST',
      `filter.${field}`.replace(/\.$/, ''),
    );
  });
});
