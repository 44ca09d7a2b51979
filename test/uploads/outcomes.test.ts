import { beforeEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '../../src/domain/load/quota.js';
import type { Outcome } from '../../src/domain/uploads/upload.js';
import { FetchFailure } from '../../src/uploads/worker/fetch.js';
import { useGateway } from '../support/gateway.js';
import {
  type FindFile,
  longLease,
  pass,
  receiveTagged,
  settled,
  storedUpload,
  type TestWorkerOptions,
  withWorker,
} from './support.js';

const gateway = useGateway();
const tried: Outcome[] = [];
beforeEach(() => void tried.splice(0));

const onTried = (outcome: Outcome, ms: number) => {
  expect(ms).toBeGreaterThan(0);
  tried.push(outcome);
};

/** Returns what the tries of one upload come to, until there are so many. */
async function triesOf(count: number, tags: object, options: TestWorkerOptions = {}) {
  await receiveTagged(gateway, tags);
  await withWorker(gateway, { onTried, leaseMs: longLease, ...options }, async () => {
    for (let at = 1; at <= count; at++) {
      await expect.poll(() => tried.length).toBe(at);
      pass(gateway, 60_000);
    }
  });
  return tried;
}

const unavailable = (final: boolean) => async () => {
  throw new FetchFailure('HOST_BUSY', 'The file cannot be had.', { final });
};

test('an upload that is filed', async () => {
  expect(await triesOf(1, {})).toEqual(['filed']);
});

test('one that cannot be filed', async () => {
  expect(await triesOf(1, { expiration_date: 'never' })).toEqual(['failed']);
});

test('one whose file is gone', async () => {
  expect(await triesOf(1, {}, { findFile: unavailable(true) })).toEqual(['failed']);
});

test('one that is filed at the second attempt', async () => {
  let left = 1;
  const findFile: FindFile = async () => (left-- > 0 ? unavailable(false)() : {});
  expect(await triesOf(2, {}, { findFile })).toEqual(['retried', 'filed']);
});

test('one that a worker gives back as it stops', async () => {
  await receiveTagged(gateway, {});
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const findFile: FindFile = (_upload, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      asked();
    });
  await withWorker(gateway, { onTried, findFile }, () => isAsked);
  expect(tried).toEqual(['released']);
  await withWorker(gateway, { onTried }, () => expect.poll(() => tried).toHaveLength(2));
  expect(tried).toEqual(['released', 'filed']);
});

test('one that a person settled meanwhile', async () => {
  const findFile: FindFile = async ({ id }) => {
    const mutation = 'mutation ($id: ID!) { confirmUpload(id: $id, input: {name: "By hand"}) { state } }';
    expect((await gateway.graphql(mutation, { id })).data.confirmUpload.state).toBe('FILED');
    return {};
  };
  expect(await triesOf(1, {}, { findFile })).toEqual(['released']);
});

describe('one that was filed unread', () => {
  /** Sends a file, which is filed at once, and whose document a worker reads. */
  async function sendUnread(): Promise<string> {
    const body = { file_name: 'scan.txt', content_type: 'text/plain', content: 'UGFwZXI=' };
    const { status, json } = await gateway.send('POST', '/v1/uploads', { body });
    expect([status, json.state]).toEqual([201, 'filed']);
    return json.id;
  }

  /** Returns what the one try of an upload comes to, and whether its document was read. */
  async function tryOf(id: string): Promise<[outcomes: Outcome[], isRead: boolean]> {
    let isRead = false;
    const findFile: FindFile = async (_upload, _signal, _locale, stored) => {
      isRead = stored !== undefined;
      return {};
    };
    await withWorker(gateway, { onTried, findFile }, () => settled(gateway, id));
    return [tried, isRead];
  }

  test('is read', async () => {
    expect(await tryOf(await sendUnread())).toEqual([['read'], true]);
  });

  test('is left unread when its file is gone', async () => {
    const id = await sendUnread();
    const { attachmentId } = await storedUpload(gateway, id);
    await gateway.database.prisma.attachment.delete({ where: { id: attachmentId ?? '' } });
    expect(await tryOf(id)).toEqual([['unread'], false]);
  });

  test('is read at the last attempt, and left unread after it', async () => {
    const tryAfter = async (attempts: number) => {
      const id = await sendUnread();
      await gateway.database.prisma.uploadNotification.update({ where: { id }, data: { attempts } });
      tried.splice(0);
      return tryOf(id);
    };
    expect(await tryAfter(maxAttempts - 1)).toEqual([['read'], true]);
    expect(await tryAfter(maxAttempts)).toEqual([['unread'], false]);
  });
});

test('one whose outcome cannot be stored is retried', async () => {
  const sql = (statement: string) => gateway.database.prisma.$executeRawUnsafe(statement);
  await sql(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'P0001'; END $$`);
  await sql(`CREATE TRIGGER fail BEFORE UPDATE ON upload_notifications FOR EACH ROW
    WHEN (NEW.state = 'FILED' OR NEW.error IS NOT NULL) EXECUTE FUNCTION fail()`);
  try {
    expect(await triesOf(1, {})).toEqual(['retried']);
  } finally {
    await sql('DROP FUNCTION fail CASCADE');
  }
});
