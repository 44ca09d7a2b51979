import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { useGateway } from '../support/gateway.js';
import { startWorkerOn } from './support.js';

const connections = 16;
const total = 1_000;
/** Sent before memory is looked at, so that what is made once is made. */
const warmUp = 250;
/** Bytes. Were a notification to leave 20 KiB behind, it would be more; the noise is a tenth of it. */
const mostGrowth = 20 * 2 ** 20;

const gateway = useGateway();

/** Posts a notification on one of an agent's connections; answers the status. */
function post(id: number, agent: Agent, sockets: Set<unknown>): Promise<number> {
  const headers = { Authorization: `Bearer ${gateway.uploader}`, 'Content-Type': 'application/json' };
  const text = {
    filename: `File ${id}`,
    upload_Tags: { name: `Item ${id}`, category: `Type ${id % 5}`, contact_email: `c${id % 20}@example.com` },
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.url}/v1/bulkscan/receive`, { method: 'POST', agent, headers });
    sent.once('error', reject);
    sent.once('response', (response) => {
      sockets.add(response.socket);
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(JSON.stringify({ id, action: 'fp.upload', text }));
  });
}

/** Posts notifications and waits until a worker has settled them; answers the statuses. */
async function load(from: number, count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, (_, index) => from + index);
  const sockets = new Set<unknown>();
  // Of its own: a connection that waits for the next load can be closed just when that begins.
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses = await Promise.all(ids.map((id) => post(id, agent, sockets)));
  agent.destroy();
  expect(sockets.size).toBe(connections);
  const { prisma } = gateway.database;
  const left = () => prisma.uploadNotification.count({ where: { dueAt: { not: null } } });
  await eventually(async () => expect(await left()).toBe(0), 120_000);
  return statuses;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that are in use, without what nobody can reach, and without the statements that the gateway's test keeps. */
async function usedMemory(): Promise<number> {
  await gateway.statements(async () => {});
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test(`${total} notifications on ${connections} connections are all received and filed once`, {
  timeout: 300_000,
}, async () => {
  const worker = startWorkerOn(gateway);
  const statuses: number[] = [];
  let growth = 0;
  try {
    statuses.push(...(await load(0, warmUp)));
    const before = await usedMemory();
    statuses.push(...(await load(warmUp, total - warmUp)));
    growth = (await usedMemory()) - before;
  } finally {
    await worker.stop();
  }
  expect(statuses).toEqual(Array(total).fill(204));
  const { prisma } = gateway.database;
  const uploads = await prisma.uploadNotification.findMany({ orderBy: { notificationId: 'asc' } });
  expect(uploads.map(({ notificationId, state }) => [Number(notificationId), state])).toEqual(
    Array.from({ length: total }, (_, id) => [id, 'FILED']),
  );
  for (const field of ['attachmentId', 'expirationItemId'] as const) {
    expect(new Set(uploads.map((upload) => upload[field])).size).toBe(total);
  }
  expect(await prisma.attachment.count()).toBe(total);
  expect(await prisma.expirationItem.count()).toBe(total);
  expect([await prisma.category.count(), await prisma.contact.count()]).toEqual([5, 20]);
  const events = (typeId: number) => prisma.eventLog.count({ where: { typeId } });
  expect([await events(10), await events(11), await events(12)]).toEqual([total, total, 0]);
  expect(growth).toBeLessThan(mostGrowth);
});
