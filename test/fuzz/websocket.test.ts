import fc, { type Arbitrary } from 'fast-check';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorKinds } from '../../src/domain/errors.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Lines } from '../support/lines.js';
import { expectAlive, expectTold } from './answers.js';
import { type Frame, openRaw, type RawWebSocket } from './frames.js';
import { patience, runs, seed, settings } from './runs.js';

let gateway: TestGateway;
const lines = new Lines();
beforeAll(async () => {
  // Of one who answers no ping, the connection is over soon.
  const live = { heartbeat: 1_000 };
  gateway = await startGateway({}, live, {
    wire: { keepAliveTimeout: 50 },
    log: pino({ level: 'warn' }, lines),
  });
});
afterAll(() => gateway.close());
afterEach(async () => {
  await expectOver();
  await expectAlive(gateway);
});

/** Expects that nothing is left of the WebSockets that there were, and no fault was met. */
async function expectOver(): Promise<void> {
  await expect.poll(gateway.app.connections).toBe(0);
  await expect.poll(gateway.app.streams).toBe(0);
  expect(lines.text).toBe('');
}

const subscription = 'subscription { eventLogged { description } }';
const subscribe = (id: unknown, query: unknown = subscription, more: object = {}) => ({
  id,
  type: 'subscribe',
  payload: { query, ...more },
});
const init = () => ({ type: 'connection_init', payload: { Authorization: `Bearer ${gateway.admin}` } });

async function connected(): Promise<RawWebSocket> {
  const socket = await openRaw(gateway);
  socket.say(init());
  await socket.until(1);
  expect(socket.messages).toEqual([{ type: 'connection_ack' }]);
  return socket;
}

describe('is ended with the code that the protocols have for it:', () => {
  test.each<[string, string, number]>([
    ['no JSON', '{', 4400],
    ['nothing', '', 4400],
    ['null', 'null', 4400],
    ['a list', '[]', 4400],
    ['a number', '1', 4400],
    ['no type', '{}', 4400],
    ['an unknown type', '{"type":"start"}', 4400],
    ['a type that is no text', '{"type":["subscribe"]}', 4400],
    ['a type of objects', '{"type":"constructor"}', 4400],
    ['a payload that is no object', '{"type":"ping","payload":1}', 4400],
    ['no id', '{"type":"subscribe","payload":{"query":"{ me { id } }"}}', 4400],
    ['an empty id', JSON.stringify(subscribe('')), 4400],
    ['an id that is no text', JSON.stringify(subscribe(1)), 4400],
    ['no payload', '{"type":"subscribe","id":"1"}', 4400],
    ['a query that is no text', JSON.stringify(subscribe('1', { a: 1 })), 4400],
    [
      'variables that are no object',
      JSON.stringify(subscribe('1', '{ me { id } }', { variables: 'a' })),
      4400,
    ],
    ['a word of the server', '{"type":"connection_ack"}', 4400],
    ['an answer of the server', '{"id":"1","type":"ne\\u0078t","payload":{}}', 4400],
    ['a second beginning', '{"type":"connection_init"}', 4429],
  ])('%s', async (_what, text, code) => {
    const socket = await connected();
    socket.send({ payload: text });
    await socket.closed;
    expect(socket.code).toBe(code);
  });

  test.each<[string, Frame[], number]>([
    ['no mask', [{ payload: '{}', masked: false }], 1002],
    ['reserved bits', [{ payload: '{}', rsv: 2 }], 1002],
    ['an unknown opcode', [{ payload: '', opcode: 3 }], 1002],
    ['an unknown opcode of control', [{ payload: '', opcode: 11 }], 1002],
    ['a continuation of nothing', [{ payload: '{}', opcode: 0 }], 1002],
    ['a message within another', [{ payload: '{', fin: false }, { payload: '}' }], 1002],
    ['a ping in parts', [{ payload: '', opcode: 9, fin: false }], 1002],
    ['a long ping', [{ payload: 'x'.repeat(126), opcode: 9 }], 1002],
    ['a close without its code', [{ payload: 'x', opcode: 8 }], 1002],
    ['a close with a code that is none', [{ payload: Buffer.from([3, 237]), opcode: 8 }], 1002],
    ['text that is none', [{ payload: Buffer.from([0x7b, 0xc3, 0x28, 0x7d]) }], 1007],
    ['too much', [{ payload: `"${'x'.repeat(1024 * 1024)}"` }], 1009],
    ['the promise of too much', [{ payload: '', length: 1024 * 1024 + 1 }], 1009],
    ['the promise of far too much', [{ payload: '', length: 2 ** 52 }], 1009],
    [
      'too much in parts',
      Array.from({ length: 18 }, (_, at) => ({
        payload: 'x'.repeat(64 * 1024),
        opcode: at === 0 ? 1 : 0,
        fin: false,
      })),
      1009,
    ],
    ['a close', [{ payload: Buffer.from([3, 232]), opcode: 8 }], 1000],
  ])('%s', async (_what, frames, code) => {
    const socket = await connected();
    socket.say(subscribe('1'));
    await expect.poll(gateway.app.streams).toBe(1);
    socket.send(...frames);
    await socket.closed;
    expect(socket.code).toBe(code);
  });

  test.each([
    ['an operation before the beginning', subscribe('1'), 4401],
    ['a beginning without a token', { type: 'connection_init' }, 4401],
  ])('%s', async (_what, message, code) => {
    const socket = await openRaw(gateway);
    socket.say(message);
    await socket.closed;
    expect(socket.code).toBe(code);
  });

  test('no beginning', async () => {
    const socket = await openRaw(gateway);
    // It answers pings, and says nothing.
    await socket.closed;
    expect(socket.code).toBe(4408);
  });

  test.each(['1', 'x'.repeat(1_000), '🚚'.repeat(100)])('an id that is in use: %s', async (id) => {
    const socket = await connected();
    socket.say(subscribe(id), subscribe(id));
    await socket.closed;
    expect(socket.code).toBe(4409);
  });

  test('another protocol', async () => {
    const socket = await openRaw(gateway, 'graphql-ws');
    await socket.closed;
    expect(socket.code).toBe(4406);
  });

  test('more operations at once than there may be', async () => {
    const socket = await connected();
    socket.say(...Array.from({ length: 101 }, (_, id) => subscribe(String(id))));
    await socket.closed;
    expect(socket.code).toBe(4429);
  });
});

