import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { authenticate } from '../../src/access/callers.js';
import { Session } from '../../src/db/connection/session.js';
import { fileReference } from '../../src/domain/files.js';
import { newId } from '../../src/domain/rules.js';
import { withFileContents } from '../../src/http/embedded-files.js';
import { webSocketUrl } from '../live/support.js';
import { isReplay, keyed, shown } from '../rest/idempotency.support.js';
import { createItem, put } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { expectNothingHeld, heldBy } from '../support/held.js';

const MiB = 1024 * 1024;

describe('where there is no memory', () => {
  let gateway: TestGateway;
  let note: string;
  beforeAll(async () => {
    gateway = await startGateway({}, undefined, { memory: { limit: MiB / 2, maxWaitMs: 5 } });
    const { data } = await gateway.graphql('mutation($body: String!){createNote(input:{body:$body}){id}}', {
      body: 'x'.repeat(60_000),
    });
    note = data.createNote.id;
  });
  afterAll(() => gateway.close());

  const aliases = Array.from({ length: 10 }, (_, n) => `a${n}:body`).join(' ');

  /** Returns a request that has a caller's part of the memory for as long as its rest is not sent. */
  function unsent() {
    const headers = {
      authorization: `Bearer ${gateway.admin}`,
      'content-type': 'application/json',
      'content-length': MiB,
    };
    const asked = request(`${gateway.url}/graphql`, { method: 'POST', agent: false, headers });
    asked.on('error', () => {});
    asked.write(Buffer.alloc(MiB / 8 + 1, ' '));
    return asked;
  }

  test.each([
    ['PUT', () => `/v1/expirationitems/${newId()}`],
    ['POST', () => '/graphql'],
  ])('a body is refused: %s', async (method, path) => {
    const first = unsent();
    await eventually(async () => expect(await heldBy(gateway)).toBe(MiB / 2));
    const answer = await gateway.send(method, path(), { body: { query: '{me{id}}', name: 'x'.repeat(MiB) } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.text).toMatch(/"code":"UNAVAILABLE"/);
    first.destroy();
    await expectNothingHeld(gateway);
  });

  test('a query is refused', async () => {
    const query = `query($id: ID!){note(id:$id){${aliases}}}`;
    const answer = await gateway.send('POST', '/graphql', { body: { query, variables: { id: note } } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.json.errors[0].extensions.code).toBe('UNAVAILABLE');
    await expectNothingHeld(gateway);
  });

  test('successful writes are reported', async () => {
    const query = `mutation($id: ID!){updateNote(id:$id,input:{body:"${'y'.repeat(60_000)}"}){${aliases}}}`;
    const { data, errors } = await gateway.graphql(query, { id: note });
    expect(errors).toBeUndefined();
    expect(data.updateNote.a9).toHaveLength(60_000);
    await expectNothingHeld(gateway);
  });
});

test('a file of the largest size is taken as a form, by the least memory that there may be', async () => {
  const gateway = await startGateway({ MEMORY_BUDGET: '128' });
  const { id } = await createItem(gateway);
  const form = new FormData();
  const query =
    'mutation($id: ID!, $file: Upload!){addAttachment(itemId:$id,input:{file:$file}){contentLength}}';
  form.set('operations', JSON.stringify({ query, variables: { id, file: null } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new Blob([Buffer.alloc(16 * MiB)]), 'a.pdf');
  const headers = { 'apollo-require-preflight': '1' };
  const answer = await gateway.send('POST', '/graphql', { raw: form, headers });
  expect(answer.json).toEqual({ data: { addAttachment: { contentLength: String(16 * MiB) } } });
  await expectNothingHeld(gateway);
  await gateway.close();
});

describe('a stream that nobody reads', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    // Enough to make an event of 11 MB, and not to keep it as well.
    gateway = await startGateway({}, undefined, { memory: { limit: 26 * MiB } });
  });
  afterAll(() => gateway.close());

  const query =
    'subscription($id: ID!){expirationItemChanged(id:$id){id a:attachments{nodes{content}} b:attachments{nodes{content}}}}';

  /** Has the item of a stream change, and waits until the stream is over for that. */
  async function expectCut(item: { id: string }) {
    await eventually(() => expect(gateway.app.streams()).toBe(1));
    const { errors } = await gateway.graphql(
      'mutation($id: ID!){updateExpirationItem(id:$id,input:{details:"changed"}){id}}',
      { id: item.id },
    );
    expect(errors).toBeUndefined();
    await eventually(() => expect(gateway.app.streams()).toBe(0));
    await expectNothingHeld(gateway);
  }

  const largeItem = () =>
    createItem(gateway, {
      attachments: [{ name: 'a.pdf', content: Buffer.alloc(4 * MiB, 7).toString('base64') }],
    });

  test('is cut: server-sent events', async () => {
    const item = await largeItem();
    const asked = request(`${gateway.url}/graphql`, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${gateway.admin}`,
      },
    });
    // Its answer is never read.
    asked.on('error', () => {});
    asked.on('response', (response) => response.on('error', () => {}));
    asked.end(JSON.stringify({ query, variables: { id: item.id } }));
    await expectCut(item);
    asked.destroy();
  });

  test('is cut: a WebSocket', async () => {
    const item = await largeItem();
    const headers = { authorization: `Bearer ${gateway.admin}` };
    const socket = new WebSocket(webSocketUrl(gateway), 'graphql-transport-ws', { headers });
    socket.on('error', () => {});
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
    socket.once('message', () => {
      socket.send(
        JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables: { id: item.id } } }),
      );
      socket.pause();
    });
    await expectCut(item);
    socket.terminate();
  });
});

describe('files in an answer', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test('are sent as they are read, as long as the head says, and again for a repeat', async () => {
    const item = await createItem(gateway);
    const files = [2 * MiB, 0, 3 * 256 * 1024 + 1, 5].map((size, n) => ({
      name: `${n}.pdf`,
      content: Buffer.alloc(size, n + 1).toString('base64'),
    }));
    const request = keyed();
    const first = await put(gateway, item, { attachments: files }, request);
    expect(first.status).toBe(200);
    const told = first.json.attachments.map(({ name, content }: (typeof files)[number]) => ({
      name,
      content,
    }));
    expect(told).toEqual(files);
    expect(first.headers.get('content-length')).toBe(String(Buffer.byteLength(first.text)));
    const again = await put(gateway, item, { attachments: files }, request);
    expect(isReplay(again)).toBe(true);
    expect(shown(again)).toEqual(shown(first));
    await expectNothingHeld(gateway);
  });

  test('are null where they are gone', async () => {
    const caller = await authenticate(gateway.database, gateway.admin, testTime);
    if (!caller) throw new Error('The token is not known.');
    const session = new Session(gateway.database, { caller, now: testTime });
    const { attachments } = await createItem(gateway, {
      attachments: [{ name: 'a.pdf', content: Buffer.from('abc').toString('base64') }],
    });
    const references = [attachments[0].id, newId()].map(fileReference);
    const body = JSON.stringify({ a: references[0], b: references[1], c: 'file:' });
    const answer = await withFileContents(session, { status: 200, headers: {}, body });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body as AsyncIterable<Buffer>) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    expect(JSON.parse(text)).toEqual({ a: 'YWJj', b: null, c: 'file:' });
    expect(answer.headers['Content-Length']).toBe(String(text.length));
  });
});
