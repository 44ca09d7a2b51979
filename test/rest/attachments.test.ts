import { describe, expect, test } from 'vitest';
import { createTenant, type TestRequest, useGateway } from '../support/gateway.js';
import { createItem } from './items.support.js';
import { expectBadRequest, expectError, nowhere } from './support.js';

const gateway = useGateway();

interface File {
  readonly id: string;
  readonly name: string;
  readonly content: string | null;
  readonly content_legth: number;
}

const lists = ['expirationitem', 'search'] as const;
type List = (typeof lists)[number];

const get = (path: string, request: TestRequest = {}) =>
  gateway.send('GET', `/v1/attachments/${path}`, request);

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

/** Creates items with files, one after the other. */
async function makeFiles(names: readonly string[], content = 'YQ==', input: object = {}) {
  const ids: string[] = [];
  for (let at = 0; at < names.length; at += 100) {
    const attachments = names
      .slice(at, at + 100)
      .map((name) => ({ name, contentType: 'text/plain', content }));
    ids.push((await createItem(gateway, { attachments, ...input })).id);
  }
  return ids;
}

/** Walks through the pages as clients of the original do. */
async function walk(list: List, query: string): Promise<File[]> {
  const found: File[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { json } = await get(`${list}?page=${page}&${query}`);
    found.push(...json.attachments);
    expect([json.page, json.total]).toEqual([page, json.total]);
    pages = json.pages;
  }
  return found;
}

describe.each(lists)('GET /v1/attachments/%s', (list) => {
  test('200: a file names its item, and includes its bytes unless they are not requested', async () => {
    const [item] = await makeFiles([`one ${list}.txt`]);
    const ask = async (query = '') => (await get(`${list}?term=one%20${list}${query}`)).json;
    const { attachments, ...rest } = await ask();
    expect(rest).toEqual({ pages: 1, page: 1, total: 1 });
    const file = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      content: 'YQ==',
      name: `one ${list}.txt`,
      content_type: 'text/plain',
      created: expect.stringMatching(/Z$/),
      content_legth: 1,
      entity_type: 'expirationitem',
      entity_id: item,
    };
    expect(attachments).toStrictEqual([file]);
    expect((await ask('&includeFileContent=false')).attachments).toStrictEqual([{ ...file, content: null }]);
    expect((await ask('&includeFileContent=TRUE')).attachments).toStrictEqual([file]);
  });

  test('the term finds a part of the name, in any letter case and composition', async () => {
    await makeFiles([`Caf\u00e9 ${list} 100%.pdf`, `Cafe ${list} 100.pdf`]);
    const named = async (term: string) => {
      const { json } = await get(`${list}?term=${encodeURIComponent(term)}`);
      return json.attachments.map(({ name }: File) => name);
    };
    expect(await named(`CAFE\u0301 ${list}`)).toEqual([`Caf\u00e9 ${list} 100%.pdf`]);
    expect(await named(`${list} 100%`)).toEqual([`Caf\u00e9 ${list} 100%.pdf`]);
    expect(await named(`nothing ${list}`)).toEqual([]);
  });

  test('a walk while page < pages meets every file once, also when files are added meanwhile', async () => {
    const names = Array.from({ length: 130 }, (_, i) => `walk ${list} ${i}.txt`);
    await makeFiles(names);
    for (const query of ['', '&includeFileContent=false']) {
      const found = await walk(list, `term=walk%20${list}${query}`);
      expect(found.map(({ name }) => name)).toEqual(names);
      expect(new Set(found.map(({ id }) => id)).size).toBe(names.length);
      expect(found.every(({ content }) => content === (query ? null : 'YQ=='))).toBe(true);
    }
    const before = await get(`${list}?term=walk%20${list}`);
    await makeFiles([`walk ${list} later.txt`]);
    expect((await get(`${list}?term=walk%20${list}`)).json.attachments).toEqual(before.json.attachments);
  });

  test('a page with bytes has at most 25 files', async () => {
    await makeFiles(Array.from({ length: 30 }, (_, i) => `many ${list} ${i}`));
    const ask = async (query: string) => (await get(`${list}?term=many%20${list}&${query}`)).json;
    const whole = await ask('paging=500');
    expect([whole.attachments.length, whole.pages, whole.total]).toEqual([25, 2, 30]);
    const heads = await ask('paging=500&includeFileContent=false');
    const [size, pages] = list === 'search' ? [25, 2] : [30, 1];
    expect([heads.attachments.length, heads.pages]).toEqual([size, pages]);
  });

  test('a page has at most 32 MiB of bytes; files that go beyond have none, and come with them by their ids', async () => {
    const MiB = 1024 * 1024;
    const sizes = [11, 11, 11, 10, 1].map((size) => size * MiB);
    await makeFiles(sizes.map((_, i) => `big ${list} ${i}`));
    const { prisma } = gateway.database;
    for (const [i, size] of sizes.entries()) {
      const { id } = await prisma.attachment.findFirstOrThrow({ where: { name: `big ${list} ${i}` } });
      await prisma.attachment.update({ where: { id }, data: { contentLength: size } });
      // Made in the database: sent as text, it takes a busy machine longer than a statement may run.
      await prisma.$executeRaw`
        UPDATE attachment_contents SET content = decode(repeat('07', ${size}::int), 'hex'), digest = NULL
        WHERE attachment_id = ${id}::uuid`;
    }
    const found = await walk(list, `term=big%20${list}`);
    expect(found.map(({ content_legth }) => content_legth)).toEqual(sizes);
    // The third would go beyond; of those behind it, the first just fits.
    expect(found.map(({ content }) => content?.length)).toEqual(
      [11, 11, undefined, 10, undefined].map((size) => size && base64(size * MiB).length),
    );
    const { json } = await get(`expirationitem/${found[2]?.id}`);
    expect(json.content).toHaveLength(base64(11 * MiB).length);
  });
});

