import { describe, expect, test } from 'vitest';
import { ask } from '../graphql/support.js';
import { useGateway } from '../support/gateway.js';
import { eventsOf, expectBadRequest, nowhere } from './support.js';

const gateway = useGateway();

let made = 0;
async function create(input: object = {}, token?: string): Promise<{ id: string }> {
  made += 1;
  const query = 'mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }';
  return (await ask(gateway, query, { input: { name: `Type ${made}`, ...input } }, token)).createCategory;
}

const put = (id: string, body: unknown, request = {}) =>
  gateway.send('PUT', `/v1/categories/${id}`, { body, ...request });
const stored = (id: string) => gateway.database.prisma.category.findUniqueOrThrow({ where: { id } });

describe('PUT /v1/categories/{id}', () => {
  test('a field left out is kept, null clears, a sent list replaces the old one', async () => {
    const customFields = [{ name: 'a' }, { name: 'b' }];
    const { id } = await create({ isActive: false, customFields });
    expect((await put(id, { name: 'Kept' })).json).toMatchObject({
      is_active: false,
      custom_fields: customFields,
    });
    const replaced = await put(id, { name: 'Kept', custom_fields: [{ name: 'c' }] });
    expect(replaced.json.custom_fields).toMatchObject([{ name: 'c' }]);
    const cleared = await put(id, { name: 'Kept', custom_fields: null, is_active: null });
    expect(cleared.json).toMatchObject({ custom_fields: [], is_active: true });
  });

  test.each([
    [{ name: '' }, /^name: must not be empty/],
    [{ name: ' \t' }, /^name: must not be empty/],
    [{ name: 'x', custom_fields: Array(101).fill({}) }, /^custom_fields: .*100/],
    [
      { name: 'x', custom_fields: [{ internal_name: 'x'.repeat(256) }] },
      /^custom_fields\[0\]\.internal_name: /,
    ],
    [{ name: 'x', custom_fields: [{ id: 'no' }] }, /^custom_fields\[0\]\.id: must be a UUID/],
  ])('400 for %j', async (body, message) => {
    const { id } = await create();
    const before = await stored(id);
    expectBadRequest(await put(id, body), message);
    expect(await stored(id)).toEqual(before);
  });

  test('an event tells what changed, in the contract’s names', async () => {
    const { id } = await create({ name: 'Told' });
    await put(id, { name: 'Told again', custom_fields: [{ id: nowhere, internal_name: 'x' }] });
    await put(id, { name: 'Told again', is_active: false });
    const events = await eventsOf(gateway, { id });
    expect(events.map(({ typeId, description }) => [typeId, description])).toEqual([
      [1, 'Document type "Told" was created'],
      [2, 'Document type "Told again" was updated: name, custom_fields'],
      [5, 'Document type "Told again" was archived: is_active'],
    ]);
    expect(JSON.parse(events[1]?.details ?? '')).toEqual({
      name: { before: 'Told', after: 'Told again' },
      custom_fields: { before: [], after: [{ id: nowhere, name: null, internal_name: 'x' }] },
    });
  });
});
