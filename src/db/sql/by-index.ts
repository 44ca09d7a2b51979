import type { Database } from '../connection/database.js';
import { named, type Statement } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { sql } from './sql.js';

/**
 * Lets reading statements of a transaction find rows by index. Statements with many keys need it: a plan that
 * was kept since its tables were empty would read them once for each key.
 */
export async function preferIndexes(tx: Transaction): Promise<void> {
  const settings = sql`
    SELECT set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`;
  await tx.run(named('session.prefer_indexes', settings));
}

/**
 * Lets the statements that follow keep their plans again. Without it, PostgreSQL would plan the functions of
 * triggers and indexes anew for each row that is written, which takes three times as long as writing it.
 */
export async function keepPlans(tx: Transaction): Promise<void> {
  await tx.run(named('session.keep_plans', sql`SELECT set_config('plan_cache_mode', 'auto', true)`));
}

/** Sends an unscoped statement with many keys. It must reveal nothing of anybody's rows. */
export function readByIndex<Row>(database: Database, statement: Statement): Promise<Row[]> {
  return database.inTransaction(async (tx) => {
    await preferIndexes(tx);
    return tx.run<Row>(statement);
  });
}
