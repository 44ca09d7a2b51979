import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { revokeToken } from '../../src/access/tokens.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { sessionOf, startFurther, streams, webSocketUrl } from './support.js';

type Further = Awaited<ReturnType<typeof startFurther>>;

let main: TestGateway;
let gateway: Further;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  main = await startGateway();
  gateway = await startFurther(main);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await gateway.close();
  await main.close();
});

/** So many fields of the query type, each under a name of its own. */
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => `f${index}: me { id }`).join(' ');

interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: unknown;
}

/** Returns a WebSocket whose messages are read one by one. */
async function open(
  protocol = 'graphql-transport-ws',
  headers: Record<string, string> = {},
  url = webSocketUrl(gateway),
) {
  const socket = new WebSocket(url, protocol || [], { headers });
  sockets.push(socket);
  const messages: Message[] = [];
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    socket.emit('read');
  });
  await once(socket, 'open');
  return {
    socket,
    closed,
    send: (message: Message) => socket.send(JSON.stringify(message)),
    /** Returns the next message; one that does not come before the end fails with what the end says. */
    async read(): Promise<Message | undefined> {
      const ended = closed.then((end) => Promise.reject(new Error(`It is closed: ${JSON.stringify(end)}`)));
      ended.catch(() => {});
      while (messages.length === 0) await Promise.race([once(socket, 'read'), ended]);
      return messages.shift();
    },
  };
}

async function connected(payload: object = { Authorization: `Bearer ${main.admin}` }) {
  const connection = await open();
  connection.send({ type: 'connection_init', payload });
  expect(await connection.read()).toEqual({ type: 'connection_ack' });
  const run = (query: string, id = '1') => connection.send({ id, type: 'subscribe', payload: { query } });
  return { ...connection, run };
}

test('numbers of tags come back to the last digit', async () => {
  const { socket, read } = await connected();
  const tags = '{"n":9007199254740993,"price":1.10,"large":1E5}';
  const query = `mutation($tags: JSON) {
    receiveUpload(input: {id: 8, text: {uploadTags: $tags}}) { uploadTags }
  }`;
  const told = once(socket, 'message');
  socket.send(
    `{"id":"1","type":"subscribe","payload":{"query":${JSON.stringify(query)},"variables":{"tags":${tags}}}}`,
  );
  expect(String((await told)[0])).toBe(
    `{"id":"1","type":"next","payload":{"data":{"receiveUpload":{"uploadTags":${tags}}}}}`,
  );
  expect(await read()).toMatchObject({ type: 'next' });
  expect(await read()).toEqual({ id: '1', type: 'complete' });
});

describe('the token', () => {
  test.each(['Authorization', 'authorization', 'AUTHORIZATION'])('comes as %s', async (name) => {
    const { run, read } = await connected({ [name]: `Bearer ${main.viewer}` });
    run('{ me { role } }');
    expect(await read()).toEqual({ id: '1', type: 'next', payload: { data: { me: { role: 'VIEWER' } } } });
    expect(await read()).toEqual({ id: '1', type: 'complete' });
  });

  test('comes with the request that opens the socket', async () => {
    const { send, read } = await open('graphql-transport-ws', { Authorization: `Bearer ${main.member}` });
    send({ type: 'connection_init' });
    expect(await read()).toEqual({ type: 'connection_ack' });
    send({ id: '1', type: 'subscribe', payload: { query: '{ me { role } }' } });
    expect(await read()).toMatchObject({ payload: { data: { me: { role: 'MEMBER' } } } });
  });

  test.each([
    ['none', undefined],
    ['an unknown one', { Authorization: 'Bearer unknown' }],
    ['one without its scheme', { Authorization: 'unknown' }],
    ['one that is no text', { Authorization: { Bearer: 1 } }],
    ['one that fits into no header', { Authorization: 'Bearer a\r\nb\u0000ü€' }],
  ])('%s is refused with 4401', async (_name, payload) => {
    const { send, closed } = await open();
    send({ type: 'connection_init', payload });
    expect(await closed).toEqual({ code: 4401, reason: expect.stringMatching(/token|Bearer/) });
  });

  test('is looked up for each operation', async () => {
    const { caller } = await sessionOf(main, 'UPLOADER');
    const { run, read, closed } = await connected({ Authorization: `Bearer ${main.uploader}` });
    run('mutation { receiveUpload(input: {text: {filename: "a.pdf"}}) { filename } }');
    expect(await read()).toMatchObject({ payload: { data: { receiveUpload: { filename: 'a.pdf' } } } });
    expect(await read()).toMatchObject({ type: 'complete' });
    await revokeToken(main.database, caller.tokenId, main.clock.now);
    run('{ me { role } }');
    expect(await closed).toMatchObject({ code: 4401 });
  });

  test('is needed first', async () => {
    const { send, closed } = await open();
    send({ id: '1', type: 'subscribe', payload: { query: '{ me { role } }' } });
    expect(await closed).toMatchObject({ code: 4401 });
  });
});

