import { beforeEach, describe, expect, test } from 'vitest';
import { type TestResponse, useGateway } from '../support/gateway.js';
import { create, expectError, expectNotModified, patch } from './support.js';

const gateway = useGateway();
let vehicle: { id: string };
beforeEach(async () => {
  await gateway.database.prisma.vehicle.deleteMany();
  vehicle = await create(gateway, { name: 'Van' });
});

const path = '/v1/vehicles?term=van';
const tagOf = ({ headers }: TestResponse) => headers.get('etag') ?? '';
const ask = (headers: Record<string, string> = {}, method = 'GET', target = path) =>
  gateway.send(method, target, { headers });

test('a list has a weak entity tag, and is revalidated as records are', async () => {
  const list = await ask();
  expect(tagOf(list)).toMatch(/^W\/"[\w-]+"$/);
  const one = await gateway.send('GET', `/v1/vehicles/${vehicle.id}`);
  for (const name of ['cache-control', 'vary']) expect(list.headers.get(name)).toBe(one.headers.get(name));
  expect(tagOf(await ask())).toBe(tagOf(list));
});

test.each<[what: string, change: () => Promise<unknown>]>([
  ['a row is changed', () => patch(gateway, vehicle, [{ op: 'replace', path: '/color', value: 'red' }])],
  ['a row comes in', () => create(gateway, { name: 'Another van' })],
  ['a row goes out', () => patch(gateway, vehicle, [{ op: 'replace', path: '/name', value: 'Bus' }])],
])('it is another when %s', async (_what, change) => {
  const before = tagOf(await ask());
  await change();
  expect(tagOf(await ask())).not.toBe(before);
  expect((await ask({ 'If-None-Match': before })).status).toBe(200);
});

describe('If-None-Match', () => {
  test.each<[what: string, header: (tag: string) => string]>([
    ['the tag', (tag) => tag],
    ['the tag among others', (tag) => `"other", ${tag}`],
    ['the tag without its weakness', (tag) => tag.replace('W/', '')],
    ['*', () => '*'],
  ])('304: %s', async (_what, header) => {
    const list = await ask();
    for (const method of ['GET', 'HEAD']) {
      const same = await ask({ 'If-None-Match': header(tagOf(list)) }, method);
      expectNotModified(same);
      for (const name of ['etag', 'link', 'cache-control'])
        expect(same.headers.get(name)).toBe(list.headers.get(name));
    }
  });

  test('200 for another tag, and for that of another page', async () => {
    expect((await ask({ 'If-None-Match': 'W/"other"' })).status).toBe(200);
    const page = tagOf(await ask({}, 'GET', '/v1/vehicles?page=2'));
    expect((await ask({ 'If-None-Match': page })).status).toBe(200);
  });

  test('others cannot infer from the answer what it is about', async () => {
    const tag = tagOf(await ask());
    expect((await gateway.send('GET', path, { token: null, headers: { 'If-None-Match': tag } })).status).toBe(
      401,
    );
  });
});

describe('If-Match', () => {
  test('200 for *, 412 for any tag, that of the list too', async () => {
    const tag = tagOf(await ask());
    expect((await ask({ 'If-Match': '*' })).status).toBe(200);
    for (const other of [tag, tag.replace('W/', ''), '"other"'])
      expectError(await ask({ 'If-Match': other }), 412, 'PRECONDITION_FAILED');
  });
});

describe('Vary of a 304 is that of the 200', () => {
  const varies = ({ headers }: TestResponse) => headers.get('vary')?.split(', ').sort();
  const grow = () =>
    patch(gateway, vehicle, [
      { op: 'add', path: '/custom_fields/-', value: { name: 'Long', value: 'x'.repeat(1_500) } },
    ]);

  test.each<[what: string, target: () => string, before: () => Promise<unknown>]>([
    ['a small list', () => path, async () => {}],
    ['a list that is compressed', () => path, grow],
    ['a small record', () => `/v1/vehicles/${vehicle.id}`, async () => {}],
    ['a record that is compressed', () => `/v1/vehicles/${vehicle.id}`, grow],
    ['a page', () => '/docs', async () => {}],
  ])('%s', async (_what, target, before) => {
    await before();
    const whole = await ask({}, 'GET', target());
    const same = await ask({ 'If-None-Match': tagOf(whole) }, 'GET', target());
    expect([whole.status, same.status]).toEqual([200, 304]);
    expect(varies(whole)).toContain('Accept-Encoding');
    expect(varies(same)).toEqual(varies(whole));
  });
});
