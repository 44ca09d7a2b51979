import { once } from 'node:events';
import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { createWorkerMetrics } from '../../src/http/metrics/metrics.js';
import { createWorkerServer } from '../../src/http/worker-server.js';
import { createDatabase, type TestDatabase, testTime } from '../support/gateway.js';

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createDatabase();
});
afterAll(() => fresh.drop());

const open: { close(): Promise<void> }[] = [];
let isStopping = false;
afterEach(async () => {
  isStopping = false;
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Starts the server of a worker; answers what asks it, with headers that `fetch` would not send. */
async function start(metricsToken?: string, database: Database = fresh.database) {
  const { measure } = createWorkerMetrics({ database, poolSize: 3, clock: () => testTime, hasMail: false });
  const config = { metricsToken, maxConnections: 100, connectionsPerAddress: 100, trustProxy: 0 };
  const log = pino({ level: 'silent' });
  const server = createWorkerServer({ database, config, log, measure, isStopping: () => isStopping });
  open.push(server);
  const { url } = await server.listen('127.0.0.1', 0);
  return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const sent = request(url + path, { headers, method, agent: false }).end();
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const part of response) text += part;
    return { status: response.statusCode as number, text, headers: response.headers };
  };
}

describe('metrics', () => {
  test('are readable only on this machine, unless there is a token', async () => {
    const ask = await start();
    expect((await ask('/metrics')).status).toBe(200);
    expect((await ask('/metrics', { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(403);
    expect((await ask('/metrics', { Host: 'worker.example.com' })).status).toBe(403);
  });

  test('are readable with the token', async () => {
    const ask = await start('scrape-me');
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', { Authorization: 'Bearer wrong' })).status).toBe(401);
    const headers = { Authorization: 'Bearer scrape-me', Host: 'worker.example.com' };
    const { status, text } = await ask('/metrics', headers);
    expect(status).toBe(200);
    expect(text).toContain('gateway_database_connections_max 3\n');
  });

  test('take GET and HEAD', async () => {
    const ask = await start();
    expect(await ask('/metrics', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
    const headers = { allow: 'GET, HEAD, OPTIONS' };
    expect(await ask('/metrics', {}, 'POST')).toMatchObject({ status: 405, headers });
  });
});

describe('health', () => {
  test('is live and ready, without a token', async () => {
    const ask = await start('scrape-me');
    expect(await ask('/health/live')).toMatchObject({ status: 200, text: '{"status":"live"}' });
    expect(await ask('/health/ready')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  });

  test('is not ready while it stops', async () => {
    const ask = await start();
    isStopping = true;
    expect((await ask('/health/live')).status).toBe(200);
    expect(await ask('/health/ready')).toMatchObject({
      status: 503,
      text: '{"status":"not ready","reason":"The worker is stopping."}',
    });
  });

  test('is not ready without its database', async () => {
    const database = openDatabase({ url: fresh.url, poolSize: 1, onError: () => {} });
    const ask = await start(undefined, database);
    await database.close();
    expect((await ask('/health/ready')).status).toBe(503);
    expect((await ask('/metrics')).text).toContain('gateway_database_up 0\n');
  });
});

test.each(['/', '/graphql', '/v1/vehicles', '/health'])('there is nothing at %s', async (path) => {
  const ask = await start();
  const { status, text } = await ask(path);
  expect(status).toBe(404);
  expect(text).toContain('There is nothing at this path.');
});
