import { describe, expect, test } from 'vitest';
import { type TestRequest, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import {
  eventsOf,
  expectBadRequest,
  expectError,
  expectNothingWritten,
  expectNotModified,
} from './support.js';

const gateway = useGateway();
const items = '/v1/expirationitems';

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function makeItem(body: object = {}) {
  const whole = {
    ...{ name: 'Licence', expiration_date: '2027-06-01', category_name: 'Permit', time_of_day: '08:30' },
    assigned_to: { id: gateway.userId },
    contacts: [{ email: 'ann@example.com' }, { email: 'ben@example.com' }],
    locations: [{ name: 'North' }, { name: 'South' }],
    tags: [{ name: 'yearly' }, { name: 'monthly' }],
    custom_fields: [{ name: 'Number', value: '7' }],
    attachments: [
      { name: 'a.txt', content_type: 'text/plain', content: base64('first') },
      { name: 'b.txt', content_type: 'text/plain', content: base64('other') },
    ],
    ...body,
  };
  const made = await gateway.send('POST', items, { body: whole });
  expect(made.status, made.text).toBe(201);
  return read(made.json);
}

// biome-ignore lint/suspicious/noExplicitAny: a record of REST.
type Shown = any;

const read = async ({ id }: { id: string }): Promise<Shown> =>
  (await gateway.send('GET', `${items}/${id}`)).json;
const patch = ({ id }: { id: string }, body: unknown, request: TestRequest = {}) =>
  gateway.send('PATCH', `${items}/${id}`, { body, ...request });
const merge = (item: { id: string }, body: unknown) =>
  patch(item, body, { headers: { 'Content-Type': 'application/merge-patch+json' } });
const put = ({ id }: { id: string }, body: unknown) => gateway.send('PUT', `${items}/${id}`, { body });
const replacing = (path: string, value: unknown) => [{ op: 'replace', path, value }];

/** Lists the pointers of all values in a document, the whole one included. */
function pointersIn(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return [
    pointer,
    ...Object.entries(value).flatMap(([name, inner]) => pointersIn(inner, `${pointer}/${name}`)),
  ];
}

const valueAt = (document: Shown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, name) => value[name], document);

describe('the patched document is the one that is shown', () => {
  test('every value of it passes a test, and can be written again', async () => {
    const item = await makeItem();
    const pointers = pointersIn(item);
    expect(pointers.length).toBeGreaterThan(100);
    const tests = pointers.map((path) => ({ op: 'test', path, value: valueAt(item, path) }));
    expectNotModified(await patch(item, tests));
    const writes = tests.map((operation) => ({ ...operation, op: 'replace' }));
    expectNotModified(await patch(item, writes));
    expectNotModified(await merge(item, item));
    for (const { path, value } of tests.filter(({ value }) => typeof value !== 'object')) {
      const other = typeof value === 'boolean' ? !value : `${value}x`;
      expectError(await patch(item, [{ op: 'test', path, value: other }]), 409, 'CONFLICT');
    }
  });
});

