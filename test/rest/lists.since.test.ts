import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { page } from './lists.support.js';
import { expectBadRequest } from './support.js';

const moment = Date.parse('2026-03-01T12:00:00.123Z');
const gateway = useGateway();
beforeAll(async () => {
  const { organizationId, teamId, userId } = gateway;
  const { prisma } = gateway.database;
  await prisma.eventLog.deleteMany();
  const created = new Date('2020-01-01T00:00:00Z');
  await prisma.vehicle.createMany({
    data: [-1, 0, 1].map((ms) => ({
      id: newId(),
      organizationId,
      teamId,
      name: `${ms}`,
      created,
      modified: new Date(moment + ms),
    })),
  });
  await prisma.eventLog.createMany({
    data: [-1, 0, 1].map((ms) => ({
      ...{ id: newId(), organizationId, teamId, userId, userName: 'Ada', typeId: 2 },
      description: `${ms}`,
      created: new Date(moment + ms),
    })),
  });
});

const since = async (text: string) => {
  const { vehicles } = await page(gateway, `/v1/vehicles?modifiedSince=${text}`);
  return vehicles.map(({ name }: { name: string }) => name);
};

describe('modifiedSince', () => {
  test.each<[text: string, found: string[]]>([
    ['', ['-1', '0', '1']],
    ['2026-03-01T12:00:00.122Z', ['-1', '0', '1']],
    ['2026-03-01T12:00:00.122001Z', ['0', '1']],
    ['2026-03-01T12:00:00.122999999Z', ['0', '1']],
    ['2026-03-01T12:00:00.123Z', ['0', '1']],
    ['2026-03-01T12:00:00.123000Z', ['0', '1']],
    ['2026-03-01T12:00:00.123001Z', ['1']],
    ['2026-03-01T12:00:00.124Z', ['1']],
    ['2026-03-01T12:00:00.124001Z', []],
    ['2026-03-01T14:00:00.123%2B02:00', ['0', '1']],
    ['2026-03-01T14:00:00.123+02:00', ['0', '1']],
    ['2026-03-01T07:00:00.123-05:00', ['0', '1']],
    ['2026-03-01T12:00Z', ['-1', '0', '1']],
    ['2026-03-01t12:00:01z', []],
    ['2026-02-28T24:00:00Z', ['-1', '0', '1']],
    ['0001-01-01T00:00:00Z', ['-1', '0', '1']],
    ['9999-12-31T23:59:59.999Z', []],
  ])('%s finds %j', async (text, found) => {
    expect((await since(text)).sort()).toEqual(found);
  });

  test.each([
    '2026-03-01',
    '2026-03-01T12:00:00',
    '2026-02-30T12:00:00Z',
    '2026-03-01T25:00:00Z',
    '1772366400',
    'yesterday',
    '9999-12-31T23:59:59.9999Z',
    '9999-12-31T23:59:59-01:00',
    '%00',
  ])('%s is a bad request', async (text) => {
    expectBadRequest(
      await gateway.send('GET', `/v1/vehicles?modifiedSince=${text}`),
      /^modifiedSince: must be a date and time with an offset/,
    );
  });

  test('goes with the other parameters, and is counted', async () => {
    const { total, pages } = await page(
      gateway,
      '/v1/vehicles?modifiedSince=2026-03-01T12:00:00.123Z&paging=1&sort=modified',
    );
    expect([total, pages]).toEqual([2, 2]);
    const found = await page(gateway, '/v1/vehicles?modifiedSince=2026-03-01T12:00:00.123Z&term=1&cursor=');
    expect(found.total).toBe(1);
  });

  test('of unchangeable records is their time of creation', async () => {
    const { eventlogs } = await page(
      gateway,
      '/v1/eventlogs?modifiedSince=2026-03-01T12:00:00.123Z&sort=description',
    );
    expect(eventlogs.map(({ description }: { description: string }) => description)).toEqual(['0', '1']);
  });

  test('is a part of every filter of GraphQL, also below a record and in the summary', async () => {
    const filter = '(filter: {modifiedSince: "2026-03-01T12:00:00.123Z"})';
    const { data } = await gateway.graphql(
      `{ vehicles${filter} { totalCount } team(id: "${gateway.teamId}") { vehicles${filter} { totalCount nodes { name } } }
         expirationSummary${filter} { total } }`,
    );
    expect(data.vehicles.totalCount).toBe(2);
    expect(data.team.vehicles.totalCount).toBe(2);
    expect(data.team.vehicles.nodes).toEqual([{ name: '0' }, { name: '1' }]);
    expect(data.expirationSummary.total).toBe(0);
  });
});
