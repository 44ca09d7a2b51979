import { beforeEach, describe, expect, test } from 'vitest';
import { maxAttempts, retryDelay } from '../../src/domain/load/quota.js';
import { failUpload, fileUpload } from '../../src/uploads/filed-uploads.js';
import { type ClaimedUpload, claimUploads } from '../../src/uploads/queue.js';
import { FetchFailure } from '../../src/uploads/worker/fetch.js';
import { useGateway } from '../support/gateway.js';
import {
  countAll,
  eventsAbout,
  failedTries,
  heldFinder,
  longLease,
  pass,
  receiveTagged,
  settled,
  startWorkerOn,
  storedUpload,
  withWorker,
} from './support.js';

const gateway = useGateway();
beforeEach(() => gateway.database.prisma.uploadNotification.deleteMany());

const leaseMs = 15_000;

/** Takes up an upload as a worker does that then says nothing more. */
async function claim(): Promise<ClaimedUpload> {
  const { database, clock } = gateway;
  const [claimed] = await claimUploads(database, 'FILING', {
    ...{ count: 1, now: clock.now, leaseUntil: new Date(clock.now.getTime() + leaseMs) },
  });
  if (!claimed) throw new Error('Nothing is due.');
  return claimed;
}

const tooLate = { code: 'GATEWAY_FAILED', reason: 'too late' } as const;

const claimable = async (ms = 0) => {
  const at = new Date(gateway.clock.now.getTime() + ms);
  const leaseUntil = new Date(at.getTime() + 1);
  const claimed = await claimUploads(gateway.database, 'FILING', { count: 9, now: at, leaseUntil });
  return claimed.map(({ upload }) => upload.id);
};

