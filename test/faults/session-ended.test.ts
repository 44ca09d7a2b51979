import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { unavailableOf } from '../../src/db/connection/errors.js';
import { DatabaseClient } from '../../src/db/hosts/hosts.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { type DatabaseProxy, type Link, ready, sessionEnded, startProxy } from './proxy.js';

let testDatabase: TestDatabase;
let proxy: DatabaseProxy;
let database: Database;

beforeAll(async () => {
  testDatabase = await createDatabase();
  proxy = await startProxy(testDatabase.url);
});

afterAll(async () => {
  await database?.close();
  await proxy?.close();
  await testDatabase?.drop();
});

/**
 * Ends every session in the packet that answers its n-th statement, counted from its beginning, for as many
 * sessions as are given.
 */
function endSessions(count: number, statement: number): void {
  const answered = new Map<Link, number>();
  let left = count;
  proxy.tap = {
    answer: (piece, link) => {
      if (!piece.endsWith(ready) || left === 0) return true;
      const answers = answered.get(link) ?? 0;
      answered.set(link, answers + 1);
      if (answers !== statement) return true;
      left -= 1;
      setImmediate(link.cut);
      return piece + sessionEnded;
    },
  };
}

/** Adds a server that does not exist, so that the gateway looks for the primary. */
const severalHosts = (url: string) => url.replace('@127.0.0.1:', '@127.0.0.1:9,127.0.0.1:');

test.each([
  ['one server', (url: string) => url],
  ['several servers', severalHosts],
])('sessions that end as they begin fail a statement, not the process (%s)', async (_name, withHosts) => {
  for (const statement of [0, 1, 2]) {
    database = openDatabase({ url: withHosts(proxy.url), poolSize: 4, onError: () => {} });
    endSessions(6, statement);
    const select = () => database.sql('SELECT 1 AS one');
    const results = await Promise.allSettled(Array.from({ length: 12 }, select));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.filter((error) => unavailableOf(error) === undefined)).toEqual([]);
    proxy.tap = {};
    await expect.poll(() => select().catch(String), { timeout: 30_000 }).toEqual([{ one: 1 }]);
    await database.close();
  }
});

test('a connection without a pool survives its end, and says so to its next statement', async () => {
  endSessions(1, 0);
  const client = new DatabaseClient({ connectionString: proxy.url });
  // `once` of node:events would listen for errors as well.
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await client.connect();
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow();
});
