import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type TestRequest, useGateway } from '../support/gateway.js';
import { createItem } from './items.support.js';
import { expectBadRequest, expectError, nowhere } from './support.js';

const gateway = useGateway();

interface Item {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

const get = (query: string, request: TestRequest = {}) =>
  gateway.send('GET', `/v1/expirationitems${query}`, request);

async function namesOf(query: string): Promise<string[]> {
  const { json, text, status } = await get(query);
  expect(status, text).toBe(200);
  return json.expiration_items.map(({ name }: Item) => name);
}

/** Walks through the pages as clients of the original do. */
async function walk(path: string): Promise<Item[]> {
  const found: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { json } = await get(`${path}&page=${page}`);
    found.push(...json.expiration_items);
    pages = json.pages;
  }
  return found;
}

/** Creates a workspace in a time zone. */
async function makeTeam(name: string, timezone: string): Promise<string> {
  const mutation = 'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { id } }';
  const { data } = await gateway.graphql(mutation, { input: { name, timezone } });
  return data.createTeam.id;
}

describe('status', () => {
  /** An item of each status, by the day of the clock, 2026-11-20. */
  const items: Record<string, object> = {
    current: { expirationDate: '2027-11-20' },
    expired: { expirationDate: '2026-11-19' },
    notifying: { expirationDate: '2026-11-21' },
    archived: { expirationDate: '2027-11-20', isActive: false },
    nodate: {},
    missing: { expirationDate: '2027-11-20', isMissing: true },
  };

  beforeAll(async () => {
    for (const [status, input] of Object.entries(items)) {
      const { id } = await createItem(gateway, { name: `status ${status}`, ...input });
      // Only a scan files an item without a date.
      if (status === 'nodate')
        await gateway.database.prisma.expirationItem.update({
          where: { id },
          data: { expirationDate: null },
        });
    }
  });

  test.each(Object.keys(items))('%s, in any letter case', async (status) => {
    const mixed = `${status[0]?.toUpperCase()}${status.slice(1, -1)}${status.at(-1)?.toUpperCase()}`;
    for (const word of [status, status.toUpperCase(), mixed]) {
      const { json } = await get(`?term=status&status=${word}`);
      expect(json.expiration_items).toMatchObject([{ name: `status ${status}`, status }]);
      expect(json.total).toBe(1);
    }
  });

  test('without it, and empty, all six', async () => {
    expect(await namesOf('?term=status')).toHaveLength(6);
    expect(await namesOf('?term=status&status=')).toHaveLength(6);
  });

  test.each(['gone', 'current,expired', '1', 'toString'])('400: %s', async (word) => {
    expectBadRequest(await get(`?status=${word}`), /^status: must be one of current, /);
  });
});

describe('expiresWithinDays', () => {
  let before: Date;
  beforeAll(async () => {
    before = gateway.clock.now;
    // 22 November in Auckland (UTC+13), 21 in Honolulu (UTC-10).
    gateway.clock.now = new Date('2026-11-21T12:00:00Z');
    const zones = { Auckland: 'Pacific/Auckland', Honolulu: 'Pacific/Honolulu' };
    for (const [name, timezone] of Object.entries(zones)) {
      const teamId = await makeTeam(name, timezone);
      for (const day of [20, 21, 22, 23, 24]) {
        const item = { name: `${name} ${day}`, expirationDate: `2026-11-${day}`, teamId };
        await createItem(gateway, item);
      }
    }
  });
  afterAll(() => {
    gateway.clock.now = before;
  });

  const within = (days: number, team: string) => namesOf(`?expiresWithinDays=${days}&term=${team}`);

  test('counts from the day of each workspace, both ends included', async () => {
    expect(await within(1, 'Auckland')).toEqual(['Auckland 22', 'Auckland 23']);
    expect(await within(1, 'Honolulu')).toEqual(['Honolulu 21', 'Honolulu 22']);
    expect(await within(2, 'Auckland')).toEqual(['Auckland 22', 'Auckland 23', 'Auckland 24']);
    expect(await within(2, 'Honolulu')).toEqual(['Honolulu 21', 'Honolulu 22', 'Honolulu 23']);
  });

  test('moves on with midnight in the workspace, and not elsewhere', async () => {
    gateway.clock.now = new Date('2026-11-22T10:59:00Z');
    expect(await within(1, 'Auckland')).toEqual(['Auckland 22', 'Auckland 23']);
    expect(await within(1, 'Honolulu')).toEqual(['Honolulu 22', 'Honolulu 23']);
    gateway.clock.now = new Date('2026-11-22T11:00:00Z');
    expect(await within(1, 'Auckland')).toEqual(['Auckland 23', 'Auckland 24']);
    expect(await within(1, 'Honolulu')).toEqual(['Honolulu 22', 'Honolulu 23']);
    gateway.clock.now = new Date('2026-11-21T12:00:00Z');
  });

  test('-1, 0 and none narrow nothing', async () => {
    for (const days of [-1, 0]) expect(await within(days, 'Auckland')).toHaveLength(5);
  });
});

