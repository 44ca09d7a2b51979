import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseProxy, startProxy } from '../faults/proxy.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { clientOf, refusalOf, watchedFetch } from './typescript.support.js';

async function start(...options: Parameters<typeof startGateway>): Promise<TestGateway> {
  const gateway = await startGateway(...options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Starts a gateway with a rate limit, whose clock stands still, and uses it up. */
async function startUsedUp(limit: number): Promise<TestGateway> {
  const gateway = await start({ RATE_LIMIT: String(limit) }, {}, { settleInterval: 3_600_000 });
  await Promise.all(Array.from({ length: limit }, () => gateway.send('GET', '/v1/teams')));
  return gateway;
}

/** Puts a proxy before a gateway. */
async function before(gateway: TestGateway): Promise<DatabaseProxy> {
  const proxy = await startProxy(gateway.url);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Cuts the connection of the first request of a kind when its answer comes. */
function cutAnswerTo(proxy: DatabaseProxy, request: string): void {
  proxy.tap = {
    answer: (_piece, link) => {
      if (!link.sent().includes(request)) return true;
      proxy.tap = {};
      link.cut();
      return false;
    },
  };
}

/** Keeps the vehicles locked until told otherwise. */
async function lockVehicles({ database: { prisma } }: TestGateway) {
  let release = () => {};
  let isLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const done = prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE vehicles IN ACCESS EXCLUSIVE MODE`;
      isLocked();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    },
    { timeout: 60_000 },
  );
  await locked;
  return async () => {
    release();
    await done;
  };
}

test('a rate limit is waited for, as long as Retry-After says', async () => {
  const gateway = await startUsedUp(60);
  const watched = watchedFetch(({ status }) => {
    if (status === 429) gateway.clock.now = new Date(gateway.clock.now.getTime() + 1000);
  });
  const begun = performance.now();
  expect(await clientOf(gateway, watched).teams.list()).toMatchObject({ total: 2 });
  expect(performance.now() - begun).toBeGreaterThan(1000);
  expect(watched.answers.map(({ status }) => status)).toEqual([429, 200]);
});

test('a rate limit that would take too long is reported at once', async () => {
  const gateway = await startUsedUp(1);
  const watched = watchedFetch();
  const error = await refusalOf(clientOf(gateway, watched).teams.list());
  expect(error).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: 60 });
  expect(watched.sent).toHaveLength(1);
});

test('a temporary outage is retried', async () => {
  const gateway = await start({}, {}, { patience: { lock: 50, statement: 60_000 } });
  const release = await lockVehicles(gateway);
  const watched = watchedFetch(({ status }) => status === 503 && release());
  expect(await clientOf(gateway, watched).vehicles.create({ name: 'Van' })).toMatchObject({ name: 'Van' });
  expect(watched.answers.map(({ status }) => status)).toEqual([503, 201]);
  expect(watched.keys().size).toBe(1);
});

test('a write whose answer was cut off exists exactly once', async () => {
  const gateway = await start();
  const proxy = await before(gateway);
  cutAnswerTo(proxy, 'POST /v1/vehicles');
  const watched = watchedFetch();
  const client = clientOf(gateway, { ...watched, baseUrl: proxy.url });
  const made = await client.vehicles.create({ name: 'Van' });
  expect([watched.sent.length, watched.keys().size]).toEqual([2, 1]);
  expect(watched.answers.map(({ headers }) => headers.get('Idempotency-Replayed'))).toEqual(['true']);
  expect(await client.vehicles.list()).toMatchObject({ total: 1, vehicles: [{ id: made.id }] });

  // Its second try names a version that is gone by then, and adds to a list.
  cutAnswerTo(proxy, 'PATCH /v1/vehicles');
  const field = { op: 'add', path: '/custom_fields/-', value: { name: 'Depot', value: 'North' } };
  const patched = await client.vehicles.patch(made.id, [field], { ifMatch: made });
  expect(patched?.custom_fields).toHaveLength(1);
  expect(await client.vehicles.get(made.id)).toEqual(patched);
});

test('a write that is still in progress is waited for', async () => {
  const gateway = await start({}, {}, { patience: { lock: 60_000, statement: 60_000 } });
  const release = await lockVehicles(gateway);
  const watched = watchedFetch(({ status }) => status === 409 && release());
  const client = clientOf(gateway, watched);
  const write = () => client.vehicles.create({ name: 'Van' }, { idempotencyKey: 'one' });
  const both = Promise.all([write(), write()]);
  const [first, second] = await both;
  expect(second).toEqual(first);
  expect(watched.answers.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
});

test('where nothing listens, tries end', async () => {
  const gateway = await start();
  const proxy = await startProxy(gateway.url);
  await proxy.close();
  const watched = watchedFetch();
  const client = clientOf(gateway, { ...watched, baseUrl: proxy.url, retries: 1 });
  const error = await refusalOf(client.vehicles.create({}));
  expect(error).toMatchObject({ status: 0, code: 'NO_ANSWER', cause: expect.any(TypeError) });
  expect([watched.sent.length, watched.keys().size]).toEqual([2, 1]);
});

test('an answer that does not come is given up', async () => {
  const gateway = await start();
  const proxy = await before(gateway);
  proxy.tap = { answer: () => false };
  const client = clientOf(gateway, { baseUrl: proxy.url, retries: 0, timeout: 50 });
  expect(await refusalOf(client.teams.list())).toMatchObject({ status: 0, code: 'TIMEOUT' });
  const slow = client.teams.list({ timeout: 60_000, retries: 1, signal: AbortSignal.timeout(50) });
  await expect(Promise.resolve(slow)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a signal ends the wait for another try', async () => {
  const gateway = await startUsedUp(3);
  const watched = watchedFetch();
  const abort = new AbortController();
  const list = Promise.resolve(clientOf(gateway, watched).teams.list({ signal: abort.signal }));
  await eventually(() => expect(watched.answers).toHaveLength(1));
  const reason = new Error('Enough.');
  const begun = performance.now();
  abort.abort(reason);
  await expect(list).rejects.toBe(reason);
  // The wait would be 20 seconds.
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test("another server's answer is reported by its status", async () => {
  const server = createServer((_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const gateway = await start();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const watched = watchedFetch();
  const error = await refusalOf(clientOf(gateway, { ...watched, baseUrl, retries: 1 }).teams.list());
  expect(error).toMatchObject({
    status: 502,
    code: 'UNEXPECTED_ANSWER',
    message: 'An unexpected answer: 502 Bad Gateway',
  });
  expect(watched.sent).toHaveLength(2);
});
