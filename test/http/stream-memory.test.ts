import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { newId } from '../../src/domain/rules.js';
import { nextData, post, streams, subscribe, transports, webSocketUrl } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import { startGateway, useGateway } from '../support/gateway.js';
import { expectNothingHeld, heldBy } from '../support/held.js';

const MiB = 1024 * 1024;

const gateway = useGateway();

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes that the process uses, without garbage. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const query = 'subscription { eventLogged { id } }';

/** Opens a WebSocket whose token is known. */
async function open(token = gateway.admin): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(webSocketUrl(gateway), 'graphql-transport-ws', { headers });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
}

const closeOf = (socket: WebSocket) =>
  new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)));

describe('a stream holds nothing of a large request once it is open', () => {
  test('server-sent events', async () => {
    const body = Buffer.from(JSON.stringify({ query, variables: { unknown: 'x'.repeat(8 * MiB) } }));
    const head = [
      'POST /graphql HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${gateway.admin}`,
      'Content-Type: application/json',
      'Accept: text/event-stream',
      `Content-Length: ${body.length}`,
    ];
    const before = used();
    const sockets: Socket[] = [];
    for (let n = 1; n <= 3; n++) {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(body);
      sockets.push(socket.resume());
      await streams(gateway, n);
    }
    await eventually(async () => expect(await heldBy(gateway)).toBeLessThan(MiB));
    await eventually(() => expect(used() - before).toBeLessThan(8 * MiB));
    for (const socket of sockets) socket.destroy();
    await streams(gateway, 0);
    await expectNothingHeld(gateway);
  });

  test('a WebSocket', async () => {
    const socket = await open();
    const before = used();
    for (let n = 1; n <= 12; n++) {
      const payload = { query, variables: { unknown: 'x'.repeat(MiB - 1024) } };
      socket.send(JSON.stringify({ id: String(n), type: 'subscribe', payload }));
      await streams(gateway, n);
    }
    await eventually(async () => expect(await heldBy(gateway)).toBeLessThan(MiB));
    await eventually(() => expect(used() - before).toBeLessThan(6 * MiB));
    socket.close();
    await streams(gateway, 0);
    await expectNothingHeld(gateway);
  });

  test('but the variables that it uses', async () => {
    const variables = { id: 'x'.repeat(MiB) };
    const subscription = 'subscription($id: ID!) { expirationItemChanged(id: $id) { id } }';
    const answer = await post(gateway, { query: subscription, variables });
    await answer.body?.cancel();
    await expectNothingHeld(gateway);
  });
});

describe('a stream holds nothing of the events that it has told', () => {
  const notes = ['a', 'b', 'c', 'd', 'e'];
  const note = 'createNote(input: {body: $body, relations: [{entityId: $id, kind: EXPIRATION_ITEM}]}) { id }';
  const create = `mutation($body: String!, $id: ID!) {
    createExpirationItem(input: {id: $id, name: "Badge", expirationDate: "2030-01-01"}) { id }
    ${notes.map((name) => `${name}: ${note}`).join(' ')}
  }`;
  const change =
    'mutation($id: ID!, $name: String!) { updateExpirationItem(id: $id, input: {name: $name}) { id } }';
  const query = 'subscription($id: ID!) { expirationItemChanged(id: $id) { name notes { nodes { body } } } }';

  test.each(Object.entries(transports))('over %s', async (_name, over) => {
    const id = newId();
    const body = `<p>${'x'.repeat(60_000)}</p>`;
    expect((await gateway.graphql(create, { id, body })).errors).toBeUndefined();
    const results = await subscribe(gateway, { query, variables: { id } }, over);
    let changes = 0;
    async function tell(count: number) {
      for (let n = 0; n < count; n++) {
        const name = `Badge ${changes++}`;
        expect((await gateway.graphql(change, { id, name })).errors).toBeUndefined();
        expect(await nextData(results)).toEqual({
          expirationItemChanged: { name, notes: { nodes: notes.map(() => ({ body })) } },
        });
      }
    }
    await tell(3);
    const before = used();
    await tell(40);
    await eventually(() => expect(used() - before).toBeLessThan(2 * MiB));
    await results.return?.();
    await streams(gateway, 0);
  });
});

