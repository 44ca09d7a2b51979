import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countByLinked, summarize } from '../../src/items/summary.js';
import { sessionOf } from '../support/both-executors.js';
import { createTenant, testTime, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { makeWorld, type World } from './items.world.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
let world: World;
beforeAll(async () => {
  world = await makeWorld(gateway, 240);
});
beforeEach(() => {
  gateway.clock.now = testTime;
});

const query = `query ($filter: ExpirationItemFilter) { expirationSummary(filter: $filter) {
  total byStatus { status count } byMonth { month count } noticeByMonth { month count } byCategory { category { id name } count }
} }`;

interface Shown {
  readonly total: number;
  readonly byStatus: { status: string; count: number }[];
  readonly byMonth: { month: string; count: number }[];
  readonly noticeByMonth: { month: string; count: number }[];
  readonly byCategory: { category: { id: string } | null; count: number }[];
}

const summary = async (filter: object = {}, token?: string): Promise<Shown> =>
  (await ask(gateway, query, { filter }, token)).expirationSummary;

/** Returns what a list finds. */
async function count(filter: object, token?: string): Promise<number> {
  const list = 'query ($filter: ExpirationItemFilter) { expirationItems(filter: $filter) { totalCount } }';
  return (await ask(gateway, list, { filter }, token)).expirationItems.totalCount;
}

const sum = (rows: readonly { count: number }[]) => rows.reduce((total, row) => total + row.count, 0);
const datedStatuses = ['CURRENT', 'NOTIFYING', 'EXPIRED'];

/** Checks that every number of a summary is what the list says that it counts. */
async function expectToCount(shown: Shown, filter: { status?: string[] }, token?: string): Promise<void> {
  expect(shown.total).toBe(await count(filter, token));
  const among = filter.status?.length ? filter.status : undefined;
  const within = (statuses: string[]) =>
    among ? statuses.filter((status) => among.includes(status)) : statuses;
  // Without a status left, nothing is found; an empty list would narrow nothing.
  const countIn = async (statuses: string[], range = {}) =>
    statuses.length === 0 ? 0 : count({ ...filter, ...range, status: statuses }, token);
  for (const { status, count: counted } of shown.byStatus) {
    expect(counted, status).toBe(await countIn(within([status])));
  }
  for (const { month, count: counted } of shown.byMonth) {
    const [year = 0, number = 0] = month.split('-').map(Number);
    const edge = (time: number) => new Date(time).toISOString().slice(0, 10);
    const range = {
      expiresAfter: edge(Date.UTC(year, number - 1, 0)),
      expiresBefore: edge(Date.UTC(year, number, 1)),
    };
    expect(counted, month).toBe(await countIn(within(datedStatuses), range));
    const notice = { noticeAfter: range.expiresAfter, noticeBefore: range.expiresBefore };
    const { count: notices } = shown.noticeByMonth.find((one) => one.month === month) ?? {};
    expect(notices, month).toBe(await countIn(within([...datedStatuses, 'NO_DATE']), notice));
  }
  for (const { category, count: counted } of shown.byCategory) {
    if (category) expect(counted).toBe(await count({ ...filter, categoryId: category.id }, token));
  }
  expect(sum(shown.byStatus)).toBe(shown.total);
  expect(sum(shown.byCategory)).toBe(shown.total);
}

describe('expirationSummary', () => {
  test.each(['2026-11-20T09:30:00Z', '2026-11-30T12:30:00Z'])(
    'counts what lists find, at %s',
    async (moment) => {
      gateway.clock.now = new Date(moment);
      const shown = await summary();
      expect(shown.total).toBe(world.items.length);
      expect(shown.byStatus.map(({ status }) => status)).toEqual([
        ...['CURRENT', 'NOTIFYING', 'EXPIRED', 'ARCHIVED', 'NO_DATE', 'MISSING'],
      ]);
      expect(shown.byStatus.every((row) => row.count > 0)).toBe(true);
      expect(sum(shown.byMonth)).toBeGreaterThan(50);
      const counts = shown.byCategory.map((row) => row.count);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
      await expectToCount(shown, {});
    },
  );

  test('counts the filtered items', async () => {
    const one = <T extends { id: string }>(rows: readonly T[]) =>
      fc.constantFrom(...rows.map(({ id }) => id));
    const filters = fc.record(
      {
        term: fc.constant('licence'),
        status: fc.subarray(['CURRENT', 'NOTIFYING', 'EXPIRED', 'MISSING']),
        contactId: one(world.contacts),
        locationId: one(world.locations),
        isActive: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => expectToCount(await summary(filter), filter)),
      { numRuns: 10 },
    );
  });

  test('begins with the current month in the workspace', async () => {
    // In Auckland it is December already, in Vancouver it is not.
    gateway.clock.now = new Date('2026-11-30T12:30:00Z');
    const [auckland, vancouver] = world.teams;
    const first = async (filter: object) => (await summary(filter)).byMonth.map(({ month }) => month);
    const fromDecember = await first({ teamId: auckland?.id });
    expect(fromDecember.slice(0, 2)).toEqual(['2026-12', '2027-01']);
    expect(fromDecember).toHaveLength(12);
    expect((await first({ teamId: vancouver?.id?.toUpperCase() }))[0]).toBe('2026-11');
    // The caller's own is the one in Auckland.
    expect((await first({}))[0]).toBe('2026-12');
  });

  test('takes one statement for each kind of date, besides those for the days and the names', async () => {
    const sent = await namesOf(gateway, () => summary({ status: ['EXPIRED'] }));
    expect(sent.sort()).toEqual([
      ...['categories.find', 'expiration_items.summary', 'expiration_items.summary + notices', 'teams.find'],
    ]);
    const ofTags = await namesOf(gateway, () => ask(gateway, '{ expirationSummary { byTag { count } } }'));
    expect(ofTags.sort()).toEqual(['expiration_items.summary + tags', 'teams.find']);
  });

  test('shows a member the own workspaces, and names only their document types', async () => {
    const shown = await summary({}, gateway.member);
    expect(shown.total).toBe(world.items.filter(({ teamId }) => teamId === gateway.teamId).length);
    await expectToCount(shown, {}, gateway.member);
    const seen = world.categories.filter(({ teamId }) => teamId === gateway.teamId).map(({ id }) => id);
    expect(shown.byCategory.flatMap(({ category }) => category?.id ?? [])).toEqual(seen);
    expect(await summary({}, gateway.viewer)).toEqual(shown);
  });

  test('shows another organization nothing, and uploaders nothing at all', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const shown = await summary({ teamId: gateway.teamId }, foreign.admin);
    expect([shown.total, sum(shown.byStatus), sum(shown.byMonth), shown.byCategory]).toEqual([0, 0, 0, []]);
    await expectRefusal(refusal(gateway, query, {}, gateway.uploader), 'FORBIDDEN');
  });

  test('refuses a wrong filter by name', async () => {
    await expectRefusal(refusal(gateway, query, { filter: { teamId: 'x' } }), 'BAD_REQUEST', 'filter.teamId');
  });
});

