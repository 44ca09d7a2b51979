import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { namesOf, settle } from '../support/statements.js';
import { makeWorld, type World } from './items.world.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
let world: World;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
  world = await makeWorld(gateway, 240);
});
beforeEach(() => {
  gateway.clock.now = testTime;
});
afterAll(() => gateway.close());

const query = `query ($filter: ExpirationItemFilter) { expirationSummary(filter: $filter) {
  total byStatus { status count } byMonth { month count } byCategory { category { id name } count }
} }`;

interface Shown {
  readonly total: number;
  readonly byStatus: { status: string; count: number }[];
  readonly byMonth: { month: string; count: number }[];
  readonly byCategory: { category: { id: string } | null; count: number }[];
}

const summary = async (filter: object = {}, token?: string): Promise<Shown> =>
  (await ask(gateway, query, { filter }, token)).expirationSummary;

/** What a list finds. */
async function count(filter: object, token?: string): Promise<number> {
  const list = 'query ($filter: ExpirationItemFilter) { expirationItems(filter: $filter) { totalCount } }';
  return (await ask(gateway, list, { filter }, token)).expirationItems.totalCount;
}

const sum = (rows: { count: number }[]) => rows.reduce((total, row) => total + row.count, 0);
const datedStatuses = ['CURRENT', 'NOTIFYING', 'EXPIRED'];

/** Every number of a summary is what the list says that it counts. */
async function expectToCount(shown: Shown, filter: { status?: string[] }, token?: string): Promise<void> {
  expect(shown.total).toBe(await count(filter, token));
  const within = (statuses: string[]) =>
    filter.status ? statuses.filter((status) => filter.status?.includes(status)) : statuses;
  for (const { status, count: counted } of shown.byStatus) {
    expect(counted, status).toBe(await count({ ...filter, status: within([status]) }, token));
  }
  for (const { month, count: counted } of shown.byMonth) {
    const [year = 0, number = 0] = month.split('-').map(Number);
    const edge = (time: number) => new Date(time).toISOString().slice(0, 10);
    const range = {
      expiresAfter: edge(Date.UTC(year, number - 1, 0)),
      expiresBefore: edge(Date.UTC(year, number, 1)),
    };
    expect(counted, month).toBe(await count({ ...filter, ...range, status: within(datedStatuses) }, token));
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
        ...['CURRENT', 'NOTIFYING', 'EXPIRED', 'ARCHIVED', 'NODATE', 'MISSING'],
      ]);
      expect(shown.byStatus.every((row) => row.count > 0)).toBe(true);
      expect(sum(shown.byMonth)).toBeGreaterThan(50);
      const counts = shown.byCategory.map((row) => row.count);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
      await expectToCount(shown, {});
    },
  );

  test('counts what a filter leaves', async () => {
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

  test('begins with the month of the workspace that is meant', async () => {
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

  test('takes one statement beside those for the days and the names', async () => {
    const sent = await namesOf(gateway, () => summary({ status: ['EXPIRED'] }));
    expect(sent.sort()).toEqual(['categories.find', 'expiration_items.summary', 'teams.find']);
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