test('files of the list are ordered as they are asked for, the oldest first otherwise', async () => {
  await makeFiles(['sort b', 'sort a', 'sort c']);
  const names = async (query: string) => {
    const { json } = await get(`expirationitem?term=sort&${query}`);
    return json.attachments.map(({ name }: File) => name);
  };
  expect(await names('')).toEqual(['sort b', 'sort a', 'sort c']);
  expect(await names('sortDirection=desc')).toEqual(['sort c', 'sort a', 'sort b']);
  expect(await names('sort=name')).toEqual(['sort a', 'sort b', 'sort c']);
  expect(await names('sort=name&sortDirection=desc')).toEqual(['sort c', 'sort b', 'sort a']);
  expectBadRequest(await get('expirationitem?sort=content'), /^sort: /);
});

describe('GET /v1/attachments/expirationitem/{id}', () => {
  const made = async () => {
    const item = await createItem(gateway, { attachments: [{ name: 'read.txt', content: 'cmVhZA==' }] });
    return { item: item.id as string, id: item.attachments[0].id as string };
  };

  test('200: the file, with its bytes unless they are not asked for', async () => {
    const { item, id } = await made();
    const { status, json, headers } = await get(`expirationitem/${id}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, content: 'cmVhZA==', entity_type: 'expirationitem', entity_id: item });
    expect(headers.get('etag')).toMatch(/^"/);
    expect((await get(`expirationitem/${id}?includeFileContent=false`)).json).toEqual({
      ...json,
      content: null,
    });
  });

  test('304, 400, 401, 403, 404, 405 and 412', async () => {
    const { item, id } = await made();
    const path = `expirationitem/${id}`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect((await get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expectBadRequest(await get(`${path}?includeFileContent=maybe`));
    expectError(await get(path, { token: null }), 401, 'UNAUTHORIZED');
    expectError(await get(path, { token: gateway.uploader }), 403, 'FORBIDDEN');
    const stranger = await createTenant(gateway.database, 'Globex');
    expectError(await get(path, { token: stranger.admin }), 404, 'NOT_FOUND');
    // The id is the file's, not the item's.
    for (const other of [nowhere, 'no-uuid', item])
      expectError(await get(`expirationitem/${other}`), 404, 'NOT_FOUND');
    const deleted = await gateway.send('DELETE', `/v1/attachments/${path}`);
    expectError(deleted, 405, 'METHOD_NOT_ALLOWED');
    const stale = await get(path, { headers: { 'If-Match': '"stale"' } });
    expectError(stale, 412, 'PRECONDITION_FAILED');
  });
});

test('an answer is whole, even if its files are replaced while it is read', async () => {
  const sizes = [3, 30_000];
  const files = Array.from({ length: 20 }, (_, at) => ({ name: `${at}.txt`, content: base64(3) }));
  const { id } = await createItem(gateway, { attachments: files });
  let isOver = false;
  const replace = async () => {
    for (let at = 1; !isOver; at++) {
      const content = Buffer.alloc(sizes[at % 2] ?? 0, 7);
      await gateway.database.prisma.$executeRaw`
        UPDATE attachment_contents AS stored SET content = ${content}, digest = NULL FROM attachments AS file
        WHERE file.id = stored.attachment_id AND file.item_id = ${id}::uuid`;
    }
  };
  const replacing = replace();
  const statuses = new Set<number>();
  for (let read = 0; read < 100; read++) {
    // A body of another length than the head says is an error of `fetch`.
    const { status, json } = await gateway.send('GET', `/v1/expirationitems/${id}`);
    statuses.add(status);
    if (status === 503) continue;
    const lengths = json.attachments.map(({ content }: File) => content?.length);
    expect(sizes.map((size) => base64(size).length)).toContain(lengths[0]);
    expect(new Set(lengths).size).toBe(1);
  }
  isOver = true;
  await replacing;
  expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
});
