import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/** What is killed: the transaction that changes a row. */
interface Killed {
  readonly table?: string;
  readonly on?: 'INSERT' | 'UPDATE';
  /** Condition on the changed row, `NEW`. */
  readonly when: string;
}

/**
 * Prepares a database for transactions that lose their connection as they commit, as if their process was killed there.
 * @returns a function that does something so, and then once more. The database has nothing of the first attempt
 */
export async function prepareKilling(database: TestGateway['database']) {
  await database.sql(`
    CREATE SEQUENCE killings;
    CREATE FUNCTION kill_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('killings') = 1 THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(60);
      END IF;
      RETURN NULL; END $$`);
  return async (
    { table = 'document_requests', on = 'UPDATE', when }: Killed,
    isDone: () => Promise<boolean>,
    work: () => Promise<unknown>,
  ): Promise<void> => {
    await database.sql('ALTER SEQUENCE killings RESTART');
    await database.sql(`
    CREATE CONSTRAINT TRIGGER kill AFTER ${on} ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (${when}) EXECUTE FUNCTION kill_once()`);
    try {
      expect(await isDone()).toBe(false);
      // The gateway may try again by itself.
      await work().catch(() => {});
      if (!(await isDone())) await work();
      expect(await isDone()).toBe(true);
      const [counted] = await database.prisma.$queryRawUnsafe<{ isCalled: boolean }[]>(
        'SELECT is_called AS "isCalled" FROM killings',
      );
      expect(counted?.isCalled, `a transaction was killed: ${when}`).toBe(true);
    } finally {
      await database.sql(`DROP TRIGGER kill ON ${table}`);
    }
  };
}
