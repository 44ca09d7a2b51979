import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { largestFile } from '../../src/domain/files.js';
import { newId } from '../../src/domain/rules.js';
import { createItem, expectNothingStored, readItem } from '../rest/items.support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const add = `mutation ($itemId: ID!, $input: AddAttachmentInput!) {
  addAttachment(itemId: $itemId, input: $input) {
    id name contentType contentLength content downloadUrl created expirationItem { id }
  } }`;
const remove = 'mutation ($id: ID!) { removeAttachment(id: $id) { id name downloadUrl } }';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Returns a request with files, as graphql-multipart-request-spec has it. */
function form(operations: unknown, map: unknown, files: Record<string, Blob | string>): FormData {
  const body = new FormData();
  if (operations !== undefined)
    body.set('operations', typeof operations === 'string' ? operations : JSON.stringify(operations));
  if (map !== undefined) body.set('map', typeof map === 'string' ? map : JSON.stringify(map));
  for (const [name, file] of Object.entries(files)) body.set(name, file);
  return body;
}

/** What a form with files is sent with. */
const preflighted = { 'Apollo-Require-Preflight': 'true' };

const upload = (itemId: string, file: Blob, input: object = {}, token?: string) => {
  const variables = { itemId, input: { ...input, file: null } };
  const raw = form({ query: add, variables }, { 0: ['variables.input.file'] }, { 0: file });
  return gateway.send('POST', '/graphql', { raw, headers: preflighted, ...(token && { token }) });
};

async function download(id: string): Promise<Buffer> {
  const headers = { Authorization: `Bearer ${gateway.admin}` };
  return Buffer.from(await (await fetch(`${gateway.url}/attachments/${id}`, { headers })).arrayBuffer());
}

describe('addAttachment', () => {
  test('adds base64 after the existing files, and logs it with the item', async () => {
    const item = await createItem(gateway, { attachments: [{ name: 'first', content: 'eA==' }] });
    const input = { name: 'second.txt', contentType: 'text/plain', content: base64('hello') };
    const { addAttachment } = await ask(gateway, add, { itemId: item.id, input });
    expect(addAttachment).toEqual({
      id: expect.any(String),
      ...input,
      contentLength: '5',
      downloadUrl: `/attachments/${addAttachment.id}`,
      created: expect.any(String),
      expirationItem: { id: item.id },
    });
    const { attachments, ...rest } = await readItem(gateway, item);
    expect(attachments.map(({ name }: { name: string }) => name)).toEqual(['first', 'second.txt']);
    expect(rest).toEqual(Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'attachments')));
    const event = await gateway.database.prisma.eventLog.findFirst({
      where: { entities: { some: { entityId: item.id } } },
      orderBy: { id: 'desc' },
    });
    expect(event).toMatchObject({
      typeId: 2,
      description: 'Expiration item "Licence" was updated: attachments',
    });
    expect(event?.details).not.toContain(base64('hello'));
  });

  test('adds an uploaded file, with its own name and type by default', async () => {
    const item = await createItem(gateway);
    const bytes = randomBytes(100_000);
    const { status, json } = await upload(
      item.id,
      new File([bytes], 'Führerschein.pdf', { type: 'application/pdf' }),
    );
    expect([status, json.errors]).toEqual([200, undefined]);
    expect(json.data.addAttachment).toMatchObject({
      name: 'Führerschein.pdf',
      contentType: 'application/pdf',
      contentLength: '100000',
    });
    expect((await download(json.data.addAttachment.id)).equals(bytes)).toBe(true);
    const named = await upload(item.id, new File(['x'], 'a.txt', { type: 'text/plain' }), {
      name: 'b',
      contentType: 'a/b',
    });
    expect(named.json.data.addAttachment).toMatchObject({ name: 'b', contentType: 'a/b' });
  });

  test('accepts a file of the largest size, but none larger', async () => {
    const item = await createItem(gateway);
    const sized = (size: number) => new File([Buffer.alloc(size, 1)], 'large.bin');
    const { json } = await upload(item.id, sized(largestFile));
    expect(json.data.addAttachment.contentLength).toBe(String(largestFile));
    await expectNothingStored(gateway, async () => {
      const over = await upload(item.id, sized(largestFile + 1));
      expect([over.status, over.json.errors]).toMatchObject([
        200,
        [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }],
      ]);
      const far = await upload(item.id, sized(largestFile + 1024 * 1024));
      expect([far.status, far.json.errors]).toMatchObject([
        413,
        [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }],
      ]);
    });
  });

  test('rejects invalid files by name', async () => {
    const { id: itemId } = await createItem(gateway);
    const refused = (input: object) => refusal(gateway, add, { itemId, input });
    await expectNothingStored(gateway, async () => {
      await expectRefusal(refused({ name: 'x' }), 'BAD_REQUEST', undefined, /either `content` or `file`/);
      await expectRefusal(refused({ content: '?' }), 'BAD_REQUEST', 'content');
      await expectRefusal(refused({ content: 'eA==', name: 'x'.repeat(256) }), 'BAD_REQUEST', 'name');
      await expectRefusal(
        refused({ content: 'eA==', contentType: 'x'.repeat(256) }),
        'BAD_REQUEST',
        'contentType',
      );
      const both = await upload(itemId, new File(['x'], 'x'), { content: 'eA==' });
      expect(both.json.errors[0].message).toMatch(/either `content` or `file`/);
    });
  });

  test('adds a hundred, but no more', async () => {
    const { id: itemId } = await createItem(gateway, { attachments: Array(99).fill({ content: 'eA==' }) });
    const input = { content: 'eA==' };
    await ask(gateway, add, { itemId, input });
    await expectRefusal(
      refusal(gateway, add, { itemId, input }),
      'BAD_REQUEST',
      'attachments',
      /at most 100/,
    );
  });

  test('requires the right to write the item', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const own = await createItem(gateway);
    const hidden = await createItem(gateway, { teamId: gateway.otherTeamId });
    const input = { content: 'eA==' };
    const refused = (itemId: string, token: string) => refusal(gateway, add, { itemId, input }, token);
    await expectNothingStored(gateway, async () => {
      await expectRefusal(refused(own.id, gateway.viewer), 'FORBIDDEN');
      await expectRefusal(refused(own.id, gateway.uploader), 'FORBIDDEN');
      await expectRefusal(refused(own.id, foreign.admin), 'NOT_FOUND');
      await expectRefusal(refused(hidden.id, gateway.member), 'NOT_FOUND');
      await expectRefusal(refused(newId(), gateway.admin), 'NOT_FOUND');
      const { json } = await upload(own.id, new File(['x'], 'x'), {}, gateway.viewer);
      expect(json.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    });
    expect(
      (await ask(gateway, add, { itemId: own.id, input }, gateway.member)).addAttachment.id,
    ).toBeTruthy();
  });

  test('two at once both stay', async () => {
    const item = await createItem(gateway);
    const input = { content: 'eA==' };
    await Promise.all([1, 2, 3].map(() => ask(gateway, add, { itemId: item.id, input })));
    expect((await readItem(gateway, item)).attachments).toHaveLength(3);
  });
});

describe('removeAttachment', () => {
  test('removes one and keeps the others', async () => {
    const item = await createItem(gateway, {
      attachments: [
        { name: 'a', content: 'eA==' },
        { name: 'b', content: 'eA==' },
      ],
    });
    const [a, b] = item.attachments;
    expect((await ask(gateway, remove, { id: a.id })).removeAttachment).toEqual({
      id: a.id,
      name: 'a',
      downloadUrl: null,
    });
    expect((await readItem(gateway, item)).attachments).toEqual([b]);
    expect(await gateway.database.prisma.attachmentContent.count({ where: { attachmentId: a.id } })).toBe(0);
    await expectRefusal(refusal(gateway, remove, { id: a.id }), 'NOT_FOUND', undefined, /no attachment/);
  });

  test('requires the right to write the item', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const attachments = [{ content: 'eA==' }];
    const own = await createItem(gateway, { attachments });
    const hidden = await createItem(gateway, { attachments, teamId: gateway.otherTeamId });
    const refused = (id: string, token: string) => refusal(gateway, remove, { id }, token);
    await expectNothingStored(gateway, async () => {
      await expectRefusal(refused(own.attachments[0].id, gateway.viewer), 'FORBIDDEN');
      await expectRefusal(refused(own.attachments[0].id, foreign.admin), 'NOT_FOUND');
      await expectRefusal(refused(hidden.attachments[0].id, gateway.member), 'NOT_FOUND');
      for (const id of [newId(), 'no-uuid']) await expectRefusal(refused(id, gateway.admin), 'NOT_FOUND');
    });
  });
});

describe('a multipart request', () => {
  const query = 'query ($id: ID!) { vehicle(id: $id) { id } }';
  const operations = { query: add, variables: { itemId: newId(), input: { file: null } } };
  const map = { 0: ['variables.input.file'] };
  const file = new File(['x'], 'x');

  test('may be one without files', async () => {
    const raw = form({ query, variables: { id: newId() } }, {}, {});
    const { status, json } = await gateway.send('POST', '/graphql', { raw, headers: preflighted });
    expect([status, json]).toEqual([200, { data: { vehicle: null } }]);
  });

  test('may give a file to several places', async () => {
    const item = await createItem(gateway);
    const query =
      'mutation ($id: ID!, $file: AddAttachmentInput!) { addAttachment(itemId: $id, input: $file) { name } }';
    const variables = { id: item.id, unused: [null], file: { file: null } };
    const raw = form({ query, variables }, { f: ['variables.unused.0', 'variables.file.file'] }, { f: file });
    const { json } = await gateway.send('POST', '/graphql', { raw, headers: preflighted });
    expect(json).toEqual({ data: { addAttachment: { name: 'x' } } });
  });

  test.each<[string, FormData]>([
    ['without operations', form(undefined, map, { 0: file })],
    ['whose operations are no JSON', form('{', map, { 0: file })],
    ['with several operations', form([operations], map, { 0: file })],
    ['without a map', form(operations, undefined, { 0: file })],
    ['whose map is no JSON', form(operations, 'x', { 0: file })],
    ['whose map has no lists', form(operations, { 0: 'variables.input.file' }, { 0: file })],
    ['whose map names no part', form(operations, { 1: ['variables.input.file'] }, { 0: file })],
    ['whose map names a text', form(operations, map, { 0: 'text' })],
    ['with a path that is none', form(operations, { 0: [1] }, { 0: file })],
    ['with a path to nothing', form(operations, { 0: ['variables.input.other'] }, { 0: file })],
    ['with a path to a value', form(operations, { 0: ['variables.itemId'] }, { 0: file })],
    ['with a path beside the variables', form({ ...operations, x: null }, { 0: ['x'] }, { 0: file })],
    [
      'with a path to all variables',
      form({ ...operations, variables: null }, { 0: ['variables'] }, { 0: file }),
    ],
    [
      'with a path into what all objects have',
      form(operations, { 0: ['variables.__proto__.x'] }, { 0: file }),
    ],
  ])('%s is refused', async (_, raw) => {
    const { status, json } = await gateway.send('POST', '/graphql', { raw, headers: preflighted });
    expect([status, json.errors]).toMatchObject([400, [{ extensions: { code: 'BAD_REQUEST' } }]]);
    expect(json.errors[0].message).toMatch(/part/);
  });

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['another boundary', 'multipart/form-data; boundary=a', '--b\r\n\r\n--b--'],
    [
      'an end too early',
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{',
    ],
    ['nothing', 'multipart/form-data; boundary=a', ''],
  ])('with %s is refused', async (_, type, raw) => {
    const { status, json } = await gateway.send('POST', '/graphql', {
      raw,
      headers: { ...preflighted, 'Content-Type': type },
    });
    expect([status, json.errors]).toMatchObject([400, [{ extensions: { code: 'BAD_REQUEST' } }]]);
  });

  test('needs a token like any other', async () => {
    const { status } = await gateway.send('POST', '/graphql', {
      raw: form(operations, map, { 0: file }),
      headers: preflighted,
      token: null,
    });
    expect(status).toBe(401);
  });

  test('is the only way to bring a file', async () => {
    const itemId = newId();
    for (const query of [
      add,
      `mutation { addAttachment(itemId: "${itemId}", input: { file: "x" }) { id } }`,
    ]) {
      const body = { query, variables: { itemId, input: { file: 'x' } } };
      const { json } = await gateway.send('POST', '/graphql', { body });
      expect(json.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    }
    const { status } = await gateway.send('POST', '/v1/vehicles', { raw: form({}, {}, {}) });
    expect(status).toBe(415);
  });

  test('needs a header that forms of other origins cannot have, and the answer names it', async () => {
    const raw = form({ query: '{ me { id } }' }, {}, {});
    const { status, json } = await gateway.send('POST', '/graphql', { raw });
    expect([status, json.errors]).toMatchObject([
      415,
      [{ message: 'A form also needs the header `Apollo-Require-Preflight: true`.' }],
    ]);
  });
});
