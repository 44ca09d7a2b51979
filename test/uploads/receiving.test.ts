import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { Session } from '../../src/db/connection/session.js';
import { onUploadReceived, receiveUpload } from '../../src/uploads/received-uploads.js';
import { eventually } from '../support/eventually.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';

let own: TestDatabase;
let tenants: Tenant[];
/** What two processes have of one database. */
let databases: [Database, Database];
const sent: string[] = [];
beforeAll(async () => {
  own = await createDatabase(({ query }) => sent.push(query));
  const other = openDatabase({ url: own.url, poolSize: 5, onError: () => {} });
  databases = [own.database, other];
  tenants = [await createTenant(own.database, 'Acme'), await createTenant(own.database, 'Globex')];
});
afterAll(async () => {
  await databases[1].close();
  await own.drop();
});
beforeEach(async () => {
  await own.database.prisma.uploadNotification.deleteMany();
  await own.database.prisma.eventLog.deleteMany();
  sent.length = 0;
});

async function sessionOf(database: Database, tenant = tenants[0] as Tenant): Promise<Session> {
  const caller = await authenticate(database, tenant.uploader, testTime);
  if (!caller) throw new Error('The token is unknown.');
  return new Session(database, { caller, now: testTime });
}

const upload = (id: number | null, filename = `File ${id}`) => ({
  id: id === null ? null : BigInt(id),
  action: 'fp.upload',
  text: { filename },
});
const inserts = () => sent.filter((sql) => sql.includes('INSERT INTO upload_notifications')).length;

/** Returns what is stored: of each notification its key, whether it is a job, and the events about it. */
async function stored() {
  const { prisma } = own.database;
  const uploads = await prisma.uploadNotification.findMany({ orderBy: { dedupeKey: 'asc' } });
  const events = await prisma.eventLogEntity.findMany({ include: { event: true } });
  return uploads.map(({ id, organizationId, dedupeKey, dueAt, state, filename }) => ({
    organizationId,
    dedupeKey,
    filename,
    waits: dueAt !== null,
    state,
    events: events.filter(({ entityId }) => entityId === id).map(({ event }) => event.typeId),
  }));
}

test('tags beside the text are those of the file, unless the text has its own', async () => {
  const session = await sessionOf(own.database);
  const tags = { category: 'Licence' };
  await receiveUpload(session, { ...upload(1), uploadTags: tags }, undefined);
  const text = { filename: 'File 2', uploadTags: { category: 'Own' } };
  await receiveUpload(session, { ...upload(2), text, uploadTags: tags }, undefined);
  const found = await own.database.prisma.uploadNotification.findMany({ orderBy: { dedupeKey: 'asc' } });
  expect(found.map(({ uploadTags }) => uploadTags)).toEqual([tags, { category: 'Own' }]);
});

test('a file that has failed or is in transit is stored, and filed once it has arrived', async () => {
  const session = await sessionOf(own.database);
  for (const status of ['InTransit', 'failed', 'Stored'])
    await receiveUpload(session, { ...upload(1), text: { filename: 'File 1', status } }, undefined);
  expect((await stored()).map(({ state, waits }) => [state, waits])).toEqual([
    ['RECEIVED', true],
    ['IGNORED', false],
    ['IGNORED', false],
  ]);
});

describe('many at once', () => {
  test('share statements, and each is stored with its job and its event', async () => {
    const session = await sessionOf(own.database);
    sent.length = 0;
    const keys = await Promise.all(
      Array.from({ length: 250 }, (_, id) => receiveUpload(session, upload(id), undefined)),
    );
    expect(keys).toEqual(Array.from({ length: 250 }, (_, id) => `${id}:fp.upload`));
    // What comes in one turn goes together, a hundred at a time.
    expect(inserts()).toBe(3);
    const rows = await stored();
    expect(rows).toHaveLength(250);
    for (const { waits, state, events } of rows)
      expect([waits, state, events]).toEqual([true, 'RECEIVED', [10]]);
  });

  test('of several senders stay each its sender’s', async () => {
    const sessions = await Promise.all(tenants.map((tenant) => sessionOf(own.database, tenant)));
    const work = [0, 1, 2, 3, 4, 5].map((id) =>
      receiveUpload(sessions[id % 2] as Session, upload(Math.floor(id / 2)), undefined),
    );
    await Promise.all(work);
    const { prisma } = own.database;
    for (const { organizationId, teamId } of tenants) {
      const where = { organizationId, teamId };
      expect(await prisma.uploadNotification.count({ where })).toBe(3);
      expect(await prisma.eventLog.count({ where })).toBe(3);
    }
  });

  test('one that cannot be stored does not take the others along', async () => {
    const session = await sessionOf(own.database);
    const { prisma } = own.database;
    await prisma.$executeRaw`ALTER TABLE upload_notifications ADD CONSTRAINT fail CHECK (filename <> 'Bad')`;
    try {
      const names = ['Good 0', 'Good 1', 'Bad', 'Good 2', 'Bad', 'Good 3'];
      const work = names.map((name, id) => receiveUpload(session, upload(id, name), undefined));
      const ends = await Promise.allSettled(work);
      expect(ends.map(({ status }) => status)).toEqual(
        names.map((name) => (name === 'Bad' ? 'rejected' : 'fulfilled')),
      );
      expect((await stored()).map(({ filename }) => filename)).toEqual(
        names.filter((name) => name !== 'Bad'),
      );
    } finally {
      await prisma.$executeRaw`ALTER TABLE upload_notifications DROP CONSTRAINT fail`;
    }
  });
});

