import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { isDeadlock, unavailableOf } from '../../src/db/connection/errors.js';
import { prepared } from '../../src/db/connection/statement.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createDatabase();
});
afterAll(() => fresh.drop());

/** Returns what a piece of work is thrown out with. */
async function errorOf(work: () => Promise<unknown>): Promise<unknown> {
  const nothing = Symbol();
  const error = await work().then(
    () => nothing,
    (thrown: unknown) => thrown,
  );
  expect(error).not.toBe(nothing);
  return error;
}

const raise = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '${state}'; END $$`;

/** The ways in which a statement is sent. */
const ways: readonly [string, (sql: string) => Promise<unknown>][] = [
  ['by hand', (sql) => fresh.database.sql(sql, [])],
  ['by Prisma', (sql) => fresh.database.prisma.$executeRawUnsafe(sql)],
  [
    'in a transaction',
    (sql) => fresh.database.inTransaction((tx) => tx.run(prepared('test', { text: sql, values: [] }))),
  ],
];

describe.each(ways)('%s', (_way, send) => {
  test.each([
    ['08006', 'connection_failure'],
    ['25006', 'read_only_sql_transaction: a standby'],
    ['25P03', 'idle_in_transaction_session_timeout'],
    ['28000', 'invalid_authorization_specification'],
    ['3D000', 'invalid_catalog_name: the database is gone'],
    ['40001', 'serialization_failure'],
    ['40P01', 'deadlock_detected'],
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['53300', 'too_many_connections'],
    ['55000', 'object_not_in_prerequisite_state: closed to connections'],
    ['55P03', 'lock_not_available: lock_timeout'],
    ['57014', 'query_canceled: statement_timeout'],
    ['57P01', 'admin_shutdown'],
    ['57P02', 'crash_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['58030', 'io_error'],
  ])('%s is 503, for a whole number of seconds: %s', async (state) => {
    const error = await errorOf(() => send(raise(state)));
    const answer = unavailableOf(error);
    expect(answer).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(answer?.headers['Retry-After']).toMatch(/^[1-9]\d*$/);
    expect(answer?.message).not.toContain('secret');
    expect(isDeadlock(error)).toBe(state.startsWith('40'));
  });

  test.each([
    ['22P02', 'invalid_text_representation'],
    ['23514', 'check_violation'],
    ['42P01', 'undefined_table'],
    ['42501', 'insufficient_privilege'],
    ['XX000', 'internal_error'],
  ])('%s is a fault: %s', async (state) => {
    expect(unavailableOf(await errorOf(() => send(raise(state))))).toBeUndefined();
  });
});

test('every session has its time-outs, and is in UTC', async () => {
  const patience = { lock: 1_001, statement: 1_002, idleTransaction: 1_003 };
  const database = openDatabase({ url: fresh.url, poolSize: 1, onError: () => {}, patience });
  try {
    const names = ['TimeZone', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
    const rows = await database.sql('SELECT current_setting(name) AS value FROM unnest($1::text[]) AS name', [
      names,
    ]);
    expect(rows).toEqual(['UTC', '1001ms', '1002ms', '1003ms'].map((value) => ({ value })));
  } finally {
    await database.close();
  }
});

test('nobody listens: 503', async () => {
  const url = 'postgresql://nobody:secret@127.0.0.1:1/nothing';
  const database = openDatabase({ url, poolSize: 1, onError: () => {} });
  try {
    for (const work of [() => database.sql('SELECT 1', []), () => database.prisma.team.count()]) {
      expect(unavailableOf(await errorOf(work))).toMatchObject({ status: 503 });
    }
  } finally {
    await database.close();
  }
});
