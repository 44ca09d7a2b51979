import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { callerRole } from '../../src/db/connection/pool.js';
import { prepared } from '../../src/db/connection/statement.js';
import { installRoleAndPolicies } from '../../src/db/row-security/policies.js';
import { findPooling } from '../../src/db/server/addresses.js';
import type { Caller } from '../../src/domain/caller.js';
import { createDatabase, createTenant, type TestDatabase, testTime } from '../support/gateway.js';
import { type Pooler, startPooler } from '../support/pooler.js';

interface Settings {
  readonly role: string;
  readonly zone: string;
  readonly jit: string;
  readonly plans: string;
  readonly patience: string;
  readonly organization: string;
}

const settingsSql = `
  SELECT current_user AS role, current_setting('TimeZone') AS zone, current_setting('jit') AS jit,
    current_setting('plan_cache_mode') AS plans,
    current_setting('statement_timeout') AS patience,
    coalesce(current_setting('gateway.organization', true), '') AS organization`;
const settings = prepared('test.settings', { text: settingsSql, values: [] });

let test: TestDatabase;
let pooler: Pooler;
let database: Database;
let caller: Caller;

beforeAll(async () => {
  test = await createDatabase();
  await installRoleAndPolicies(test.url);
  const { admin } = await createTenant(test.database);
  caller = (await authenticate(test.database, admin, testTime)) as Caller;
  // Whoever owns the server may have set what would break statements, or make their plans bad.
  const name = new URL(test.url).pathname.slice(1);
  await test.database.sql(`ALTER DATABASE ${name} SET TimeZone = 'Asia/Tokyo'`);
  await test.database.sql(`ALTER DATABASE ${name} SET plan_cache_mode = 'force_generic_plan'`);
  // Each transaction gets another connection than the one before.
  pooler = await startPooler(test.url, { mode: 'transaction', size: 3, order: 'longest' });
  database = openDatabase({
    url: pooler.url,
    directUrl: test.url,
    pooling: { mode: 'transaction', prepares: false },
    poolSize: 4,
    rowSecurity: true,
    onError: () => {},
  });
});
afterAll(async () => {
  await database.close();
  await pooler.close();
  await test.drop();
});

const ours = { zone: 'UTC', jit: 'off', plans: 'auto', patience: '10s' };

describe('through a pooler in transaction mode', () => {
  it('every statement has the settings, alone and in transactions', async () => {
    const alone = await Promise.all(Array.from({ length: 8 }, () => database.query<Settings>(settings)));
    expect(alone.flat()).toEqual(alone.map(() => expect.objectContaining(ours)));
    const within = await database.inTransaction(async (transaction) => [
      ...(await transaction.run<Settings>(settings)),
      ...(await transaction.run<Settings>(settings)),
    ]);
    expect(within).toEqual([expect.objectContaining(ours), expect.objectContaining(ours)]);
    const prismas = await database.administer((prisma) => prisma.$queryRawUnsafe<Settings[]>(settingsSql));
    expect(prismas).toEqual([expect.objectContaining(ours)]);
  });

  it('callers have their role, which no other statement gets', async () => {
    const theirs = { ...ours, role: callerRole, organization: caller.organizationId };
    for (let time = 0; time < 4; time++) {
      expect(await database.query<Settings>(settings, caller)).toEqual([theirs]);
      const inside = await database.inTransaction(
        (transaction) => transaction.run<Settings>(settings),
        caller,
      );
      expect(inside).toEqual([theirs]);
      const snapshot = database.inSnapshot(
        (transaction) => transaction.run<Settings>(settings),
        caller,
        5_000,
      );
      expect(await snapshot).toEqual([theirs]);
      const [own] = await database.query<Settings>(settings);
      expect(own).toMatchObject({ ...ours, organization: '' });
      expect(own?.role).not.toBe(callerRole);
    }
  });

  it('a failed transaction ends, and the next statement works', async () => {
    const failing = database.inTransaction((transaction) =>
      transaction.run(prepared('test.fail', { text: 'SELECT 1 / 0', values: [] })),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await database.query<Settings>(settings)).toEqual([expect.objectContaining(ours)]);
  });
});

it('finds out whether a pooler keeps prepared statements', async () => {
  expect(await findPooling(pooler.url, 'transaction')).toEqual({ mode: 'transaction', prepares: false });
  expect(await findPooling(test.url, 'transaction')).toEqual({ mode: 'transaction', prepares: true });
});

it('connections without a pooler have the same settings', async () => {
  const own = openDatabase({ url: test.url, poolSize: 1, onError: () => {} });
  expect(await own.query<Settings>(settings)).toEqual([expect.objectContaining(ours)]);
  await own.close();
});
