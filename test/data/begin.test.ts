import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { authenticate } from '../../src/access/authenticate.js';
import { type BeginOptions, begin, sendIn } from '../../src/db/connection/begin.js';
import { inTransaction } from '../../src/db/connection/transaction.js';
import { openSession, type Session, type Transaction } from '../../src/db/sql/scope.js';
import { updateRow } from '../../src/db/sql/update.js';
import { newId } from '../../src/domain/rules.js';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { eventsSql } from '../../src/records/event-logs.js';
import { changedEvent } from '../../src/records/record-events.js';
import { vehicles } from '../../src/resources/vehicles.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';

let { database, drop, url } = {} as TestDatabase;
let [session, tenant] = [] as unknown as [Session, Tenant];

beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
  tenant = await createTenant(database);
  const caller = await authenticate(database, tenant.member, testTime);
  if (!caller) throw new Error('The token is unknown.');
  session = openSession(database, { caller, now: testTime });
});
afterAll(() => drop());

const data = (id = newId()) => ({
  id,
  organizationId: tenant.organizationId,
  teamId: tenant.teamId,
  name: id,
});
const make = (tx: Transaction, id: string) => tx.tag.create({ data: data(id) });
/** The same, past Prisma. */
const put = (tx: Transaction, id: string, isLast?: boolean) =>
  sendIn(
    tx,
    'INSERT INTO tags (id, organization_id, team_id, name) VALUES ($1, $2, $3, $4)',
    [id, tenant.organizationId, tenant.teamId, id],
    isLast,
  );
const isThere = async (id: string) => (await database.prisma.tag.count({ where: { id } })) === 1;
const rowsWith = (tx: Transaction, id: string) => tx.$queryRaw`SELECT id FROM tags WHERE id = ${id}::uuid`;

test('what Prisma and raw statements write in a transaction is one', async () => {
  const [id, undone] = [newId(), newId()];
  await inTransaction(session, async (tx) => {
    await make(tx, id);
    expect(await rowsWith(tx, id)).toEqual([{ id }]);
    expect(await tx.$executeRaw`UPDATE tags SET name = 'raw' WHERE id = ${id}::uuid`).toBe(1);
    expect(await tx.tag.findUnique({ where: { id } })).toMatchObject({ name: 'raw' });
    expect(await isThere(id)).toBe(false);
  });
  expect(await isThere(id)).toBe(true);
  const failing = inTransaction(session, async (tx) => {
    await make(tx, undone);
    throw new Error('No.');
  });
  await expect(failing).rejects.toThrow('No.');
  expect(await isThere(undone)).toBe(false);
});

test('a part of a transaction is undone alone, whoever wrote it', async () => {
  const [first, part, last] = [newId(), newId(), newId()];
  await inTransaction(session, async (tx) => {
    await make(tx, first);
    const failing = inTransaction(tx, async (inner) => {
      await make(inner, part);
      await inner.$queryRaw`SELECT 1 / 0`;
    });
    await expect(failing).rejects.toThrow('division by zero');
    await make(tx, last);
  });
  expect(await Promise.all([first, part, last].map(isThere))).toEqual([true, false, true]);
});

