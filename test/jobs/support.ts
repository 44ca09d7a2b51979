import { pino } from 'pino';
import { expect } from 'vitest';
import { startWorker, type Worker, type WorkerOptions } from '../../src/jobs/worker.js';
import type { TestGateway } from '../support/gateway.js';

/** Starts a worker on a gateway's database, by the gateway's clock; it looks often, so that no test has to wait. */
export function startWorkerOn(gateway: TestGateway, options: Partial<WorkerOptions> = {}): Worker {
  return startWorker({
    database: gateway.database,
    clock: () => gateway.clock.now,
    log: pino({ level: 'silent' }),
    findFile: async () => ({}),
    pollMs: 20,
    ...options,
  });
}

/** Lets a worker work while something is done. */
export async function withWorker<T>(
  gateway: TestGateway,
  options: Partial<WorkerOptions>,
  work: () => Promise<T>,
): Promise<T> {
  const worker = startWorkerOn(gateway, options);
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

let lastId = 0n;

/** Has the gateway receive an upload, and answers the id of what it stored. */
export async function receive(
  gateway: TestGateway,
  text: object = {},
  token = gateway.admin,
): Promise<string> {
  const notificationId = ++lastId;
  const body = { id: Number(notificationId), action: 'fp.upload', text };
  const { status, text: answer } = await gateway.send('POST', '/v1/bulkscan/receive', { token, body });
  expect([status, answer]).toEqual([204, '']);
  const found = await gateway.database.prisma.uploadNotification.findMany({
    where: { notificationId },
  });
  if (!found[0] || found.length > 1) throw new Error(`It was stored ${found.length} times.`);
  return found[0].id;
}

/** Receives an upload of which only the tags matter. */
export const receiveTagged = (gateway: TestGateway, upload_Tags: object, token?: string) =>
  receive(gateway, { filename: 'Scan', upload_Tags }, token);

/** An upload as it is stored. */
export function storedUpload({ database: { prisma } }: TestGateway, id: string) {
  return prisma.uploadNotification.findUniqueOrThrow({ where: { id } });
}

/** Waits until uploads are no longer in the queue; answers the first of them. */
export async function settled(gateway: TestGateway, ...ids: string[]) {
  const { prisma } = gateway.database;
  const open = () => prisma.uploadNotification.count({ where: { id: { in: ids }, dueAt: { not: null } } });
  await expect.poll(open, { timeout: 15_000, interval: 10 }).toBe(0);
  return storedUpload(gateway, String(ids[0]));
}

/** Waits until a number of tries of an upload have failed; answers the upload. */
export async function failedTries(gateway: TestGateway, id: string, attempts: number) {
  const failed = async () => {
    const { error, ...upload } = await storedUpload(gateway, id);
    return error === null ? 0 : upload.attempts;
  };
  await expect.poll(failed, { timeout: 15_000, interval: 10 }).toBe(attempts);
  return storedUpload(gateway, id);
}

/** Moves the time that the gateway and its workers see. */
export function pass(gateway: TestGateway, ms: number): void {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + ms);
}

/** Whatever filing makes: the numbers of it all. */
export async function countAll({ database: { prisma } }: TestGateway) {
  return {
    items: await prisma.expirationItem.count(),
    attachments: await prisma.attachment.count(),
    contents: await prisma.attachmentContent.count(),
    categories: await prisma.category.count(),
    contacts: await prisma.contact.count(),
    events: await prisma.eventLog.count(),
  };
}

/** The events about an upload, oldest first, by their types and what else they are about. */
export async function eventsAbout({ database: { prisma } }: TestGateway, uploadId: string) {
  const events = await prisma.eventLog.findMany({
    where: { entities: { some: { entityId: uploadId } } },
    include: { entities: { orderBy: { position: 'asc' } } },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });
  return events.map(({ typeId, teamId, userName, description, entities }) => ({
    typeId,
    teamId,
    userName,
    description,
    entities: entities.map(({ entityId, typeId: kind }) => [kind, entityId]),
  }));
}
