import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { unavailableOf } from '../../src/db/connection/errors.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { startPooler } from '../support/pooler.js';

let direct: TestDatabase;
beforeAll(async () => {
  direct = await createDatabase();
});
afterAll(() => direct.drop());

test('a pooler that lets clients in, but has no server for them, is as unavailable as a server that is away', async (context) => {
  const pooler = await startPooler(direct.url, { mode: 'session', size: 1 });
  context.onTestFinished(pooler.close);
  const open = (connection: number) => {
    const database = openDatabase({
      url: pooler.url,
      poolSize: 1,
      patience: { connection },
      onError: () => {},
    });
    context.onTestFinished(() => database.close());
    return database;
  };
  // It keeps the pooler's only server.
  const holder = open(5_000);
  await holder.ping();
  const other = open(200);
  const refused = await other.ping().catch((error: unknown) => error);
  expect(unavailableOf(refused)).toMatchObject({ code: 'UNAVAILABLE' });
  // Nothing of the failed attempt is left, so it works as soon as there is a server.
  await holder.close();
  await expect.poll(() => other.ping().then(() => 'answered', String)).toBe('answered');
});