test('a transaction in which a statement failed is not taken for committed', async () => {
  const id = newId();
  const swallowing = inTransaction(session, async (tx) => {
    await make(tx, id);
    await tx.$queryRaw`SELECT 1 / 0`.catch(() => {});
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await isThere(id)).toBe(false);
});

test('a transaction that is over sends nothing any more', async () => {
  const left = await inTransaction(session, async (tx) => ({ tx }));
  await expect(rowsWith(left.tx, newId())).rejects.toThrow('over');
  await expect(make(left.tx, newId())).rejects.toThrow();
});

describe('a last statement', () => {
  test('is committed with what was before it, and nothing comes after it', async () => {
    const [first, last] = [newId(), newId()];
    const read = await inTransaction(session, async (tx) => {
      await put(tx, first);
      await put(tx, last, true);
      return rowsWith(tx, last).catch(({ message }: Error) => message);
    });
    expect(read).toBe('The transaction is over.');
    expect(await Promise.all([first, last].map(isThere))).toEqual([true, true]);
  });

  test('that fails undoes what was before it, and is what is told', async () => {
    const id = newId();
    const failing = inTransaction(session, async (tx) => {
      await put(tx, id);
      await sendIn(tx, 'SELECT 1 / 0', [], true);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await isThere(id)).toBe(false);
  });

  test('that comes too late is not sent, and nothing is committed', async () => {
    const [first, last] = [newId(), newId()];
    const started = performance.now();
    const failing = inTransaction(session, async (tx) => {
      await put(tx, first);
      const clock = vi.spyOn(performance, 'now').mockReturnValue(started + 60_000);
      await put(tx, last, true).finally(() => clock.mockRestore());
    });
    await expect(failing).rejects.toThrow('took too long');
    expect(await Promise.all([first, last].map(isThere))).toEqual([false, false]);
  });

  test('goes after those that wait for the beginning', async () => {
    const ids = [newId(), newId(), newId()] as const;
    await inTransaction(session, (tx) =>
      Promise.all([put(tx, ids[0]), put(tx, ids[1]), put(tx, ids[2], true)]),
    );
    expect(await Promise.all(ids.map(isThere))).toEqual([true, true, true]);
  });

  test('of a part is not the last of all', async () => {
    const [part, last] = [newId(), newId()];
    const work = (fails: boolean) =>
      inTransaction(session, async (tx) => {
        await inTransaction(tx, (inner) => put(inner, part, true));
        expect(await isThere(part)).toBe(false);
        if (fails) throw new Error('No.');
        await put(tx, last, true);
      });
    await expect(work(true)).rejects.toThrow('No.');
    expect(await isThere(part)).toBe(false);
    await work(false);
    expect(await Promise.all([part, last].map(isThere))).toEqual([true, true]);
  });

  test('comes before the end of Prisma’s part', async () => {
    const [first, last] = [newId(), newId()];
    await inTransaction(session, async (tx) => {
      await make(tx, first);
      await put(tx, last, true);
      expect(await isThere(last)).toBe(false);
    });
    expect(await Promise.all([first, last].map(isThere))).toEqual([true, true]);
  });
});

describe('where a transaction cannot begin', () => {
  const refused = 'BEGIN SOMEHOW';
  let pool: pg.Pool;
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: url, pipeline: true });
  });
  afterAll(() => pool.end());

  function beginBy<T>(first: pg.QueryConfig, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const options: BeginOptions = {
      pool,
      first,
      prepared: (text, values) => ({ text, values: [...values] }),
      onStatement: () => {},
      onError: () => {},
    };
    return begin(options, () => database.prisma, work);
  }

  test('nothing is written', async () => {
    const id = newId();
    const both = (tx: Transaction) => Promise.all([put(tx, id), rowsWith(tx, id)]);
    await expect(beginBy({ text: refused }, both)).rejects.toThrow('syntax error');
    await expect(beginBy({ text: refused }, (tx) => put(tx, id, true))).rejects.toThrow('syntax error');
    expect(await isThere(id)).toBe(false);
    // In the order of their asking, where it can.
    await expect(beginBy({ text: 'BEGIN' }, both)).resolves.toMatchObject([{ rowCount: 1 }, [{ id }]]);
    expect(await isThere(id)).toBe(true);
  });

  test('that is told, and not what the work has made of it', async () => {
    const failing = beginBy({ text: refused }, async (tx) => {
      await rowsWith(tx, newId());
      throw new Error('There is no such tag.');
    });
    await expect(failing).rejects.toThrow('syntax error');
  });

  test("nothing is read, if it is what makes the transaction its caller's", async () => {
    const read: unknown[] = [];
    const first = { text: refused, caller: session.caller };
    const failing = beginBy(first, async (tx) => {
      read.push(await rowsWith(tx, newId()));
    });
    await expect(failing).rejects.toThrow('syntax error');
    expect(read).toEqual([]);
  });
});

test('many transactions at once, of both kinds, keep apart', async () => {
  const ids = Array.from({ length: 40 }, () => newId());
  const one = (id: string, index: number) =>
    inTransaction(session, async (tx) => {
      if (index % 2 === 0) await tx.$queryRaw`SELECT 1`;
      await make(tx, id);
      if (index % 4 === 0) throw new Error('No.');
    }).catch(() => {});
  await Promise.all(ids.map(one));
  expect(await Promise.all(ids.map(isThere))).toEqual(ids.map((_, index) => index % 4 !== 0));
});

test.each([
  ['another workspace', () => ({ teamId: tenant.otherTeamId })],
  ['another organization', () => ({ organizationId: newId() })],
])('a raw update puts no row into %s', async (_, place) => {
  const row = await database.prisma.vehicle.create({ data: data() });
  const state = { teamId: row.teamId };
  const event = changedEvent(vehicles, row, [state, state], {});
  const also = (changed: Prisma.Sql) => eventsSql(session, [event], changed);
  const update = inTransaction(session, (tx) =>
    updateRow(tx, session, 'Vehicle', row.id, { values: { name: 'x', ...place() }, also, isLast: true }),
  );
  await expect(update).rejects.toThrow('A write outside of');
  expect(await database.prisma.vehicle.findUnique({ where: { id: row.id } })).toEqual(row);
});

test.each([true, false])('a raw update reaches no row that the caller does not see', async (isLast) => {
  const row = await database.prisma.vehicle.create({ data: { ...data(), teamId: tenant.otherTeamId } });
  const state = { teamId: tenant.teamId };
  const event = changedEvent(vehicles, { ...row, ...state }, [state, state], {});
  const also = (changed: Prisma.Sql) => eventsSql(session, [event], changed);
  const before = await database.prisma.eventLog.count();
  const update = inTransaction(session, (tx) =>
    updateRow(tx, session, 'Vehicle', row.id, { values: { name: 'x' }, also, isLast }),
  );
  await expect(update).rejects.toThrow('is gone');
  expect(await database.prisma.vehicle.findUnique({ where: { id: row.id } })).toEqual(row);
  expect(await database.prisma.eventLog.count()).toBe(before);
});
