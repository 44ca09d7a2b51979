import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { Session } from '../../src/db/connection/session.js';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { createRecord } from '../../src/records/record.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { createEndpoint } from '../../src/webhooks/endpoints.js';
import { createTenant } from '../support/gateway.js';
import { type Receiver, startReceiver } from '../webhooks/support.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';
import { kill, query } from './support.js';

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
  await createEndpoint(
    session(),
    { privateHosts: [receiver.host], lookup: async () => [] },
    { name: 'Kept', url: `http://${receiver.host}/`, eventTypes: ['vehicle.*'], ratePerSecond: 100 },
  );
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
    await Promise.all(
      workers.map((worker) => {
        const exited = once(worker, 'exit');
        kill(Number(worker.pid));
        return exited;
      }),
    );
    receiver.close();
    await database.close();
  }
});
