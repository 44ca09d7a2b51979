import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';
import { familiesOf } from '../support/exposition.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Lines } from '../support/lines.js';

let gateway: TestGateway;
let lines: Lines;
beforeEach(async () => {
  lines = new Lines();
  gateway = await startGateway(
    { CORS_ORIGINS: 'https://app.example.com', PUBLIC_URL: 'https://gateway.example.com' },
    {},
    {
      log: pino(lines),
      patience: { lock: 60_000, statement: 60_000 },
      admission: { width: { least: 2, most: 2 } },
    },
  );
});
afterEach(() => gateway.close());

const list = () => gateway.send('GET', '/v1/vehicles');
const advance = (ms: number) => {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + ms);
};

async function metric(name: string): Promise<number | undefined> {
  const { text } = await gateway.send('GET', '/metrics', { token: null });
  return familiesOf(text).get(name)?.samples[0]?.value;
}

/** Waits until so many requests are worked on and so many wait. */
const until = (running: number, waiting: number) =>
  eventually(async () => {
    expect([await metric('gateway_running_requests'), await metric('gateway_waiting_requests')]).toEqual([
      running,
      waiting,
    ]);
  });

/** Runs `work` while the vehicles cannot be read, two requests are worked on and a third waits. */
async function whileFull(work: () => Promise<unknown>) {
  const { prisma } = gateway.database;
  const asked = await prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE vehicles IN ACCESS EXCLUSIVE MODE`;
      const running = [list(), list()];
      await until(2, 0);
      const waiting = list();
      await until(2, 1);
      await work();
      return [...running, waiting];
    },
    { timeout: 60_000 },
  );
  return Promise.all(asked);
}

test('what would wait too long is refused at once at both doors, and what waits is answered', async () => {
  const answers = await whileFull(async () => {
    advance(800);
    const message = 'The gateway is overloaded; try again.';
    const rest = await list();
    expect([rest.status, rest.json]).toEqual([503, { message, ok: false, code: 'UNAVAILABLE' }]);
    expect(rest.headers.get('retry-after')).toMatch(/^[123]$/);
    expect(rest.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(rest.headers.get('cache-control')).toBe('no-store');
    const graphql = await gateway.send('POST', '/graphql', {
      token: null,
      body: { query: '{ me { name } }' },
    });
    const retryAfter = Number(graphql.headers.get('retry-after'));
    expect([graphql.status, graphql.json]).toEqual([
      503,
      { errors: [{ message, extensions: { code: 'UNAVAILABLE', violations: [], retryAfter } }] },
    ]);
    expect(await metric('gateway_shed_requests_total')).toBe(2);
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await list()).status).toBe(200);
  await until(0, 0);
  const told = lines.all.filter(({ msg }) => msg === 'Requests are shed: the gateway is overloaded');
  expect(told).toMatchObject([{ level: 40, shed: 1, waiting: 1 }]);
});

test('pages of other origins can read that they were refused', async () => {
  await whileFull(async () => {
    advance(800);
    const { status, headers } = await gateway.send('GET', '/v1/vehicles', {
      headers: { Origin: 'https://app.example.com' },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([503, 'https://app.example.com']);
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  });
});

test('a refusal over https tells browsers to use nothing else', async () => {
  await whileFull(async () => {
    advance(800);
    const headers = { Host: 'gateway.example.com' };
    const [refusal] = await once(request(`${gateway.url}/v1/vehicles`, { headers }).end(), 'response');
    refusal.resume();
    expect([refusal.statusCode, refusal.headers['strict-transport-security']]).toEqual([
      503,
      'max-age=31536000',
    ]);
  });
});

test('uploads still come in when others are refused; health checks and metrics always do', async () => {
  const uploads: Promise<unknown>[] = [];
  await whileFull(async () => {
    advance(800);
    expect((await list()).status).toBe(503);
    const body = { id: 1, action: 'fp.upload', text: { url: 'https://cdn.example.com/1' } };
    uploads.push(gateway.send('POST', '/v1/bulkscan/receive', { body }));
    await until(2, 2);
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await gateway.send('GET', path, { token: null })).status).toBe(200);
    }
  });
  expect(await Promise.all(uploads)).toMatchObject([{ status: 204 }]);
});

test('a request that has waited for twice the acceptable time is rejected, too', async () => {
  const answers = await whileFull(async () => {
    advance(1_501);
    await until(2, 0);
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
  expect(answers[2]?.headers.get('retry-after')).toMatch(/^[123]$/);
  expect(await metric('gateway_shed_requests_total')).toBe(1);
});

test('who goes away waits no longer', async () => {
  await whileFull(async () => {
    const sent = request(`${gateway.url}/v1/vehicles`, {
      headers: { Authorization: `Bearer ${gateway.admin}` },
    }).end();
    sent.on('error', () => {});
    await until(2, 2);
    sent.destroy();
    await until(2, 1);
  });
});

test('it is not ready while most requests are shed, and ready again seconds later', async () => {
  const ready = async () => (await gateway.send('GET', '/health/ready', { token: null })).status;
  await whileFull(async () => {
    advance(800);
    const states: number[] = [];
    for (let second = 0; second < 6; second += 1) {
      // Those who waited are refused by then; the next two wait, and are as old when they are looked at.
      if (second > 0) void list().catch(() => {});
      await eventually(async () => expect(await metric('gateway_waiting_requests')).toBe(1));
      if (second > 0) advance(800);
      expect((await list()).status).toBe(503);
      states.push(await ready());
      advance(1_000);
      await until(2, 0);
    }
    expect([states[0], states.at(-1)]).toEqual([200, 503]);
  });
  advance(6_000);
  expect(await ready()).toBe(200);
});

test('a body under way holds no place, and a large one ends its connection when it is shed', async () => {
  const { hostname, port } = new URL(gateway.url);
  const headers = {
    Authorization: `Bearer ${gateway.admin}`,
    'Content-Type': 'application/json',
    'Content-Length': 500_000,
  };
  const send = () => request({ hostname, port, method: 'POST', path: '/v1/vehicles', headers });
  const slow = Array.from({ length: 3 }, () => {
    const sent = send();
    sent.on('error', () => {});
    sent.write('{');
    return sent;
  });
  await until(0, 0);
  expect((await list()).status).toBe(200);
  await whileFull(async () => {
    advance(800);
    const sent = send();
    sent.write('{');
    sent.on('error', () => {});
    const { statusCode, headers: told } = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      sent.once('response', resolve),
    );
    expect([statusCode, told.connection]).toEqual([503, 'close']);
    sent.destroy();
  });
  for (const sent of slow) sent.destroy();
});

test('streams hold no places, and operations over a WebSocket are refused one by one', async () => {
  const body = JSON.stringify({ query: 'subscription { eventLogged { id } }' });
  const headers = {
    Authorization: `Bearer ${gateway.admin}`,
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
  };
  const gone = new AbortController();
  for (let n = 0; n < 3; n += 1) {
    const { status } = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers,
      body,
      signal: gone.signal,
    });
    expect(status).toBe(200);
  }
  await until(0, 0);
  const client = createClient({
    url: `${gateway.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${gateway.admin}` },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => {},
  });
  const ask = async () => (await client.iterate({ query: '{ me { name } }' }).next()).value;
  expect(await ask()).toMatchObject({ data: { me: {} } });
  await whileFull(async () => {
    advance(800);
    const refused = { extensions: { code: 'UNAVAILABLE', retryAfter: expect.any(Number) } };
    await expect(ask()).rejects.toMatchObject([refused]);
  });
  expect(await ask()).toMatchObject({ data: { me: {} } });
  await client.dispose();
  gone.abort();
  await sleep(0);
});
