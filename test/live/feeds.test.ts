import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createToken, revokeToken } from '../../src/access/tokens.js';
import type { Session } from '../../src/db/connection/session.js';
import type { RowOf } from '../../src/db/sql/conditions.js';
import { newId } from '../../src/domain/rules.js';
import { eventsLogged, type Feed } from '../../src/live/feeds.js';
import { createLive, type Live, liveLimits } from '../../src/live/live.js';
import { logEvent } from '../../src/records/event-logs.js';
import { eventually } from '../support/eventually.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';
import { sessionOf } from './support.js';

const clock = { now: testTime };
let testDatabase: TestDatabase;
let tenant: Tenant;
let live: Live;
beforeAll(async () => {
  testDatabase = await createDatabase();
  tenant = await createTenant(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(() => {
  live = createLive(
    testDatabase.database,
    () => clock.now,
    () => {},
    { ...liveLimits, recheck: 20 },
  );
});
afterEach(() => live.close());

/** Returns a session with a token of its own. */
async function session(): Promise<Session> {
  const { organizationId, userId } = tenant;
  const name = newId();
  await createToken(
    testDatabase.database,
    { organizationId, userId, name, role: 'ADMIN', expiresAt: null },
    testTime,
  );
  return sessionOf({ database: testDatabase.database, clock }, name);
}

function follow(of: Session, given: { entityId?: string } = {}): Promise<Feed<RowOf<'EventLog'>>> {
  const reader = { signal: new AbortController().signal, cut: () => {} };
  return eventsLogged({ live, session: of, reader }, { typeIds: [2], ...given });
}

/** Writes events in one transaction, so that they are announced together. */
function write(by: Session, events: readonly { name: string; about?: readonly string[] }[]): Promise<void> {
  return by.inTransaction(async (tx) => {
    for (const { name, about = [] } of events) {
      const entities = about.map((id) => ({ kind: 'vehicle', id }) as const);
      const { teamId } = tenant;
      await logEvent(tx, by, { type: 'updated', teamId, description: name, details: null, entities });
    }
  });
}

test('a slow reader gets nothing written before its token was revoked', async () => {
  const caller = await session();
  const feed = await follow(caller);
  await write(caller, [{ name: 'first' }, { name: 'second' }]);
  expect((await feed.next()).value.value.description).toBe('first');
  await revokeToken(testDatabase.database, caller.caller.tokenId, testTime);
  await eventually(() => expect(live.streams()).toBe(0));
  await expect(feed.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect((await feed.next()).done).toBe(true);
});

test('a stream that waits for its next event ends when it is returned', async () => {
  const feed = await follow(await session());
  const next = feed.next();
  expect(live.streams()).toBe(1);
  await feed.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(live.streams()).toBe(0);
});

test('each event has a session of its own', async () => {
  const caller = await session();
  const feed = await follow(caller);
  await write(caller, [{ name: 'first' }, { name: 'second' }]);
  const [first, second] = [await feed.next(), await feed.next()].map(({ value }) => value);
  expect([first.value.description, second.value.description]).toEqual(['first', 'second']);
  expect(first.session).not.toBe(second.session);
  expect(first.session).not.toBe(caller);
  await feed.return?.();
});

test('an event about very many records is found by each of them, and by no other', async () => {
  const caller = await session();
  const about = Array.from({ length: 150 }, () => newId());
  const wanted = newId();
  const feed = await follow(caller, { entityId: wanted });
  await write(caller, [
    { name: 'others', about },
    { name: 'among many', about: [...about, wanted] },
  ]);
  expect((await feed.next()).value.value.description).toBe('among many');
  await feed.return?.();
});
