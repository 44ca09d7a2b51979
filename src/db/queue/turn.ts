import type { Database } from '../connection/database.js';
import { unavailableOf } from '../connection/errors.js';
import type { Statement } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';

/** Work on a workspace's rows, when it is its turn. */
export interface Turn<Row, Result> {
  /** Locks the next rows of one workspace, and skips those that are locked. */
  readonly claim: Statement;
  readonly work: (tx: Transaction, rows: readonly [Row, ...Row[]]) => Promise<Result>;
  /** Puts rows whose work has failed behind those of all other workspaces. */
  readonly putBack: (rows: readonly [Row, ...Row[]]) => Statement;
  /** Called with a workspace whose work has failed. */
  readonly onFault: ((fault: Error, teamId: string) => void) | undefined;
  /** Result if there is nothing to do. */
  readonly idle: Result;
  /** Result if the work has failed. */
  readonly failed: Result;
}

/**
 * Works on the next rows in the transaction that locks them. So the lock is the lease: if the process dies,
 * the rows are free at once, and nothing is done.
 * @throws temporary errors, which would hit all rows
 */
export function takeTurn<Row extends { readonly teamId: string }, Result>(
  database: Database,
  { claim, work, putBack, onFault, idle, failed }: Turn<Row, Result>,
): Promise<Result> {
  return database.inTransaction(async (tx) => {
    const [first, ...others] = await tx.run<Row>(claim);
    if (!first) return idle;
    try {
      return await tx.inTransaction((part) => work(part, [first, ...others]));
    } catch (error) {
      if (unavailableOf(error)) throw error;
      await tx.run(putBack([first, ...others]));
      onFault?.(error as Error, first.teamId);
      return failed;
    }
  });
}