test('fragments, binary messages and unknown completions are accepted', async () => {
  const socket = await connected();
  const text = JSON.stringify(subscribe('__proto__', '{ me { role } }'));
  socket.say({ type: 'complete', id: 'unknown' }, { type: 'pong', payload: {} });
  socket.send({ payload: text.slice(0, 9), fin: false }, { payload: '', opcode: 9 });
  socket.send({ payload: text.slice(9), opcode: 0 }, { payload: text.replace('__proto__', '2'), opcode: 2 });
  await socket.until(5);
  for (const id of ['__proto__', '2']) {
    expect(socket.messages).toContainEqual({
      id,
      type: 'next',
      payload: { data: { me: { role: 'ADMIN' } } },
    });
    expect(socket.messages).toContainEqual({ id, type: 'complete' });
  }
  expect(socket.pongs).toBe(1);
  socket.socket.destroy();
});

test('a flood of pings costs the one who sends it the connection, at most', async () => {
  const socket = await connected();
  for (let at = 0; at < 50; at++) {
    socket.send(...Array.from({ length: 100 }, () => ({ payload: 'x'.repeat(125), opcode: 9 })));
    socket.say(...Array.from({ length: 100 }, () => ({ type: 'ping', payload: { a: 'x'.repeat(1_000) } })));
  }
  socket.socket.end();
  await socket.closed;
  expect([4429, undefined, 1006, 1005]).toContain(socket.code);
});

test('an operation completed before it begins leaves nothing behind', async () => {
  const socket = await connected();
  for (let id = 0; id < 50; id++) socket.say(subscribe(String(id)), { type: 'complete', id: String(id) });
  socket.say(subscribe('last', '{ me { role } }'));
  await expect.poll(() => socket.messages).toContainEqual({ id: 'last', type: 'complete' });
  await expect.poll(gateway.app.streams).toBe(0);
  socket.socket.destroy();
});

/** Whether one waits for the protocol to begin. */
type Begun = 'first' | 'at once' | 'never';

/** What one does with a WebSocket. */
type Step =
  | { readonly say: unknown }
  | { readonly send: Frame }
  | { readonly leave: 'close' | 'half' | 'first' };