describe('messages that are not whole', () => {
  /** Writes below the WebSocket. */
  const rawOf = (socket: WebSocket) => (socket as unknown as { _socket: Socket })._socket;

  /** Returns the head of a frame with so many bytes, masked by zeros. */
  function headOf(length: number): Buffer {
    const head = Buffer.alloc(14);
    head.writeUInt8(0x81, 0);
    head.writeUInt8(0x80 | 127, 1);
    head.writeBigUInt64BE(BigInt(length), 2);
    return head;
  }

  test('are counted, and given back when they are whole or the connection is closed', async () => {
    const sockets = await Promise.all([open(), open()]);
    const text = JSON.stringify({ type: 'ping', payload: { x: 'x'.repeat(MiB / 2) } });
    for (const socket of sockets) {
      rawOf(socket).write(headOf(text.length));
      rawOf(socket).write(text.slice(0, -1));
    }
    await eventually(async () => expect(await heldBy(gateway)).toBeGreaterThanOrEqual(4 * MiB));
    const [first, second] = sockets as [WebSocket, WebSocket];
    const answered = new Promise((resolve) => first.once('message', resolve));
    rawOf(first).write(text.slice(-1));
    await answered;
    second.terminate();
    await expectNothingHeld(gateway);
    // Pings between messages leave nothing behind.
    for (let n = 0; n < 3; n++) {
      const pong = new Promise((resolve) => first.once('pong', resolve));
      first.ping('are you there?');
      await pong;
    }
    await expectNothingHeld(gateway);
    first.close();
  });

  test('end their connection with 1013 where there is no room', async () => {
    const small = await startGateway({}, undefined, { memory: { limit: MiB } });
    const headers = { authorization: `Bearer ${small.admin}` };
    const socket = new WebSocket(webSocketUrl(small), 'graphql-transport-ws', { headers });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await new Promise((resolve) => socket.once('message', resolve));
    const closed = closeOf(socket);
    rawOf(socket).write(headOf(MiB));
    rawOf(socket).write('x'.repeat(MiB / 2));
    expect(await closed).toBe(1013);
    await expectNothingHeld(small);
    await small.close();
  });

  test('end their connection when they are late and somebody waits', async () => {
    const small = await startGateway({}, undefined, { memory: { limit: 2 * MiB } });
    const headers = { authorization: `Bearer ${small.member}` };
    const socket = new WebSocket(webSocketUrl(small), 'graphql-transport-ws', { headers });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await new Promise((resolve) => socket.once('message', resolve));
    const closed = closeOf(socket);
    rawOf(socket).write(headOf(MiB));
    rawOf(socket).write('x'.repeat(480 * 1024));
    await eventually(async () => expect(await heldBy(small)).toBeGreaterThan(1.8 * MiB));
    small.clock.now = new Date(small.clock.now.getTime() + 60_000);
    await eventually(async () => expect(await heldBy(small)).toBeGreaterThan(1.8 * MiB));
    const body = { query: '{ me { name } }', extensions: { x: 'x'.repeat(256 * 1024) } };
    const answer = await small.send('POST', '/graphql', { body });
    expect(answer.json).toEqual({ data: { me: { name: 'Ada Admin' } } });
    expect(await closed).toBe(1008);
    await expectNothingHeld(small);
    await small.close();
  });

  test('are refused in more than a thousand parts', async () => {
    const socket = await open();
    const closed = closeOf(socket);
    for (let n = 0; n < 1_100; n++) socket.send('{', { fin: false });
    expect(await closed).toBe(1008);
    await expectNothingHeld(gateway);
  });
});
