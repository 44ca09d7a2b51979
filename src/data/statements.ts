import type pg from 'pg';

/** Sends a statement, and can tell when it begins and ends. */
export type AroundStatement = <T>(sql: string, send: () => Promise<T>) => Promise<T>;

type Query = (...args: unknown[]) => unknown;

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);

/** What sends statements, so that each passes through `around`, unless its sender wants to be called back. */
function watched(query: Query, around: AroundStatement): Query {
  return (...args) =>
    // It is the pool that does so, for a statement that was given to it, and has passed already.
    typeof args.at(-1) === 'function' ? query(...args) : around(textOf(args[0]), async () => query(...args));
}

/**
 * Lets every statement pass through `around`: what is given to the pool, with the time that it waits for a
 * connection, and what a transaction sends on its own connection.
 */
export function watchStatements(pool: pg.Pool, around: AroundStatement): void {
  const watch = (one: { query: unknown }) => {
    // `query` has overloads, which an assignment cannot keep; what it answers stays the same.
    one.query = watched((one.query as Query).bind(one), around);
  };
  watch(pool);
  pool.on('connect', watch);
}
