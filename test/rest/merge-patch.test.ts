import { describe, expect, test } from 'vitest';
import { type TestRequest, useGateway } from '../support/gateway.js';
import { create, expectBadRequest, expectError, expectNothingWritten, expectNotModified } from './support.js';

const gateway = useGateway();

const type = 'application/merge-patch+json';

function merge(path: string, body: unknown, { headers, ...request }: TestRequest = {}) {
  return gateway.send('PATCH', path, { body, ...request, headers: { 'Content-Type': type, ...headers } });
}

const vehicles = '/v1/vehicles';
const items = '/v1/expirationitems';

async function makeItem(body: object = {}) {
  const whole = { name: 'Licence', expiration_date: '2027-06-01', category_name: 'Permit', ...body };
  return (await gateway.send('POST', items, { body: whole })).json;
}

describe('a merge patch of a vehicle', () => {
  test('sets, clears, merges and replaces', async () => {
    const vehicle = await create(gateway, {
      ...{ name: 'Van', make: 'Ford', year: 2020, is_archived: true, assigned_to: { id: gateway.userId } },
      custom_fields: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    });
    const custom_fields = [{ name: 'c', value: '3' }];
    const response = await merge(`${vehicles}/${vehicle.id}`, {
      ...{ NAME: 'Bus', make: null, is_archived: null, assigned_to: { name: vehicle.assigned_to.name } },
      ...{ custom_fields, unknown: 1 },
    });
    expect(response.status, response.text).toBe(200);
    expect(response.json).toEqual({
      ...vehicle,
      ...{ name: 'Bus', make: null, is_archived: false, modified: expect.any(String) },
      custom_fields: [{ ...custom_fields[0], id: expect.any(String) }],
    });
    const nobody = await merge(`${vehicles}/${vehicle.id}`, { assigned_to: null });
    expect(nobody.json).toMatchObject({ assigned_to: null, name: 'Bus', year: 2020 });
  });

  test('is recognized only by its media type', async () => {
    const { id } = await create(gateway, { name: 'Van' });
    const body = { name: 'Bus' };
    const types: Record<string, string>[] = [{}, { 'Content-Type': 'application/json-patch+json' }];
    for (const headers of types) {
      expectBadRequest(
        await gateway.send('PATCH', `${vehicles}/${id}`, { body, headers }),
        /list of operations/,
      );
    }
    const written = { headers: { 'Content-Type': 'Application/Merge-Patch+JSON; charset="UTF-8"' } };
    expect((await merge(`${vehicles}/${id}`, body, written)).json.name).toBe('Bus');
    const latin = { headers: { 'Content-Type': `${type}; charset=iso-8859-1` } };
    expectError(await merge(`${vehicles}/${id}`, body, latin), 415, 'UNSUPPORTED_MEDIA_TYPE', /merge-patch/);
    const put = await gateway.send('PUT', `${vehicles}/${id}`, { body, headers: { 'Content-Type': type } });
    expectError(put, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('with the values read changes nothing: 304', async () => {
    const { id } = await create(gateway, { name: 'Van', custom_fields: [{ name: 'a', value: '1' }] });
    const { json, headers } = await gateway.send('GET', `${vehicles}/${id}`);
    const response = await merge(`${vehicles}/${id}`, json);
    expectNotModified(response);
    expect(response.headers.get('etag')).toBe(headers.get('etag'));
  });

  test('is done once under an Idempotency-Key', async () => {
    const { id } = await create(gateway, { name: 'Van' });
    const keyed = { headers: { 'Idempotency-Key': 'merge-once' } };
    const [first, second] = [
      await merge(`${vehicles}/${id}`, { name: 'Bus' }, keyed),
      await merge(`${vehicles}/${id}`, { name: 'Bus' }, keyed),
    ];
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  test.each<[body: object, message: RegExp]>([
    [{ year: 1.5 }, /^year/],
    [{ location_id: '00000000-0000-4000-8000-000000000000' }, /^location_id/],
    [{ assigned_to: { id: 'x' } }, /^assigned_to\.id/],
    [{ custom_fields: [{ value: 'x'.repeat(5_000) }] }, /^custom_fields/],
    [{ custom_fields: { name: 'x' } }, /custom_fields.* must be a list/],
    [{ id: '00000000-0000-4000-8000-000000000000' }, /read-only/],
  ])('%j is 400, and nothing is written', async (body, message) => {
    const { id } = await create(gateway, { name: 'Van' });
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(await merge(`${vehicles}/${id}`, body), message);
    });
  });
});

describe('a patch of an item', () => {
  test('merges the sent values, and keeps contacts, tags and files', async () => {
    const item = await makeItem({
      ...{ contacts: [{ email: 'ada@example.com' }], tags: [{ name: 'yearly' }] },
      attachments: [{ name: 'a.txt', content_type: 'text/plain', content: 'UGFwZXI=' }],
    });
    const { status, json } = await merge(`${items}/${item.id}`, {
      ...{ details: 'Ask first.', expiration_date: '2028-06-01', category_name: 'Licence' },
    });
    expect(status).toBe(200);
    const category = expect.objectContaining({ name: 'Licence' });
    expect(json).toEqual({
      ...item,
      ...{ details: 'Ask first.', expiration_date: '2028-06-01', category, category_name: 'Licence' },
      modified: expect.any(String),
    });
  });

  test('adds and removes files, with or without their bytes in the answer', async () => {
    const { id, attachments } = await makeItem({ attachments: [{ name: 'a.txt', content: 'UGFwZXI=' }] });
    const added = { name: 'b.txt', content: 'aGk=' };
    const both = await gateway.send('PATCH', `${items}/${id}?includeFileContent=false`, {
      body: [{ op: 'add', path: '/attachments/-', value: added }],
    });
    expect(both.json.attachments).toMatchObject([
      { ...attachments[0], content: null },
      { name: 'b.txt', content: null },
    ]);
    const one = await merge(`${items}/${id}`, { attachments: [both.json.attachments[1]] });
    expect(one.json.attachments).toMatchObject([{ name: 'b.txt', content: 'aGk=' }]);
    // A body may be as large as that of a PUT.
    const large = Buffer.alloc(2 * 1024 * 1024).toString('base64');
    const grown = await merge(`${items}/${id}?includeFileContent=false`, {
      attachments: [{ content: large }],
    });
    expect(grown.json.attachments).toMatchObject([{ content_legth: 2 * 1024 * 1024 }]);
  });

  test('with the values read changes nothing, and its status can be tested', async () => {
    const { id, status, status_id } = await makeItem({ expiration_date: '2026-11-01' });
    expect([status, status_id]).toEqual(['expired', 3]);
    const { json } = await gateway.send('GET', `${items}/${id}?includeFileContent=false`);
    expectNotModified(await merge(`${items}/${id}`, json));
    const tested = (value: unknown) => [
      { op: 'test', path: '/status', value },
      { op: 'replace', path: '/details', value: 'Late.' },
    ];
    expectError(await gateway.send('PATCH', `${items}/${id}`, { body: tested('current') }), 409, 'CONFLICT');
    expect((await gateway.send('PATCH', `${items}/${id}`, { body: tested('expired') })).json.details).toBe(
      'Late.',
    );
    expectBadRequest(await merge(`${items}/${id}`, { status: 'current' }), /read-only/);
  });

  test('does not clear the date, nor a document type given by its id', async () => {
    const { id, category } = await makeItem();
    expectBadRequest(await merge(`${items}/${id}`, { expiration_date: null }), /^expiration_date/);
    // It is found by its id first, which a merge keeps.
    const renamed = await merge(`${items}/${id}`, { category: { name: 'Another' } });
    expectBadRequest(renamed, /^category\.name: .* only there \(PATCH \/v1\/categories\/\{id\}\)/);
    const moved = await merge(`${items}/${id}`, { category: { id: null, name: 'Another' } });
    expect(moved.json.category).toMatchObject({ name: 'Another' });
    expect(moved.json.category.id).not.toBe(category.id);
  });
});
