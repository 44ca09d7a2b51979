import { describe, expect, test } from 'vitest';
import { type TestResponse, useGateway } from '../support/gateway.js';
import { create, expectError, expectNothingWritten, expectNotModified, nowhere, patch } from './support.js';

const gateway = useGateway();

const tagOf = ({ headers }: TestResponse) => headers.get('etag') ?? '';

/** The endpoints that take `If-Match`. */
const writes: [method: string, body: unknown][] = [
  ['PUT', { name: 'Changed' }],
  ['PATCH', [{ op: 'replace', path: '/name', value: 'Changed' }]],
];

async function created() {
  const response = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
  return { id: response.json.id as string, tag: tagOf(response) };
}

describe('ETag', () => {
  test('is strong, the same for the same representation, and another after each change', async () => {
    const { id, tag } = await created();
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    const put = (name: string) => gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name } });
    const [bus, busAgain, van] = [await put('Bus'), await put('Bus'), await put('Van')];
    expect(new Set([tag, tagOf(bus), tagOf(van)]).size).toBe(3);
    expect(tagOf(busAgain)).toBe(tagOf(bus));
  });

  test('stands on a 304 too', async () => {
    const { id, tag } = await created();
    const unchanged = await patch(gateway, { id }, []);
    expectNotModified(unchanged);
    expect(tagOf(unchanged)).toBe(tag);
  });
});

describe.each(writes)('%s with If-Match', (method, body) => {
  const send = (id: string, tag: string) =>
    gateway.send(method, `/v1/vehicles/${id}`, { body, headers: { 'If-Match': tag } });

  test('writes when the tag is the current one', async () => {
    const { id, tag } = await created();
    const response = await send(id, tag);
    expect(response.json).toMatchObject({ id, name: 'Changed' });
    expect(tagOf(response)).not.toBe(tag);
    expect(
      (
        await gateway.send('PUT', `/v1/vehicles/${id}`, {
          body: {},
          headers: { 'If-Match': tagOf(response) },
        })
      ).status,
    ).toBe(200);
  });

  test.each<[what: string, header: (tag: string) => string]>([
    ['*', () => '*'],
    ['a list that names it', (tag) => `"other", ${tag}`],
    ['a list that names it first', (tag) => `${tag},"other"`],
  ])('writes for %s', async (_what, header) => {
    const { id, tag } = await created();
    expect((await send(id, header(tag))).json.name).toBe('Changed');
  });

  test.each<[what: string, header: (tag: string) => string]>([
    ['another tag', () => '"other"'],
    ['a list of others', () => '"other", "another"'],
    ['the same tag, but weak: the comparison is strong', (tag) => `W/${tag}`],
    ['a tag within another', (tag) => `"x${tag.slice(1)}`],
    ['the tag without its quotes', (tag) => tag.slice(1, -1)],
    ['an empty tag', () => '""'],
    ['a star in quotes', () => '"*"'],
  ])('answers 412 for %s, and nothing is written', async (_what, header) => {
    const { id, tag } = await created();
    await expectNothingWritten(gateway, async () => {
      expectError(await send(id, header(tag)), 412, 'PRECONDITION_FAILED', /If-Match/);
    });
  });

  test('answers 412 for the tag of an old version', async () => {
    const { id, tag } = await created();
    await patch(gateway, { id }, [{ op: 'replace', path: '/color', value: 'red' }]);
    await patch(gateway, { id }, [{ op: 'remove', path: '/color' }]);
    await expectNothingWritten(gateway, async () => {
      expectError(await send(id, tag), 412, 'PRECONDITION_FAILED');
    });
  });

  test('answers 404 where there is no vehicle', async () => {
    for (const tag of ['*', '"other"']) expectError(await send(nowhere, tag), 404, 'NOT_FOUND');
  });
});

test('a stale If-Match is 412 even when the patch would change nothing', async () => {
  const { id } = await created();
  const response = await patch(gateway, { id }, [], { headers: { 'If-Match': '"stale"' } });
  expectError(response, 412, 'PRECONDITION_FAILED');
});

test('HEAD is GET without its body', async () => {
  await create(gateway);
  const [head, get] = [await gateway.send('HEAD', '/v1/vehicles'), await gateway.send('GET', '/v1/vehicles')];
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  expect((await gateway.send('HEAD', '/v1/vehicles', { token: null })).status).toBe(401);
  expect((await gateway.send('HEAD', '/v1/vehicles?page=0')).status).toBe(400);
});
