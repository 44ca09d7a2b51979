import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { prepared } from '../../src/db/connection/statement.js';
import type { Caller } from '../../src/domain/caller.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

let { database, drop, url } = {} as TestDatabase;
beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
});
afterAll(() => drop());

const pid = (number: number) =>
  prepared('test.pid', { text: 'SELECT pg_backend_pid() AS pid, $1::int AS number', values: [number] });
const statement = (text: string, values: readonly unknown[] = []) => prepared('test', { text, values });
/** On whose behalf is of no importance without row security. */
const caller = {} as Caller;
type Found = { pid: number; number: number };

test('statements of one turn that belong together share a connection, each with its own rows', async () => {
  const send = database.pipeline(caller);
  const found = await Promise.all([1, 2, 3].map((number) => send<Found>(pid(number))));
  expect(found.map(([row]) => row?.number)).toEqual([1, 2, 3]);
  expect(new Set(found.map(([row]) => row?.pid)).size).toBe(1);
});

test('others have their own', async () => {
  const wait = statement('SELECT pg_backend_pid() AS pid, 1 AS number FROM pg_sleep(0.05)');
  const found = await Promise.all([
    database.pipeline(caller)<Found>(wait),
    database.pipeline(caller)<Found>(wait),
    database.query<Found>(wait),
  ]);
  expect(new Set(found.map(([row]) => row?.pid)).size).toBe(3);
});

test('a failing statement fails alone, and its connection stays usable', async () => {
  const send = database.pipeline(caller);
  const results = await Promise.allSettled([
    send<Found>(pid(1)),
    send(statement('SELECT 1 / $1::int', [0])),
    send(statement('SELECT no_such_column')),
    send<Found>(pid(2)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[3]).toMatchObject({ value: [{ number: 2 }] });
  expect(await send<Found>(pid(3))).toMatchObject([{ number: 3 }]);
});

test('without a connection, each gets the reason', async () => {
  const closed = openDatabase({ url, poolSize: 1, onError: () => {} });
  await closed.close();
  const send = closed.pipeline(caller);
  const results = await Promise.allSettled([1, 2].map((number) => send(pid(number))));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('more turns than connections wait for one another', async () => {
  const small = openDatabase({ url, poolSize: 1, onError: () => {} });
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, number) => small.pipeline(caller)<Found>(pid(number))),
  );
  expect(found.map(([row]) => row?.number)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  await small.close();
});
