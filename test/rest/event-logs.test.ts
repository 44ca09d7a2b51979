import { beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { type Tenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { create, expectBadRequest, expectNotModified } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  await gateway.database.prisma.eventLog.deleteMany();
  await insert(
    gateway,
    Object.values(eventTypes).map((typeId) => ({ typeId, description: `Of type ${typeId}` })),
  );
});

const start = Date.parse('2026-01-01T00:00:00.000Z');
let inserted = 0;

/** Puts events into the log, each a second after the one before it. */
async function insert({ organizationId, teamId, userId }: Tenant, events: readonly object[]) {
  const { prisma } = gateway.database;
  const data = events.map((event) => {
    inserted += 1;
    const base = { id: newId(), organizationId, teamId, userId, userName: 'Ada Admin', typeId: 2 };
    return { ...base, description: 'Changed', created: new Date(start + inserted * 1_000), ...event };
  });
  await prisma.eventLog.createMany({ data });
  await prisma.eventLogEntity.createMany({
    data: data.map(({ id }) => ({ eventId: id, entityId: newId(), typeId: 3, position: 0 })),
  });
  return data.map(({ id }) => id);
}

async function list(query = '', token?: string) {
  const response = await gateway.send('GET', `/v1/eventlogs${query}`, token === undefined ? {} : { token });
  expect(response.status, response.text).toBe(200);
  return response.json;
}

const typesOf = (page: { eventlogs: { type_id: number }[] }) => page.eventlogs.map(({ type_id }) => type_id);
const ascending = Object.values(eventTypes);

describe('GET /v1/eventlogs/{id}', () => {
  test('200: exactly the members of the model', async () => {
    const vehicle = await create(gateway, { name: 'Van', year: 2024 });
    const { id } = (await list('?term=%22Van%22')).eventlogs[0];
    const response = await gateway.send('GET', `/v1/eventlogs/${id}`);
    expect(response.status, response.text).toBe(200);
    expect(response.json).toStrictEqual({
      id,
      description: 'Vehicle "Van" was created',
      details: JSON.stringify({
        name: { before: null, after: 'Van' },
        year: { before: null, after: 2024 },
      }),
      created: '2026-11-20T09:30:00.000Z',
      type_id: 1,
      user: { id: gateway.userId, name: 'Ada Admin', email: 'ada@example.com', team_id: gateway.teamId },
      related_entities: [{ id: vehicle.id, type_id: 3 }],
    });
    const etag = response.headers.get('etag') ?? '';
    const headers = { 'If-None-Match': etag };
    expectNotModified(await gateway.send('GET', `/v1/eventlogs/${id}`, { headers }));
    const head = await gateway.send('HEAD', `/v1/eventlogs/${id}`);
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, etag, '']);
    await gateway.database.prisma.eventLog.delete({ where: { id } });
  });

  test('without a deleted user', async () => {
    const { organizationId, teamId, database } = gateway;
    const { prisma } = database;
    const userId = newId();
    const user = { id: userId, organizationId, teamId, name: 'Gone', email: 'gone@example.com' };
    await prisma.user.create({ data: user });
    const [id = ''] = await insert(gateway, [{ userId, userName: 'Gone' }]);
    await prisma.user.delete({ where: { id: userId } });
    expect((await gateway.send('GET', `/v1/eventlogs/${id}`)).json.user).toBeNull();
    expect((await list('?term=gone')).total).toBe(1);
    await prisma.eventLog.delete({ where: { id } });
  });
});

describe('GET /v1/eventlogs', () => {
  test.each([
    '',
    '?sortDirection=desc',
    '?sortDirection=asc',
    '?sort=&sortDirection=',
    '?term=&type=&page=-1&sort=&sortDirection=asc',
    '?sort=created&sortDirection=desc',
  ])('the newest first: %s', async (query) => {
    expect(typesOf(await list(query))).toEqual(ascending.toReversed());
  });

  test.each(['?sort=created', '?sort=created&sortDirection=asc'])('the oldest first: %s', async (query) => {
    expect(typesOf(await list(query))).toEqual(ascending);
  });

  test.each(['id', 'created', 'type_id', 'description', 'details'])('sorts by %s', async (member) => {
    const values = (page: { eventlogs: Record<string, unknown>[] }) =>
      page.eventlogs.map((log) => log[member]);
    const up = values(await list(`?sort=${member}`));
    expect(values(await list(`?sort=${member.toUpperCase()}&sortDirection=DESC`))).toEqual(up.toReversed());
    expect(up).toHaveLength(ascending.length);
  });

  test('pages do not overlap', async () => {
    const pagesOfFive = Math.ceil(ascending.length / 5);
    const numbers = Array.from({ length: pagesOfFive + 1 }, (_, page) => page + 1);
    const pages = await Promise.all(numbers.map((page) => list(`?paging=5&page=${page}`)));
    expect(pages.map(({ pages, page, total }) => [pages, page, total])).toEqual(
      numbers.map((page) => [pagesOfFive, page, ascending.length]),
    );
    expect(pages.flatMap(typesOf)).toEqual(ascending.toReversed());
  });

  test.each(Object.entries(eventTypes))('type: %s is number %i', async (name, typeId) => {
    for (const type of [name, name.toUpperCase(), String(typeId), ` ${name} `]) {
      expect(typesOf(await list(`?${new URLSearchParams({ type })}`))).toEqual([typeId]);
    }
  });

  test('term: part of the description, the details or the user’s name, in any letter case', async () => {
    const events = [
      { details: '{"vin":"100%_\\\\"}' },
      { userName: 'Zoë Łukasz' },
      { description: 'Needle' },
    ];
    const added = await insert(gateway, events);
    for (const [index, terms] of [['VIN', '%_\\'], ['łUKASZ', 'zoë'], ['needle']].entries()) {
      for (const term of terms) {
        const { eventlogs } = await list(`?${new URLSearchParams({ term })}`);
        expect(eventlogs.map(({ id }: { id: string }) => id)).toEqual([added[index]]);
      }
    }
    expect((await list('?term=needle&type=created')).total).toBe(0);
    await gateway.database.prisma.eventLog.deleteMany({ where: { id: { in: added } } });
  });

  test.each([
    ['type=99', /^type: /],
    ['type=0', /^type: /],
    ['type=1.0', /^type: /],
    ['type=unknown', /^type: .*scan received/],
    ['type=created&type=updated', /^type: .*once/],
    ['page=0', /^page: /],
    ['page=-2', /^page: /],
    ['page=x', /^page: /],
    ['paging=501', /^paging: /],
    ['sort=user', /^sort: /],
    ['sort=related_entities', /^sort: /],
    ['sortDirection=up', /^sortDirection: /],
    [`term=${'x'.repeat(256)}`, /^term: .*255/],
  ])('400 for %s', async (query, message) => {
    expectBadRequest(await gateway.send('GET', `/v1/eventlogs?${query}`), message);
  });

  test('a page of 100 takes as many statements as one of 5', async () => {
    const expected = ['event_log_entities.find', 'event_logs.count', 'event_logs.list + users'];
    const names = async (query: string) => (await namesOf(gateway, () => list(query))).sort();
    expect(await names('?paging=5')).toEqual(expected);
    await insert(gateway, Array(120).fill({}));
    expect(await names('?paging=100')).toEqual(expected);
    const searched = ['event_log_entities.find', 'event_logs.search + users'];
    expect(await names('?term=changed&type=updated&page=2')).toEqual(searched);
  });
});
