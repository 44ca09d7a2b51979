import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { Session } from '../../src/db/connection/session.js';
import { prepared } from '../../src/db/connection/statement.js';
import { begin, type Transaction, type TransactionOptions } from '../../src/db/connection/transaction.js';
import { TransactionFiles } from '../../src/db/files/store.js';
import { readRows } from '../../src/db/sql/select.js';
import type { Sql } from '../../src/db/sql/sql.js';
import { insertRows, updateRow } from '../../src/db/sql/write.js';
import { newId } from '../../src/domain/rules.js';
import { changedEvent, eventsSql } from '../../src/records/event-logs.js';
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
  session = new Session(database, { caller, now: testTime });
});
afterAll(() => drop());

const data = (id = newId()) => ({
  id,
  organizationId: tenant.organizationId,
  teamId: tenant.teamId,
  name: id,
});
const make = (tx: Transaction, id: string) => insertRows(tx, 'Tag', [data(id)]);
const statement = (text: string, values: readonly unknown[] = []) => prepared('test', { text, values });
/** Returns the same, without a scope. */
const putting = (id: string) =>
  statement('INSERT INTO tags (id, organization_id, team_id, name) VALUES ($1, $2, $3, $4)', [
    id,
    tenant.organizationId,
    tenant.teamId,
    id,
  ]);
const put = (tx: Transaction, id: string) => tx.run(putting(id));
const putLast = (tx: Transaction, id: string) => tx.finish(putting(id));
const isThere = async (id: string) => (await database.prisma.tag.count({ where: { id } })) === 1;
const rowsWith = (tx: Transaction, id: string) =>
  tx.run(statement('SELECT id FROM tags WHERE id = $1', [id]));

test('what helpers and raw statements write in a transaction is one', async () => {
  const [id, undone] = [newId(), newId()];
  await session.inTransaction(async (tx) => {
    await make(tx, id);
    expect(await rowsWith(tx, id)).toEqual([{ id }]);
    expect(
      await tx.run(statement("UPDATE tags SET name = 'raw' WHERE id = $1 RETURNING name", [id])),
    ).toEqual([{ name: 'raw' }]);
    expect(await readRows(tx, 'Tag', { where: { id } })).toMatchObject([{ name: 'raw' }]);
    expect(await isThere(id)).toBe(false);
  });
  expect(await isThere(id)).toBe(true);
  const failing = session.inTransaction(async (tx) => {
    await make(tx, undone);
    throw new Error('No.');
  });
  await expect(failing).rejects.toThrow('No.');
  expect(await isThere(undone)).toBe(false);
});

test('a savepoint is rolled back separately, whoever wrote it', async () => {
  const [first, part, last] = [newId(), newId(), newId()];
  await session.inTransaction(async (tx) => {
    await make(tx, first);
    const failing = tx.inTransaction(async (inner) => {
      await make(inner, part);
      await inner.run(statement('SELECT 1 / 0'));
    });
    await expect(failing).rejects.toThrow('division by zero');
    await make(tx, last);
  });
  expect(await Promise.all([first, part, last].map(isThere))).toEqual([true, false, true]);
});

