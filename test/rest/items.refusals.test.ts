import { describe, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, expectNothingStored, put } from './items.support.js';
import { expectBadRequest, nowhere } from './support.js';

const gateway = useGateway();

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
});
