import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { create, eventsOf, patch, sendRaw } from '../rest/support.js';
import { eventually } from '../support/eventually.js';
import { useFreshGateway } from '../support/gateway.js';

const gateway = useFreshGateway();

/** Holds a vehicle in another transaction until told to release it. */
async function hold({ id }: { id: string }): Promise<() => Promise<unknown>> {
  const { prisma } = gateway.database;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked) => {
    done = prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS one FROM vehicles WHERE id = ${id}::uuid FOR UPDATE`;
      locked();
      await released;
    });
  });
  return () => {
    release();
    return done;
  };
}

/** Waits until so many statements wait for a lock. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => {
    const rows = await gateway.database.prisma.$queryRaw`
      SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(rows).toHaveLength(count);
  });
}

/** Milliseconds: after ten seconds the gateway waits for no connection any more, and closes all. */
const soon = 8_000;

const rename = [{ op: 'replace', path: '/name', value: 'Finished' }];

test('a request in flight is finished, and only then is the gateway closed', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  const release = await hold(vehicle);
  const patched = patch(gateway, vehicle, rename);
  await waiting(1);
  let closed = false;
  const closing = gateway.app.close().then(() => {
    closed = true;
  });
  await expect(fetch(`${gateway.url}/health/live`)).rejects.toThrow();
  expect(closed).toBe(false);
  const started = performance.now();
  await release();
  const { status, json } = await patched;
  expect([status, json.name]).toEqual([200, 'Finished']);
  expect(await eventsOf(gateway, vehicle)).toHaveLength(2);
  await closing;
  // A connection that is kept alive holds nothing up.
  expect(performance.now() - started).toBeLessThan(soon);
});

test('the answer to a request in flight ends its connection', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  const release = await hold(vehicle);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const options = { agent, method: 'PATCH', headers: { Authorization: `Bearer ${gateway.admin}` } };
    const patched = sendRaw(`${gateway.url}/v1/vehicles/${vehicle.id}`, options, [JSON.stringify(rename)]);
    await waiting(1);
    const closing = gateway.app.close();
    await release();
    const { status, headers } = await patched;
    expect(status).toBe(200);
    expect(headers.connection).toBe('close');
    await closing;
  } finally {
    agent.destroy();
  }
});

test('a connection that idles does not hold the gateway up', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await sendRaw(`${gateway.url}/health/live`, { agent });
    const started = performance.now();
    await gateway.app.close();
    expect(performance.now() - started).toBeLessThan(soon);
  } finally {
    agent.destroy();
  }
});

test('closing twice is closing once', async () => {
  await Promise.all([gateway.app.close(), gateway.app.close()]);
});
