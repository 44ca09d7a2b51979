import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { newId } from '../../src/domain/rules.js';
import { MemoryBudget } from '../../src/http/load/memory-budget.js';
import type { MemoryHold } from '../../src/http/load/memory-hold.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { expectNothingHeld, heldBy } from '../support/held.js';

const KiB = 1024;
const MiB = 1024 * KiB;

/** A connection on which a request is sent part by part, and all that came back. */
interface Sending {
  readonly socket: Socket;
  readonly text: () => string;
  /** Settled when the gateway has closed it. */
  readonly closed: Promise<unknown>;
}

/** Sends the head of a request; a length of undefined is one in chunks. */
function begin(
  { url }: TestGateway,
  { token, line = 'POST /graphql', length, more = '' }: HeadOptions,
): Sending {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  socket.write(
    `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${framing}\r\n${more}\r\n`,
  );
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

interface HeadOptions {
  readonly token: string;
  readonly line?: string;
  readonly length?: number;
  readonly more?: string;
}

/** Makes tokens of users who may read. */
const tokensOf = ({ database, organizationId, userId }: TestGateway, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const about = { organizationId, userId, name: 'reads', role: 'VIEWER' as const, expiresAt: null };
      return (await createToken(database, about, testTime)).token;
    }),
  );

/** A query of so many bytes. */
function queryOf(bytes: number): string {
  const [before, after] = ['{"query":"{me{name}}","extensions":{"x":"', '"}}'];
  return before + 'x'.repeat(bytes - before.length - after.length) + after;
}

describe('whose role does not allow it', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test.each([
    ['PUT', '/v1/expirationitems/{id}', 'viewer', ''],
    ['POST', '/v1/vehicles', 'uploader', ''],
    ['PATCH', '/v1/vehicles/{id}', 'viewer', ''],
    ['POST', '/v1/bulkscan/receive', 'viewer', ''],
    ['PUT', '/v1/expirationitems/{id}', 'viewer', 'Expect: 100-continue\r\n'],
  ] as const)(
    'is told so before any of the body is sent: %s %s by the %s',
    async (method, path, who, more) => {
      const line = `${method} ${path.replace('{id}', newId())}`;
      const { text, closed } = begin(gateway, { token: gateway[who], line, length: MiB, more });
      await closed;
      const [head = '', body = ''] = text().split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 403 /);
      expect(JSON.parse(body)).toEqual({
        message: `A token with the role ${who.toUpperCase()} may not do this.`,
        ok: false,
        code: 'FORBIDDEN',
      });
    },
  );
});

test('heads that announce large bodies and send nothing hold nothing', async () => {
  // Whoever has to wait is refused.
  const gateway = await startGateway({}, undefined, { memory: { patience: 1 } });
  const tokens = await tokensOf(gateway, 8);
  const slow = Array.from({ length: 40 }, (_, n) =>
    begin(gateway, { token: tokens[n % tokens.length] ?? '', length: 16 * MiB }),
  );
  await eventually(() => expect(gateway.app.connectionStates().busy).toBeGreaterThanOrEqual(40));
  for (const token of [gateway.admin, tokens[0] ?? '']) {
    const answer = await gateway.send('POST', '/graphql', {
      token,
      raw: queryOf(MiB),
      headers: { 'Content-Type': 'application/json' },
    });
    expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  }
  await expectNothingHeld(gateway);
  for (const { socket } of slow) socket.destroy();
  await gateway.close();
});

describe('where a body takes all memory', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({}, undefined, { memory: { limit: MiB } });
  });
  afterAll(() => gateway.close());

  /** As many bytes of a body as take all memory. */
  const most = MiB / 4;
  const whole = queryOf(2 * most);

  test('one that is late is left alone until somebody waits, and then answered 408', async () => {
    const first = begin(gateway, { token: gateway.admin, length: whole.length });
    first.socket.write(whole.slice(0, most));
    await eventually(async () => expect(await heldBy(gateway)).toBe(MiB));
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 60_000);
    await eventually(async () => expect(await heldBy(gateway)).toBe(MiB));
    expect(first.text()).toBe('');
    const second = await gateway.send('POST', '/graphql', {
      token: gateway.member,
      raw: whole,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(second.json).toEqual({ data: { me: { name: 'Max Member' } } });
    await first.closed;
    expect(first.text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\nConnection: close\r\n/);
    expect(first.text()).toContain('The request took too long to come.');
    await expectNothingHeld(gateway);
  });

  test('one in time is waited for, and two in chunks of one caller are both answered', async () => {
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const both = [0, 1].map(() => begin(gateway, { token: gateway.admin, more: 'Connection: close\r\n' }));
    for (let at = 0; at < whole.length; at += most / 4) {
      for (const { socket } of both) socket.write(chunk(whole.slice(at, at + most / 4)));
    }
    for (const { socket } of both) socket.write('0\r\n\r\n');
    for (const { closed, text } of both) {
      await closed;
      expect(text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"Ada Admin"/);
    }
    await expectNothingHeld(gateway);
  });
});

