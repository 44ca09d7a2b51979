import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { Session } from '../../src/db/connection/session.js';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { createReceivers } from '../../src/outbound/outbound.js';
import { createRecord } from '../../src/records/record.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { createEndpoint } from '../../src/webhooks/endpoints.js';
import { createTenant } from '../support/gateway.js';
import { type Receiver, startReceiver } from '../webhooks/support.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';
import { kill, killAll, query } from './support.js';

const bench = prepareBench();
/** Processes that make and send messages at once, records that are written, and deaths of each process. */
const [processes, records, deaths] = isLong ? [4, 1_000, 10] : [2, 100, 3];

const key = 'ab'.repeat(32);
const secrets = createSecrets({ secretKey: createSecretKey(Buffer.from(key, 'hex')), dataDir: 'none' });

/** Starts a worker as a process, which a signal ends that it cannot catch. */
function startWorker(url: string, { host }: Receiver): ChildProcess {
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: url, SECRET_KEY: key, LOG_LEVEL: 'error' },
    WEBHOOK_PRIVATE_HOSTS: host,
  };
  return spawn(process.execPath, [bench.program, 'worker'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Messages of the contention, to each of its endpoints, and how often a receiver refuses each before it accepts it. */
const [contended, endpoints, refusals] = [isLong ? 5_000 : 60, 4, 2];

/** Returns what writes records of a new tenant, whose endpoints hear of them, and what ends it. */
async function openTenant(url: string, { host }: Receiver, names: readonly string[]) {
  const database = openDatabase({ url, poolSize: 4, onError: () => {} });
  const { organizationId, teamId, otherTeamId, userId } = await createTenant(database);
  const session = () =>
    new Session(database, {
      caller: {
        ...{ tokenId: 'test', role: 'ADMIN', organizationId, teamIds: [teamId, otherTeamId] },
        user: { id: userId, name: 'Ada', email: 'ada@example.com', teamId },
      },
      ...{ now: new Date(), secrets },
    });
  for (const name of names) {
    await createEndpoint(session(), createReceivers([host]), {
      name,
      url: `http://${host}/${name}`,
      eventTypes: ['vehicle.*'],
      ratePerSecond: 100,
    });
  }
  const write = (name: string) => createRecord(session(), vehicles, { name }, undefined);
  return { write, close: () => database.close() };
}

onPosix('processes that contend for the same endpoints send nothing twice', { timeout }, async () => {
  const url = await bench.database();
  const receiver = await startReceiver();
  const names = Array.from({ length: endpoints }, (_, n) => `e${n}`);
  const tenant = await openTenant(url, receiver, names);
  // By the endpoint and the message.
  const tries = new Map<string, number>();
  receiver.answer = ({ url: path, headers }, response) => {
    const id = `${path} ${headers['webhook-id']}`;
    const tried = (tries.get(id) ?? 0) + 1;
    tries.set(id, tried);
    // Refusals change the endpoint as well: since when it fails, and that it is slowed down.
    const status = tried > refusals ? 204 : tried % 2 === 0 ? 429 : 500;
    response.writeHead(status).end();
  };
  const workers = Array.from({ length: processes }, () => startWorker(url, receiver));
  const soon = `UPDATE webhook_deliveries SET due_at = now() WHERE NOT is_claimed AND due_at > now()`;
  const ease = 'UPDATE webhook_endpoints SET slowed_until = NULL WHERE slowed_until IS NOT NULL';
  try {
    const writing = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (let n = writer; n < contended; n += 3) await tenant.write(`Van ${n}`);
      }),
    );
    const left = async () => {
      await query(url, `${soon}; ${ease}`);
      const count = 'SELECT count(*)::int AS count FROM';
      const [events] = await query<{ count: number }>(url, `${count} webhook_outbox`);
      const [due] = await query<{ count: number }>(
        url,
        `${count} webhook_deliveries WHERE due_at IS NOT NULL`,
      );
      return Number(events?.count) + Number(due?.count);
    };
    await Promise.all([writing, expect.poll(left, { timeout: timeout - 30_000, interval: 100 }).toBe(0)]);
    await writing;
    await expect.poll(left, { timeout: timeout - 30_000, interval: 100 }).toBe(0);
    const counts = [...tries.values()];
    const [found] = await query<{ deadlocks: string }>(
      url,
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(found).toEqual({ deadlocks: '0' });
    expect(counts).toHaveLength(contended * endpoints);
    expect(counts.filter((count) => count !== refusals + 1)).toEqual([]);
    const [kept] = await query(url, 'SELECT count(*)::int AS attempts FROM webhook_attempts');
    expect(kept).toEqual({ attempts: contended * endpoints * (refusals + 1) });
  } finally {
    await killAll(workers);
    receiver.close();
    await tenant.close();
  }
});

onPosix('processes that make and send messages are killed, again and again', { timeout }, async () => {
  const url = await bench.database();
  const database = openDatabase({ url, poolSize: 4, onError: () => {} });
  const receiver = await startReceiver();
  // As slow as a real one, so that processes die in the middle of it.
  receiver.answer = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 30);
  const { organizationId, teamId, otherTeamId, userId } = await createTenant(database);
  const session = () =>
    new Session(database, {
      caller: {
        ...{ tokenId: 'test', role: 'ADMIN', organizationId, teamIds: [teamId, otherTeamId] },
        user: { id: userId, name: 'Ada', email: 'ada@example.com', teamId },
      },
      ...{ now: new Date(), secrets },
    });
  await createEndpoint(session(), createReceivers([receiver.host]), {
    name: 'Kept',
    url: `http://${receiver.host}/`,
    eventTypes: ['vehicle.*'],
    ratePerSecond: 100,
  });
  const writing = (async () => {
    for (let n = 0; n < records; n++)
      await createRecord(session(), vehicles, { name: `Van ${n}` }, undefined);
  })();
  const workers = Array.from({ length: processes }, () => startWorker(url, receiver));
  try {
    for (let killed = 0; killed < processes * deaths; killed++) {
      const before = receiver.received.length;
      const slot = killed % processes;
      // Once it does something, at a moment that nobody chose.
      const more = expect.poll(() => receiver.received.length > before, { timeout: 20_000 }).toBe(true);
      await more.catch(() => {});
      await sleep(Math.random() * 120);
      const worker = workers[slot] as ChildProcess;
      const exited = once(worker, 'exit');
      kill(Number(worker.pid));
      await exited;
      // What it had taken up is taken over when its lease ends; here the time until then has passed.
      await query(url, 'UPDATE webhook_deliveries SET due_at = now() WHERE is_claimed AND due_at > now()');
      workers[slot] = startWorker(url, receiver);
    }
    await writing;
    const left = async () => {
      const [row] = await query<{ left: string }>(
        url,
        `SELECT (SELECT count(*) FROM webhook_outbox)
          + (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL) AS left`,
      );
      return Number(row?.left);
    };
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
    const [made] = await query(
      url,
      `SELECT count(*)::int AS messages, count(DISTINCT event_id)::int AS events,
        (SELECT count(*)::int FROM webhook_deliveries WHERE state = 'SENT') AS sent FROM webhook_messages`,
    );
    expect(made).toEqual({ messages: records, events: records, sent: records });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(records);
    // A message that arrives twice was on its way when a process was killed. Each has four at once at most.
    expect(ids.length - records).toBeLessThanOrEqual(processes * deaths * processes * 4);
  } finally {
    await killAll(workers);
    receiver.close();
    await database.close();
  }
});
