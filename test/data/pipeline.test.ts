import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

let { database, drop, url } = {} as TestDatabase;
beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
});
afterAll(() => drop());

const pid = 'SELECT pg_backend_pid() AS pid, $1::int AS number';
type Found = { pid: number; number: number };

test('statements of one turn that belong together share a connection, each with its own rows', async () => {
  const key = {};
  const found = await Promise.all([1, 2, 3].map((number) => database.query<Found>(pid, [number], key)));
  expect(found.map(([row]) => row?.number)).toEqual([1, 2, 3]);
  expect(new Set(found.map(([row]) => row?.pid)).size).toBe(1);
});

test('others have their own', async () => {
  const wait = 'SELECT pg_backend_pid() AS pid, 1 AS number FROM pg_sleep(0.05)';
  const found = await Promise.all([{}, {}, undefined].map((key) => database.query<Found>(wait, [], key)));
  expect(new Set(found.map(([row]) => row?.pid)).size).toBe(3);
});

test('one that fails fails alone, and its connection goes on', async () => {
  const key = {};
  const results = await Promise.allSettled([
    database.query<Found>(pid, [1], key),
    database.query('SELECT 1 / $1::int', [0], key),
    database.query('SELECT no_such_column', [], key),
    database.query<Found>(pid, [2], key),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[3]).toMatchObject({ value: [{ number: 2 }] });
  expect(await database.query<Found>(pid, [3], key)).toMatchObject([{ number: 3 }]);
});

test('without a connection each is told why', async () => {
  const closed = openDatabase({ url, poolSize: 1, onError: () => {} });
  await closed.close();
  const key = {};
  const results = await Promise.allSettled([1, 2].map((number) => closed.query(pid, [number], key)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('more turns than connections wait for one another', async () => {
  const small = openDatabase({ url, poolSize: 1, onError: () => {} });
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, number) => small.query<Found>(pid, [number], {})),
  );
  expect(found.map(([row]) => row?.number)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  await small.close();
});