describe('repeats', () => {
  test('that two processes get in opposite orders wait for each other, and are stored once', async () => {
    const sessions = await Promise.all(databases.map((database) => sessionOf(database)));
    const ids = Array.from({ length: 60 }, (_, id) => id);
    for (let round = 0; round < 5; round++) {
      const both = [ids, ids.toReversed()].flatMap((order, index) =>
        order.map((id) => receiveUpload(sessions[index] as Session, upload(round * 100 + id), undefined)),
      );
      await Promise.all(both);
    }
    const rows = await stored();
    expect(rows).toHaveLength(300);
    for (const { events } of rows) expect(events).toEqual([10]);
  });

  const anyNotification = fc.record({
    process: fc.constantFrom(0, 1),
    tenant: fc.constantFrom(0, 1),
    id: fc.option(fc.integer({ min: 0, max: 3 })),
    action: fc.constantFrom('fp.upload', 'fp.delete', null),
    filename: fc.constantFrom('A', 'B'),
  });

  test('are one for an organization, an id and an action, else for a content, whoever sends when', async () => {
    const sessions = await Promise.all(
      databases.map((database) => Promise.all(tenants.map((tenant) => sessionOf(database, tenant)))),
    );
    const { prisma } = own.database;
    await fc.assert(
      fc.asyncProperty(fc.array(anyNotification, { maxLength: 30 }), async (notifications) => {
        const keys = await Promise.all(
          notifications.map(({ process, tenant, id, action, filename }) => {
            const input = { ...upload(id, filename), action };
            return receiveUpload(sessions[process]?.[tenant] as Session, input, undefined);
          }),
        );
        const key = ({ tenant, id, action, filename }: (typeof notifications)[number]) =>
          id === null ? [tenant, action, filename].join() : [tenant, id, action ?? ''].join(':');
        const expected = new Set(notifications.map(key));
        expect(await prisma.uploadNotification.count()).toBe(expected.size);
        expect(await prisma.eventLog.count({ where: { typeId: 10 } })).toBe(expected.size);
        const waiting = { dueAt: { not: null }, action: 'fp.upload' };
        expect(await prisma.uploadNotification.count({ where: waiting })).toBe(
          new Set(notifications.filter(({ action }) => action === 'fp.upload').map(key)).size,
        );
        expect(await prisma.uploadNotification.count({ where: { dueAt: { not: null } } })).toBe(
          await prisma.uploadNotification.count({ where: { state: 'RECEIVED' } }),
        );
        expect(keys.filter((text) => text === '')).toEqual([]);
        await prisma.uploadNotification.deleteMany();
        await prisma.eventLog.deleteMany();
      }),
      { numRuns: 25 },
    );
  });
});

describe('what is not committed', () => {
  test('is not answered; when its connection is lost it is refused, and a repeat is stored', async () => {
    const session = await sessionOf(own.database);
    const { prisma } = own.database;
    const ends: Promise<string>[] = [];
    let answered = 0;
    const endOf = (work: Promise<string>) =>
      work.then(
        () => 'stored',
        () => 'refused',
      );
    await databases[1].prisma.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE event_logs IN EXCLUSIVE MODE`;
      const receive = (id: number) => {
        const work = receiveUpload(session, upload(id), undefined).finally(() => {
          answered++;
        });
        ends.push(endOf(work));
      };
      receive(0);
      // By another connection: a transaction sees the activity as it was when it first looked.
      const waiting = () => databases[0].prisma.$queryRaw<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      const pid = await eventually(async () => {
        const [first] = await waiting();
        if (!first) throw new Error('Nothing waits.');
        return first.pid;
      });
      for (const id of [1, 2]) receive(id);
      expect(answered).toBe(0);
      await tx.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    });
    // The first was under way alone when its connection was lost.
    expect(await Promise.all(ends)).toEqual(['refused', 'stored', 'stored']);
    expect(await prisma.uploadNotification.count()).toBe(2);
    await receiveUpload(session, upload(0), undefined);
    expect((await stored()).map(({ events }) => events)).toEqual([[10], [10], [10]]);
  });
});

test('listeners are called only for uploads to be filed', async () => {
  const session = await sessionOf(own.database);
  let told = 0;
  const silence = onUploadReceived(own.database, () => {
    told++;
  });
  await receiveUpload(session, upload(1), undefined);
  expect(told).toBe(1);
  await receiveUpload(session, upload(1), undefined);
  await receiveUpload(session, { action: 'fp.delete' }, undefined);
  expect(told).toBe(1);
  silence();
  await receiveUpload(session, upload(2), undefined);
  expect(told).toBe(1);
});

test('a notification within a transaction is undone with it', async () => {
  const session = await sessionOf(own.database);
  const undone = session.inTransaction((tx) =>
    session.within(tx, async () => {
      await receiveUpload(session, upload(1), undefined);
      throw new Error('No.');
    }),
  );
  await expect(undone).rejects.toThrow('No.');
  expect(await stored()).toEqual([]);
  await session.inTransaction((tx) => session.within(tx, () => receiveUpload(session, upload(1), undefined)));
  expect(await stored()).toMatchObject([{ dedupeKey: '1:fp.upload', events: [expect.any(Number)] }]);
});
