import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { create, expectBadRequest } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  for (const vehicle of vehicles) await create(gateway, vehicle);
});

const vehicles = [
  { name: 'Alpha truck', vin: 'VIN-0001', make: 'Ford', model: 'F-150' },
  { name: 'beta Truck', license_plate: '100%_OK', make: 'Škoda' },
  { name: 'gamma van', vin: 'vin\\0002', model: 'Éclair', color: 'hidden', trim: 'hidden' },
  { name: null, license_plate: 'PLATE 4', make: 'a_c' },
  { name: 'Épsilon bus', make: 'abc', custom_fields: [{ name: 'hidden', value: 'hidden' }] },
];

async function list(query: string) {
  const response = await gateway.send('GET', `/v1/vehicles${query}`);
  expect(response.status, response.text).toBe(200);
  return response.json;
}

async function names(query: string): Promise<(string | null)[]> {
  return (await list(query)).vehicles.map(({ name }: { name: string | null }) => name);
}

test('an empty match is an empty list of no pages', async () => {
  expect(await list('?term=nothing+is+called+this')).toStrictEqual({
    vehicles: [],
    pages: 0,
    page: 1,
    total: 0,
  });
});

describe('term: part of name, vin, license_plate, make or model, in any letter case', () => {
  test.each<[term: string, found: (string | null)[]]>([
    ['', ['Alpha truck', 'beta Truck', 'gamma van', 'Épsilon bus', null]],
    ['TRUCK', ['Alpha truck', 'beta Truck']],
    ['vin-0001', ['Alpha truck']],
    ['plate 4', [null]],
    ['fOrD', ['Alpha truck']],
    ['f-1', ['Alpha truck']],
    ['école', []],
    ['éclair', ['gamma van']],
    ['ÉPSILON', ['Épsilon bus']],
    ['šKODA', ['beta Truck']],
    ['hidden', []],
    ['%', ['beta Truck']],
    ['_', ['beta Truck', null]],
    ['a_c', [null]],
    ['\\', ['gamma van']],
    ['0%_o', ['beta Truck']],
    ["'", []],
    ['truck beta', []],
  ])('%j finds %j', async (term, found) => {
    const response = await list(`?${new URLSearchParams({ term })}`);
    const sorted = (list: unknown[]) => list.map(String).sort();
    expect(sorted(response.vehicles.map(({ name }: { name: unknown }) => name))).toEqual(sorted(found));
    expect(response.total).toBe(found.length);
  });

  test('is a bad request with NUL or beyond 255 characters', async () => {
    expectBadRequest(await gateway.send('GET', '/v1/vehicles?term=a%00b'), /^term\b/);
    expectBadRequest(await gateway.send('GET', `/v1/vehicles?term=${'x'.repeat(256)}`), /^term\b.*255/);
    expect((await list(`?term=${'x'.repeat(255)}`)).total).toBe(0);
  });
});

describe('page', () => {
  const size = 'paging=2';
  test.each<[query: string, page: number, rows: number]>([
    ['', 1, 2],
    ['page=', 1, 2],
    ['page=-1', 1, 2],
    ['page=1', 1, 2],
    ['page=2', 2, 2],
    ['page=3', 3, 1],
    ['page=4', 4, 0],
    ['page=2147483647', 2_147_483_647, 0],
  ])('?%s serves page %i with %i rows', async (query, page, rows) => {
    const response = await list(`?${size}&${query}`);
    expect(response).toMatchObject({ page, pages: 3, total: 5 });
    expect(response.vehicles).toHaveLength(rows);
  });

  test.each([
    '0',
    '-2',
    '1.5',
    '1.0',
    'abc',
    '1e3',
    '0x1',
    'NaN',
    '2147483648',
    '-2147483649',
    '99999999999',
    '%001',
  ])('?page=%s is a bad request', async (page) => {
    expectBadRequest(await gateway.send('GET', `/v1/vehicles?page=${page}`), /^page\b/);
  });
});

describe('paging', () => {
  test.each<[paging: string, rows: number, pages: number]>([
    ['1', 1, 5],
    ['4', 4, 2],
    ['5', 5, 1],
    ['500', 5, 1],
    ['', 5, 1],
  ])('?paging=%s puts %i rows on a page: %i pages', async (paging, rows, pages) => {
    const response = await list(`?paging=${paging}`);
    expect(response).toMatchObject({ page: 1, pages, total: 5 });
    expect(response.vehicles).toHaveLength(rows);
  });

  test.each(['0', '-1', '501', '1.5', 'all', '99999999999'])(
    '?paging=%s is a bad request',
    async (paging) => {
      expectBadRequest(await gateway.send('GET', `/v1/vehicles?paging=${paging}`), /^paging\b/);
    },
  );
});

describe('sort and sortDirection', () => {
  test('the default is by name, upwards', async () => {
    const byName = await names('?sort=name&sortDirection=asc');
    expect(await names('')).toEqual(byName);
    expect(await names('?sort=&sortDirection=')).toEqual(byName);
    expect(await names('?sort=name')).toEqual(byName);
  });

  test('sortDirection alone turns the default order', async () => {
    expect(await names('?sortDirection=desc')).toEqual(await names('?sort=name&sortDirection=desc'));
    expect(await names('?sortDirection=desc')).toEqual((await names('')).reverse());
  });

  test.each(['ASC', 'Asc', 'asc'])('sortDirection=%s is upwards', async (direction) => {
    expect(await names(`?sort=make&sortDirection=${direction}`)).toEqual(await names('?sort=make'));
  });

  test.each(['DESC', 'dEsC'])('sortDirection=%s is downwards', async (direction) => {
    const downwards = await names('?sort=name&sortDirection=desc');
    expect(await names(`?sort=name&sortDirection=${direction}`)).toEqual(downwards);
  });

  test.each(['ascending', 'up', '1', '%00'])('sortDirection=%s is a bad request', async (direction) => {
    const response = await gateway.send('GET', `/v1/vehicles?sortDirection=${direction}`);
    expectBadRequest(response, /^sortDirection\b/);
  });

  test.each([
    'assigned_to',
    'custom_fields',
    'licensePlate',
    'created',
    'organization_id',
    'nothing',
    'name,make',
  ])('sort=%s is a bad request: no scalar member of the model', async (sort) => {
    expectBadRequest(await gateway.send('GET', `/v1/vehicles?sort=${sort}`), /^sort\b/);
  });
});

test('unknown parameters are ignored', async () => {
  expect(await list('?nothing=1&filter=x&include=%00&vin=none')).toEqual(await list(''));
});
