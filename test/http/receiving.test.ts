import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectNothingHeld, heldBy } from '../support/held.js';
import { begin, MiB, queryOf, tokensOf } from './receiving.support.js';

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
    'is rejected before any of the body is sent: %s %s by the %s',
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
  const gateway = await startGateway({}, undefined, { memory: { maxWaitMs: 1 } });
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

  test('a late one is tolerated until somebody waits, and then answered 408', async () => {
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
    expect(first.text()).toContain('The request took too long to arrive.');
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
