import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { createItem, expectNothingStored, put } from './items.support.js';
import { expectBadRequest, expectError, nowhere } from './support.js';

let gateway: TestGateway;
let foreign: Tenant;
beforeAll(async () => {
  gateway = await startGateway();
  foreign = await createTenant(gateway.database, 'Foreign');
});
afterAll(() => gateway.close());

describe('PUT /v1/expirationitems/{id}: refusals leave nothing behind', () => {
  test.each<[string, object, RegExp]>([
    ['no name', { name: undefined }, /^name: is required/],
    ['null name', { name: null }, /^name: is required/],
    ['empty name', { name: ' ' }, /^name: must not be empty/],
    ['no date', { expiration_date: undefined }, /^expiration_date: is required/],
    ['impossible date', { expiration_date: '2027-02-30' }, /^expiration_date: .*YYYY-MM-DD/],
    ['date of another kind', { expiration_date: 20270230 }, /^expiration_date: /],
    ['wrong time', { time_of_day: '24:00' }, /^time_of_day: .*HH:mm/],
    ['long details', { details: 'x'.repeat(65_537) }, /^details: .*65536/],
    [
      'unknown contact',
      { contacts: [{ email: 'made@example.com' }, { id: nowhere }] },
      /^contacts\[1\]\.id: /,
    ],
    ['a contact without a name', { contacts: [{ name: 'x' }] }, /^contacts\[0\]: needs an id or email/],
    ['no e-mail address', { contacts: [{ email: 'nobody' }] }, /^contacts\[0\]\.email: /],
    ['contacts as an object', { contacts: {} }, /^contacts: must be a list/],
    ['too many tags', { tags: Array.from({ length: 101 }, (_, i) => ({ name: `t${i}` })) }, /^tags: .*100/],
    ['a tag with NUL', { tags: [{ name: 'x\u0000' }] }, /^tags\[0\]\.name: .*NUL/],
    ['a contact with NUL', { contacts: [{ email: 'a\u0000@x.example' }] }, /^contacts\[0\]\.email: /],
    ['unknown tag', { tags: [{ id: 'x' }] }, /^tags\[0\]\.id: /],
    ['unknown category', { category: { id: nowhere } }, /^category.*: names no document type/],
    ['attachment without content', { attachments: [{ name: 'x' }] }, /^attachments\[0\]: needs content/],
    [
      'no base64',
      { attachments: [{ content: 'not base64!' }] },
      /^attachments\[0\]\.content: must be base64/,
    ],
    ['unknown user', { assigned_to: { id: nowhere } }, /^assigned_to\.id: /],
    ['unknown main contact', { contact_id: nowhere }, /^contact_id: /],
    ['unknown workspace', { team_id: nowhere }, /^team_id: /],
    [
      'custom field',
      { custom_fields: [{ name: 'a', value: 'x'.repeat(4_097) }] },
      /^custom_fields\[0\]\.value: /,
    ],
  ])('400 for %s', async (_, body, message) => {
    const item = await createItem(gateway);
    await expectNothingStored(gateway, async () => {
      expectBadRequest(await put(gateway, item, { tags: [{ name: 'made on the way' }], ...body }), message);
    });
  });

  test('404 for an item that is unknown, foreign, or of an invisible workspace', async () => {
    const other = await createItem(gateway, { teamId: gateway.otherTeamId });
    for (const [id, token] of [
      [nowhere, gateway.admin],
      ['nope', gateway.admin],
      [other.id, gateway.member],
      [other.id, foreign.admin],
    ] as const) {
      expectError(await put(gateway, { id }, {}, { token }), 404, 'NOT_FOUND');
    }
  });

  test('400 for records of another organization or workspace', async () => {
    const hidden = await createItem(gateway, {
      teamId: gateway.otherTeamId,
      contacts: [{ email: 'hidden@example.com' }],
      tags: [{ name: 'hidden' }],
    });
    const item = await createItem(gateway);
    for (const body of [
      { contacts: [{ id: hidden.contacts[0].id }] },
      { contacts: [{ email: 'HIDDEN@example.com' }] },
      { tags: [{ id: hidden.tags[0].id }] },
      { category: { id: hidden.category.id } },
    ]) {
      expectBadRequest(await put(gateway, item, body, { token: gateway.member }));
    }
    // A tag's name is unique in its workspace, so the same word is another tag here.
    const { json } = await put(gateway, item, { tags: [{ name: 'hidden' }] }, { token: gateway.member });
    expect(json.tags[0].id).not.toBe(hidden.tags[0].id);
  });

  test('401, 403 and 413', async () => {
    const item = await createItem(gateway);
    expectError(await put(gateway, item, {}, { token: null }), 401, 'UNAUTHORIZED');
    expectError(await put(gateway, item, {}, { token: gateway.viewer }), 403, 'FORBIDDEN');
    expectError(await put(gateway, item, {}, { token: gateway.uploader }), 403, 'FORBIDDEN');
    const raw = JSON.stringify({ details: 'x'.repeat(16 * 1024 * 1024) });
    expectError(await put(gateway, item, {}, { raw }), 413, 'PAYLOAD_TOO_LARGE');
    expectBadRequest(await put(gateway, item, {}, {}, '?includeFileContent=maybe'), /includeFileContent/);
  });
});
