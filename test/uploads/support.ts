import { pino } from 'pino';
import { expect } from 'vitest';
import { FileContent } from '../../src/domain/files.js';
import {
  createFileFinder,
  type FetchUpload,
  type ReadFile,
  type ReadUpload,
  startWorker,
  type UploadWorkerOptions,
  type Worker,
} from '../../src/uploads/worker/worker.js';
import { eventually } from '../support/eventually.js';
import type { TestGateway } from '../support/gateway.js';

type Stored = Parameters<ReadUpload>[1];

/**
 * Finds an upload's file and what it says, for tests in which both are made up. It is asked for the file first, and then
 * with the stored file for what that says.
 */
export type FindFile = (
  upload: Parameters<FetchUpload>[0],
  signal: AbortSignal,
  locale: string,
  stored?: Stored,
) => Promise<ReadFile>;

/** Makes a worker's functions of a finder. If it says something about a file without its bytes, they are some letters. */
function toFileFinder(findFile: FindFile): Pick<UploadWorkerOptions, 'fetchFile' | 'readFile'> {
  const some = { content: new FileContent(new TextEncoder().encode('Paper')), contentType: 'text/plain' };
  return {
    async fetchFile(upload, signal) {
      const { fetched, ...said } = await findFile(upload, signal, '');
      const file = fetched ?? (Object.keys(said).length > 0 ? some : undefined);
      return file && { bytes: new Uint8Array(file.content.bytes), contentType: file.contentType };
    },
    readFile: async (upload, file, signal, locale) => {
      const { fetched: _fetched, ...said } = await findFile(upload, signal, locale, file);
      return said;
    },
  };
}

/** Makes a worker's functions that read stored pictures as a gateway does. */
export const pictureFinder = ({ clock }: Pick<TestGateway, 'clock'>) =>
  createFileFinder({
    ...{ ocr: 'on', ocrCommand: '', hosts: [], clock: () => clock.now },
    fetchFile: () => Promise.reject(new Error('It is stored.')),
  });

/** Settings of a worker in tests. */
export type TestWorkerOptions = Partial<UploadWorkerOptions> & { readonly findFile?: FindFile };

/**
 * Starts a worker on a gateway's database with the gateway's clock. It polls often, so that tests need not
 * wait.
 */
export function startWorkerOn(
  gateway: TestGateway,
  { findFile = async () => ({}), ...options }: TestWorkerOptions = {},
): Worker {
  return startWorker({
    database: gateway.database,
    clock: () => gateway.clock.now,
    log: pino({ level: 'silent' }),
    ...toFileFinder(findFile),
    pollMs: 20,
    ...options,
  });
}

/** Lets a worker run during some work. */
export async function withWorker<T>(
  gateway: TestGateway,
  options: TestWorkerOptions,
  work: () => Promise<T>,
): Promise<T> {
  const worker = startWorkerOn(gateway, options);
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

/** A `findFile` that waits until it is released; it counts its calls. */
export function heldFinder() {
  let asked = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const findFile = async () => {
    asked += 1;
    await released;
    return {};
  };
  return { findFile, release, asked: () => asked };
}

let lastId = 0n;

/** Lets the gateway receive an upload, and returns the id of the stored one. */
export async function receive(
  gateway: TestGateway,
  text: object = {},
  token = gateway.admin,
  action = 'fp.upload',
): Promise<string> {
  const notificationId = ++lastId;
  const body = { id: Number(notificationId), action, text };
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

/** Returns an upload as it is stored. */
export function storedUpload({ database: { prisma } }: TestGateway, id: string) {
  return prisma.uploadNotification.findUniqueOrThrow({ where: { id } });
}

/** Waits until uploads are no longer in the queue; returns the first of them. */
export async function settled(gateway: TestGateway, ...ids: string[]) {
  const { prisma } = gateway.database;
  const where = { id: { in: ids }, dueAt: { not: null } };
  await eventually(async () => expect(await prisma.uploadNotification.count({ where })).toBe(0));
  return storedUpload(gateway, String(ids[0]));
}

/** A lease longer than any wait for a retry, so that tests can distinguish the two. */
export const longLease = 3_600_000;

/**
 * Waits until a number of attempts at an upload have failed, all by workers with the long lease; returns the
 * upload.
 */
export async function failedTries(gateway: TestGateway, id: string, tries: number) {
  return eventually(async () => {
    const upload = await storedUpload(gateway, id);
    expect(upload.attempts).toBe(tries);
    expect(Number(upload.dueAt) - gateway.clock.now.getTime()).toBeLessThan(longLease);
    return upload;
  });
}

/** Moves the time of the gateway and its workers. */
export function pass(gateway: TestGateway, ms: number): void {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + ms);
}

/** The numbers of everything that filing creates. */
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

/** Returns the events about an upload, oldest first: their types and what else they are about. */
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
