import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLookup, type Lookup } from '../../src/outbound/outbound.js';

/** IPv4 addresses by name. The server has no other names, and never answers for `silent.example`. */
const known: Readonly<Record<string, readonly number[]>> = {
  'public.example': [93, 184, 215, 14],
  'inside.example': [10, 0, 0, 1],
};

/** Answers a question of DNS (RFC 1035 §4.1). Returns undefined for the silent name. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  const name = labels.join('.').toLowerCase();
  if (name === 'silent.example') return undefined;
  const isIpv4 = query.readUInt16BE(at + 1) === 1;
  const address = known[name];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(address ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(address && isIpv4 ? 1 : 0, 6);
  header.fill(0, 8);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...(address ?? [])];
  return Buffer.concat([header, query.subarray(12, at + 5), Buffer.from(address && isIpv4 ? record : [])]);
}

const server = createSocket('udp4', (query, { port, address }) => {
  const answer = answerTo(query);
  if (answer) server.send(answer, port, address);
});
let lookup: Lookup;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  const servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
  lookup = createLookup(['localhost:8080'], { servers, timeoutMs: 300 });
});
afterAll(() => server.close());

test('names are looked up with DNS, and those of the own network by the system', async () => {
  expect(await lookup('public.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  expect(await lookup('inside.example')).toEqual([{ address: '10.0.0.1', family: 4 }]);
  expect((await lookup('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  await expect(lookup('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('names whose servers never answer are not in the way of others', async () => {
  let open = 50;
  const silent = Array.from({ length: open }, () => lookup('silent.example').finally(() => open--));
  const ended = Promise.allSettled(silent);
  expect(await lookup('public.example')).toHaveLength(1);
  expect(open).toBe(50);
  for (const look of await ended) expect(look).toMatchObject({ reason: { code: 'ETIMEOUT' } });
});
