import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem } from '../rest/items.support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';

const gateway = useGateway();
/** Two files, and one in a workspace that members do not see. */
let text: string;
let large: string;
let hidden: string;
const words = 'Hello, ÄÖÜ!';
// Several slices, and a part of one.
const bytes = randomBytes(3 * 1024 * 1024 + 17);

async function attach(file: object, item: object = {}): Promise<string> {
  const { attachments } = await createItem(gateway, { ...item, attachments: [file] });
  return attachments[0].id;
}

beforeAll(async () => {
  const content = Buffer.from(words).toString('base64');
  text = await attach({ name: 'Grüße.txt', contentType: 'text/plain; charset=utf-8', content });
  large = await attach({
    name: 'scan.pdf',
    contentType: 'application/pdf',
    content: bytes.toString('base64'),
  });
  hidden = await attach({ name: 'h', content }, { teamId: gateway.otherTeamId });
});

interface Options {
  readonly method?: string;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

async function get(id: string, { method = 'GET', token = gateway.viewer, headers = {} }: Options = {}) {
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${gateway.url}/attachments/${id}`, {
    method,
    headers: { ...authorization, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const download = async (id: string, token?: string) => {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Attachment { downloadUrl contentLength } } }';
  return (await gateway.graphql(query, { id }, token)).data.node;
};

describe('GET /attachments/{id}', () => {
  test('is where the GraphQL door says, and answers the bytes', async () => {
    expect(await download(text, gateway.member)).toEqual({
      downloadUrl: `/attachments/${text}`,
      contentLength: '14',
    });
    const { status, headers, body } = await get(text);
    expect([status, body.toString()]).toEqual([200, words]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': `attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt`,
      'content-length': '14',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-type': 'text/plain; charset=utf-8',
      // That of the file's bytes, which another file may replace.
      etag: expect.stringMatching(/^"[0-9a-f-]{36}"$/),
      vary: expect.stringMatching(/authorization/i),
      'x-content-type-options': 'nosniff',
    });
  });

  test('answers a large file to the last byte, slice by slice', async () => {
    const { status, headers, body } = await get(large);
    expect([status, headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect(body.equals(bytes)).toBe(true);
  });

  test('reads no more of a file than requested', async () => {
    const headers = { Range: 'bytes=100-199' };
    const names = await namesOf(gateway, () => get(large, { headers }));
    expect(names).toEqual(['attachment_contents.head', 'attachment_contents.part']);
    const whole = await namesOf(gateway, () => get(large));
    expect(whole).toEqual(['attachment_contents.head', ...Array(4).fill('attachment_contents.part')]);
    expect(await namesOf(gateway, () => get(large, { method: 'HEAD' }))).toEqual([
      'attachment_contents.head',
    ]);
  });

  test('sends an invalid media type as application/octet-stream', async () => {
    const id = await attach({ name: 'x', contentType: 'text/html\r\nX-Evil: 1', content: 'eA==' });
    const { headers } = await get(id);
    expect([headers.get('content-type'), headers.get('x-evil')]).toEqual(['application/octet-stream', null]);
  });

  test('answers a file without bytes', async () => {
    const id = await attach({ name: 'empty', content: '' });
    for (const headers of [{}, { Range: 'bytes=0-' }] as Record<string, string>[]) {
      const { status, body } = await get(id, { headers });
      expect([status, body.length]).toEqual(headers.Range ? [416, expect.any(Number)] : [200, 0]);
    }
  });

  test.each<[string, number, number]>([
    ['bytes=0-0', 0, 0],
    ['bytes=7-', 7, 13],
    ['bytes=-3', 11, 13],
    ['bytes=3-999', 3, 13],
  ])('206 of %s', async (range, first, last) => {
    const { status, headers, body } = await get(text, { headers: { Range: range } });
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/14`]);
    expect(headers.get('content-length')).toBe(String(last - first + 1));
    expect(body.equals(Buffer.from(words).subarray(first, last + 1))).toBe(true);
  });

  test('a range may go over slices', async () => {
    const [first, last] = [1024 * 1024 - 5, 2 * 1024 * 1024 + 5];
    const { status, body } = await get(large, { headers: { Range: `bytes=${first}-${last}` } });
    expect([status, body.equals(bytes.subarray(first, last + 1))]).toEqual([206, true]);
  });

  test('416 of a range that the file does not reach', async () => {
    const { status, headers, body } = await get(text, { headers: { Range: 'bytes=14-' } });
    expect([status, headers.get('content-range')]).toEqual([416, 'bytes */14']);
    expect(JSON.parse(body.toString())).toMatchObject({ ok: false, code: 'BAD_REQUEST' });
  });

  test.each(['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes'])('ignores the range %s', async (range) => {
    const { status, body } = await get(text, { headers: { Range: range } });
    expect([status, body.toString()]).toEqual([200, words]);
  });

  test('If-Range: only a part of the same file', async () => {
    const range = (version: string) => get(text, { headers: { Range: 'bytes=0-1', 'If-Range': version } });
    const tag = (await get(text)).headers.get('etag') ?? '';
    expect((await range(tag)).status).toBe(206);
    for (const version of [`W/${tag}`, '"other"', 'Fri, 20 Nov 2026 09:30:00 GMT']) {
      expect((await range(version)).status).toBe(200);
    }
  });

  test('If-Match: 412 for another version, before If-None-Match', async () => {
    const { headers } = await get(text);
    const tag = headers.get('etag') ?? '';
    for (const match of [tag, '*'])
      expect((await get(text, { headers: { 'If-Match': match } })).status).toBe(200);
    const other = await get(text, { headers: { 'If-Match': '"other"', 'If-None-Match': tag } });
    expect(other.status).toBe(412);
  });

  test('If-None-Match: 304 without a body', async () => {
    const own = (await get(text)).headers.get('etag') ?? '';
    for (const tag of [own, `W/${own}`, '"a", *']) {
      const { status, headers, body } = await get(text, {
        headers: { 'If-None-Match': tag, Range: 'bytes=0-1' },
      });
      expect([status, headers.get('etag'), body.length]).toEqual([304, own, 0]);
    }
    expect((await get(text, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('HEAD sends only the headers, without ranges', async () => {
    const { status, headers, body } = await get(large, { method: 'HEAD', headers: { Range: 'bytes=0-1' } });
    expect([status, headers.get('content-length'), body.length]).toEqual([200, String(bytes.length), 0]);
    expect(headers.get('content-type')).toBe('application/pdf');
  });

  test('OPTIONS answers the methods, others are 405', async () => {
    const options = await get(text, { method: 'OPTIONS', token: null });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await get(text, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('nobody else reads it', () => {
  test('404 for an unknown file, or one elsewhere', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const wanted: [string, string][] = [
      [text, foreign.admin],
      [hidden, gateway.member],
      [newId(), gateway.admin],
      ['no-uuid', gateway.admin],
    ];
    for (const [id, token] of wanted) {
      const { status, body } = await get(id, { token });
      expect([id, status, JSON.parse(body.toString())]).toMatchObject([
        id,
        404,
        { ok: false, code: 'NOT_FOUND' },
      ]);
    }
    expect((await get(hidden, { token: gateway.admin })).status).toBe(200);
    expect((await fetch(`${gateway.url}/attachments/`)).status).toBe(404);
  });

  test('401 without a token, 403 for uploaders', async () => {
    const { status, headers } = await get(text, { token: null });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await get(text, { token: 'wrong' })).status).toBe(401);
    expect((await get(text, { token: gateway.uploader })).status).toBe(403);
  });

  test('no address and 404 where the bytes are elsewhere', async () => {
    const id = await attach({ name: 'x', content: 'eA==' });
    await gateway.database.prisma.attachmentContent.delete({ where: { attachmentId: id } });
    expect(await download(id)).toMatchObject({ downloadUrl: null });
    expect((await get(id)).status).toBe(404);
  });
});

test('a file deleted while it is read ends the answer early, and the gateway continues', async () => {
  const id = await attach({ name: 'gone', content: 'eA==' });
  // More than sockets hold back for a reader who waits. The database makes it: sent as text, it takes a busy machine
  // longer than a statement may run.
  const bytes = 48 * 1024 * 1024;
  const { prisma } = gateway.database;
  await prisma.$transaction([
    prisma.$executeRaw`SET LOCAL statement_timeout = 0`,
    prisma.$executeRaw`
        UPDATE attachment_contents SET content = decode(repeat('00', ${bytes}::int), 'hex'), digest = NULL WHERE attachment_id = ${id}::uuid`,
  ]);
  const response = await fetch(`${gateway.url}/attachments/${id}`, {
    headers: { Authorization: `Bearer ${gateway.admin}` },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  await prisma.attachment.delete({ where: { id } });
  const drain = async () => {
    for (let done = false; !done; ) ({ done } = (await reader?.read()) ?? { done: true });
  };
  await expect(drain()).rejects.toThrow();
  expect((await get(text)).status).toBe(200);
});

test('a caller who stops reading is let go', async () => {
  const stop = new AbortController();
  const response = await fetch(`${gateway.url}/attachments/${large}`, {
    headers: { Authorization: `Bearer ${gateway.admin}` },
    signal: stop.signal,
  });
  await response.body?.getReader().read();
  stop.abort();
  expect((await get(text)).status).toBe(200);
});
