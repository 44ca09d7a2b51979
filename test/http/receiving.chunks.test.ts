import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectNothingHeld, heldBy } from '../support/held.js';
import { begin, KiB, MiB, queryOf } from './receiving.support.js';

test('a body in chunks of one byte takes no more memory than others', async () => {
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
    expect(text).toContain('The body has too many chunks');
    await expectNothingHeld(gateway);
  }, 60_000);

  test('is refused when they are too small and packed', async () => {
    // At a level that leaves as many bytes.
    const text = await sentIn(1, 'Content-Encoding: gzip\r\n', (text) => gzipSync(text, { level: 0 }));
    expect(text).toContain('The body has too many chunks');
    await expectNothingHeld(gateway);
  }, 60_000);

  test('is read when they are not', async () => {
    // Those that two packets share come in two parts.
    expect(await sentIn(2 * least)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"Ada Admin"/);
  }, 60_000);
});