test('a body in chunks of one byte takes no more memory than another', async () => {
  const gateway = await startGateway();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const whole = queryOf(60 * KiB);
  const { socket, text, closed } = begin(gateway, { token: gateway.admin, more: 'Connection: close\r\n' });
  const sent = [...whole].map((byte) => `1\r\n${byte}\r\n`).join('');
  await heldBy(gateway);
  const before = used();
  socket.write(sent);
  await eventually(async () => expect(await heldBy(gateway)).toBe(4 * whole.length));
  expect(used() - before).toBeLessThan(5 * MiB);
  socket.write('0\r\n\r\n');
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"Ada Admin"/);
  await gateway.close();
});

describe('a body in very many chunks', () => {
  const [many, least] = [64 * KiB, 16];
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  /** Sends a body in chunks of so many bytes; gives what is answered. */
  async function sentIn(bytes: number, more = '', coded = (text: string) => Buffer.from(text)) {
    const { socket, text, closed } = begin(gateway, {
      token: gateway.admin,
      more: `Connection: close\r\n${more}`,
    });
    const whole = coded(queryOf((many + 2) * bytes)).toString('latin1');
    const chunks: string[] = [];
    for (let at = 0; at < whole.length; at += bytes) {
      const part = whole.slice(at, at + bytes);
      chunks.push(`${part.length.toString(16)}\r\n${part}\r\n`);
    }
    socket.write(`${chunks.join('')}0\r\n\r\n`, 'latin1');
    await closed;
    return text();
  }

  test('is refused when they are too small', async () => {
    const text = await sentIn(1);
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/);
    expect(text).toContain('The body comes in too many chunks');
    await expectNothingHeld(gateway);
  }, 60_000);

  test('is refused when they are too small and packed', async () => {
    // At a level that leaves as many bytes.
    const text = await sentIn(1, 'Content-Encoding: gzip\r\n', (text) => gzipSync(text, { level: 0 }));
    expect(text).toContain('The body comes in too many chunks');
    await expectNothingHeld(gateway);
  }, 60_000);

  test('is read when they are not', async () => {
    // Those that two packets share come in two parts.
    expect(await sentIn(2 * least)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"Ada Admin"/);
  }, 60_000);
});

describe('a budget', () => {
  const forever = 600_000;
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  const uploads = fc.array(
    fc.record({
      caller: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      MiBs: fc.integer({ min: 1, max: 16 }),
    }),
    { minLength: 1, maxLength: 30 },
  );

  test('lets every body come to its end, in whatever order their bytes come', async () => {
    const run = async (bodies: { caller: string; MiBs: number }[], order: number[]) => {
      const budget = new MemoryBudget({ limit: 256 * MiB, patience: forever });
      const under = bodies.map(({ caller, MiBs }) => {
        const hold: MemoryHold = budget.open();
        hold.caller = caller;
        return { hold, left: MiBs, waits: false };
      });
      const open = new Set(under);
      for (let step = 0; open.size > 0; step++) {
        let ready = [...open].filter(({ waits }) => !waits);
        if (ready.length === 0) await turn();
        ready = [...open].filter(({ waits }) => !waits);
        // Nobody is left who could give anything back.
        expect(ready).not.toEqual([]);
        const body = ready[(order[step % order.length] ?? 0) % ready.length] as (typeof under)[number];
        if (body.left === 0) {
          body.hold.close();
          open.delete(body);
          continue;
        }
        const wait = body.hold.receive(MiB, () => {});
        body.waits = wait !== undefined;
        void wait?.then(() => {
          body.waits = false;
        });
        body.left--;
        if (body.left === 0 && !body.waits) body.hold.received();
        else if (body.left === 0) void wait?.then(() => body.hold.received());
        const total = budget.held.body + budget.held.answer;
        expect(total).toBeLessThanOrEqual(budget.limit);
      }
      expect(budget.held.body).toBe(0);
    };
    const order = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 50 });
    await fc.assert(fc.asyncProperty(uploads, order, run), { numRuns: 200 });
  });

  test('gives up late bodies of the caller who waits, and not those that come fast enough or of others', async () => {
    let now = 0;
    const budget = new MemoryBudget({ limit: 300 * MiB, patience: forever, uptime: () => now });
    const given: string[] = [];
    const hold = (caller: string, name: string, MiBs: number) => {
      const held = budget.open();
      held.caller = caller;
      expect(held.receive(MiBs * MiB, () => given.push(name))).toBeUndefined();
      return held;
    };
    const fast = hold('a', 'fast', 1);
    hold('a', 'late', 1);
    hold('b', 'of another', 1);
    const waiting = budget.open();
    waiting.caller = 'a';
    now = 4_000;
    fast.receive(16 * MiB, () => given.push('fast'));
    const wait = waiting.receive(MiB, () => given.push('waiting'));
    expect(wait).toBeInstanceOf(Promise);
    now = 6_000;
    await wait;
    await turn();
    expect(given).toEqual(['late']);
  });
});
