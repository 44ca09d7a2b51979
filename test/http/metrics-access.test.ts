import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLocal } from '../../src/http/metrics/metrics-door.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let [open, closed]: TestGateway[] = [];
beforeAll(async () => {
  [open, closed] = await Promise.all([
    startGateway(),
    startGateway({ METRICS_TOKEN: 'scrape-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq' }),
  ]);
});
afterAll(() => Promise.all([open?.close(), closed?.close()]));

/** Asks for metrics with headers that `fetch` would not send. */
function ask(gateway: TestGateway | undefined, headers: Record<string, string>, method = 'GET') {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, path: '/metrics', headers };
    request(gateway?.url ?? '', options, (response) => {
      response.resume();
      resolve(response);
    })
      .on('error', reject)
      .end();
  });
}

const statusOf = async (...given: Parameters<typeof ask>) => (await ask(...given)).statusCode;

describe('without METRICS_TOKEN', () => {
  test.each(['127.0.0.1:4000', '127.8.8.8', 'localhost:4000', 'LOCALHOST', '[::1]:4000'])(
    'it answers this machine, which calls it %s',
    async (Host) => {
      expect(await statusOf(open, { Host })).toBe(200);
    },
  );

  test.each([
    'gateway.example.com',
    'localhost.example.com',
    '10.0.0.1',
    '[2001:db8::1]',
    '127.0.0.1.nip.io',
  ])('it does not answer for the host %s, which can be a page that was led here', async (Host) => {
    expect(await statusOf(open, { Host })).toBe(403);
  });

  test.each(['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'])(
    'it rejects forwarded requests, marked by %s',
    async (name) => {
      expect(await statusOf(open, { [name]: '192.0.2.1' })).toBe(403);
    },
  );

  test.each([
    ['127.0.0.1', true],
    ['127.255.0.3', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['::ffff:10.0.0.1', false],
    ['10.0.0.1', false],
    ['2001:db8::1', false],
    ['', false],
  ])('a request from %j is one of this machine: %s', (peer, expected) => {
    expect(isLocal(peer, { host: 'localhost' })).toBe(expected);
  });

  test('a token of the gateway does not open it either', async () => {
    const headers = { Authorization: `Bearer ${open?.admin}`, 'X-Forwarded-For': '192.0.2.1' };
    expect(await statusOf(open, headers)).toBe(403);
  });
});

describe('with METRICS_TOKEN', () => {
  test('it answers whoever has the token, also through a proxy and under any name', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1', Host: 'gateway.example.com' };
    expect(
      await statusOf(closed, { ...headers, Authorization: 'Bearer scrape-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq' }),
    ).toBe(200);
  });

  test.each([undefined, 'Bearer scrape-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq-not', 'Bearer ', 'Basic c2NyYXBlLW1l'])(
    'it refuses %s, also from this machine',
    async (authorization) => {
      const response = await ask(closed, authorization === undefined ? {} : { Authorization: authorization });
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    },
  );

  test('it is no access token', async () => {
    const { status } = await (closed as TestGateway).send('GET', '/v1/vehicles', {
      token: 'scrape-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq',
    });
    expect(status).toBe(401);
  });
});

test('HEAD is answered, and no other method', async () => {
  expect(await statusOf(open, {}, 'HEAD')).toBe(200);
  const response = await ask(open, {}, 'POST');
  expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});
