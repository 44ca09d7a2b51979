import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { Session } from '../../src/db/connection/session.js';
import { conditionSql } from '../../src/db/sql/conditions.js';
import { narrowByRareTerm } from '../../src/db/sql/rare-terms.js';
import type { Caller } from '../../src/domain/caller.js';
import { newId } from '../../src/domain/rules.js';
import { createDatabase, createTenant, type TestDatabase, testTime } from '../support/gateway.js';

let base: TestDatabase;
let session: Session;
const errors: Error[] = [];
const opened: Database[] = [];

/** Returns a session of a process that knows nothing yet. */
function sessionOf(caller: Caller): Session {
  const database = openDatabase({ url: base.url, poolSize: 1, onError: (error) => void errors.push(error) });
  opened.push(database);
  return new Session(database, { caller, now: testTime });
}

beforeAll(async () => {
  base = await createDatabase();
  const tenant = await createTenant(base.database);
  const caller = await authenticate(base.database, tenant.member, testTime);
  if (!caller) throw new Error('The token is unknown.');
  const { organizationId, teamId } = tenant;
  const data = Array.from({ length: 300 }, (_, n) => ({
    ...{ id: newId(), organizationId, teamId, name: `note ${n}` },
    ...{ body: '', bodyText: n % 2 === 0 ? 'short' : `${'lorem '.repeat(300)}${n}` },
  }));
  await base.database.prisma.note.createMany({ data });
  const events = data.map(({ id, name }) => ({ id, organizationId, teamId, typeId: 1, description: name }));
  await base.database.prisma.eventLog.createMany({ data: events });
  // Autovacuum analyzes a partition, but never the whole table.
  await base.database.prisma.$executeRaw`ANALYZE notes, users, event_logs_before`;
  session = sessionOf(caller);
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await base.drop();
});

async function isRewritten(
  of: Session,
  model: 'Note' | 'User' | 'EventLog',
  fields: string[],
): Promise<boolean> {
  const where = { AND: [{ searched: { fields, term: 'zebra' } }, { teamId: newId() }] };
  return conditionSql('record', await narrowByRareTerm(of, model, where)).text.includes('FROM ');
}

test('a term is looked up where an index can tell', async () => {
  expect(await isRewritten(session, 'Note', ['name'])).toBe(true);
  expect(await isRewritten(session, 'EventLog', ['description'])).toBe(true);
});

test('it is not, where values are too long for statistics to tell', async () => {
  expect(await isRewritten(session, 'Note', ['bodyText'])).toBe(false);
  expect(await isRewritten(session, 'Note', ['name', 'bodyText'])).toBe(false);
});

test('nor where there is no index', async () => {
  expect(await isRewritten(session, 'User', ['name'])).toBe(false);
});

test('without readable statistics, nothing is assumed, and the operator is told', async () => {
  await base.database.prisma.$executeRaw`DROP VIEW pg_catalog.pg_stats`;
  const other = sessionOf(session.caller);
  expect(await Promise.all([1, 2].map(() => isRewritten(other, 'Note', ['name'])))).toEqual([false, false]);
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('pg_stats')]);
});
