import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/connection/database.js';
import type { Statement } from '../../src/db/connection/statement.js';
import type { Runs, Transaction } from '../../src/db/connection/transaction.js';
import { Shares } from '../../src/db/queue/queue.js';
import { claimUploads } from '../../src/uploads/queue.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { heldFinder, pass, receive, settled, startWorkerOn } from './support.js';

const gateway = useGateway();

/** Uploads of one person. */
const queueLength = 10_000;

let others: Tenant[];
beforeAll(async () => {
  others = await Promise.all(['Second', 'Third'].map((name) => createTenant(gateway.database, name)));
});
beforeEach(() => gateway.database.prisma.uploadNotification.deleteMany());

/** Receives uploads named after their sender, at the same token. */
async function send(count: number, filename: string, token?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push(await receive(gateway, { filename }, token));
    pass(gateway, 1);
  }
  return ids;
}

/** Claims as a worker does that has some places, and names whose uploads it got. */
async function take(shares: Shares, count = 1) {
  const { now } = gateway.clock;
  const leaseUntil = new Date(now.getTime() + 3_600_000);
  return claimUploads(gateway.database, 'FILING', { count, now, leaseUntil, shares });
}

const names = (claimed: Awaited<ReturnType<typeof take>>) => claimed.map(({ upload }) => upload.filename);

/** Claims one after the other, each when the one before it is done. */
async function takeInTurn(shares: Shares, count: number) {
  const taken: (string | null | undefined)[] = [];
  for (let index = 0; index < count; index++) {
    shares.retain([]);
    taken.push(...names(await take(shares)));
  }
  return taken;
}

describe('uploads', () => {
  test('of organizations take turns, and so do those of the persons of each', async () => {
    await send(20, 'Ada');
    await send(2, 'Max', gateway.member);
    await send(2, 'Second', others[0]?.admin);
    await send(1, 'Third', others[1]?.admin);
    const taken = await takeInTurn(new Shares(4), 11);
    // Each organization has one of the first three turns, whoever sent first.
    expect(taken.slice(0, 3).toSorted()).toEqual(['Ada', 'Second', 'Third']);
    expect(taken.slice(3, 5).toSorted()).toEqual(['Max', 'Second']);
    expect(taken.slice(5)).toEqual(['Ada', 'Max', 'Ada', 'Ada', 'Ada', 'Ada']);
  });

  test('that are claimed at once are of all who wait', async () => {
    await send(20, 'Ada');
    await send(1, 'Second', others[0]?.admin);
    await send(1, 'Third', others[1]?.admin);
    expect(names(await take(new Shares(4), 4)).toSorted()).toEqual(['Ada', 'Ada', 'Second', 'Third']);
  });

  test('of nobody take all places of a worker', async () => {
    const shares = new Shares(4);
    await send(9, 'Ada');
    const ofOne = await take(shares, 4);
    expect(names(ofOne)).toEqual(['Ada', 'Ada']);
    await send(9, 'Max', gateway.member);
    const ofBoth = await take(shares, 2);
    expect(names(ofBoth)).toEqual(['Max']);
    expect(await take(shares, 1)).toEqual([]);
    await send(1, 'Second', others[0]?.admin);
    expect(names(await take(shares, 1))).toEqual(['Second']);
    // A place that one leaves is free for the same organization again.
    shares.retain(ofOne);
    expect(names(await take(shares, 2))).toEqual(['Max']);
  });

  test('are shared in the same way by several workers', async () => {
    await send(30, 'Ada');
    await send(6, 'Second', others[0]?.admin);
    const workers = [new Shares(4), new Shares(4)];
    const taken: (string | null)[] = [];
    for (let round = 0; round < 6; round++) {
      for (const shares of workers) {
        shares.retain([]);
        taken.push(...names(await take(shares)));
      }
    }
    expect(taken.filter((name) => name === 'Second')).toHaveLength(6);
  });

  test('that take long are in nobody else’s way', async () => {
    const { findFile, release, asked } = heldFinder();
    const worker = startWorkerOn(gateway, {
      findFile: ({ filename }) => (filename === 'Ada' ? findFile() : Promise.resolve({})),
    });
    try {
      await send(12, 'Ada');
      await expect.poll(asked).toBe(2);
      const [id = ''] = await send(1, 'Second', others[0]?.admin);
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED' });
      const [own = ''] = await send(1, 'Max', gateway.member);
      expect(await settled(gateway, own)).toMatchObject({ state: 'FILED' });
      expect(asked()).toBe(2);
    } finally {
      release();
      await worker.stop();
    }
  });

  test('of a long queue are claimed by a few looks into the index', async () => {
    const { prisma } = gateway.database;
    const due = gateway.clock.now;
    // What earlier tests deleted stays in the index until then, and a claim walks over it.
    await prisma.$executeRaw`VACUUM upload_notifications`;
    // One in three is due, another waits for its next attempt, and the rest is filed and waits to be read.
    for (let first = 1; first <= queueLength; first += 10_000)
      await prisma.$executeRaw`
      INSERT INTO upload_notifications (id, organization_id, team_id, user_id, dedupe_key, state, queue, received_at, due_at)
      SELECT gen_random_uuid(), ${gateway.organizationId}::uuid, ${gateway.teamId}::uuid, ${gateway.userId}::uuid,
        number::text, CASE number % 3 WHEN 2 THEN 'FILED' ELSE 'RECEIVED' END::upload_state,
        CASE number % 3 WHEN 2 THEN 'PICTURES' ELSE 'FILING' END::upload_queue, ${due}::timestamptz,
        ${due}::timestamptz + number % 3 % 2 * interval '1 hour'
      FROM generate_series(${first}::int, ${first + 9_999}::int) AS number`;
    await send(1, 'Second', others[0]?.admin);
    const claim = { count: 4, now: gateway.clock.now, leaseUntil: new Date(due.getTime() + 3_600_000) };
    const pages: number[] = [];
    interface Plan {
      readonly 'Shared Hit Blocks': number;
      readonly 'Shared Read Blocks': number;
    }
    const { database } = gateway;
    const counted = async <Row>(tx: Transaction, statement: Statement): Promise<Row[]> => {
      if (statement.name === 'upload_notifications.lock_due') {
        const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
        const [found] = await tx.run<{ 'QUERY PLAN': [{ Plan: Plan }] }>({ ...statement, text });
        const { Plan: lock } = (found as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0];
        pages.push(lock['Shared Hit Blocks'] + lock['Shared Read Blocks']);
      }
      return tx.run(statement);
    };
    const counting = {
      query: (statement: Statement) => database.query(statement),
      inTransaction: <T>(work: (tx: Runs) => Promise<T>) =>
        database.inTransaction((tx) => work({ run: (statement) => counted(tx, statement) })),
    };
    // The number of its pages does not depend on statistics.
    for (const analyze of [false, true]) {
      if (analyze) await prisma.$executeRaw`ANALYZE upload_notifications`;
      await claimUploads(counting as unknown as Database, 'FILING', { ...claim, shares: new Shares(4) });
    }
    expect(pages).not.toEqual([]);
    // About thirty; a scan of the table reads more than three hundred.
    expect(Math.max(...pages)).toBeLessThan(100);
  });
});