describe('an operation', () => {
  /** Returns what the same operation is answered over HTTP. */
  async function overHttp(query: string) {
    return main.graphql(query);
  }

  test.each([
    ['cannot be read', '{ me {'],
    ['asks for what is not there', '{ nothing }'],
    ['lacks an argument', '{ vehicle { id } }'],
    ['is none', 'fragment A on Query { me { id } }'],
  ])('that %s is an error, as over HTTP', async (_name, query) => {
    const { run, read } = await connected();
    run(query);
    const { errors } = await overHttp(query);
    expect(errors).toHaveLength(1);
    expect(await read()).toEqual({ id: '1', type: 'error', payload: errors });
    run('{ me { role } }', '2');
    expect(await read()).toMatchObject({ id: '2', type: 'next' });
  });

  test.each([
    ['fails in part', 'mutation { a: deleteVehicle(id: "x") { id } }'],
    ['writes', 'mutation { createVehicle(input: {name: "Van", year: 2024}) { name year } }'],
    ['reads', '{ vehicles(filter: {term: "no such"}) { totalCount } }'],
  ])('that %s answers as over HTTP', async (_name, query) => {
    const { run, read } = await connected();
    run(query);
    expect(await read()).toEqual({ id: '1', type: 'next', payload: await overHttp(query) });
    expect(await read()).toEqual({ id: '1', type: 'complete' });
  });

  test('reveals nothing of an internal error', async () => {
    const { run, read } = await connected();
    const sql = (text: string) => main.database.prisma.$executeRawUnsafe(text);
    await sql('ALTER TABLE tags RENAME TO tags_gone');
    try {
      run('{ tags { totalCount } }');
      const { payload } = (await read()) ?? {};
      expect(payload).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL_ERROR' } }] });
      expect(JSON.stringify(payload)).not.toMatch(/tags_gone|prisma|select/i);
    } finally {
      await sql('ALTER TABLE tags_gone RENAME TO tags');
    }
  });

  test('in flight is finished when the gateway stops', async () => {
    const stopping = await startFurther(main);
    const socket = new WebSocket(webSocketUrl(stopping), 'graphql-transport-ws');
    sockets.push(socket);
    const read: Message[] = [];
    socket.on('message', (data) => read.push(JSON.parse(String(data))));
    const closed = once(socket, 'close');
    await once(socket, 'open');
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${main.admin}` } }),
    );
    await once(socket, 'message');
    const { prisma } = main.database;
    const { data } = await main.graphql('mutation { createVehicle(input: {name: "Held"}) { id } }');
    const { id } = data.createVehicle;
    let closing = Promise.resolve();
    await prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one FROM vehicles WHERE id = ${id}::uuid FOR UPDATE`;
      const query = `mutation { updateVehicle(id: "${id}", input: {name: "Done"}) { name } }`;
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      await expect
        .poll(
          () => prisma.$queryRaw`SELECT 1 AS one FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        .toHaveLength(1);
      closing = stopping.close();
      socket.send(JSON.stringify({ id: '2', type: 'subscribe', payload: { query: '{ me { role } }' } }));
    });
    await closing;
    expect((await closed)[0]).toBe(1001);
    expect(read.slice(1)).toEqual([
      { id: '1', type: 'next', payload: { data: { updateVehicle: { name: 'Done' } } } },
      { id: '1', type: 'complete' },
    ]);
  });
});

describe('what HTTP refuses to execute is refused', () => {
  async function answerOf(url: string, payload: object): Promise<unknown> {
    const { send, read } = await open('graphql-transport-ws', {}, url);
    send({ type: 'connection_init', payload: { Authorization: `Bearer ${main.admin}` } });
    await read();
    send({ id: '1', type: 'subscribe', payload });
    return read();
  }

  test.each([
    ['a document of too many tokens', { query: `{ ${'me { id } '.repeat(3_000)}}` }],
    ['a document that asks for too much', { query: `{ ${fields(101)} }` }],
    ['a parameter that there is not', { query: '{ me { id } }', nothing: 1 }],
  ])('%s', async (_name, payload) => {
    const { errors } = (await main.send('POST', '/graphql', { body: payload })).json;
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
    expect(await answerOf(webSocketUrl(gateway), payload)).toEqual({
      id: '1',
      type: 'error',
      payload: errors,
    });
  });

  test('whatever is no persisted operation, where only they are answered', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operations-'));
    await writeFile(join(folder, 'me.graphql'), '{ me { role } }');
    const settings = { PERSISTED_OPERATIONS: folder, PERSISTED_OPERATIONS_ONLY: 'on' };
    const strict = await startFurther(main, {}, settings);
    try {
      expect(await answerOf(webSocketUrl(strict), { query: '{ me { role } }' })).toMatchObject({
        payload: { data: { me: { role: 'ADMIN' } } },
      });
      for (const query of ['{ me { name } }', 'subscription { eventLogged { id } }']) {
        expect(await answerOf(webSocketUrl(strict), { query })).toMatchObject({
          type: 'error',
          payload: [{ message: expect.stringContaining('persisted'), extensions: { code: 'BAD_REQUEST' } }],
        });
      }
      expect(strict.app.streams()).toBe(0);
    } finally {
      await strict.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('who does not keep to the protocol', () => {
  test('by naming none gets an error', async () => {
    const { closed } = await open('');
    expect(await closed).toMatchObject({ code: 4406 });
  });

  test.each(['{', '[]', '{"type": "nothing"}', '{"type": "subscribe", "id": "1", "payload": {}}'])(
    'by sending %s gets an error',
    async (text) => {
      const { socket, closed } = await connected();
      socket.send(text);
      expect(await closed).toMatchObject({ code: 4400 });
    },
  );

  test('by exceeding the message limit gets an error, and nobody else is disturbed', async () => {
    const other = await connected();
    const { socket, closed } = await connected();
    socket.send('x'.repeat(1024 * 1024 + 1));
    expect(await closed).toMatchObject({ code: 1009 });
    other.run('{ me { role } }');
    expect(await other.read()).toMatchObject({ type: 'next' });
  });

  test('by asking for too much at once gets an error', async () => {
    const { run, closed } = await connected();
    for (let id = 0; id <= 100; id += 1) run('{ vehicles { totalCount } }', String(id));
    expect(await closed).toMatchObject({ code: 4429, reason: expect.stringContaining('operations') });
    await streams(gateway, 0);
    // A busy machine sheds who comes before all of these are done.
    (await eventually(() => connected())).socket.close();
  });
});

test('a connection is one line in the log, with the token’s id and without the token', async () => {
  gateway.lines.text = '';
  const { socket } = await connected();
  socket.close();
  const { caller } = await sessionOf(main, 'ADMIN');
  expect(await gateway.lines.with({ status: 101, tokenId: caller.tokenId })).toMatchObject({
    level: 30,
    id: expect.any(String),
    method: 'GET',
    path: '/graphql',
    ms: expect.any(Number),
  });
  expect(gateway.lines.text).not.toContain(main.admin);
});

test('an unauthenticated client cannot send large messages', async () => {
  const { socket, closed } = await open();
  // It would be read as a whole from those who are known.
  socket.send('x'.repeat(64 * 1024));
  expect(await closed).toMatchObject({ code: 1009 });
  await streams(gateway, 0);
});