describe('a nested value that belongs to another record', () => {
  const other = '00000000-0000-4000-8000-000000000000';

  test.each<[path: string, value: unknown, where: string]>([
    ['/contacts/0/email', 'x@example.com', 'PATCH /v1/contacts/{id}'],
    ['/contacts/0/name', 'Xenia', 'PATCH /v1/contacts/{id}'],
    ['/contacts/0/assigned_to', { id: other }, 'PATCH /v1/contacts/{id}'],
    ['/contacts/0/custom_fields', [{ name: 'x' }], 'PATCH /v1/contacts/{id}'],
    ['/contacts/0', { id: 'OWN', name: 'Xenia' }, 'PATCH /v1/contacts/{id}'],
    ['/contacts', [{ email: 'ann@example.com', name: 'Xenia' }], 'PATCH /v1/contacts/{id}'],
    ['/contacts/-', { email: 'new@example.com', name: 'Xenia' }, 'PATCH /v1/contacts/{id}'],
    ['/tags/0/name', 'X', 'PATCH /v1/tags/{id}'],
    ['/locations/1/name', 'X', 'PATCH /v1/locations/{id}'],
    ['/category/name', 'X', 'PATCH /v1/categories/{id}'],
    ['/category/custom_fields', [{ name: 'x' }], 'PATCH /v1/categories/{id}'],
    ['/assigned_to/name', 'X', 'UpdateUser'],
    ['/attachments/0/content_legth', 1, 'is set by the server'],
    ['/attachments/0/created', '2020-01-01T00:00:00Z', 'is set by the server'],
    ['/attachments/0/content', null, 'remove the file instead'],
  ])('%s: 400, which says where it can be changed', async (path, value, where) => {
    const item = await makeItem();
    const sent = JSON.parse(JSON.stringify(value).replace('OWN', item.contacts[0].id));
    await expectNothingWritten(gateway, async () => {
      const refused = await patch(item, replacing(path, sent));
      expectBadRequest(refused, /^operation 0: [a-z_]+(\[\d\])?\.?[a-z_]*: /);
      expect(refused.json.message.toLowerCase()).toContain(where.toLowerCase());
    });
  });

  test('PUT and POST ignore it, because a copy may be older', async () => {
    const item = await makeItem();
    const older = structuredClone(item);
    older.contacts[0].name = 'Xenia';
    older.tags[0].name = 'X';
    older.attachments[0].name = 'x.txt';
    older.attachments[0].content_legth = 1;
    expect((await put(item, older)).json).toEqual(item);
  });

  test('another record takes its place by its id alone, or as it is shown', async () => {
    const [item, elsewhere] = [await makeItem(), await makeItem({ contacts: [{ email: 'cy@example.com' }] })];
    const [cy] = elsewhere.contacts;
    const byId = await patch(item, replacing('/contacts/0/id', cy.id.toUpperCase()));
    expect(byId.json.contacts).toEqual([cy, item.contacts[1]]);
    const shown = await patch(byId.json, [
      { op: 'add', path: '/contacts/0', value: item.contacts[0] },
      { op: 'remove', path: '/contacts/1' },
    ]);
    expect(shown.json.contacts).toEqual(item.contacts);
    const byKey = await patch(item, replacing('/contacts/-', { email: 'CY@example.com', name: cy.name }));
    expect(byKey.json.contacts).toEqual([item.contacts[0], cy]);
  });

  test('a document type and its name must agree', async () => {
    const [item, elsewhere] = [await makeItem(), await makeItem({ category_name: 'Visa' })];
    const to = (name: string) => [
      { op: 'replace', path: '/category', value: elsewhere.category },
      { op: 'replace', path: '/category_name', value: name },
    ];
    expectBadRequest(await patch(item, to('Another')), /^operation 1: category_name: contradicts/);
    expect((await patch(item, to('visa'))).json.category).toEqual(elsewhere.category);
  });
});

describe('values of the server are compared as values', () => {
  test('in a merge patch, a JSON Patch and its tests', async () => {
    const item = await makeItem();
    const time = item.modified.replace(/\.?0*Z$/, '');
    const spellings = [`${time}Z`, `${time}+00:00`, `${item.modified.slice(0, -1)}000+00:00`];
    for (const modified of spellings) {
      const own = {
        id: item.id.toUpperCase(),
        expiration_date: '2027-06-01T00:00:00',
        time_of_day: '08:30:00',
      };
      const copy = { ...item, ...own, modified };
      expectNotModified(await merge(item, copy));
      const tests = Object.entries(copy).map(([name, value]) => ({ op: 'test', path: `/${name}`, value }));
      expectNotModified(await patch(item, tests));
      expectNotModified(await patch(item, replacing('', copy)));
      expect((await put(item, copy)).json).toEqual(item);
    }
    expectBadRequest(await merge(item, { modified: '2020-01-01T00:00:00Z' }), /"modified" is read-only/);
    expectBadRequest(await patch(item, replacing('/status', 'expired')), /"status" is read-only/);
  });
});