describe('taking up', () => {
  test('takes the longest due first, once each, as many as requested', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.push(await receiveTagged(gateway, {}));
      pass(gateway, 1);
    }
    const lease = new Date(gateway.clock.now.getTime() + leaseMs);
    const take = async (count: number) =>
      (
        await claimUploads(gateway.database, 'FILING', { count, now: gateway.clock.now, leaseUntil: lease })
      ).map(({ upload }) => upload);
    const first = await take(2);
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    for (const upload of first)
      expect(upload).toMatchObject({ attempts: 1, dueAt: lease, state: 'RECEIVED' });
    expect((await take(9)).map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await take(9)).toEqual([]);
    expect(await claimable(leaseMs - 1)).toEqual([]);
    expect((await claimable(leaseMs)).sort()).toEqual(ids.toSorted());
  });

  test('at once by many gives no upload to two of them', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => receiveTagged(gateway, {})));
    const lease = new Date(gateway.clock.now.getTime() + leaseMs);
    const taken = await Promise.all(
      Array.from({ length: 16 }, () =>
        claimUploads(gateway.database, 'FILING', { count: 4, now: gateway.clock.now, leaseUntil: lease }),
      ),
    );
    const all = taken.flat().map(({ upload }) => upload.id);
    expect(new Set(all).size).toBe(all.length);
    // Who comes while others hold rows passes over them, so some can be left for the next look.
    all.push(
      ...(
        await claimUploads(gateway.database, 'FILING', {
          count: 40,
          now: gateway.clock.now,
          leaseUntil: lease,
        })
      ).map(({ upload }) => upload.id),
    );
    expect(all.sort()).toEqual(ids.toSorted());
  });

  test('skips those held by another transaction, without waiting', async () => {
    const [held, free] = [await receiveTagged(gateway, {}), await receiveTagged(gateway, {})];
    await gateway.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM upload_notifications WHERE id = ${held}::uuid FOR UPDATE`;
      expect(await claimable()).toEqual([free]);
    });
    pass(gateway, 1);
    expect((await claimable()).toSorted()).toEqual([held, free].toSorted());
  });
});

test('two workers file 200 uploads, each once, and both have a share', async () => {
  const before = await countAll(gateway);
  const shares = [new Map<string, number>(), new Map<string, number>()];
  const workers = shares.map((share) =>
    startWorkerOn(gateway, {
      findFile: async ({ id }) => {
        share.set(id, (share.get(id) ?? 0) + 1);
        return {};
      },
    }),
  );
  try {
    const tags = (index: number) => ({ name: `File ${index}`, category: 'Shared' });
    const send = (_: unknown, index: number) => receiveTagged(gateway, tags(index), gateway.uploader);
    const ids = await Promise.all(Array.from({ length: 200 }, send));
    await settled(gateway, ...ids);
    const tries = shares.flatMap((share) => [...share]);
    expect(tries.map(([id]) => id).sort()).toEqual(ids.toSorted());
    expect(tries.filter(([, count]) => count !== 1)).toEqual([]);
    for (const share of shares) expect(share.size).toBeGreaterThan(0);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  const { prisma } = gateway.database;
  expect(await prisma.uploadNotification.count({ where: { state: 'FILED', attempts: 1 } })).toBe(200);
  const after = await countAll(gateway);
  expect([after.items, after.attachments, after.categories]).toEqual([
    before.items + 200,
    before.attachments + 200,
    before.categories + 1,
  ]);
  // Received, filed, and the item made, of each; and one document type.
  expect(after.events - before.events).toBe(200 * 3 + 1);
});

describe('a worker that died', () => {
  test('loses what it had to another when its lease ends, and no sooner', async () => {
    const id = await receiveTagged(gateway, {});
    await claim();
    const other = await receiveTagged(gateway, {});
    await withWorker(gateway, {}, async () => {
      pass(gateway, leaseMs - 1);
      // Once a later one is filed, the worker has looked.
      await settled(gateway, other, await receiveTagged(gateway, {}));
      expect(await storedUpload(gateway, id)).toMatchObject({ state: 'RECEIVED', attempts: 1 });
      pass(gateway, 1);
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', attempts: 2 });
    });
  });

  test('and returns changes nothing that another has filed', async () => {
    const id = await receiveTagged(gateway, {});
    const { session } = await claim();
    pass(gateway, leaseMs);
    const upload = await withWorker(gateway, {}, () => settled(gateway, id));
    const counts = await countAll(gateway);
    await fileUpload(session, { id, attempts: 1 }, {});
    await failUpload(session, { id, attempts: 1 }, tooLate, null);
    await failUpload(session, { id, attempts: 1 }, tooLate, gateway.clock.now);
    expect(await storedUpload(gateway, id)).toEqual(upload);
    expect(await countAll(gateway)).toEqual(counts);
  });

  test('and returns changes nothing that another has in progress', async () => {
    const id = await receiveTagged(gateway, {});
    const { session } = await claim();
    pass(gateway, leaseMs);
    const again = await claim();
    const [upload, counts] = [await storedUpload(gateway, id), await countAll(gateway)];
    await fileUpload(session, { id, attempts: 1 }, {});
    await failUpload(session, { id, attempts: 1 }, tooLate, null);
    expect(await storedUpload(gateway, id)).toEqual(upload);
    expect(await countAll(gateway)).toEqual(counts);
    await fileUpload(again.session, { id, attempts: 2 }, {});
    expect(await storedUpload(gateway, id)).toMatchObject({ state: 'FILED', attempts: 2 });
  });

  test('while it filed has filed it once: both at once are one', async () => {
    const id = await receiveTagged(gateway, {});
    const { session } = await claim();
    const before = await countAll(gateway);
    await Promise.all(Array.from({ length: 6 }, () => fileUpload(session, { id, attempts: 1 }, {})));
    const after = await countAll(gateway);
    expect([after.items, after.attachments]).toEqual([before.items + 1, before.attachments + 1]);
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 11]);
  });
});

describe('tries', () => {
  const failing = async () => {
    throw new FetchFailure('HOST_BUSY', 'The file cannot be had now.', { final: false });
  };

  /** Lets a number of tries fail, each when it is due; answers how long each made the next one wait. */
  async function letFail(id: string, from: number, to: number): Promise<number[]> {
    const waits: number[] = [];
    for (let attempt = from; attempt <= to; attempt++) {
      const { dueAt, state, error } = await failedTries(gateway, id, attempt);
      expect([state, error]).toEqual(['RECEIVED', 'The file cannot be had now.']);
      waits.push(Number(dueAt) - gateway.clock.now.getTime());
      gateway.clock.now = dueAt as Date;
    }
    return waits;
  }

  test('that fail are made again, later each time, until one succeeds', async () => {
    const id = await receiveTagged(gateway, {});
    let left = 4;
    const findFile = async () => (left-- > 0 ? failing() : {});
    await withWorker(gateway, { findFile, leaseMs: longLease }, async () => {
      const waits = await letFail(id, 1, 4);
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(retryDelay(index + 1, 0));
        expect(wait).toBeLessThanOrEqual(retryDelay(index + 1, 1));
      }
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', attempts: 5, error: null });
    });
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 11]);
  });

  test('are given up after the tenth, for a person to see', async () => {
    const id = await receiveTagged(gateway, {});
    await withWorker(gateway, { findFile: failing, leaseMs: longLease }, async () => {
      await letFail(id, 1, maxAttempts - 1);
      const upload = await settled(gateway, id);
      expect(upload).toMatchObject({
        state: 'FAILED',
        attempts: maxAttempts,
        error: 'The file cannot be had now.',
      });
    });
    const events = await eventsAbout(gateway, id);
    expect(events.map(({ typeId }) => typeId)).toEqual([10, 12]);
    expect(events[1]?.description).toContain('could not be filed: The file cannot be had now.');
    expect(await claimable(365 * 24 * 3_600_000)).toEqual([]);
  });

  test('are not made again when another would meet the same', async () => {
    const id = await receiveTagged(gateway, {});
    const findFile = async () => {
      throw new FetchFailure('FILE_GONE', 'The file is no longer there.', { final: true });
    };
    const upload = await withWorker(gateway, { findFile }, () => settled(gateway, id));
    expect(upload).toMatchObject({ state: 'FAILED', attempts: 1, errorCode: 'FILE_GONE' });
  });

  test('that kill their worker each time are given up as well', async () => {
    const id = await receiveTagged(gateway, {});
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      expect((await claim()).upload.attempts).toBe(attempt);
      pass(gateway, leaseMs);
    }
    let looked = 0;
    const findFile = async () => {
      looked++;
      return {};
    };
    const upload = await withWorker(gateway, { findFile }, () => settled(gateway, id));
    expect(upload).toMatchObject({
      state: 'FAILED',
      error: 'No attempt to file it was completed.',
      errorCode: 'NEVER_FINISHED',
    });
    expect(looked).toBe(0);
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 12]);
  });
});

describe('a lease', () => {
  test('is extended as long as its worker is at work, so that nobody else takes it up', async () => {
    const id = await receiveTagged(gateway, {});
    const [start, short] = [gateway.clock.now.getTime(), 150];
    const leaseOf = async () => Number((await storedUpload(gateway, id)).dueAt) - start;
    const { findFile, release } = heldFinder();
    const worker = startWorkerOn(gateway, { findFile, leaseMs: short });
    try {
      await expect.poll(leaseOf).toBe(short);
      for (const passed of [100, 200, 300]) {
        gateway.clock.now = new Date(start + passed);
        await expect.poll(leaseOf).toBe(passed + short);
        expect(await claimable()).toEqual([]);
      }
    } finally {
      release();
      await worker.stop();
    }
    expect(await storedUpload(gateway, id)).toMatchObject({ state: 'FILED', attempts: 1 });
  });
});

describe('stop', () => {
  test('waits for attempts in progress, and claims nothing more', async () => {
    const { findFile, release, asked } = heldFinder();
    const worker = startWorkerOn(gateway, { findFile, concurrency: 4 });
    for (let index = 0; index < 5; index++) await receiveTagged(gateway, {});
    // The share of one person.
    await expect.poll(asked).toBe(2);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    await receiveTagged(gateway, {});
    expect(stopped).toBe(false);
    release();
    await stopping;
    expect(asked()).toBe(2);
    const { prisma } = gateway.database;
    expect(await prisma.uploadNotification.count({ where: { state: 'FILED' } })).toBe(2);
    expect(await claimable()).toHaveLength(4);
  });
});
