import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { createItem, expectNothingStored, put, readItem } from './items.support.js';
import { eventsOf, expectBadRequest, expectError, nowhere } from './support.js';

let gateway: TestGateway;
let foreign: Tenant;
beforeAll(async () => {
  gateway = await startGateway();
  foreign = await createTenant(gateway.database, 'Foreign');
});
afterAll(() => gateway.close());

describe('PUT /v1/expirationitems/{id}: 200', () => {
  test('answers every member of the contract', async () => {
    const item = await createItem(gateway);
    const response = await put(gateway, item, {
      time_of_day: '08:15:30',
      details: 'In the safe',
      category_name: 'Passport',
      assigned_to: { id: gateway.userId, name: 'ignored' },
      contacts: [{ email: 'First@example.com' }],
      locations: [{ name: 'Depot' }],
      tags: [{ name: 'urgent' }],
      custom_fields: [{ name: 'Number', value: 'X1' }],
      attachments: [{ name: 'scan.txt', content_type: 'text/plain', content: 'aGVsbG8=' }],
      status: 'expired',
      status_id: 3,
      modified: '1999-01-01T00:00:00.000Z',
      id: nowhere,
    });
    expect(response.status, response.text).toBe(200);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const modified = expect.stringMatching(/^2026-11-20T09:30:00\.\d{3}Z$/);
    const team_id = gateway.teamId;
    expect(response.json).toStrictEqual({
      id: item.id,
      name: 'Licence',
      expiration_date: '2027-06-01',
      status: 'current',
      status_id: 1,
      time_of_day: '08:15',
      category: { name: 'Passport', id, modified, is_active: true, team_id, custom_fields: [] },
      category_name: 'Passport',
      details: 'In the safe',
      assigned_to: { name: 'Ada Admin', email: 'ada@example.com', id: gateway.userId, team_id },
      modified,
      is_active: true,
      team_id,
      contacts: [
        {
          name: null,
          id,
          email: 'First@example.com',
          timezone: null,
          mobile: null,
          phone: null,
          assigned_to: null,
          type_id: null,
          contact_id: null,
          location_id: null,
          team_id,
          is_active: true,
          modified,
          custom_fields: [],
        },
      ],
      attachments: [
        {
          id,
          content: 'aGVsbG8=',
          name: 'scan.txt',
          content_type: 'text/plain',
          created: modified,
          content_legth: 5,
        },
      ],
      custom_fields: [{ id, name: 'Number', value: 'X1' }],
      locations: [{ id, parent_location_id: null, name: 'Depot', team_id, modified, custom_fields: [] }],
      tags: [{ id, name: 'urgent', team_id, modified, organization_id: gateway.organizationId }],
      contact_id: null,
    });
  });

  test('keeps what is left out, clears what is null', async () => {
    const item = await createItem(gateway, {
      details: 'Old',
      timeOfDay: '07:00',
      contacts: [{ email: 'kept@example.com' }],
      tags: [{ name: 'kept' }],
      customFields: [{ name: 'a', value: 'b' }],
      category: { name: 'Visa' },
    });
    expect((await put(gateway, item, { name: 'New' })).status).toBe(200);
    const kept = await readItem(gateway, item);
    expect(kept).toEqual({ ...item, name: 'New' });
    await put(gateway, item, {
      name: 'New',
      details: null,
      time_of_day: null,
      contacts: null,
      tags: [],
      category: null,
    });
    expect(await readItem(gateway, item)).toEqual({
      ...kept,
      details: null,
      timeOfDay: null,
      contacts: [],
      tags: [],
      category: { id: expect.any(String), name: 'Generic' },
    });
  });

  test('nested records go in by id, by natural key in any letter case, or are made', async () => {
    const first = await createItem(gateway, {
      contacts: [{ email: 'Known@example.com' }],
      tags: [{ name: 'Known' }],
      locations: [{ name: 'Known hall' }],
    });
    const item = await createItem(gateway);
    const { json } = await put(gateway, item, {
      contacts: [
        { email: ' KNOWN@EXAMPLE.COM ' },
        { email: 'new@example.com' },
        { id: first.contacts[0].id },
      ],
      tags: [{ id: first.tags[0].id }, { name: 'brand new' }],
      locations: [{ name: 'known HALL' }],
    });
    expect(json.contacts.map(({ email }: { email: string }) => email)).toEqual([
      'Known@example.com',
      'new@example.com',
    ]);
    expect(json.contacts[0].id).toBe(first.contacts[0].id);
    expect(json.tags.map(({ name }: { name: string }) => name)).toEqual(['Known', 'brand new']);
    expect(json.locations[0].id).toBe(first.locations[0].id);
    expect(await eventsOf(gateway, json.contacts[1])).toMatchObject([{ typeId: 1, userId: gateway.userId }]);
    expect(await eventsOf(gateway, json.contacts[0])).toHaveLength(1);
  });

  test('a custom field that the document type defines takes the id of its definition', async () => {
    const { data } = await gateway.graphql(
      `mutation { createCategory(input: { name: "Permit", customFields: [{ name: "Number", internalName: "no" }] }) {
        id customFields { id } } }`,
    );
    const { id, customFields } = data.createCategory;
    const item = await createItem(gateway, { category: { id } });
    const custom_fields = [
      { name: 'Other', value: '1' },
      { name: 'Number', value: '2' },
    ];
    const { json } = await put(gateway, item, { custom_fields });
    expect(json.custom_fields[1]).toEqual({ id: customFields[0].id, name: 'Number', value: '2' });
    expect(json.custom_fields[0].id).not.toBe(customFields[0].id);
  });

  test('custom fields sent again without their ids stay the same', async () => {
    const item = await createItem(gateway);
    const body = {
      custom_fields: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    };
    const first = (await put(gateway, item, body)).json;
    expect((await put(gateway, item, body)).json).toEqual(first);
  });

  test('files, history and document type go along to another workspace', async () => {
    const item = await createItem(gateway, {
      attachments: [{ content: 'eA==' }],
      category: { name: 'Moving' },
    });
    await gateway.send('PUT', `/v1/expirationitems/${item.id}/renew`, {
      body: { expiration_date: '2029-01-01' },
    });
    await put(gateway, item, { team_id: gateway.otherTeamId });
    const { json } = await put(gateway, item, { team_id: gateway.teamId, details: 'back' });
    expect(json).toMatchObject({ category_name: 'Moving', category: { team_id: gateway.teamId } });
    const { data } = await gateway.graphql(
      'query ($id: ID!) { expirationItem(id: $id) { attachments { content } renewals { expirationDate } } }',
      { id: item.id },
      gateway.member,
    );
    expect(data.expirationItem).toEqual({
      attachments: [{ content: 'eA==' }],
      renewals: [{ expirationDate: '2029-01-01' }],
    });
  });

  test('lists keep the order sent', async () => {
    const names = ['c', 'a', 'b'];
    const item = await createItem(gateway, { tags: names.map((name) => ({ name })) });
    expect(item.tags.map(({ name }: { name: string }) => name)).toEqual(names);
    const { json } = await put(gateway, item, { tags: [...item.tags].reverse() });
    expect(json.tags.map(({ name }: { name: string }) => name)).toEqual(['b', 'a', 'c']);
  });

  test('attachments: a known id is kept, content is added, what is missing goes', async () => {
    const item = await createItem(gateway, {
      attachments: [
        { name: 'one', content: 'MQ==' },
        { name: 'two', content: 'Mg==' },
      ],
    });
    const [one, two] = item.attachments;
    const { json } = await put(gateway, item, {
      attachments: [
        { id: two.id, name: 'ignored', content: 'ignored' },
        { name: 'three', content: 'M w\n==' },
      ],
    });
    expect(json.attachments).toMatchObject([
      { id: two.id, name: 'two', content: 'Mg==', content_legth: 1 },
      { name: 'three', content: 'Mw==', content_legth: 1 },
    ]);
    const { prisma } = gateway.database;
    expect(await prisma.attachmentContent.findUnique({ where: { attachmentId: one.id } })).toBeNull();
    const bare = await put(gateway, item, {}, {}, '?includeFileContent=false');
    expect(bare.json.attachments.map(({ content }: { content: unknown }) => content)).toEqual([null, null]);
    expect(bare.json.attachments[0].content_legth).toBe(1);
  });

  test('a file may be larger than other bodies', async () => {
    const item = await createItem(gateway);
    const content = Buffer.alloc(3 * 1024 * 1024, 'x').toString('base64');
    const { status, json } = await put(gateway, item, { attachments: [{ name: 'big', content }] });
    expect([status, json.attachments[0].content_legth]).toEqual([200, 3 * 1024 * 1024]);
    expect(json.attachments[0].content).toBe(content);
    const [event] = (await eventsOf(gateway, item)).slice(-1);
    expect(event?.details?.length).toBeLessThan(1_000);
  });

  test('a date-time is taken by its date as written', async () => {
    const item = await createItem(gateway);
    const { json } = await put(gateway, item, { expiration_date: '2028-02-29T23:59:59-11:00' });
    expect(json.expiration_date).toBe('2028-02-29');
  });

  test.each([
    ['2026-11-19', 'expired', 3],
    ['2026-11-20', 'notifying', 2],
    ['2026-12-20', 'notifying', 2],
    ['2026-12-21', 'current', 1],
  ])('the status of %s is %s', async (expiration_date, status, status_id) => {
    const item = await createItem(gateway);
    expect((await put(gateway, item, { expiration_date })).json).toMatchObject({ status, status_id });
    expect((await put(gateway, item, { expiration_date, is_active: false })).json).toMatchObject({
      status: 'archived',
      status_id: 4,
    });
  });

  test('writes one event with what changed; archiving is an event of its own', async () => {
    const item = await createItem(gateway, { tags: [{ name: 'x' }] });
    await put(gateway, item, { name: 'Other', tags: [] });
    await put(gateway, item, { name: 'Other', is_active: false });
    await put(gateway, item, { name: 'Other', is_active: false });
    const [, updated, archived, ...more] = await eventsOf(gateway, item);
    expect(more).toEqual([]);
    expect(updated).toMatchObject({
      typeId: 2,
      userId: gateway.userId,
      description: expect.stringContaining('Other'),
    });
    expect(Object.keys(JSON.parse(updated?.details ?? ''))).toEqual(['name', 'tags']);
    expect(archived).toMatchObject({ typeId: 5 });
  });

  test('If-Match names the version that may be changed', async () => {
    const item = await createItem(gateway);
    const etag = (await put(gateway, item, { details: '1' })).headers.get('etag') ?? '';
    expect((await put(gateway, item, { details: '2' }, { headers: { 'If-Match': etag } })).status).toBe(200);
    expectError(
      await put(gateway, item, { details: '3' }, { headers: { 'If-Match': etag } }),
      412,
      'PRECONDITION_FAILED',
    );
  });
});

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

  test('404 for an item that is unknown, foreign, or of a workspace that is not the caller’s', async () => {
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