describe('the file of an attachment', () => {
  const restoring = 'mutation ($id: ID!) { restored: restoreAttachment(id: $id) { id name contentLength } }';

  /** Downloads an attachment. */
  const download = ({ id }: { id: string }) => gateway.send('GET', `/attachments/${id}`);

  test.each(['PUT', 'PATCH', 'merge patch', 'GraphQL'])(
    'is replaced by %s, and restored from the bin',
    async (how) => {
      const item = await makeItem();
      const [first, second] = item.attachments;
      const content = base64('Other');
      const attachments = [second, { ...first, content, content_legth: 5 }];
      const before = await download(first);
      if (how === 'GraphQL') {
        const query = `mutation ($id: ID!, $input: UpdateExpirationItemInput!) {
        updateExpirationItem(id: $id, input: $input) { id } }`;
        const input = { attachments: [{ id: second.id }, { id: first.id, content }] };
        expect((await gateway.graphql(query, { id: item.id, input })).errors).toBeUndefined();
      } else {
        const operations = [
          { op: 'test', path: '/attachments/0/content', value: first.content },
          { op: 'replace', path: '/attachments/0/content', value: content },
          { op: 'replace', path: '/attachments/0/content_legth', value: 5 },
          { op: 'move', from: '/attachments/0', path: '/attachments/1' },
        ];
        const whole = how === 'PUT' ? await put(item, { ...item, attachments }) : undefined;
        const merged = how === 'merge patch' ? await merge(item, { attachments }) : undefined;
        const response: Shown = whole ?? merged ?? (await patch(item, operations));
        expect(response.status, response.text).toBe(200);
        expect(response.json.attachments).toEqual(attachments);
      }
      expect((await read(item)).attachments).toEqual(attachments);
      const after = await download(first);
      expect([before.text, after.text]).toEqual(['first', 'Other']);
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
      const event = (await eventsOf(gateway, item)).at(-1);
      const [, { replaced_file: replaced }] = JSON.parse(event?.details ?? '').attachments.after;
      const { data, errors } = await gateway.graphql(restoring, { id: replaced });
      expect(errors).toBeUndefined();
      expect(data.restored).toEqual({ id: replaced, name: 'a.txt', contentLength: '5' });
      const restored = await read(item);
      expect(restored.attachments.slice(0, 2)).toEqual(attachments);
      expect(restored.attachments[2]).toMatchObject({ id: replaced, name: 'a.txt', content: first.content });
      expect((await gateway.graphql(restoring, { id: replaced })).errors[0].extensions.code).toBe(
        'NOT_FOUND',
      );
    },
  );

  test('is kept by the same bytes, by null, and when it is left out', async () => {
    const item = await makeItem();
    const [first, second] = item.attachments;
    const sent = [
      { id: first.id.toUpperCase(), content: first.content.replace(/(..)/, '$1\n') },
      { id: second.id, content: null },
    ];
    await expectNothingWritten(gateway, async () => {
      expect((await put(item, { ...item, attachments: sent })).json).toEqual(item);
      expectNotModified(await merge(item, { attachments: sent }));
    });
    expectBadRequest(await put(item, { ...item, attachments: [{ id: first.id, content: '*' }] }), /base64/);
  });

  test('is renamed and ordered by a patch', async () => {
    const item = await makeItem();
    const [first, second] = item.attachments;
    const renamed = await patch(item, [
      ...replacing('/attachments/0/name', 'c.md'),
      ...replacing('/attachments/0/content_type', 'text/markdown'),
    ]);
    expect(renamed.json.attachments).toEqual([
      { ...first, name: 'c.md', content_type: 'text/markdown' },
      second,
    ]);
    const moved = await patch(item, [{ op: 'move', from: '/attachments/1', path: '/attachments/0' }]);
    expect(moved.json.attachments.map(({ id }: Shown) => id)).toEqual([second.id, first.id]);
    expect((await read(item)).attachments).toEqual(moved.json.attachments);
    const added = [{ op: 'add', path: '/attachments/0', value: { name: 'n.txt', content: base64('new') } }];
    expect((await patch(item, added)).json.attachments.map(({ name }: Shown) => name)).toEqual([
      'n.txt',
      'b.txt',
      'c.md',
    ]);
  });

  test('is copied by a patch, and what is not read stays unread', async () => {
    const item = await makeItem();
    const reads = async (operations: unknown) =>
      (await namesOf(gateway, () => patch(item, operations, {}))).filter(
        (name) => name === 'attachment_contents.read',
      ).length;
    // The answer reads the two files together.
    expect(await reads([{ op: 'move', from: '/attachments/0', path: '/attachments/1' }])).toBe(1);
    expect(
      await reads([{ op: 'add', path: '/attachments/-', value: { content: base64('longer than others') } }]),
    ).toBe(1);
    const copied = await patch(item, [{ op: 'copy', from: '/attachments/0/content', path: '/details' }]);
    expect(copied.json.details).toBe((await read(item)).attachments[0].content);
    const named = await patch(item, [
      { op: 'copy', from: '/attachments/0/content', path: '/attachments/0/name' },
    ]);
    expect(named.json.attachments[0]).toMatchObject({
      name: copied.json.details,
      content: copied.json.details,
    });
  });
});