test('a transaction with a failed statement does not count as committed', async () => {
  const id = newId();
  const swallowing = session.inTransaction(async (tx) => {
    await make(tx, id);
    await tx.run(statement('SELECT 1 / 0')).catch(() => {});
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await isThere(id)).toBe(false);
});

test('a finished transaction sends nothing more', async () => {
  const left = await session.inTransaction(async (tx) => ({ tx }));
  await expect(rowsWith(left.tx, newId())).rejects.toThrow('over');
  await expect(make(left.tx, newId())).rejects.toThrow();
});

describe('a last statement', () => {
  test('is committed with earlier statements, and nothing can follow', async () => {
    const [first, last] = [newId(), newId()];
    const read = await session.inTransaction(async (tx) => {
      await put(tx, first);
      await putLast(tx, last);
      return rowsWith(tx, last).catch(({ message }: Error) => message);
    });
    expect(read).toBe('The transaction is over.');
    expect(await Promise.all([first, last].map(isThere))).toEqual([true, true]);
  });

  test('that fails rolls back earlier statements, and its error is reported', async () => {
    const id = newId();
    const failing = session.inTransaction(async (tx) => {
      await put(tx, id);
      await tx.finish(statement('SELECT 1 / 0'));
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await isThere(id)).toBe(false);
  });

  test('that comes too late is not sent, and nothing is committed', async () => {
    const [first, last] = [newId(), newId()];
    const started = performance.now();
    const failing = session.inTransaction(async (tx) => {
      await put(tx, first);
      const clock = vi.spyOn(performance, 'now').mockReturnValue(started + 60_000);
      await putLast(tx, last).finally(() => clock.mockRestore());
    });
    await expect(failing).rejects.toThrow('took too long');
    expect(await Promise.all([first, last].map(isThere))).toEqual([false, false]);
  });

  test('goes after those that wait for the beginning', async () => {
    const ids = [newId(), newId(), newId()] as const;
    await session.inTransaction((tx) => Promise.all([put(tx, ids[0]), put(tx, ids[1]), putLast(tx, ids[2])]));
    expect(await Promise.all(ids.map(isThere))).toEqual([true, true, true]);
  });

  test('of a part is not the last of all', async () => {
    const [part, last] = [newId(), newId()];
    const work = (fails: boolean) =>
      session.inTransaction(async (tx) => {
        await tx.inTransaction((inner) => putLast(inner, part));
        expect(await isThere(part)).toBe(false);
        if (fails) throw new Error('No.');
        await putLast(tx, last);
      });
    await expect(work(true)).rejects.toThrow('No.');
    expect(await isThere(part)).toBe(false);
    await work(false);
    expect(await Promise.all([part, last].map(isThere))).toEqual([true, true]);
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
    const options: TransactionOptions = {
      pool,
      first,
      prepare: ({ name, text, values }) => ({ statement: name, text, values: [...values] }),
      onStatement: () => {},
      onError: () => {},
      files: new TransactionFiles(undefined, []),
    };
    return begin(options, work, session.caller);
  }

  test('nothing is written', async () => {
    const id = newId();
    const both = (tx: Transaction) => Promise.all([put(tx, id), rowsWith(tx, id)]);
    await expect(beginBy({ text: refused }, both)).rejects.toThrow('syntax error');
    await expect(beginBy({ text: refused }, (tx) => putLast(tx, id))).rejects.toThrow('syntax error');
    expect(await isThere(id)).toBe(false);
    // In the order of their asking, where it can.
    await expect(beginBy({ text: 'BEGIN' }, both)).resolves.toMatchObject([[], [{ id }]]);
    expect(await isThere(id)).toBe(true);
  });

  test("reports that error rather than the work's", async () => {
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

test('many transactions at once keep apart', async () => {
  const ids = Array.from({ length: 40 }, () => newId());
  const one = (id: string, index: number) =>
    session
      .inTransaction(async (tx) => {
        if (index % 2 === 0) await tx.run(statement('SELECT 1'));
        await make(tx, id);
        if (index % 4 === 0) throw new Error('No.');
      })
      .catch(() => {});
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
  const log = (changed?: Sql) => eventsSql(session, [event], changed);
  const update = session.inTransaction((tx) =>
    updateRow(tx, 'Vehicle', row.id, { values: { name: 'x', ...place() }, log, finish: true }),
  );
  await expect(update).rejects.toThrow('A write outside of');
  expect(await database.prisma.vehicle.findUnique({ where: { id: row.id } })).toEqual(row);
});

test.each([true, false])('a raw update reaches no row that the caller does not see', async (finish) => {
  const row = await database.prisma.vehicle.create({ data: { ...data(), teamId: tenant.otherTeamId } });
  const state = { teamId: tenant.teamId };
  const event = changedEvent(vehicles, { ...row, ...state }, [state, state], {});
  const log = (changed?: Sql) => eventsSql(session, [event], changed);
  const before = await database.prisma.eventLog.count();
  const update = session.inTransaction((tx) =>
    updateRow(tx, 'Vehicle', row.id, { values: { name: 'x' }, log, finish }),
  );
  await expect(update).rejects.toThrow('is gone');
  expect(await database.prisma.vehicle.findUnique({ where: { id: row.id } })).toEqual(row);
  expect(await database.prisma.eventLog.count()).toBe(before);
});
