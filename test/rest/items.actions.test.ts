import { describe, expect, test } from 'vitest';
import { createTenant, type TestRequest, useGateway } from '../support/gateway.js';
import { createItem, expectNothingStored, readItem } from './items.support.js';
import { eventsOf, expectBadRequest, expectError, nowhere } from './support.js';

const gateway = useGateway();

type Action = 'renew' | 'attachment' | 'contacts';

const post = (action: Action, id: string, body: unknown, request: TestRequest = {}) =>
  gateway.send('POST', `/v1/expirationitems/${id}/${action}`, { body, ...request });

/** A body with which each succeeds. */
const bodies: Record<Action, () => unknown> = {
  renew: () => ({ expiration_date: '2028-06-01', details: 'Paid' }),
  attachment: () => ({ name: 'scan.txt', content_type: 'text/plain', content: 'UGFwZXI=' }),
  contacts: () => ({ contacts: [{ email: 'grace@example.com' }] }),
};

const actions = Object.keys(bodies) as Action[];

describe.each(actions)('POST /v1/expirationitems/{id}/%s', (action) => {
  const body = bodies[action]();
  const stranger = async () => (await createTenant(gateway.database, `Globex ${action}`)).admin;

  test('200 with the item and its new entity tag', async () => {
    const { id } = await createItem(gateway);
    const { status, json, headers } = await post(action, id, body);
    expect([status, json.id, headers.get('location')]).toEqual([200, id, null]);
    const read = await gateway.send('GET', `/v1/expirationitems/${id}`);
    expect([json, headers.get('etag')]).toEqual([read.json, read.headers.get('etag')]);
    const sparse = await gateway.send('GET', `/v1/expirationitems/${id}?includeFileContent=false`);
    const again = await post(action, (await createItem(gateway)).id, body);
    expect(Object.keys(again.json)).toEqual(Object.keys(sparse.json));
  });

  test('412 for another version, 200 for the expected one', async () => {
    const { id } = await createItem(gateway);
    const etag = (await gateway.send('GET', `/v1/expirationitems/${id}`)).headers.get('etag') ?? '';
    const stale = await post(action, id, body, { headers: { 'If-Match': '"stale"' } });
    expectError(stale, 412, 'PRECONDITION_FAILED');
    expect((await post(action, id, body, { headers: { 'If-Match': etag } })).status).toBe(200);
  });

  test('a retry with the same Idempotency-Key is done once', async () => {
    const { id } = await createItem(gateway);
    const headers = { 'Idempotency-Key': `${action}-once` };
    const [first, second] = [
      await post(action, id, body, { headers }),
      await post(action, id, body, { headers }),
    ];
    expect([second.status, second.json]).toEqual([200, first.json]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await eventsOf(gateway, { id })).length).toBe(2);
    expectError(await post(action, id, { other: 1 }, { headers }), 422, 'UNPROCESSABLE');
  });

  test('400, 401, 403, 404, 413 and 415 change nothing', async () => {
    const { id } = await createItem(gateway);
    const hidden = await createItem(gateway, { teamId: gateway.otherTeamId });
    const foreign = await stranger();
    await expectNothingStored(gateway, async () => {
      for (const wrong of [{}, 5, null, { [action]: 5 }]) expectBadRequest(await post(action, id, wrong));
      expectError(await post(action, id, body, { token: null }), 401, 'UNAUTHORIZED');
      expectError(await post(action, id, body, { token: gateway.viewer }), 403, 'FORBIDDEN');
      for (const unknown of [nowhere, 'no-uuid']) {
        expectError(await post(action, unknown, body), 404, 'NOT_FOUND');
      }
      expectError(await post(action, hidden.id, body, { token: gateway.member }), 404, 'NOT_FOUND');
      expectError(await post(action, id, body, { token: foreign }), 404, 'NOT_FOUND');
      const large = { ...(body as object), name: 'x'.repeat(16 * 1024 * 1024) };
      expectError(await post(action, id, large), 413, 'PAYLOAD_TOO_LARGE');
      const text = { headers: { 'Content-Type': 'text/plain' } };
      expectError(await post(action, id, body, text), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  });
});

test('POST renews as PUT does', async () => {
  const { id } = await createItem(gateway);
  expect((await post('renew', id, { expiration_date: '2028-06-01' })).json.expiration_date).toBe(
    '2028-06-01',
  );
  expectBadRequest(await post('renew', id, { expiration_date: '2028-06-01' }), /must be later/);
  expect((await readItem(gateway, { id })).renewals).toHaveLength(1);
});

describe('a file', () => {
  const file = { name: 'b.txt', content_type: 'text/plain', content: 'Yg==' };

  test.each<[string, unknown]>([
    ['by itself', file],
    ['as `attachment`', { attachment: file }],
    ['as `Attachment`, with an id that does not count', { Attachment: { ...file, id: nowhere } }],
  ])('is added after those that are there, sent %s', async (_, body) => {
    const { id } = await createItem(gateway, { attachments: [{ name: 'a.txt', content: 'YQ==' }] });
    const { json } = await post('attachment', id, body);
    expect(json.attachments).toMatchObject([{ name: 'a.txt', content: 'YQ==' }, file]);
    expect(json.attachments[1].id).not.toBe(nowhere);
  });

  test('may be larger than other bodies, and is left out of the answer on request', async () => {
    const { id } = await createItem(gateway);
    const content = Buffer.alloc(2 * 1024 * 1024, 7).toString('base64');
    const path = `/v1/expirationitems/${id}/attachment?includeFileContent=false`;
    const { status, json } = await gateway.send('POST', path, { body: { content } });
    expect(status).toBe(200);
    expect(json.attachments).toMatchObject([{ content: null, content_legth: 2 * 1024 * 1024 }]);
  });

  test.each<[string, unknown, RegExp]>([
    ['without content', { name: 'a.txt' }, /^content: /],
    ['whose content is no base64', { content: '%' }, /^content: must be base64/],
    ['with a long name', { content: '', name: 'x'.repeat(256) }, /^name: /],
  ])('400: %s', async (_, body, message) => {
    const { id } = await createItem(gateway);
    expectBadRequest(await post('attachment', id, body), message);
  });

  test('400: the 101st of an item', async () => {
    const attachments = Array(100).fill({ content: 'eA==' });
    const { id } = await createItem(gateway, { attachments });
    expectBadRequest(await post('attachment', id, file), /^attachments: must have at most 100/);
  });
});

describe('contacts', () => {
  test.each<[string, (contacts: object[]) => unknown]>([
    ['in `contacts`', (contacts) => ({ contacts, name: 'does not count' })],
    ['by themselves', (contacts) => contacts],
  ])('replace those that are there, sent %s', async (_, wrap) => {
    const item = await createItem(gateway, { contacts: [{ email: 'old@example.com' }] });
    const kept = item.contacts[0];
    const { json } = await post('contacts', item.id, wrap([{ email: 'new@example.com' }, { id: kept.id }]));
    expect(json.contacts.map(({ email }: { email: string }) => email)).toEqual([
      'new@example.com',
      'old@example.com',
    ]);
    expect(json.name).toBe('Licence');
    expect((await post('contacts', item.id, wrap([]))).json.contacts).toEqual([]);
  });

  test('400: an unknown one, an empty one, too many', async () => {
    const { id } = await createItem(gateway);
    await expectNothingStored(gateway, async () => {
      expectBadRequest(
        await post('contacts', id, [{ id: nowhere }]),
        /^contacts\[0\]\.id: |^contacts\.0\.id: /,
      );
      expectBadRequest(await post('contacts', id, [{}]), /^contacts\b/);
      expectBadRequest(
        await post('contacts', id, Array(101).fill({ email: 'a@example.com' })),
        /^contacts: /,
      );
    });
  });

  test('the nil UUID is no id', async () => {
    const { id } = await createItem(gateway);
    const nil = { id: '00000000-0000-0000-0000-000000000000', email: 'nil@example.com' };
    expect((await post('contacts', id, [nil])).json.contacts).toMatchObject([{ email: 'nil@example.com' }]);
  });
});

describe('DELETE /v1/expirationitems/{id}', () => {
  test('returns the item as it was, with its files, whose bytes are deleted', async () => {
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, contentType: 'text/plain', content: 'YQ==' }));
    const contacts = [{ email: 'kept@example.com' }];
    const { id } = await createItem(gateway, { attachments: files, contacts, tags: [{ name: 'kept' }] });
    const before = await gateway.send('GET', `/v1/expirationitems/${id}?includeFileContent=false`);
    expect(before.json.attachments).toHaveLength(2);
    const deleted = await gateway.send('DELETE', `/v1/expirationitems/${id}`);
    expect([deleted.status, deleted.json]).toEqual([200, before.json]);
    expectError(await gateway.send('DELETE', `/v1/expirationitems/${id}`), 404, 'NOT_FOUND');
  });

  test.each([
    ['deleteExpirationItem(id: $id)', (data: unknown) => data],
    ['deleteExpirationItems(ids: [$id])', (data: unknown[]) => data[0]],
  ])('so does GraphQL: %s', async (mutation, itemOf) => {
    const item = await createItem(gateway, { attachments: [{ name: 'a.txt', content: 'YQ==' }] });
    await post('renew', item.id, { expiration_date: '2028-06-01' });
    const members =
      'attachments { nodes { id name contentLength downloadUrl created } } renewals { nodes { id expirationDate } }';
    const read = await gateway.graphql(
      `query ($id: ID!) { item: expirationItem(id: $id) { ${members} } }`,
      item,
    );
    const query = `mutation ($id: ID!) { deleted: ${mutation} { ${members} } }`;
    const { data } = await gateway.graphql(query, { id: item.id });
    const { attachments, renewals } = read.data.item;
    expect([attachments.nodes.length, renewals.nodes.length]).toEqual([1, 1]);
    const gone = { nodes: attachments.nodes.map((file: object) => ({ ...file, downloadUrl: null })) };
    expect((itemOf as (data: unknown) => unknown)(data.deleted)).toEqual({ attachments: gone, renewals });
  });
});
