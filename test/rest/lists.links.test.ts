import { beforeAll, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { linksOf, page, walk } from './lists.support.js';
import { create } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  for (const name of ['Van 1', 'Van 2', 'Van 3', 'Van 4', 'Van 5']) await create(gateway, { name });
});

/** Returns the links of a list, as they were sent. */
const sent = async (query: string) =>
  (await page(gateway, `/v1/vehicles${query}`)).response.headers.get('link');

test.each([
  ['?paging=2', { next: 2, first: 1, last: 3 }],
  ['?paging=2&page=2', { next: 3, prev: 1, first: 1, last: 3 }],
  ['?paging=2&page=3', { prev: 2, first: 1, last: 3 }],
  ['?paging=2&page=9', { prev: 3, first: 1, last: 3 }],
  ['?paging=5', { first: 1, last: 1 }],
  ['?term=nothing', { first: 1, last: 1 }],
])('%s leads to %o', async (query, pages) => {
  const { links } = await page(gateway, `/v1/vehicles${query}`);
  const kept = query.replace(/&page=\d+/, '');
  const expected = Object.entries(pages).map(([relation, to]) => [
    relation,
    `/v1/vehicles${kept}&page=${to}`,
  ]);
  expect(links).toEqual(Object.fromEntries(expected));
});

test('without other parameters there is only the page', async () => {
  expect(await sent('')).toBe('</v1/vehicles?page=1>; rel="first", </v1/vehicles?page=1>; rel="last"');
});

test('every other parameter is kept as it means, also one that the list does not know', async () => {
  const query = '?TERM=van+%26%3E%22&Page=1&unknown=%C3%BC%2F&paging=2&empty=';
  const { links } = await page(gateway, `/v1/vehicles${query}`);
  const { searchParams } = new URL(links.last ?? '', gateway.url);
  expect(Object.fromEntries(searchParams)).toEqual({
    TERM: 'van &>"',
    unknown: 'ü/',
    paging: '2',
    empty: '',
    page: '1',
  });
});

test('the path is written as the contract has it', async () => {
  const { links } = await page(gateway, '/V1/Vehicles/?paging=2');
  expect(links.next).toBe('/v1/vehicles?paging=2&page=2');
});

test('following `next` meets each row once', async () => {
  const pages = await walk(gateway, '/v1/vehicles?paging=2');
  expect(pages.flat()).toEqual((await page(gateway, '/v1/vehicles')).ids);
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
});

test('a header that a proxy may find too long has only `next`', async () => {
  const long = 'x'.repeat(1_500);
  const { links } = await page(gateway, `/v1/vehicles?paging=2&page=2&unknown=${long}`);
  expect(links).toEqual({ next: `/v1/vehicles?paging=2&unknown=${long}&page=3` });
});

test('HEAD has them, a refusal has none', async () => {
  const head = await gateway.send('HEAD', '/v1/vehicles?paging=2');
  expect(head.headers.get('link')).toBe(await sent('?paging=2'));
  const cursors = await gateway.send('HEAD', '/v1/vehicles?paging=2&cursor=');
  expect(Object.keys(linksOf(cursors, gateway.url))).toEqual(['next', 'first']);
  expect((await gateway.send('GET', '/v1/vehicles?page=0')).headers.get('link')).toBeNull();
});
