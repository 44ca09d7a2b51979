import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { Worker } from '../../src/uploads/worker/worker.js';
import { createItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import {
  countAll,
  eventsAbout,
  failedTries,
  longLease,
  pass,
  receiveTagged,
  settled,
  startWorkerOn,
  storedUpload,
  withWorker,
} from './support.js';

const gateway = useGateway();

const sql = (statement: string) => gateway.database.prisma.$executeRawUnsafe(statement);

/**
 * Has the database fail what a trigger is told to, until what this answers is called. Done before there is a worker,
 * as one takes up at once what waits.
 */
async function breakDatabase(on: string, { when = 'true', code = 'P0001' } = {}) {
  await sql(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the disk is on fire' USING ERRCODE = '${code}'; END $$`);
  await sql(`CREATE TRIGGER fail BEFORE ${on} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fail()`);
  return () => sql('DROP FUNCTION IF EXISTS fail CASCADE');
}
// Of a test that failed, there may be something left.
afterEach(() => sql('DROP FUNCTION IF EXISTS fail CASCADE'));

/** Returns a log that can be looked at. */
function memoryLog() {
  const lines: { level: number; upload?: string; err?: { message: string } }[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

const retrying = { leaseMs: longLease };

describe('when filing fails', () => {
  test.each([
    ['its attachment', 'INSERT ON attachments', 'true'],
    ['its event', 'INSERT ON event_logs', 'NEW.type_id = 11'],
    ['what it came to', 'UPDATE ON upload_notifications', "NEW.state = 'FILED'"],
  ])('at %s, nothing of it stays, and another try files it', async (_what, on, when) => {
    const id = await receiveTagged(gateway, { category: 'Unseen', contact_email: 'unseen@example.com' });
    const before = await countAll(gateway);
    const { lines, log } = memoryLog();
    const mend = await breakDatabase(on, { when });
    await withWorker(gateway, { ...retrying, log }, async () => {
      const { state, error } = await failedTries(gateway, id, 1);
      await mend();
      expect([state, error]).toEqual([
        'RECEIVED',
        'Something went wrong in the service; the details are in its log.',
      ]);
      expect(await countAll(gateway)).toEqual(before);
      pass(gateway, 60_000);
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', attempts: 2, error: null });
    });
    const faults = lines.filter(({ level }) => level >= 50);
    expect(faults).toMatchObject([{ upload: id, err: { message: expect.stringContaining('on fire') } }]);
    const after = await countAll(gateway);
    expect([after.items, after.attachments]).toEqual([before.items + 1, before.attachments + 1]);
    expect((await eventsAbout(gateway, id)).map(({ typeId }) => typeId)).toEqual([10, 11]);
  });

  test('because the database cannot serve now, it is no fault, and another try files it', async () => {
    const id = await receiveTagged(gateway, {});
    const { lines, log } = memoryLog();
    const mend = await breakDatabase('INSERT ON attachments', { code: '53100' });
    await withWorker(gateway, { ...retrying, log }, async () => {
      const { error } = await failedTries(gateway, id, 1);
      await mend();
      expect(error).toBe('The database cannot answer now; try again.');
      pass(gateway, 60_000);
      expect((await settled(gateway, id)).state).toBe('FILED');
    });
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  test('because its connection is lost halfway, the same try files it', async () => {
    const item = await createItem(gateway);
    const id = await receiveTagged(gateway, { expiration_item_id: item.id });
    const { prisma } = gateway.database;
    let worker: Worker | undefined;
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM expiration_items WHERE id = ${item.id}::uuid FOR UPDATE`;
      // By a connection of its own: a transaction sees the activity as it was when it first looked.
      const killed = () => prisma.$queryRaw<unknown[]>`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // Not before the item is locked: it would be filed.
      worker = startWorkerOn(gateway, retrying);
      await expect.poll(killed).toHaveLength(1);
    });
    try {
      expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', attempts: 1 });
    } finally {
      await worker?.stop();
    }
    expect(await prisma.attachment.count({ where: { itemId: item.id } })).toBe(1);
  });
});

test('when not even a failure can be kept, the lease ends and another try follows', async () => {
  const id = await receiveTagged(gateway, {});
  const leaseMs = 15_000;
  const { lines, log } = memoryLog();
  const faults = () => lines.filter(({ level }) => level >= 50);
  const mend = await breakDatabase('UPDATE ON upload_notifications', {
    when: "NEW.state = 'FILED' OR NEW.error IS NOT NULL",
  });
  await withWorker(gateway, { leaseMs, log }, async () => {
    // What was filing's own, and that it could not be kept.
    await expect.poll(faults).toHaveLength(2);
    expect(await storedUpload(gateway, id)).toMatchObject({ state: 'RECEIVED', attempts: 1, error: null });
    await mend();
    pass(gateway, leaseMs);
    expect(await settled(gateway, id)).toMatchObject({ state: 'FILED', attempts: 2 });
  });
});

test('when the queue cannot be read, the worker waits until it can', async () => {
  const { lines, log } = memoryLog();
  const warnings = () => lines.filter(({ level }) => level === 40).length;
  await withWorker(gateway, { log }, async () => {
    const id = await receiveTagged(gateway, { name: 'Patience' });
    await settled(gateway, id);
    const mend = await breakDatabase('UPDATE ON upload_notifications', {
      when: 'NEW.attempts > OLD.attempts',
    });
    const waiting = await receiveTagged(gateway, {});
    await expect.poll(warnings).toBeGreaterThan(2);
    expect(await storedUpload(gateway, waiting)).toMatchObject({ state: 'RECEIVED', attempts: 0 });
    await mend();
    const { prisma } = gateway.database;
    const open = () => prisma.uploadNotification.count({ where: { dueAt: { not: null } } });
    await expect.poll(open).toBe(0);
  });
});
