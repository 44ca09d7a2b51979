import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepared } from '../../src/db/connection/statement.js';
import { takeTurn } from '../../src/db/queue/queue.js';
import { sql } from '../../src/db/sql/sql.js';
import { createDatabase, createTenant, type Tenant, type TestDatabase } from '../support/gateway.js';

let made: TestDatabase;
let tenant: Tenant;
beforeAll(async () => {
  made = await createDatabase(undefined, { patience: { statement: 100 } });
  tenant = await createTenant(made.database);
});
afterAll(() => made.drop());

/** A turn of the workspace that comes first by its name. Its work is a statement. */
function turn(statement: string, faults: string[]): Promise<string> {
  return takeTurn<{ teamId: string }, string>(made.database, {
    claim: prepared('teams.first', {
      text: 'SELECT id AS "teamId" FROM teams WHERE organization_id = $1 ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED',
      values: [tenant.organizationId],
    }),
    work: async (tx) => {
      await tx.run(prepared('teams.work', { text: statement, values: [] }));
      return 'done';
    },
    putBack: ([{ teamId }]) =>
      prepared('teams.put_back', sql`UPDATE teams SET name = 'Z ' || name WHERE id = ${teamId}::uuid`),
    onFault: (_fault, teamId) => faults.push(teamId),
    ...{ idle: 'idle', failed: 'failed' },
  });
}

test('a workspace whose work takes too long goes behind the others', async () => {
  const faults: string[] = [];
  expect(await turn('SELECT pg_sleep(10)', faults)).toBe('failed');
  expect(faults).toEqual([tenant.teamId]);
  const [first] = await made.database.sql<{ id: string }>(
    'SELECT id FROM teams WHERE organization_id = $1 ORDER BY name',
    [tenant.organizationId],
  );
  expect(first?.id).toBe(tenant.otherTeamId);
  expect(await turn('SELECT 1', faults)).toBe('done');
});

test('while the database is away, no workspace is put back', async () => {
  const faults: string[] = [];
  await expect(turn('SELECT pg_terminate_backend(pg_backend_pid())', faults)).rejects.toThrow();
  expect(faults).toEqual([]);
});