describe('GET /v1/expirationitems/contact/{id}', () => {
  const contactOf = async (email: string) =>
    (await gateway.send('POST', '/v1/contacts', { body: { email } })).json.id as string;

  test('200: the items that it is the main contact of, or one of several, each once', async () => {
    const [id, other] = [await contactOf('main@example.com'), await contactOf('other@example.com')];
    const item = (name: string, day: number, input: object) =>
      createItem(gateway, { name, expirationDate: `2027-03-0${day}`, ...input });
    await item('both', 3, { contactId: id, contacts: [{ id }, { id: other }] });
    await item('main', 1, { contactId: id });
    await item('several', 2, { contacts: [{ id: other }, { id }] });
    await item('none', 4, { contacts: [{ id: other }] });
    expect(await namesOf(`/contact/${id}`)).toEqual(['main', 'several', 'both']);
    expect(await namesOf(`/contact/${id.toUpperCase()}`)).toEqual(['main', 'several', 'both']);
    expect(await namesOf(`/contact/${id}?sort=name&sortDirection=desc`)).toEqual(['several', 'main', 'both']);
    // What is not its parameter cannot lead to another contact's.
    expect(await namesOf(`/contact/${id}?contact_id=${other}`)).toHaveLength(3);
    expect(await namesOf(`/contact/${id}?term=none`)).toEqual([]);
    const { json } = await get(`/contact/${id}?paging=2&page=2`);
    expect(json).toMatchObject({ expiration_items: [{ name: 'both' }], pages: 2, page: 2, total: 3 });
  });

  test('200: empty for a contact without any, and past the end', async () => {
    const id = await contactOf('nobody@example.com');
    const empty = { expiration_items: [], pages: 0, page: 1, total: 0 };
    expect((await get(`/contact/${id}`)).json).toEqual(empty);
    expect((await get(`/contact/${id}?page=7`)).json).toEqual({ ...empty, page: 7 });
  });

  test('400, 401, 403, 404, 405 and 412', async () => {
    const id = await contactOf('statuses@example.com');
    const path = `/contact/${id}`;
    for (const query of ['page=0', 'paging=501', 'sort=contacts', 'sortDirection=up']) {
      expectBadRequest(await get(`${path}?${query}`));
    }
    expectError(await get(path, { token: null }), 401, 'UNAUTHORIZED');
    expectError(await get(path, { token: gateway.uploader }), 403, 'FORBIDDEN');
    const stranger = await createTenant(gateway.database, 'Globex');
    expectError(await get(path, { token: stranger.admin }), 404, 'NOT_FOUND');
    const nil = '00000000-0000-0000-0000-000000000000';
    for (const unknown of [nowhere, 'no-uuid', nil, '%zz']) {
      expectError(await get(`/contact/${unknown}`), 404, 'NOT_FOUND');
    }
    const deleted = await gateway.send('DELETE', `/v1/expirationitems${path}`);
    expectError(deleted, 405, 'METHOD_NOT_ALLOWED');
    expectError(await get(path, { headers: { 'If-Match': '"1"' } }), 412, 'PRECONDITION_FAILED');
  });
});

test('a walk while page < pages meets every item once, whatever the order', async () => {
  const contact = (await gateway.send('POST', '/v1/contacts', { body: { email: 'walk@example.com' } })).json;
  const names = Array.from({ length: 57 }, (_, i) => `walk ${i}`);
  for (const [i, name] of names.entries()) {
    // Many of the same date, so that ties are met.
    await createItem(gateway, {
      name,
      expirationDate: `2027-05-0${(i % 3) + 1}`,
      contacts: [{ id: contact.id }],
    });
  }
  for (const path of ['?term=walk', `/contact/${contact.id}?`]) {
    for (const order of ['', '&sort=name', '&sort=modified&sortDirection=desc']) {
      const found = await walk(`${path}&paging=10${order}`);
      expect(found.map(({ name }) => name).sort()).toEqual([...names].sort());
      expect(new Set(found.map(({ id }) => id)).size).toBe(names.length);
    }
  }
});