describe('expirationSummary by linked records', () => {
  const links = {
    byContact: ['contact', 'contactId'],
    byTag: ['tag', 'tagIds'],
    byAssignedTo: ['user', 'assignedToId'],
    byTeam: ['team', 'teamId'],
  } as const;
  const counts = `query ($filter: ExpirationItemFilter, $first: Int! = 100) { expirationSummary(filter: $filter) {
    byContact(first: $first) { contact { id } count } byTag(first: $first) { tag { id } count }
    byAssignedTo(first: $first) { user { id } count } byTeam(first: $first) { team { id } count }
    byLocation(first: $first) { location { id } count }
  } }`;
  type Counts = Record<string, (Record<string, { id: string }> & { count: number })[]>;

  test.each([{}, { isActive: true }, { or: [{ status: ['EXPIRED'] }, { hasNone: ['TAGS'] }] }])(
    'counts what lists find: %j',
    async (filter) => {
      for (const token of [gateway.admin, gateway.member]) {
        const shown: Counts = (await ask(gateway, counts, { filter }, token)).expirationSummary;
        for (const [field, [record, member]] of Object.entries(links)) {
          const rows = shown[field] ?? [];
          expect(rows.map(({ count }) => count)).toEqual(
            rows.map(({ count }) => count).sort((a, b) => b - a),
          );
          for (const row of rows) {
            const narrowed = { and: [filter], [member]: row[record]?.id };
            expect(row.count, field).toBe(await count(narrowed, token));
          }
        }
      }
    },
  );

  test('counts the same in an organization with so many items that links are read at once', async () => {
    const few = await ask(gateway, counts);
    const { statistics } = gateway.database;
    const value = Promise.resolve(new Set([gateway.organizationId]));
    statistics.set('large expiration_items by organization_id', { until: Number.POSITIVE_INFINITY, value });
    try {
      expect(await ask(gateway, counts)).toEqual(few);
    } finally {
      statistics.clear();
    }
  });

  test('counts as many items as it may, and says that there are more', async () => {
    const session = await sessionOf(gateway, gateway.member);
    const [whole, part] = [await summarize(session, {}), await summarize(session, {}, 3)];
    const { isComplete, total } = await whole.counts();
    expect(isComplete).toBe(true);
    expect(await part.counts()).toMatchObject({ isComplete: false, total: 3 });
    expect(sum(await countByLinked(session, part, 'team', 10))).toBe(3);
    expect(sum(await countByLinked(session, whole, 'team', 10))).toBe(total);
  });

  test('counts the items of a location itself, not of those in it', async () => {
    const shown: Counts = (await ask(gateway, counts)).expirationSummary;
    const own = world.locations.map(({ id }) => ({
      location: { id },
      count: world.items.filter(({ locationIds }) => locationIds.includes(id)).length,
    }));
    expect(shown.byLocation).toHaveLength(own.filter(({ count }) => count > 0).length);
    expect(own).toEqual(expect.arrayContaining(shown.byLocation ?? []));
  });

  test('answers as many as asked for, and refuses more than a page', async () => {
    const [all, two] = [await ask(gateway, counts), await ask(gateway, counts, { first: 2 })];
    expect(two.expirationSummary.byTag).toEqual(all.expirationSummary.byTag.slice(0, 2));
    for (const first of [-1, 501]) {
      await expectRefusal(
        refusal(gateway, `{ expirationSummary { byTag(first: ${first}) { count } } }`),
        'BAD_REQUEST',
        'first',
      );
    }
  });
});