/** Mostly what may be, so that what comes after what may not is rare. */
const rarely = <T>(weight: number, usual: Arbitrary<T>, odd: Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

const ids = rarely<unknown>(
  60,
  fc.constantFrom('1', '2', '3', '4', '5', '6', '__proto__', 'constructor', 'x'.repeat(5_000), '\0'),
  fc.constantFrom('', 1, null, {}),
);
const queries = rarely<unknown>(
  60,
  fc.constantFrom(
    ...[subscription, subscription, '{ me { id } }', 'subscription { nothing }', 'subscription', '{', ''],
    ...['subscription { uploadFiled { id } eventLogged { id } }', 'fragment A on Query { me { id } }'],
    ...['subscription { expirationItemChanged(id: "x") { id } }', 'subscription { __typename }'],
    ...['subscription ($a: Int!) { eventLogged(typeIds: [$a]) { id } }', '{ __schema { types { name } } }'],
    ...['mutation { createTag(input: {name: ""}) { id } }', 'query A { me { id } } query B { me { id } }'],
    ...['subscription { eventLogged { ...A } } fragment A on EventLog { ...A }', `{ ${'a'.repeat(70_000)} }`],
    '{a'.repeat(200),
  ),
  fc.constantFrom(1, null, {}),
);
const json = fc.jsonValue({ maxDepth: 3 });
const odd = fc.oneof(
  fc.record({
    type: fc.constantFrom<unknown>('ping', 'pong', 'complete', 'next', 'error', 1, null, 'subscribe'),
    id: ids,
    payload: json,
  }),
  json,
);
const operations = fc
  .tuple(
    ids,
    queries,
    rarely<object | null>(
      60,
      fc.constant(null),
      fc.record({ variables: json, operationName: json, extensions: json }, { requiredKeys: [] }),
    ),
  )
  .map(([id, query, more]) => subscribe(id, query, more ?? {}));
const frames: Arbitrary<Frame> = fc.record(
  {
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.constant('{"type":"ping"}'),
    ),
    opcode: fc.constantFrom(0, 1, 1, 2, 3, 8, 9, 10, 15),
    fin: fc.boolean(),
    masked: fc.constantFrom(true, true, true, false),
    rsv: fc.constantFrom(0, 0, 0, 1, 4),
    length: fc.constantFrom(5, 70_000, 2 ** 40),
  },
  { requiredKeys: ['payload'] },
);
const steps: Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: operations.map((say) => ({ say })) },
  { weight: 25, arbitrary: ids.map((id) => ({ say: { type: 'complete', id } })) },
  { weight: 5, arbitrary: fc.constant({ say: { type: 'ping' } }) },
  { weight: 1, arbitrary: odd.map((say) => ({ say })) },
  { weight: 1, arbitrary: frames.map((send) => ({ send })) },
  { weight: 1, arbitrary: fc.constantFrom('close', 'half', 'first').map((leave) => ({ leave })) },
);
const sessions = fc.record({
  begun: fc.constantFrom<Begun>(...Array<Begun>(8).fill('first'), 'at once', 'never'),
  steps: fc.array(steps, { maxLength: 12, size: 'max' }),
});

/** Codes that tell what the other side did wrong; none is told to one who is gone. */
const codes = [undefined, 1000, 1002, 1005, 1007, 1009, 4400, 4401, 4409, 4429];

function expectHeard({ messages, code }: RawWebSocket): void {
  expect(codes).toContain(code);
  for (const { type, payload } of messages) {
    expect(['connection_ack', 'next', 'error', 'complete', 'pong']).toContain(type);
    const errors = type === 'error' ? payload : type === 'next' ? (payload.errors ?? []) : [];
    for (const { message, extensions } of errors) {
      expectTold(message);
      expect(
        errorKinds[extensions.code as keyof typeof errorKinds]?.status,
        JSON.stringify(errors),
      ).toBeLessThan(500);
    }
  }
}

test(
  `whatever is said over a WebSocket, seed ${seed}, ends in order`,
  async () => {
    const met = new Map<number | undefined, number>();
    async function talk({ begun, steps }: { begun: Begun; steps: readonly Step[] }): Promise<void> {
      const socket = await openRaw(gateway);
      if (begun !== 'never') socket.say(init());
      if (begun === 'first') await socket.until(1);
      for (const step of steps) {
        if ('say' in step) socket.say(step.say);
        else if ('send' in step) socket.send(step.send);
        else if (step.leave === 'close') socket.send({ payload: Buffer.from([3, 232]), opcode: 8 });
        else if (step.leave === 'half') socket.socket.end();
        else socket.socket.destroy();
      }
      // No ping is answered any more, so that the connection ends.
      socket.answersPings = false;
      await socket.closed;
      expectHeard(socket);
      met.set(socket.code, (met.get(socket.code) ?? 0) + 1);
    }
    await fc.assert(
      fc.asyncProperty(fc.array(sessions, { minLength: 1, maxLength: 20, size: 'max' }), async (all) => {
        await Promise.all(all.map(talk));
        await expectOver();
      }),
      settings(4),
    );
    if (process.env.FUZZ_RUNS) process.stdout.write(`${runs(0)} ${JSON.stringify([...met])}\n`);
  },
  patience,
);
